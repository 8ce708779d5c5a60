/* SPDX-License-Identifier: MIT */
/* Generator of random programs and of random executions of these programs, for tests of detectors.
 * The programs are RISC-V code in procedures of a few blocks. In regular executions, calls and
 * returns match. Irregular executions also contain jumps out of procedures, unmatched returns, and
 * signals.
 *
 *     struct walk_program *p = walk_program_new(seed, n_procedures);
 *     struct walker w = {.program = p, .odd = 20, .random = 7};
 *     uint32_t block = walk(&w);          the next block that the walker executes */
#ifndef SL_TESTS_RANDOM_WALK_H
#define SL_TESTS_RANDOM_WALK_H

#include "tiny_program.h"

#define WALK_BLOCKS 12 /* of a procedure */
#define WALK_PROCEDURES 12
#define WALK_DEPTH 400

enum walk_end {
    WALK_ON, /* no branch */
    WALK_CONDITION,
    WALK_JUMP,
    WALK_CALL,
    WALK_CALL_INDIRECT,
    WALK_INDIRECT,
    WALK_RETURN,
    WALK_SIGNAL_RETURN, /* a system call */
};

struct walk_block {
    uint32_t number;
    enum walk_end end;
    uint32_t to; /* block of the same procedure, or procedure */
};

struct walk_program {
    struct tiny *tiny;
    struct walk_block block[WALK_PROCEDURES][WALK_BLOCKS];
    uint32_t n_procedures; /* the last handles signals; its last block returns from them */
};

struct walk_place {
    uint32_t procedure, block;
};

struct walker {
    const struct walk_program *program;
    uint64_t random;
    unsigned odd;     /* blocks of 1000 that end in something odd */
    unsigned signals; /* or in a signal */
    bool begun;
    struct walk_place at, stack[WALK_DEPTH];
    uint32_t depth;
    struct {
        struct walk_place next;
        uint32_t depth;
    } wait[8];
    uint32_t n_waits;
};

static inline uint32_t walk_jal(unsigned rd, int64_t by)
{
    uint32_t b = (uint32_t)by;
    return (b >> 20 & 1) << 31 | (b >> 1 & 0x3ff) << 21 | (b >> 11 & 1) << 20 |
           (b >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

static inline uint32_t walk_beq(int64_t by)
{
    uint32_t b = (uint32_t)by;
    return (b >> 12 & 1) << 31 | (b >> 5 & 0x3f) << 25 | 11u << 20 | 10u << 15 |
           (b >> 1 & 0xf) << 8 | (b >> 11 & 1) << 7 | 0x63;
}

/* clang-format off */
/* The block's last instruction, at `pc`. */
static inline uint32_t walk_code(const struct walk_block *b, uint64_t pc, const uint64_t *block_pc,
                                 const uint64_t *procedure_pc)
{
    switch (b->end) {
    case WALK_CONDITION: return walk_beq((int64_t)(block_pc[b->to] - pc));
    case WALK_JUMP: return walk_jal(0, (int64_t)(block_pc[b->to] - pc));
    case WALK_CALL: return walk_jal(1, (int64_t)(procedure_pc[b->to] - pc));
    case WALK_CALL_INDIRECT: return 0x000300e7; /* jalr ra, 0(t1) */
    case WALK_INDIRECT: return 0x00030067;      /* jalr x0, 0(t1) */
    case WALK_RETURN: return 0x00008067;
    case WALK_SIGNAL_RETURN: return 0x00000073; /* ecall */
    default: return 0x00000013;                 /* nop */
    }
}
/* clang-format on */

/* Blocks from which no return can be reached get one. */
static inline void walk_free_ways(struct walk_block *b)
{
    bool free[WALK_BLOCKS + 1] = {false};
    for (uint32_t round = 0; round <= WALK_BLOCKS; round++)
        for (uint32_t i = WALK_BLOCKS; i-- > 0;) {
            bool on = b[i].end != WALK_JUMP && b[i].end != WALK_INDIRECT && free[i + 1];
            bool to = (b[i].end == WALK_JUMP || b[i].end == WALK_CONDITION) && free[b[i].to];
            if (round == WALK_BLOCKS && !on && !to && b[i].end < WALK_INDIRECT)
                b[i].end = WALK_RETURN;
            free[i] = on || to || b[i].end >= WALK_INDIRECT;
        }
}

static inline void walk_ends(struct walk_program *p, uint32_t number, uint64_t *random)
{
    struct walk_block *b = p->block[number];
    bool handler = number + 1 == p->n_procedures;
    for (uint32_t i = 0; i < WALK_BLOCKS; i++) {
        b[i].end = (enum walk_end)sl_random_below(random, WALK_RETURN + 1);
        if (sl_random_below(random, 3) == 0)
            b[i].end = WALK_CONDITION;
        b[i].to = (uint32_t)sl_random_below(random, WALK_BLOCKS - handler);
        if (b[i].end == WALK_CALL || b[i].end == WALK_CALL_INDIRECT)
            b[i].to = (uint32_t)sl_random_below(random, p->n_procedures - 1);
    }
    /* Nothing of the procedure is after its last block. */
    b[WALK_BLOCKS - 1].end = handler ? WALK_SIGNAL_RETURN : WALK_RETURN;
    if (handler)
        b[WALK_BLOCKS - 2].end = WALK_RETURN;
    walk_free_ways(b);
}

static inline void walk_procedure(struct walk_program *p, uint32_t number,
                                  const uint64_t *procedure_pc, uint64_t *random)
{
    uint64_t pc[WALK_BLOCKS + 1];
    unsigned size[WALK_BLOCKS];
    pc[0] = procedure_pc[number];
    for (uint32_t i = 0; i < WALK_BLOCKS; i++) {
        size[i] = 1 + (unsigned)sl_random_below(random, 3);
        pc[i + 1] = pc[i] + 4 * size[i];
    }
    walk_ends(p, number, random);
    for (uint32_t i = 0; i < WALK_BLOCKS; i++) {
        struct walk_block *b = &p->block[number][i];
        uint32_t word[4] = {0x13, 0x13, 0x13, 0x13};
        word[size[i] - 1] = walk_code(b, pc[i + 1] - 4, pc, procedure_pc);
        b->number = tiny_words(p->tiny, pc[i], size[i], word);
    }
}

static inline struct walk_program *walk_program_new(uint64_t seed, uint32_t n_procedures)
{
    struct walk_program *p = calloc(1, sizeof *p);
    uint64_t pc[WALK_PROCEDURES], random = seed;
    p->tiny = tiny_new(SL_ARCH_RISCV64);
    p->n_procedures = n_procedures;
    for (uint32_t i = 0; i < n_procedures; i++)
        pc[i] = 0x10000 + 0x1000 * (sl_random_below(&random, 8) + 8 * i);
    for (uint32_t i = 0; i < n_procedures; i++)
        walk_procedure(p, i, pc, &random);
    tiny_sync(p->tiny);
    return p;
}

static inline void walk_program_free(struct walk_program *p)
{
    tiny_free(p->tiny);
    free(p);
}

static inline struct walk_place walk_anywhere(struct walker *w)
{
    return (struct walk_place){(uint32_t)sl_random_below(&w->random, w->program->n_procedures - 1),
                               (uint32_t)sl_random_below(&w->random, WALK_BLOCKS)};
}

/* Out of some procedures, to where one of them was to return. */
static inline struct walk_place walk_out(struct walker *w)
{
    uint32_t floor = w->n_waits ? w->wait[w->n_waits - 1].depth : 0;
    if (w->depth <= floor)
        return walk_anywhere(w);
    w->depth = floor + (uint32_t)sl_random_below(&w->random, w->depth - floor);
    return w->stack[w->depth];
}

static inline struct walk_place walk_return(struct walker *w)
{
    uint32_t floor = w->n_waits ? w->wait[w->n_waits - 1].depth : 0;
    if (w->depth > floor)
        return w->stack[--w->depth];
    return w->n_waits ? (struct walk_place){w->program->n_procedures - 1, WALK_BLOCKS - 1}
                      : walk_anywhere(w);
}

static inline struct walk_place walk_call(struct walker *w, const struct walk_block *b)
{
    if (w->depth == WALK_DEPTH)
        return walk_return(w); /* not for a direct call: see walk */
    w->stack[w->depth++] = (struct walk_place){w->at.procedure, w->at.block + 1};
    return (struct walk_place){b->to, 0};
}

/* clang-format off */
/* Where the block leads to. */
static inline struct walk_place walk_next(struct walker *w)
{
    const struct walk_block *b = &w->program->block[w->at.procedure][w->at.block];
    struct walk_place on = {w->at.procedure, w->at.block + 1}, to = {w->at.procedure, b->to};
    bool odd = sl_random_below(&w->random, 1000) < w->odd;
    switch (b->end) {
    case WALK_CONDITION: return sl_random_below(&w->random, 2) ? on : to;
    case WALK_JUMP: return to;
    case WALK_CALL:
    case WALK_CALL_INDIRECT: return walk_call(w, b);
    case WALK_INDIRECT:
        return odd ? walk_out(w)
                   : (struct walk_place){w->at.procedure,
                                         (uint32_t)sl_random_below(&w->random, WALK_BLOCKS - 1)};
    case WALK_RETURN:
        return odd && sl_random_below(&w->random, 2) ? walk_anywhere(w)
               : odd                                 ? walk_out(w)
                                                     : walk_return(w);
    default: return on;
    }
}
/* clang-format on */

/* A signal may come where it can be reported from a branch. */
static inline bool walk_interruptible(enum walk_end end)
{
    return end != WALK_INDIRECT && end != WALK_CALL_INDIRECT && end != WALK_RETURN &&
           end != WALK_SIGNAL_RETURN;
}

static inline uint32_t walk(struct walker *w)
{
    if (!w->begun) {
        w->at = walk_anywhere(w);
        w->begun = true;
        return w->program->block[w->at.procedure][w->at.block].number;
    }
    enum walk_end end = w->program->block[w->at.procedure][w->at.block].end;
    if (end == WALK_SIGNAL_RETURN) {
        w->at = w->wait[--w->n_waits].next;
        w->depth = w->wait[w->n_waits].depth;
    } else {
        if (w->depth == WALK_DEPTH && end == WALK_CALL)
            w->depth = 0; /* the callers are gone: as after a switch of stacks */
        struct walk_place next = walk_next(w);
        if (walk_interruptible(end) && w->n_waits < 8 &&
            sl_random_below(&w->random, 1000) < w->signals) {
            w->wait[w->n_waits].next = next;
            w->wait[w->n_waits++].depth = w->depth;
            next = (struct walk_place){w->program->n_procedures - 1, 0};
        }
        w->at = next;
    }
    return w->program->block[w->at.procedure][w->at.block].number;
}

#endif
