/* SPDX-License-Identifier: MIT */
/* Test helper that writes events to a ring (the shared memory between QEMU and sluice) in the
 * ring's format, and keeps a list of these events for comparison with the reader's output. */
#ifndef SL_TESTS_MADE_RING_H
#define SL_TESTS_MADE_RING_H

#include <string.h>

#include "synthetic_stream.h"
#include "ring.h"
#include "ring_words.h"
#include "sluice.h"

enum { BLOCKS = 60, INSNS_OF_BLOCK = 6, LOADS_MAX = 40, EVENTS = 60000 };

/* ---- a program whose blocks have load layouts ---- */

struct program {
    struct sl_statics statics;
    struct sl_ring_decoder decoder;
    unsigned needs;
    uint32_t n_loads[BLOCKS];
    uint32_t load[BLOCKS][LOADS_MAX]; /* with SL_LOAD_LAYOUT_WIDE */
};

static uint64_t seed = 7;

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)sl_random_below(&seed, n);
}

/* The payload of an LOAD_LAYOUT record. */
static inline int send_load_layout(struct program *p, uint32_t block, uint32_t n,
                                   const uint32_t *load)
{
    uint32_t payload[2 + SL_LOAD_LAYOUT_MAX + 8] = {block, block};
    memcpy(payload + 2, load, n * sizeof *load);
    return sl_ring_load_layout(&p->decoder, (const uint8_t *)payload, 4 * (2 + n), NULL);
}

static inline struct program *program(unsigned needs)
{
    struct program *p = calloc(1, sizeof *p);
    struct made *m = made_new(1, needs);
    made_program(m);
    made_blocks(m, BLOCKS);
    if (sl_statics_apply(&p->statics, m->records, m->n_records, NULL) != (int64_t)m->n_records ||
        sl_ring_decoder_init(&p->decoder, &p->statics, NULL) < 0 ||
        sl_ring_sync(&p->decoder, NULL) < 0)
        abort();
    made_free(m);
    p->needs = needs;
    for (uint32_t i = 0; i < BLOCKS && needs == SL_NEED_VALUES; i++) {
        p->n_loads[i] = i % 3 ? below(i % 7 ? 10 : LOADS_MAX + 1) : 0;
        for (uint32_t k = 0; k < p->n_loads[i]; k++)
            p->load[i][k] = below((uint32_t)p->statics.n_insns) |
                            (below(3) ? 0 : SL_LOAD_LAYOUT_WIDE);
        if (p->n_loads[i] && send_load_layout(p, i, p->n_loads[i], p->load[i]) < 0)
            abort();
    }
    return p;
}

static inline void program_free(struct program *p)
{
    sl_ring_decoder_free(&p->decoder);
    sl_statics_free(&p->statics);
    free(p);
}

/* ---- a plain writer, and what it wrote ---- */

struct stream {
    uint32_t word[2 * EVENTS], data[16 * EVENTS];
    size_t n_words, n_data;
    uint32_t block[EVENTS], block_mem[EVENTS], n_blocks;
    uint32_t insn[8 * EVENTS];
    uint64_t value[8 * EVENTS], addr[8 * EVENTS];
    uint32_t n_mems;
};

/* A block's word, and a word of its data. */
static inline void put_word(struct stream *s, uint32_t word)
{
    s->word[s->n_words++] = word;
}

static inline void put(struct stream *s, uint32_t word)
{
    s->data[s->n_data++] = word;
}

static inline struct sl_ring_words words_in(const struct stream *s)
{
    return (struct sl_ring_words){
        s->word, s->word + s->n_words,          s->data, s->data + s->n_data,
        3,       SL_CHUNK_START | SL_CHUNK_END, 0};
}

/* `n` and `n_data` words in memory of just that size, so that sanitizers see a step beyond. */
struct exact_words {
    uint32_t *word, *data;
    struct sl_ring_words in;
};

static inline struct exact_words exact_words(const uint32_t *word, size_t n, const uint32_t *data,
                                             size_t n_data)
{
    struct exact_words e = {malloc(n * sizeof *word + 1), malloc(n_data * sizeof *data + 1), {0}};
    memcpy(e.word, word, n * sizeof *word);
    if (n_data)
        memcpy(e.data, data, n_data * sizeof *data);
    e.in = (struct sl_ring_words){
        .word = e.word, .end = e.word + n, .data = e.data, .data_end = e.data + n_data};
    return e;
}

static inline void exact_words_free(struct exact_words *e)
{
    free(e->word);
    free(e->data);
}

static inline void put_long(struct stream *s, uint64_t value)
{
    put(s, (uint32_t)value);
    put(s, (uint32_t)(value >> 32));
}

static inline void expect(struct stream *s, uint32_t insn, uint64_t addr, uint64_t value)
{
    s->insn[s->n_mems] = insn;
    s->addr[s->n_mems] = addr;
    s->value[s->n_mems++] = value;
}

/* A block with all loads of its layout, or `words` of them. */
static inline void put_implied(const struct program *p, struct stream *s, uint32_t block,
                               uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool wide = p->load[block][i] & SL_LOAD_LAYOUT_WIDE;
        uint64_t value = sl_random_next(&seed);
        value = wide ? value : (uint32_t)value;
        put(s, (uint32_t)value);
        if (wide)
            put(s, (uint32_t)(value >> 32));
        expect(s, p->load[block][i] & ~SL_LOAD_LAYOUT_WIDE, 0, value);
    }
}

static inline void put_named(const struct program *p, struct stream *s, uint32_t n)
{
    bool addresses = p->needs & (SL_NEED_ADDRESSES | SL_NEED_STORES);
    bool values = p->needs & SL_NEED_VALUES;
    put(s, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn = below((uint32_t)p->statics.n_insns) |
                        (addresses ? below(8) << SL_MEM_SIZE_SHIFT | below(4) << 30 : 0);
        uint64_t addr = sl_random_next(&seed), value = sl_random_next(&seed);
        put(s, insn);
        if (addresses)
            put_long(s, addr);
        if (values)
            put_long(s, value);
        expect(s, insn, addr, value);
    }
}

static inline uint32_t words_of(const struct program *p, uint32_t block, uint32_t n)
{
    uint32_t words = n;
    for (uint32_t i = 0; i < n; i++)
        words += p->load[block][i] >> 31;
    return words;
}

/* Bare blocks come many in a row, or one by one. */
static inline bool is_bare(const struct program *p)
{
    static uint32_t left;
    if (!left && p->needs == SL_NEED_VALUES && !below(100))
        left = 1 + (below(2) ? below(40) : below(4000));
    return left && left--;
}

static inline void put_block(const struct program *p, struct stream *s)
{
    uint32_t block = below(BLOCKS), kind = p->needs ? below(20) : 0, n = p->n_loads[block];
    s->block[s->n_blocks] = block;
    s->block_mem[s->n_blocks++] = s->n_mems;
    if (is_bare(p)) {
        put_word(s, block);
    } else if (kind == 0 && p->needs) { /* it was left early */
        n = below(n + 1);
        put_word(s, block | SL_WORD_OPEN);
        put(s, words_of(p, block, n) | SL_WORD_CUT);
        put_implied(p, s, block, n);
    } else if (kind < 4 && p->needs) {
        put_word(s, block | SL_WORD_OPEN);
        put_named(p, s, below(5));
        if (kind == 1) {
            put_word(s, SL_WORD_CONTINUED | SL_WORD_OPEN);
            put_named(p, s, below(5));
        }
    } else {
        put_word(s, sl_block_word(block, words_of(p, block, n)));
        put_implied(p, s, block, n);
    }
    if (p->needs && !below(30)) { /* whatever it is, it may go on */
        put_word(s, SL_WORD_CONTINUED | SL_WORD_OPEN);
        put_named(p, s, below(3));
    }
}

#endif
