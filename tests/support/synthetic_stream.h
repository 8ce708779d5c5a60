/* SPDX-License-Identifier: MIT */
/* Synthetic event streams for tests and benchmarks of trace files. The streams contain records of
 * static code and chunks of events of all kinds. Equal seeds give equal streams.
 *
 *     struct made *m = made_new(seed, needs);
 *     made_program(m); made_blocks(m, 100);       records are in m->records
 *     made_chunk(m, MADE_WALK, &chunk);           arrays are in m
 *     made_end(m); */
#ifndef SL_TESTS_MADE_STREAM_H
#define SL_TESTS_MADE_STREAM_H

#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "hash.h"
#include "random.h"
#include "statics.h"

#define MADE_BLOCKS_MAX 20000u

enum made_shape {
    MADE_EMPTY,  /* no events at all */
    MADE_WALK,   /* as programs do: loops, loads that repeat, strides */
    MADE_RANDOM, /* anything goes */
    MADE_LEAD,   /* mem events of a block in an earlier chunk, no block */
    MADE_FULL,   /* as many events as a chunk can have */
    MADE_SHAPES
};

struct made {
    uint64_t random;
    unsigned needs;
    uint32_t n_blocks, n_insns, at; /* `at`: the block the walk is in */
    uint64_t next_pc;
    uint32_t first[MADE_BLOCKS_MAX]; /* instruction of each block */
    uint8_t n_in_block[MADE_BLOCKS_MAX];
    uint64_t pc[MADE_BLOCKS_MAX];
    uint8_t *records;
    size_t n_records, records_capacity;
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS], mem_insn[SL_CHUNK_MEMS];
    uint64_t mem_value[SL_CHUNK_MEMS], mem_addr[SL_CHUNK_MEMS];
};

static void made_put(struct made *m, uint64_t value, unsigned n_bytes)
{
    if (m->n_records + 8 > m->records_capacity)
        m->records = realloc(m->records, m->records_capacity = 2 * m->records_capacity + 4096);
    for (unsigned i = 0; i < n_bytes; i++)
        m->records[m->n_records++] = (uint8_t)(value >> 8 * i);
}

static void made_head(struct made *m, size_t length, unsigned type)
{
    made_put(m, length, 4);
    made_put(m, type, 4);
}

static void made_bytes(struct made *m, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        made_put(m, (uint8_t)bytes[i], 1);
}

static inline void made_program(struct made *m)
{
    static const char *const word[] = {"/bin/made", "made", "-x", ""};
    size_t length = 12;
    for (int i = 0; i < 4; i++)
        length += 4 + strlen(word[i]);
    made_head(m, length, SL_RECORD_PROGRAM);
    made_put(m, SL_ARCH_NONE, 4);
    made_put(m, m->needs, 4);
    made_put(m, 4, 4);
    for (int i = 0; i < 4; i++) {
        made_put(m, strlen(word[i]), 4);
        made_bytes(m, word[i], strlen(word[i]));
    }
    made_head(m, 24 + 9, SL_RECORD_OBJECT);
    made_put(m, 0x400000, 8);
    made_put(m, 0x500000, 8);
    made_put(m, 0, 8);
    made_bytes(m, "/bin/made", 9);
}

/* Instruction bytes: any, but the same for the same number. */
static void made_code(struct made *m, uint32_t first, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        made_put(m, sl_mix(first + i), 4);
}

/* Most are new code; some start in the middle of the block before. */
static inline void made_blocks(struct made *m, unsigned n)
{
    for (; n && m->n_blocks < MADE_BLOCKS_MAX; n--) {
        uint32_t b = m->n_blocks++;
        unsigned size = 1 + (unsigned)sl_random_below(&m->random, 12);
        bool inside = b && m->n_in_block[b - 1] > 1 && !sl_random_below(&m->random, 5);
        uint32_t first = m->n_insns;
        uint64_t pc = m->next_pc;
        if (inside) {
            size = 1 + (unsigned)sl_random_below(&m->random, m->n_in_block[b - 1] - 1u);
            unsigned skipped = m->n_in_block[b - 1] - size;
            first = m->first[b - 1] + skipped;
            pc = m->pc[b - 1] + 4 * skipped;
        } else {
            m->n_insns += size;
            m->next_pc += 4 * size + 64 * sl_random_below(&m->random, 4);
        }
        m->first[b] = first;
        m->n_in_block[b] = (uint8_t)size;
        m->pc[b] = pc;
        made_head(m, 15 + 9 * size, SL_RECORD_BLOCK);
        made_put(m, pc, 8);
        made_put(m, b, 4);
        made_put(m, sl_random_below(&m->random, 3), 1);
        made_put(m, size, 2);
        for (unsigned i = 0; i < size; i++) {
            made_put(m, first + i, 4);
            made_put(m, 4, 1);
        }
        made_code(m, first, size);
    }
}

static inline void made_end(struct made *m)
{
    made_head(m, 32, SL_RECORD_END);
    made_put(m, 0x300, 4);
    made_put(m, 0, 4);
    made_put(m, 2, 4);
    made_put(m, 3, 4);
    made_put(m, 11, 8);
    made_put(m, 12, 8);
}

static inline struct made *made_new(uint64_t seed, unsigned needs)
{
    struct made *m = calloc(1, sizeof *m);
    m->random = seed;
    m->needs = needs;
    m->next_pc = 0x401000;
    return m;
}

static inline void made_free(struct made *m)
{
    free(m->records);
    free(m);
}

static bool made_has_addresses(unsigned needs)
{
    return needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
}

/* One mem event of instruction `insn`: constants, strides, pointers, noise. */
static void made_mem(struct made *m, uint32_t at, uint32_t insn, uint32_t block_at)
{
    uint64_t kind = sl_mix(insn), time = m->random ^ at;
    uint32_t flags = 0;
    if (made_has_addresses(m->needs))
        flags = (uint32_t)(kind >> 40 & 3) << SL_MEM_SIZE_SHIFT |
                (kind >> 50 & 7 ? 0 : SL_MEM_STORE);
    m->mem_insn[at] = insn | flags;
    switch (kind % 4) {
    case 0:
        m->mem_value[at] = kind >> 20;
        m->mem_addr[at] = kind >> 30;
        break;
    case 1:
        m->mem_value[at] = 8 * (uint64_t)block_at;
        m->mem_addr[at] = 0x7f0000000000 + 16 * (uint64_t)block_at;
        break;
    case 2:
        m->mem_value[at] = sl_mix(time) % 100;
        m->mem_addr[at] = 0x600000 + sl_mix(time) % 4096;
        break;
    default:
        m->mem_value[at] = sl_mix(time) >> (kind >> 8) % 64;
        m->mem_addr[at] = sl_mix(time) >> (kind >> 8) % 64;
    }
}

static void made_walk(struct made *m, struct sl_chunk *c, uint32_t n_blocks)
{
    uint32_t mems = 0;
    if (!c->n_blocks && m->needs && !sl_random_below(&m->random, 2)) /* some lead */
        for (; mems < 3; mems++)
            made_mem(m, mems, m->first[m->at], 0);
    for (uint32_t i = 0; i < n_blocks && mems + 12 <= SL_CHUNK_MEMS; i++) {
        uint64_t r = sl_random_next(&m->random);
        uint32_t next = m->at + 1;
        if (m->at % 7 == 6) /* a loop's end: back, mostly */
            next = r % 8 ? m->at - 6 : m->at + 1;
        else if (m->at % 5 == 3) /* a branch */
            next = r % 4 ? m->at + 2 : m->at + 1;
        else if (m->at % 31 == 30) /* a jump through a table */
            next = (uint32_t)(r >> 8);
        m->at = next % m->n_blocks;
        m->block[i] = m->at;
        m->block_mem[i] = mems;
        c->n_blocks++;
        for (uint32_t k = 0; m->needs && k < m->n_in_block[m->at]; k++)
            if (sl_mix(m->first[m->at] + k) % 3 == 0)
                made_mem(m, mems++, m->first[m->at] + k, i);
    }
    c->n_mems = mems;
}

/* An arbitrary 64-bit number: sizes, extremes and repetitions are all likely. */
static uint64_t made_number(struct made *m, uint64_t before)
{
    uint64_t r = sl_random_next(&m->random);
    switch (r % 6) {
    case 0:
        return before;
    case 1:
        return before + (r >> 60) - 8;
    case 2:
        return 0 - (r >> 63);
    default:
        return r >> (r >> 8) % 64;
    }
}

static void made_anything(struct made *m, struct sl_chunk *c)
{
    uint32_t flags = made_has_addresses(m->needs) ? ~SL_MEM_INSN_MASK : 0, mems = 0;
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        uint32_t left = c->n_mems - mems;
        m->block[i] = (uint32_t)sl_random_below(&m->random, m->n_blocks);
        if (left && sl_random_below(&m->random, 4))
            mems += (uint32_t)sl_random_below(&m->random, left < 40 ? left + 1 : left / 8);
        m->block_mem[i] = mems;
    }
    for (uint32_t i = 0; i < c->n_mems; i++) {
        uint32_t word = (uint32_t)sl_random_next(&m->random) & flags;
        m->mem_insn[i] = word | (uint32_t)sl_random_below(&m->random, m->n_insns);
        m->mem_value[i] = made_number(m, i ? m->mem_value[i - 1] : 0);
        m->mem_addr[i] = made_number(m, i ? m->mem_addr[i - 1] : 0);
    }
}

static inline void made_chunk(struct made *m, enum made_shape shape, struct sl_chunk *c)
{
    uint64_t *r = &m->random;
    *c = (struct sl_chunk){
        .thread = sl_random_below(r, 16) ? (uint32_t)sl_random_below(r, 4)
                                         : (uint32_t)sl_random_next(r),
        .flags = sl_random_below(r, 4) ? 0 : (uint32_t)sl_random_below(r, 4),
    };
    switch (shape) {
    case MADE_WALK:
        made_walk(m, c, 1 + (uint32_t)sl_random_below(r, 1000));
        break;
    case MADE_RANDOM:
        c->n_blocks = (uint32_t)sl_random_below(r, sl_random_below(r, 2) ? 8 : 500);
        c->n_mems = m->needs ? (uint32_t)sl_random_below(r, sl_random_below(r, 2) ? 8 : 900) : 0;
        made_anything(m, c);
        break;
    case MADE_LEAD:
        c->n_mems = m->needs ? 1 + (uint32_t)sl_random_below(r, 20) : 0;
        made_anything(m, c);
        break;
    case MADE_FULL:
        c->n_blocks = SL_CHUNK_BLOCKS;
        c->n_mems = m->needs ? SL_CHUNK_MEMS : 0;
        made_anything(m, c);
        break;
    default:
        break;
    }
    c->block = m->block;
    c->block_mem = m->needs ? m->block_mem : NULL;
    c->mem_insn = m->needs ? m->mem_insn : NULL;
    c->mem_value = m->needs & SL_NEED_VALUES ? m->mem_value : NULL;
    c->mem_addr = made_has_addresses(m->needs) ? m->mem_addr : NULL;
}

#endif
