/* SPDX-License-Identifier: MIT */
/* Test helpers that generate random programs and small caches for tests of the out-of-order
 * core. */
#ifndef SL_TESTS_OUT_OF_ORDER_PROGRAM_H
#define SL_TESTS_OUT_OF_ORDER_PROGRAM_H

#include "out_of_order_support.h"
#include "random.h"
#include "support/hierarchy_counts.h"

#define PROGRAM_BLOCKS 40
#define BLOCK_OPS 10 /* unless the kind says otherwise */
#define BLOCK_OPS_MAX 100
#define OP_REFERENCES 3
#define PROGRAM_LINE_LOG2 5

/* A program and one run of it. */
struct program {
    struct sl_op op[PROGRAM_BLOCKS][BLOCK_OPS_MAX];
    uint32_t n_ops[PROGRAM_BLOCKS];
    struct sl_block_execution *executed;
    struct sl_reference *reference;
    uint32_t *hold; /* after the block */
    size_t n_executed;
};

struct program_kind {
    const char *name;
    unsigned registers;                                       /* few: long chains of dependence */
    unsigned memory, multiply, divide, floating, system, nop; /* of 100 instructions */
    unsigned wrong;                                           /* of 100 branches */
    unsigned holds;                                           /* of 100 blocks */
    uint64_t data; /* bytes that are accessed, in a stream and at random */
    uint32_t ops;  /* of a block, at most; 0: the usual */
};

static uint32_t most_ops(const struct program_kind *k)
{
    return k->ops ? k->ops : BLOCK_OPS;
}

static struct sl_op random_op(const struct program_kind *k, uint64_t *seed)
{
    static const enum sl_unit as[] = {SL_UNIT_MEMORY, SL_UNIT_MULTIPLY, SL_UNIT_DIVIDE,
                                      SL_UNIT_FLOAT,  SL_UNIT_SYSTEM,   SL_UNIT_NONE,
                                      SL_UNIT_ALU};
    const unsigned share[] = {k->memory, k->multiply, k->divide, k->floating, k->system, k->nop};
    unsigned draw = (unsigned)sl_random_below(seed, 100), i = 0;
    while (i < 6 && draw >= share[i])
        draw -= share[i++];
    struct sl_op op = make_op(as[i], -1, -1);
    if (op.unit == SL_UNIT_FLOAT && sl_random_below(seed, 3) == 0)
        op.unit = SL_UNIT_FLOAT_MULTIPLY;
    if (op.unit == SL_UNIT_DIVIDE && sl_random_below(seed, 2))
        op.unit = SL_UNIT_FLOAT_DIVIDE;
    op.n_sources = (uint8_t)sl_random_below(seed, 4);
    op.n_results = (uint8_t)sl_random_below(seed, 3);
    for (unsigned s = 0; s < op.n_sources; s++)
        op.source[s] = (uint8_t)sl_random_below(seed, k->registers);
    for (unsigned r = 0; r < op.n_results; r++)
        op.result[r] = (uint8_t)sl_random_below(seed, k->registers);
    if (op.unit == SL_UNIT_MEMORY)
        op.flags = (uint8_t)(1 + sl_random_below(seed, 3)); /* loads, stores, both */
    else if (op.unit != SL_UNIT_NONE && op.unit != SL_UNIT_SYSTEM &&
             sl_random_below(seed, 100) < k->memory / 4)
        op.flags = (uint8_t)(1 + sl_random_below(seed, 3));
    if (op.flags & SL_INSN_LOADS)
        op.n_updates = (uint8_t)sl_random_below(seed, op.n_results + 1u);
    return op;
}

static void random_text(struct program *p, const struct program_kind *k, uint64_t *seed)
{
    uint64_t pc = 0x400000;
    for (size_t b = 0; b < PROGRAM_BLOCKS; b++) {
        p->n_ops[b] = 1 + (uint32_t)sl_random_below(seed, most_ops(k));
        for (uint32_t i = 0; i < p->n_ops[b]; i++) {
            struct sl_op *op = &p->op[b][i];
            *op = random_op(k, seed);
            op->pc = pc;
            op->size = (uint8_t)(1 + sl_random_below(seed, 12));
            pc += op->size;
            if (i + 1 == p->n_ops[b] && op->unit == SL_UNIT_ALU)
                op->branch = SL_BRANCH_CONDITIONAL;
        }
    }
}

/* The references of an instruction in one execution; not always are there any. */
static uint32_t random_references(const struct program_kind *k, const struct sl_op *op,
                                  uint32_t place, uint64_t *at, struct sl_reference *out,
                                  uint64_t *seed)
{
    uint32_t n = 0;
    for (unsigned bit = SL_INSN_LOADS; bit <= SL_INSN_STORES; bit *= 2)
        for (uint64_t i = sl_random_below(seed, 8) ? 1 : sl_random_below(seed, 3);
             i && op->flags & bit && n < OP_REFERENCES; i--) {
            *at = (*at + 8) % k->data;
            uint64_t offset = sl_random_below(seed, 2) ? *at : sl_random_below(seed, k->data);
            out[n++] = (struct sl_reference){
                .address = 0x10000000 + (sl_random_below(seed, 8) ? offset & ~UINT64_C(7) : offset),
                .op = (uint16_t)place,
                .size = (uint8_t)(1u << sl_random_below(seed, 5)),
                .store = bit == SL_INSN_STORES};
        }
    return n;
}

/* Whether two executions differ in addresses only. */
static bool same_shape(const struct sl_block_execution *a, const struct sl_block_execution *b)
{
    bool same = a->op == b->op && a->n_references == b->n_references;
    for (uint32_t i = 0; same && i < a->n_references; i++)
        same = a->reference[i].op == b->reference[i].op &&
               a->reference[i].size == b->reference[i].size &&
               a->reference[i].store == b->reference[i].store;
    return same;
}

/* The number of an execution's shape, which is that of the first of its kind. Some have none. */
static uint32_t shape_of(const struct program *p, size_t at)
{
    size_t first = 0;
    while (!same_shape(&p->executed[first], &p->executed[at]))
        first++;
    return first % 8 ? (uint32_t)first + 1 : 0;
}

static void make_program(struct program *p, const struct program_kind *k, size_t n, uint64_t seed)
{
    uint32_t b = 0;
    uint64_t at = 0;
    size_t n_references = 0;
    random_text(p, k, &seed);
    p->n_executed = n;
    p->executed = zeroed(n * sizeof *p->executed);
    p->reference = zeroed(n * most_ops(k) * OP_REFERENCES * sizeof *p->reference);
    p->hold = zeroed(n * sizeof *p->hold);
    for (size_t i = 0; i < n; i++) {
        struct sl_block_execution *e = &p->executed[i];
        bool taken = sl_random_below(&seed, 2);
        b = (taken ? b + PROGRAM_BLOCKS - (uint32_t)sl_random_below(&seed, 4) : b + 1) %
            PROGRAM_BLOCKS;
        *e = (struct sl_block_execution){.op = p->op[b],
                                         .n_ops = p->n_ops[b],
                                         .taken = taken || !b,
                                         .reference = p->reference + n_references};
        for (uint32_t o = 0; o < e->n_ops; o++)
            e->n_references += random_references(
                k, &e->op[o], o, &at, p->reference + n_references + e->n_references, &seed);
        n_references += e->n_references;
        e->shape = shape_of(p, i);
        if (i && sl_random_below(&seed, 100) < k->wrong)
            e->prediction = (enum sl_prediction)(1 + sl_random_below(&seed, 3));
        if (sl_random_below(&seed, 100) < k->holds)
            p->hold[i] = (uint32_t)sl_random_below(&seed, 20);
    }
}

static void free_program(struct program *p)
{
    free(p->executed);
    free(p->reference);
    free(p->hold);
}

static void run_program(struct placed_core *core, const struct program *p)
{
    for (size_t i = 0; i < p->n_executed; i++) {
        sl_core_out_of_order.block(core->core, &p->executed[i], core->totals);
        if (p->hold[i])
            hold_for(core, p->hold[i]);
    }
}

/* Small, so that everything misses now and then. */
static struct sl_hierarchy_config small_hierarchy(void)
{
    struct sl_hierarchy_config c;
    hierarchy_defaults(&c);
    c.l1i = (struct sl_cache_config){
        .size = 256, .ways = 2, .line = 1 << PROGRAM_LINE_LOG2, .latency = 1};
    c.l1d = (struct sl_cache_config){
        .size = 512, .ways = 2, .line = 32, .latency = 1, .allocate = true};
    c.l2 = (struct sl_cache_config){
        .size = 2048, .ways = 4, .line = 64, .latency = 10, .allocate = true};
    c.itlb = (struct sl_tlb_config){.entries = 4, .ways = 4, .page = 1024, .latency = 30};
    c.dtlb = (struct sl_tlb_config){.entries = 4, .ways = 2, .page = 1024, .latency = 30};
    return c;
}

#endif
