/* SPDX-License-Identifier: MIT */
/* Unit tests of the run range of a stream, which --skip and --limit specify. For random ranges and
 * for chunks of many sizes, the blocks and loads inside the range equal those found by a plain
 * implementation, event by event. */
#include "source.h"

#include <string.h>

#include "random.h"
#include "tap.h"

enum { BLOCKS = 30, EVENTS = 4000 };

static uint16_t size[BLOCKS];
static const struct sl_statics statics = {.block_size = size, .n_blocks = BLOCKS};

/* One thread's stream: blocks, and after each its loads, told apart by their values. */
static uint32_t block[EVENTS], loads[EVENTS];

/* What is given: the blocks' places in the stream, and the values. */
struct given {
    uint32_t block[EVENTS];
    uint64_t value[3 * EVENTS];
    size_t n_blocks, n_values;
};

static void plainly(uint64_t skip, uint64_t limit, struct given *out)
{
    uint64_t before = 0, taken = 0, value = 0;
    out->n_blocks = out->n_values = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        bool in = before >= skip && (!limit || taken < limit);
        before += size[block[i]];
        if (in) {
            out->block[out->n_blocks++] = block[i];
            taken += size[block[i]];
        }
        for (uint32_t k = 0; k < loads[i]; k++, value++)
            if (in)
                out->value[out->n_values++] = value;
    }
}

/* The next chunk of at most `most` events; a load may be the first of its chunk. */
struct chunker {
    uint32_t at, load; /* of the stream: the next block, the next load of the one before */
    uint64_t value;
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS], insn[SL_CHUNK_MEMS];
    uint64_t values[SL_CHUNK_MEMS];
};

static bool next_chunk(struct chunker *c, uint32_t most, struct sl_chunk *chunk)
{
    *chunk = (struct sl_chunk){
        .block = c->block, .block_mem = c->block_mem, .mem_insn = c->insn, .mem_value = c->values};
    while (chunk->n_blocks + chunk->n_mems < most) {
        if (c->at && c->load < loads[c->at - 1]) {
            c->values[chunk->n_mems] = c->value++;
            c->insn[chunk->n_mems++] = 0;
            c->load++;
        } else if (c->at < EVENTS) {
            c->block_mem[chunk->n_blocks] = chunk->n_mems;
            c->block[chunk->n_blocks++] = block[c->at++];
            c->load = 0;
        } else {
            break;
        }
    }
    return chunk->n_blocks || chunk->n_mems;
}

static void by_window(uint64_t skip, uint64_t limit, uint32_t most, struct given *out, bool *gap)
{
    static struct chunker c;
    struct sl_run_range w = {.skip = skip, .limit = limit};
    enum sl_range_part verdict = SL_RANGE_INSIDE;
    struct sl_chunk chunk;
    bool first = true;
    c = (struct chunker){0};
    out->n_blocks = out->n_values = 0;
    *gap = true;
    while (verdict != SL_RANGE_AFTER && next_chunk(&c, most, &chunk)) {
        if (!sl_run_range_cut(&w, &statics, &chunk, &verdict) || verdict != SL_RANGE_INSIDE)
            continue;
        *gap &= !(chunk.flags & SL_CHUNK_GAP) == !(first && skip);
        first = false;
        for (uint32_t i = 0; i < chunk.n_blocks; i++) {
            *gap &= chunk.block_mem[i] <= chunk.n_mems &&
                    (!i || chunk.block_mem[i - 1] <= chunk.block_mem[i]);
            out->block[out->n_blocks++] = chunk.block[i];
        }
        for (uint32_t i = 0; i < chunk.n_mems; i++)
            out->value[out->n_values++] = chunk.mem_value[i];
    }
    sl_run_range_free(&w);
}

static bool equal(const struct given *a, const struct given *b)
{
    return a->n_blocks == b->n_blocks && a->n_values == b->n_values &&
           !memcmp(a->block, b->block, a->n_blocks * sizeof *a->block) &&
           !memcmp(a->value, b->value, a->n_values * sizeof *a->value);
}

int main(void)
{
    static struct given wanted, got;
    uint64_t seed = 5;
    for (uint32_t i = 0; i < BLOCKS; i++)
        size[i] = (uint16_t)(1 + sl_random_below(&seed, 9));
    for (uint32_t i = 0; i < EVENTS; i++) {
        block[i] = (uint32_t)sl_random_below(&seed, BLOCKS);
        loads[i] = (uint32_t)sl_random_below(&seed, 4);
    }
    for (uint32_t most = 1; most <= SL_CHUNK_BLOCKS; most = 3 * most + 1) {
        bool same = true, begins = true;
        for (int trial = 0; trial < 200; trial++) {
            uint64_t skip = trial % 4 ? sl_random_below(&seed, 6 * EVENTS) : 0;
            uint64_t limit = trial % 3 ? 1 + sl_random_below(&seed, 4 * EVENTS) : 0;
            bool gap;
            plainly(skip, limit, &wanted);
            by_window(skip, limit, most, &got, &gap);
            same &= equal(&wanted, &got);
            begins &= gap;
        }
        ok(same, "chunks of %u events: what is given is what the definition says", most);
        ok(begins, "chunks of %u events: the first begins with a gap, loads are where they were",
           most);
    }
    struct sl_run_range all = {0};
    struct sl_chunk chunk = {.n_blocks = 3, .block = block};
    enum sl_range_part verdict;
    ok(sl_run_range_cut(&all, &statics, &chunk, &verdict) && verdict == SL_RANGE_INSIDE &&
           chunk.n_blocks == 3 && chunk.block == block && !chunk.flags,
       "without a range, chunks are as they were");
    struct sl_run_range two = {.limit = 1};
    struct sl_chunk other = {.thread = 1, .n_mems = 2};
    sl_run_range_cut(&two, &statics, &chunk, &verdict);
    ok(chunk.n_blocks == 1 && sl_run_range_cut(&two, &statics, &other, &verdict) &&
           verdict == SL_RANGE_AFTER,
       "loads of another thread are after its end");
    return done_testing();
}
