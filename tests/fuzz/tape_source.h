/* SPDX-License-Identifier: MIT */
/* Source of hostile but well-formed programs for fuzzers: a program and its event stream are
 * generated from a tape of random bytes (fuzz.h). The programs and streams contain all kinds of
 * records, instructions of all architectures, overlapping and overwritten code, arbitrary
 * addresses, thread ids of any size, markers, gaps, loops of blocks, loads and stores. */
#ifndef SL_TESTS_TAPE_SOURCE_H
#define SL_TESTS_TAPE_SOURCE_H

#include "fuzz.h"
#include "source.h"

#define TAPE_BLOCKS 96u
#define TAPE_INSNS 12u
#define TAPE_EVENTS 512u /* of a chunk, and no more than 64 chunks */

struct tape_source {
    struct sl_source source;
    struct tape *tape;
    unsigned chunks; /* that are left */
    uint8_t record[1 << 16];
    size_t n_record;
    uint32_t block[TAPE_EVENTS], block_mem[TAPE_EVENTS], mem_insn[TAPE_EVENTS];
    uint64_t mem_value[TAPE_EVENTS], mem_addr[TAPE_EVENTS];
};

static inline void tape_put(struct tape_source *s, uint64_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes && s->n_record < sizeof s->record; i++)
        s->record[s->n_record++] = (uint8_t)(value >> 8 * i);
}

static inline void tape_text(struct tape_source *s, const char *text)
{
    for (; *text; text++)
        tape_put(s, (uint8_t)*text, 1);
}

/* Sends the record that was put together after its head. */
static inline int tape_send(struct tape_source *s, unsigned type, struct sl_failure *f)
{
    size_t size = s->n_record;
    s->n_record = 0;
    tape_put(s, size - SL_RECORD_HEAD, 4);
    tape_put(s, type, 4);
    s->n_record = SL_RECORD_HEAD;
    int64_t used = sl_source_records(&s->source, s->record, size, f);
    return used < 0 ? (int)used : 0;
}

static inline const char *tape_name(struct tape *t)
{
    static const char *const name[] = {"/bin/true",
                                       "/bin/made",
                                       "",
                                       "\033[31mred\033]0;title\a",
                                       "a\nb",
                                       "\xff\xfe<script>&\"'",
                                       "\xe2\x80\xae"
                                       "evil",
                                       "/",
                                       "/dev/zero",
                                       "a;b c%s%n",
                                       "/proc/self/exe/none",
                                       "../../x"};
    return name[pick(t, sizeof name / sizeof *name)];
}

static inline int tape_program(struct tape_source *s, unsigned needs, struct sl_failure *f)
{
    struct tape *t = s->tape;
    unsigned n = 1 + pick(t, 4);
    tape_put(s, pick(t, SL_ARCH_COUNT), 4);
    tape_put(s, needs, 4);
    tape_put(s, n, 4);
    for (unsigned i = 0; i < n; i++) {
        const char *name = tape_name(t);
        tape_put(s, strlen(name), 4);
        tape_text(s, name);
    }
    return tape_send(s, SL_RECORD_PROGRAM, f);
}

static inline uint64_t tape_place(struct tape *t)
{
    switch (pick(t, 8)) {
    case 0:
        return number(t);
    case 1:
        return UINT64_C(0x7f0000001000) + 4 * take(t, 2);
    default:
        return 0x401000 + 4 * (uint64_t)pick(t, 256);
    }
}

static inline int tape_object(struct tape_source *s, struct sl_failure *f)
{
    uint64_t start = tape_place(s->tape) & ~UINT64_C(0xfff), size = 1 + number(s->tape);
    tape_put(s, start, 8);
    tape_put(s, start + size > start ? start + size : UINT64_MAX, 8);
    tape_put(s, pick(s->tape, 2) ? 0 : number(s->tape), 8);
    tape_text(s, tape_name(s->tape));
    return tape_send(s, SL_RECORD_OBJECT, f);
}

/* Bytes of one instruction, of which it says how many. Those that matter to detectors are there
 * by name, anything is by chance. */
static inline unsigned tape_insn(struct tape_source *s, uint8_t *out)
{
    static const uint32_t riscv[] = {0x0000a503, 0x00a0a023, 0xfe000ee3, 0x008000ef,
                                     0x00008067, 0x000080e7, 0x00000013, 0x00050067};
    static const uint32_t mips[] = {0x8c820000, 0xac820000, 0x1000fffe, 0x0c100400,
                                    0x03e00008, 0x0320f809, 0x00000000, 0x1440fffd};
    static const uint32_t arm[] = {0xf9400020, 0xf9000020, 0x54ffffe0, 0x94000004,
                                   0xd65f03c0, 0xd63f0020, 0xd503201f, 0xd61f0020};
    static const struct {
        uint8_t size, byte[7];
    } x86[] = {{3, {0x48, 0x8b, 0x07}},
               {3, {0x48, 0x89, 0x07}},
               {2, {0x75, 0xf0}},
               {5, {0xe8, 4, 0, 0, 0}},
               {1, {0xc3}},
               {2, {0xff, 0xd0}},
               {1, {0x90}},
               {2, {0xff, 0xe0}},
               {2, {0xff, 0x10}},
               {2, {0xf3, 0xa4}}};
    struct tape *t = s->tape;
    enum sl_arch arch = s->source.statics.program.arch;
    unsigned kind = pick(t, 16);
    if (kind > 10 || arch == SL_ARCH_NONE) {
        unsigned size = arch == SL_ARCH_X86_64 || !kind ? 1 + pick(t, 15) : 2 + 2 * pick(t, 2);
        for (unsigned i = 0; i < size; i++)
            out[i] = (uint8_t)take(t, 1);
        return size;
    }
    if (arch == SL_ARCH_X86_64) {
        kind %= sizeof x86 / sizeof *x86;
        memcpy(out, x86[kind].byte, x86[kind].size);
        return x86[kind].size;
    }
    const uint32_t *list = arch == SL_ARCH_AARCH64                              ? arm
                           : arch == SL_ARCH_RISCV64 || arch == SL_ARCH_RISCV32 ? riscv
                                                                                : mips;
    uint32_t word = list[kind % 8];
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(word >> 8 * (arch == SL_ARCH_MIPS ? 3 - i : i));
    return 4;
}

/* New code, or the end of a block that there is. */
static inline int tape_block(struct tape_source *s, struct sl_failure *f)
{
    struct tape *t = s->tape;
    const struct sl_statics *st = &s->source.statics;
    uint8_t code[16 * TAPE_INSNS], size[TAPE_INSNS];
    uint32_t insn[TAPE_INSNS];
    unsigned n = 1 + pick(t, TAPE_INSNS), n_code = 0;
    uint64_t pc = tape_place(t);
    const struct sl_block *old = st->n_blocks ? &st->block[pick(t, (unsigned)st->n_blocks)] : NULL;
    if (old && !pick(t, 3)) {
        unsigned skipped = pick(t, old->n_insns);
        n = old->n_insns - skipped;
        for (unsigned i = 0; i < n; i++) {
            insn[i] = st->block_insn[old->insns_at + skipped + i];
            size[i] = st->insn[insn[i]].size;
            memcpy(code + n_code, st->bytes + st->insn[insn[i]].bytes_at, size[i]);
            n_code += size[i];
        }
        pc = st->insn[insn[0]].pc;
    } else {
        for (unsigned i = 0; i < n; i++) {
            insn[i] = (uint32_t)st->n_insns + i;
            size[i] = (uint8_t)tape_insn(s, code + n_code);
            n_code += size[i];
        }
    }
    tape_put(s, pc, 8);
    tape_put(s, st->n_blocks, 4);
    tape_put(s, pick(t, 8) ? 0 : pick(t, 3), 1);
    tape_put(s, n, 2);
    for (unsigned i = 0; i < n; i++) {
        tape_put(s, insn[i], 4);
        tape_put(s, size[i], 1);
    }
    for (unsigned i = 0; i < n_code; i++)
        tape_put(s, code[i], 1);
    return tape_send(s, SL_RECORD_BLOCK, f);
}

static inline int tape_end(struct tape_source *s, struct sl_failure *f)
{
    for (unsigned i = 0; i < 4; i++)
        tape_put(s, number(s->tape), 4);
    tape_put(s, number(s->tape), 8);
    tape_put(s, number(s->tape), 8);
    return tape_send(s, SL_RECORD_END, f);
}

/* A block's loads and stores, or some of any instruction. */
static inline uint32_t tape_mems(struct tape_source *s, uint32_t block, uint32_t n_mems)
{
    struct tape *t = s->tape;
    const struct sl_statics *st = &s->source.statics;
    uint32_t flags = sl_source_contents(&s->source) & 6 ? ~SL_MEM_INSN_MASK : 0;
    for (unsigned n = pick(t, 4); n && n_mems < TAPE_EVENTS; n--, n_mems++) {
        const struct sl_block *b = &st->block[block];
        uint32_t insn = pick(t, 16) ? st->block_insn[b->insns_at + pick(t, b->n_insns)]
                                    : pick(t, (unsigned)st->n_insns);
        s->mem_insn[n_mems] = insn | ((uint32_t)take(t, 1) << 24 & flags);
        s->mem_value[n_mems] = number(t);
        s->mem_addr[n_mems] = pick(t, 2) ? 0x7fff0000 + 8 * (uint64_t)pick(t, 64) : number(t);
    }
    return n_mems;
}

/* Blocks one by one, or the last few of them again and again. */
static inline void tape_chunk(struct tape_source *s, struct sl_chunk *c)
{
    struct tape *t = s->tape;
    unsigned needs = sl_source_contents(&s->source);
    uint32_t blocks = 0, mems = 0;
    *c = (struct sl_chunk){.thread = pick(t, 8) ? pick(t, 3) : (uint32_t)number(t),
                           .flags = pick(t, 4) ? 0 : pick(t, SL_CHUNK_FLAGS + 1)};
    if (needs && !pick(t, 8))
        mems = tape_mems(s, pick(t, (unsigned)s->source.statics.n_blocks), 0);
    for (unsigned steps = pick(t, 32); steps; steps--) {
        unsigned again = pick(t, 4) ? 0 : 1 + pick(t, 40), back = 1 + pick(t, 6);
        for (unsigned i = 0; i <= again && blocks < TAPE_EVENTS; i++) {
            uint32_t block = again && blocks >= back
                                 ? s->block[blocks - back]
                                 : pick(t, (unsigned)s->source.statics.n_blocks);
            s->block[blocks] = block;
            s->block_mem[blocks++] = mems;
            if (needs)
                mems = tape_mems(s, block, mems);
        }
    }
    c->n_blocks = blocks;
    c->n_mems = mems;
    c->block = s->block;
    c->block_mem = needs ? s->block_mem : NULL;
    c->mem_insn = needs ? s->mem_insn : NULL;
    c->mem_value = needs & SL_NEED_VALUES ? s->mem_value : NULL;
    c->mem_addr = needs & (SL_NEED_ADDRESSES | SL_NEED_STORES) ? s->mem_addr : NULL;
}

static inline int tape_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct tape_source *s = (struct tape_source *)source;
    int error = 0;
    if (!s->chunks)
        return 0;
    if (!--s->chunks)
        return pick(s->tape, 4) ? tape_end(s, f) : 0;
    if (!pick(s->tape, 3) && source->statics.n_blocks < TAPE_BLOCKS)
        error = pick(s->tape, 4) ? tape_block(s, f) : tape_object(s, f);
    if (error < 0)
        return error;
    tape_chunk(s, chunk);
    return 1;
}

/* NULL if even the beginning is refused. */
static inline struct sl_source *tape_source(struct tape *t, unsigned needs, struct sl_failure *f)
{
    static const struct sl_source_ops ops = {.next = tape_next};
    struct tape_source *s = calloc(1, sizeof *s);
    s->source.ops = &ops;
    s->tape = t;
    s->n_record = SL_RECORD_HEAD;
    int error = tape_program(s, needs, f);
    for (unsigned n = pick(t, 3); n && error >= 0; n--)
        error = tape_object(s, f);
    for (unsigned n = 1 + pick(t, 24); n && error >= 0; n--)
        error = tape_block(s, f);
    s->chunks = 1 + pick(t, 64);
    if (error >= 0)
        return &s->source;
    sl_source_close(&s->source);
    return NULL;
}

#endif
