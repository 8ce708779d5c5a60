/* SPDX-License-Identifier: MIT */
/* Generates a synthetic RISC-V program of random code, and the instruction stream of a random walk
 * through this code (synthetic_program.h). */
#include "synthetic_program.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "random.h"

#define FUNCTIONS 48u
#define FUNCTION_BLOCKS 7u /* per function; the last block returns */
#define N_BLOCKS (FUNCTIONS * FUNCTION_BLOCKS)
#define INSNS_MAX 6u
#define DEPTH_MAX 64u
#define FIRST_PC UINT64_C(0x10000)

enum ending { FALLS, CONDITIONAL, JUMPS, CALLS, CALLS_INDIRECT, JUMPS_INDIRECT, RETURNS };

/* An instruction; `loads` is log2 of the number of bytes that it loads, or 9 for none. */
struct insn {
    uint32_t word;
    uint8_t size, loads;
};

struct block {
    uint64_t pc, end;
    struct insn insn[INSNS_MAX];
    unsigned n, first_number;
    enum ending ending;
    bool small;      /* its last instruction is compressed, if possible */
    uint32_t target; /* index of a block */
};

struct synthetic_program {
    struct sl_source source;
    struct block block[N_BLOCKS];
    uint64_t random;
    bool started;
    uint32_t at;
    uint32_t stack[DEPTH_MAX]; /* blocks after calls */
    uint32_t depth;
    struct sl_chunk_arrays arrays;
};

static uint32_t draw(struct synthetic_program *m, uint32_t below)
{
    return (uint32_t)sl_random_below(&m->random, below);
}

/* ---- code ---- */

static const struct insn fillers[] = {
    {0x00150513, 4, 9}, /* addi a0, a0, 1 */
    {0x00000001, 2, 9}, /* c.nop */
    {0x00013583, 4, 3}, /* ld a1, 0(sp) */
    {0x00004108, 2, 2}, /* c.lw a0, 0(a0) */
    {0x00054603, 4, 0}, /* lbu a2, 0(a0) */
    {0x00b50533, 4, 9}, /* add a0, a0, a1 */
};

/* Bits high .. low of an offset. */
static uint32_t bits(int64_t offset, unsigned high, unsigned low)
{
    return (uint32_t)((uint64_t)offset >> low) & ((1u << (high - low + 1)) - 1);
}

static uint32_t jal(int64_t o, uint32_t rd)
{
    return 0x6fu | rd << 7 | bits(o, 20, 20) << 31 | bits(o, 10, 1) << 21 | bits(o, 11, 11) << 20 |
           bits(o, 19, 12) << 12;
}

static uint32_t bne(int64_t o)
{
    return 0x00b51063u | bits(o, 12, 12) << 31 | bits(o, 10, 5) << 25 | bits(o, 4, 1) << 8 |
           bits(o, 11, 11) << 7;
}

static uint32_t c_j(int64_t o)
{
    return 0xa001u | bits(o, 11, 11) << 12 | bits(o, 4, 4) << 11 | bits(o, 9, 8) << 9 |
           bits(o, 10, 10) << 8 | bits(o, 6, 6) << 7 | bits(o, 7, 7) << 6 | bits(o, 3, 1) << 3 |
           bits(o, 5, 5) << 2;
}

static uint32_t c_bnez(int64_t o)
{
    return 0xe101u | bits(o, 8, 8) << 12 | bits(o, 4, 3) << 10 | bits(o, 7, 6) << 5 |
           bits(o, 2, 1) << 3 | bits(o, 5, 5) << 2;
}

/* Draws the last instruction of block k of function f, and its target. */
static void draw_ending(struct synthetic_program *m, struct block *b, uint32_t f, uint32_t k)
{
    static const enum ending endings[] = {CONDITIONAL,    CONDITIONAL,   CONDITIONAL, CONDITIONAL,
                                          FALLS,          JUMPS,         CALLS,       CALLS,
                                          CALLS_INDIRECT, JUMPS_INDIRECT};
    uint32_t first = f * FUNCTION_BLOCKS, left = FUNCTION_BLOCKS - 1 - k;
    b->ending = k == FUNCTION_BLOCKS - 1 ? RETURNS
                                         : endings[draw(m, sizeof endings / sizeof *endings)];
    if ((b->ending == CALLS || b->ending == CALLS_INDIRECT) && f == FUNCTIONS - 1)
        b->ending = CONDITIONAL;
    b->small = draw(m, 2);
    if (b->ending == CALLS || b->ending == CALLS_INDIRECT)
        b->target = (f + 1 + draw(m, FUNCTIONS - 1 - f < 3 ? FUNCTIONS - 1 - f : 3)) *
                    FUNCTION_BLOCKS;
    else if (!left || (b->ending == CONDITIONAL && draw(m, 3) == 0))
        b->target = first + draw(m, k + 1);
    else
        b->target = first + k + 1 + draw(m, left);
}

static struct insn ending_insn(const struct block *b, int64_t offset)
{
    switch (b->ending) {
    case CONDITIONAL:
        return b->small ? (struct insn){c_bnez(offset), 2, 9} : (struct insn){bne(offset), 4, 9};
    case JUMPS:
        return b->small ? (struct insn){c_j(offset), 2, 9} : (struct insn){jal(offset, 0), 4, 9};
    case CALLS:
        return (struct insn){jal(offset, 1), 4, 9};
    case CALLS_INDIRECT: /* c.jalr a0, jalr ra, a0 */
        return b->small ? (struct insn){0x9502, 2, 9} : (struct insn){0x000500e7, 4, 9};
    case JUMPS_INDIRECT: /* c.jr a0, jalr zero, a0 */
        return b->small ? (struct insn){0x8502, 2, 9} : (struct insn){0x00050067, 4, 9};
    case RETURNS: /* c.jr ra, jalr zero, ra */
        return b->small ? (struct insn){0x8082, 2, 9} : (struct insn){0x00008067, 4, 9};
    default:
        return (struct insn){0};
    }
}

/* Each block falls through to the next one. Functions are short enough for compressed branches. */
static void make_code(struct synthetic_program *m)
{
    uint64_t pc = FIRST_PC;
    unsigned number = 0;
    for (uint32_t i = 0; i < N_BLOCKS; i++) {
        struct block *b = &m->block[i];
        draw_ending(m, b, i / FUNCTION_BLOCKS, i % FUNCTION_BLOCKS);
        b->pc = pc;
        b->n = 1 + draw(m, INSNS_MAX - 1);
        for (unsigned k = 0; k < b->n; k++)
            pc += (b->insn[k] = fillers[draw(m, sizeof fillers / sizeof *fillers)]).size;
        b->end = pc += ending_insn(b, 0).size;
        b->first_number = number;
        number += b->n += b->ending != FALLS;
    }
    for (struct block *b = m->block; b < m->block + N_BLOCKS; b++)
        if (b->ending != FALLS) {
            uint64_t branch = b->end - ending_insn(b, 0).size;
            b->insn[b->n - 1] = ending_insn(b, (int64_t)(m->block[b->target].pc - branch));
        }
}

/* ---- records ---- */

struct bytes {
    uint8_t data[256];
    size_t size;
};

static void append(struct bytes *b, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        b->data[b->size++] = (uint8_t)(value >> 8 * i);
}

static int send(struct synthetic_program *m, const struct bytes *b, struct sl_failure *f)
{
    int64_t used = sl_source_records(&m->source, b->data, b->size, f);
    return used < 0 ? (int)used : 0;
}

static int send_program(struct synthetic_program *m, struct sl_failure *f)
{
    static const char name[] = "synthetic";
    struct bytes b = {.size = 0};
    append(&b, 12 + 2 * (4 + sizeof name - 1), 4);
    append(&b, SL_RECORD_PROGRAM, 4);
    append(&b, SL_ARCH_RISCV64, 4);
    append(&b, SL_NEED_VALUES | SL_NEED_ADDRESSES | SL_NEED_STORES, 4);
    append(&b, 2, 4);
    for (unsigned twice = 0; twice < 2; twice++) {
        append(&b, sizeof name - 1, 4);
        for (const char *c = name; *c; c++)
            append(&b, (uint8_t)*c, 1);
    }
    return send(m, &b, f);
}

static int send_block(struct synthetic_program *m, uint32_t i, struct sl_failure *f)
{
    const struct block *block = &m->block[i];
    struct bytes b = {.size = 0};
    append(&b, 15 + 5 * block->n + block->end - block->pc, 4);
    append(&b, SL_RECORD_BLOCK, 4);
    append(&b, block->pc, 8);
    append(&b, i, 4);
    append(&b, SL_MARK_NONE, 1);
    append(&b, block->n, 2);
    for (unsigned k = 0; k < block->n; k++) {
        append(&b, block->first_number + k, 4);
        append(&b, block->insn[k].size, 1);
    }
    for (unsigned k = 0; k < block->n; k++)
        append(&b, block->insn[k].word, block->insn[k].size);
    return send(m, &b, f);
}

/* ---- execution ---- */

static uint32_t return_target(struct synthetic_program *m)
{
    if (!m->depth) /* start again in another function */
        return FUNCTION_BLOCKS * draw(m, FUNCTIONS / 4);
    uint32_t over = draw(m, 64) ? 0 : draw(m, m->depth);
    m->depth -= over + 1;
    return m->stack[m->depth];
}

static uint32_t next_block(struct synthetic_program *m)
{
    const struct block *b = &m->block[m->at];
    uint32_t next = m->at + 1;
    switch (b->ending) {
    case CONDITIONAL:
        return draw(m, 4) < (b->target > m->at ? 1 : 2) ? b->target : next;
    case JUMPS:
        return b->target;
    case CALLS:
    case CALLS_INDIRECT:
        if (m->depth < DEPTH_MAX)
            m->stack[m->depth++] = next;
        return b->target;
    case JUMPS_INDIRECT:
        return next + draw(m, FUNCTION_BLOCKS - 1 - m->at % FUNCTION_BLOCKS);
    case RETURNS:
        return return_target(m);
    default:
        return next;
    }
}

static int next_chunk(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct synthetic_program *m = (struct synthetic_program *)source;
    struct sl_chunk_arrays *to = source->into ? source->into : &m->arrays;
    uint32_t n_mems = 0, n = 0;
    bool first = !m->started;
    for (uint32_t i = 0; first && i < N_BLOCKS; i++) {
        int error = send_block(m, i, f);
        if (error < 0)
            return error;
    }
    m->started = true;
    for (; n < SL_CHUNK_BLOCKS && n_mems + INSNS_MAX <= SL_CHUNK_MEMS; n++) {
        const struct block *b = &m->block[m->at];
        to->block[n] = m->at;
        to->block_mem[n] = n_mems;
        for (unsigned k = 0; k < b->n; k++)
            if (b->insn[k].loads < 4) {
                uint64_t value = draw(m, 4) ? draw(m, 3) : sl_random_next(&m->random);
                to->mem_insn[n_mems] = (b->first_number + k) | (uint32_t)b->insn[k].loads
                                                                   << SL_MEM_SIZE_SHIFT;
                to->mem_value[n_mems] = value & UINT64_MAX >> (64 - (8u << b->insn[k].loads));
                to->mem_addr[n_mems++] = 0x80000 + 8 * (uint64_t)draw(m, 512);
            }
        m->at = next_block(m);
    }
    *chunk = (struct sl_chunk){.flags = first ? SL_CHUNK_START : 0,
                               .n_blocks = n,
                               .n_mems = n_mems,
                               .block = to->block,
                               .block_mem = to->block_mem,
                               .mem_insn = to->mem_insn,
                               .mem_value = to->mem_value,
                               .mem_addr = to->mem_addr};
    return 1;
}

static const struct sl_source_ops ops = {.next = next_chunk};

int sl_synthetic_program_open(struct sl_source **source, struct sl_failure *f)
{
    struct synthetic_program *m = calloc(1, sizeof *m);
    if (!m)
        return sl_out_of_memory(f);
    m->source.ops = &ops;
    m->random = 1;
    make_code(m);
    int error = send_program(m, f);
    *source = &m->source;
    if (error < 0) {
        sl_source_close(&m->source);
        *source = NULL;
    }
    return error;
}
