/* SPDX-License-Identifier: MIT */
/* Unit tests of block shapes (shape.h): a CPU model stores the instruction, size and direction of
 * each memory access of a block once, and finds them again when the block makes the same accesses.
 * In random executions of blocks, the accesses found in this way equal those of a plain
 * implementation, which decodes every access. */
#include <string.h>

#include "random.h"
#include "shape.h"
#include "tap.h"

#define BLOCKS 20
#define OPS 12
#define MEMS 40

/* The instruction of an event: from the one before it on, or that one itself if there is none. */
static uint32_t plain_op(const struct sl_block_execution *e, uint32_t from, uint32_t insn)
{
    for (uint32_t i = from; i < e->n_ops; i++)
        if (e->op[i].insn == insn)
            return i;
    return from;
}

static bool as_defined(const struct sl_block_execution *e, const uint32_t *word,
                       const uint64_t *address, uint32_t n)
{
    bool same = e->n_references == n;
    uint32_t op = 0;
    for (uint32_t i = 0; i < n && same; i++) {
        const struct sl_reference *r = &e->reference[i];
        op = plain_op(e, op, word[i] & SL_MEM_INSN_MASK);
        same = r->op == op && r->address == address[i] &&
               r->size == 1u << (word[i] >> SL_MEM_SIZE_SHIFT & 7) && r->store == (word[i] >> 31);
    }
    return same;
}

/* Events of some instructions of the block, in their order, now and then of one that it has not. */
static uint32_t random_events(uint32_t *word, uint64_t *address, uint32_t first, uint64_t variant,
                              uint64_t *seed)
{
    uint64_t choice = variant;
    uint32_t n = 0;
    for (uint32_t i = 0; i < OPS; i++)
        for (uint64_t k = sl_random_below(&choice, 3); k; k--)
            word[n++] = (uint32_t)sl_random_below(&choice, 2) << 31 |
                        (uint32_t)sl_random_below(&choice, 7) << SL_MEM_SIZE_SHIFT |
                        (sl_random_below(&choice, 20) ? first + i : 9999);
    for (uint32_t i = 0; i < n; i++)
        address[i] = sl_random_next(seed);
    return n;
}

int main(void)
{
    struct sl_op op[BLOCKS][OPS];
    struct sl_shapes shapes = {0};
    struct sl_reference loose[MEMS];
    uint32_t word[MEMS], otherwise = 0, without = 0, confused = 0, kept[BLOCKS][20] = {{0}};
    uint64_t address[MEMS], seed = 3;
    memset(op, 0, sizeof op);
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (uint32_t i = 0; i < OPS; i++)
            op[b][i].insn = 100 * b + i;
    ok(sl_shapes_sync(&shapes, BLOCKS), "there is space for the blocks");
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t b = (uint32_t)sl_random_below(&seed, BLOCKS);
        uint64_t variant = sl_random_below(&seed, sl_random_below(&seed, 4) ? 3 : 20);
        uint32_t n = random_events(word, address, 100 * b, 1000 * b + variant, &seed);
        struct sl_chunk chunk = {.n_mems = n, .mem_insn = word, .mem_addr = address};
        struct sl_block_execution e = {.op = op[b], .n_ops = OPS};
        sl_shapes_gather(&shapes, &chunk, b, 0, n, loose, &e);
        otherwise += !as_defined(&e, word, address, n);
        without += !e.shape;
        confused += kept[b][variant] && e.shape != kept[b][variant];
        kept[b][variant] = e.shape;
    }
    ok(!otherwise, "references are those of the plain definition, each time");
    ok(without, "of a block with many shapes not all are kept");
    ok(!confused, "a shape that is kept has one number");
    sl_shapes_free(&shapes);
    return done_testing();
}
