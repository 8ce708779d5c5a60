/* SPDX-License-Identifier: MIT */
/* Test helpers that build programs of a few blocks from instruction words, and streams of their
 * executed blocks, for tests of the components that use decoded code.
 *
 *     struct tiny *t = tiny_new(SL_ARCH_RISCV64);
 *     uint32_t loop = tiny_words(t, 0x1000, 2, (uint32_t[]){0x00b50533, 0xfe...});
 *     tiny_sync(t);                        decodes t->code
 *     tiny_enter(t, loop);                 an execution of the block
 *     tiny_access(t, 0, 'w', 3, 0x8000);   its instruction 0 writes 8 bytes there
 *     tiny_cut(t, &chunk);                 the events since the last cut */
#ifndef SL_TESTS_TINY_PROGRAM_H
#define SL_TESTS_TINY_PROGRAM_H

#include "code.h"
#include "synthetic_stream.h"
#include "sluice.h"

struct tiny {
    struct made *made; /* for its records and chunk arrays */
    struct sl_statics statics;
    struct sl_code code;
    size_t n_applied;
    uint32_t thread, n_blocks, n_mems, flags;
    uint32_t at; /* the block entered last */
};

static inline void tiny_sync(struct tiny *t)
{
    struct sl_failure f;
    t->n_applied += (size_t)sl_statics_apply(&t->statics, t->made->records + t->n_applied,
                                             t->made->n_records - t->n_applied, &f);
    if (t->n_applied != t->made->n_records || sl_code_sync(&t->code, &f) < 0)
        abort();
}

static inline struct tiny *tiny_new(enum sl_arch arch)
{
    struct tiny *t = calloc(1, sizeof *t);
    t->made = made_new(1, SL_NEED_ADDRESSES | SL_NEED_STORES);
    made_head(t->made, 17, SL_RECORD_PROGRAM);
    made_put(t->made, arch, 4);
    made_put(t->made, t->made->needs, 4);
    made_put(t->made, 1, 4);
    made_put(t->made, 1, 4);
    made_put(t->made, 't', 1);
    sl_code_init(&t->code, &t->statics, NULL);
    return t;
}

static inline void tiny_free(struct tiny *t)
{
    made_free(t->made);
    sl_code_free(&t->code);
    sl_statics_free(&t->statics);
    free(t);
}

/* A block at `pc` of n instructions, each of the given size in bytes. Returns the block id. */
static inline uint32_t tiny_bytes(struct tiny *t, uint64_t pc, unsigned n, const uint8_t *size,
                                  const uint8_t *bytes)
{
    struct made *m = t->made;
    size_t n_bytes = 0;
    for (unsigned i = 0; i < n; i++)
        n_bytes += size[i];
    made_head(m, 15 + 5 * (size_t)n + n_bytes, SL_RECORD_BLOCK);
    made_put(m, pc, 8);
    made_put(m, m->n_blocks, 4);
    made_put(m, 0, 1);
    made_put(m, n, 2);
    for (unsigned i = 0; i < n; i++) {
        made_put(m, m->n_insns++, 4);
        made_put(m, size[i], 1);
    }
    for (size_t i = 0; i < n_bytes; i++)
        made_put(m, bytes[i], 1);
    return m->n_blocks++;
}

/* The same of instructions that are words, little-endian. */
static inline uint32_t tiny_words(struct tiny *t, uint64_t pc, unsigned n, const uint32_t *word)
{
    uint8_t size[256], bytes[1024];
    for (unsigned i = 0; i < n; i++) {
        size[i] = 4;
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(word[i] >> 8 * k);
    }
    return tiny_bytes(t, pc, n, size, bytes);
}

static inline void tiny_enter(struct tiny *t, uint32_t block)
{
    if (t->n_blocks == SL_CHUNK_BLOCKS)
        abort();
    t->at = block;
    t->made->block[t->n_blocks] = block;
    t->made->block_mem[t->n_blocks++] = t->n_mems;
}

/* `kind`: 'r' or 'w'. */
static inline void tiny_access(struct tiny *t, unsigned place, char kind, unsigned size_log2,
                               uint64_t address)
{
    if (t->n_mems == SL_CHUNK_MEMS)
        abort();
    uint32_t insn = t->statics.block_insn[t->statics.block[t->at].insns_at + place];
    t->made->mem_addr[t->n_mems] = address;
    t->made->mem_insn[t->n_mems++] = insn | size_log2 << SL_MEM_SIZE_SHIFT |
                                     (kind == 'w' ? SL_MEM_STORE : 0);
}

static inline void tiny_cut(struct tiny *t, struct sl_chunk *chunk)
{
    struct made *m = t->made;
    *chunk = (struct sl_chunk){.thread = t->thread,
                               .flags = t->flags,
                               .n_blocks = t->n_blocks,
                               .n_mems = t->n_mems,
                               .block = m->block,
                               .block_mem = m->block_mem,
                               .mem_insn = m->mem_insn,
                               .mem_addr = m->mem_addr};
    t->n_blocks = t->n_mems = t->flags = 0;
}

#endif
