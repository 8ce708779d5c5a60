/* SPDX-License-Identifier: MIT */
/* Simple model of the in-order core for its unit test: a pipeline that simulates every cycle and
 * counts down every latency.
 *
 * The core itself computes with points in time and memoizes the timing of blocks; tests compare the
 * counts of both. */
#ifndef SL_TESTS_IN_ORDER_NAIVE_H
#define SL_TESTS_IN_ORDER_NAIVE_H

#include "in_order_support.h"

#define OPS 12 /* instructions of a block, at most */

struct plain {
    struct sl_hierarchy *h;
    unsigned width, ports, begun, memories, branches, wholes, floats; /* and those of this cycle */
    uint64_t load_use, latency[SL_UNITS], penalty, misfetch, bubble, branch_wait, store_busy;
    bool multiply_pipelined, blocking;
    uint64_t left[SL_OP_REGISTERS];      /* cycles until the value is there */
    uint64_t unwritten[SL_OP_REGISTERS]; /* and until a branch can read it */
    unsigned cause[SL_OP_REGISTERS];
    uint64_t divider, float_divider, cache, store; /* cycles until they are free */
    uint64_t line, coming;             /* the one fetched from, the one that was missed last */
    uint64_t began[OPS], fetched[OPS]; /* of the block: cycles, from 1 */
    uint64_t totals[SL_MACHINE_EVENTS];
};

static void tick(struct plain *p, unsigned cause)
{
    for (unsigned i = 0; i < SL_OP_REGISTERS; i++) {
        p->left[i] -= p->left[i] > 0;
        p->unwritten[i] -= p->unwritten[i] > 0;
    }
    p->store -= p->store > 0;
    p->divider -= p->divider > 0;
    p->float_divider -= p->float_divider > 0;
    p->cache -= p->cache > 0;
    p->totals[SL_MACHINE_CYCLES]++;
    p->totals[cause]++;
}

/* The instructions that have begun are all of this cycle. */
static void finish(struct plain *p)
{
    if (p->begun)
        tick(p, SL_MACHINE_BASE);
    p->begun = p->memories = p->branches = p->wholes = p->floats = 0;
}

/* A cycle in which nothing begins; what has begun has one of its own before that. */
static void idle(struct plain *p, unsigned cause)
{
    if (p->begun)
        finish(p);
    else
        tick(p, cause);
}

static void ticks(struct plain *p, unsigned cause, uint64_t n)
{
    if (n)
        finish(p);
    while (n--)
        tick(p, cause);
}

static bool is_whole(const struct sl_op *op)
{
    return op->unit == SL_UNIT_MULTIPLY || op->unit == SL_UNIT_DIVIDE;
}

static bool is_float(const struct sl_op *op)
{
    return op->unit == SL_UNIT_FLOAT || op->unit == SL_UNIT_FLOAT_MULTIPLY ||
           op->unit == SL_UNIT_FLOAT_DIVIDE;
}

/* It cannot begin together with those that have. */
static bool crowded(const struct plain *p, const struct sl_op *op, bool memory)
{
    return p->begun == p->width || (memory && p->memories == p->ports) ||
           (op->branch && p->branches) || (is_whole(op) && p->wholes) ||
           (is_float(op) && p->floats);
}

static void plain_fetch(struct plain *p, const struct sl_op *op)
{
    unsigned log2 = p->h->port[0].line_log2;
    for (uint64_t line = op->pc >> log2; line <= (op->pc + op->size - 1) >> log2; line++) {
        if (line == p->line)
            continue;
        p->h->now = p->totals[SL_MACHINE_CYCLES];
        struct sl_access got = sl_hierarchy_access(p->h, SL_ACCESS_FETCH, line << log2, 1);
        uint64_t walk = got.events & SL_ACCESS_TLB_MISS ? p->h->port[0].walk_cycles : 0;
        ticks(p, SL_MACHINE_STALL_ITLB, walk);
        ticks(p, SL_MACHINE_STALL_FETCH, got.cycles - p->h->port[0].hit_cycles - walk);
        p->line = line;
    }
}

/* The source that takes longest; SL_OP_NEVER_WRITTEN if all are there. */
static unsigned missing(const struct plain *p, const struct sl_op *op)
{
    unsigned worst = SL_OP_NEVER_WRITTEN;
    for (unsigned i = 0; i < op->n_sources; i++)
        if (p->left[op->source[i]] > p->left[worst])
            worst = op->source[i];
    return worst;
}

static bool reads_unwritten(const struct plain *p, const struct sl_op *op)
{
    for (unsigned i = 0; i < op->n_sources; i++)
        if (p->unwritten[op->source[i]])
            return true;
    return false;
}

static void plain_results(struct plain *p, const struct sl_op *op, uint64_t missed)
{
    bool loads = op->flags & SL_INSN_LOADS;
    unsigned hit = p->h->port[1].hit_cycles;
    uint64_t extra = loads ? p->load_use + (hit ? hit - 1 : 0) : 0;
    for (unsigned i = 0; i < op->n_results; i++) {
        bool update = i >= (unsigned)(op->n_results - op->n_updates);
        p->left[op->result[i]] = update ? 1 : p->latency[op->unit] + extra + missed;
        /* A value is written two stages after the one that adds. */
        uint64_t written = (update ? 1 : p->latency[op->unit] + missed) + p->branch_wait;
        p->unwritten[op->result[i]] = p->left[op->result[i]] > written ? p->left[op->result[i]]
                                                                       : written;
        p->cause[op->result[i]] = missed                     ? SL_MACHINE_STALL_DATA
                                  : p->latency[op->unit] > 1 ? SL_MACHINE_STALL_LONG
                                                             : SL_MACHINE_STALL_LOAD_USE;
    }
}

static void plain_op(struct plain *p, const struct sl_block_execution *e, unsigned at,
                     const struct sl_reference *r, unsigned n)
{
    const struct sl_op *op = &e->op[at];
    unsigned source;
    uint64_t walk = 0, data = 0;
    plain_fetch(p, op);
    p->fetched[at] = p->totals[SL_MACHINE_CYCLES] + 1;
    while ((source = missing(p, op)) != SL_OP_NEVER_WRITTEN)
        idle(p, p->cause[source]);
    while (op->branch && p->branch_wait && reads_unwritten(p, op))
        idle(p, SL_MACHINE_STALL_DEPENDENCE);
    if (crowded(p, op, n))
        finish(p);
    bool divides = op->unit == SL_UNIT_DIVIDE, float_divides = op->unit == SL_UNIT_FLOAT_DIVIDE;
    while (p->divider && (divides || op->unit == SL_UNIT_MULTIPLY))
        idle(p, SL_MACHINE_STALL_LONG);
    while (p->float_divider && (float_divides || op->unit == SL_UNIT_FLOAT_MULTIPLY))
        idle(p, SL_MACHINE_STALL_LONG);
    if (divides || (op->unit == SL_UNIT_MULTIPLY && !p->multiply_pipelined))
        p->divider = p->latency[op->unit];
    if (float_divides)
        p->float_divider = p->latency[op->unit];
    bool waits = false, stores = false;
    p->h->now = p->totals[SL_MACHINE_CYCLES];
    p->h->pc = op->pc;
    while (n && p->store)
        idle(p, SL_MACHINE_STALL_DATA);
    for (unsigned i = 0; i < n; i++) {
        struct sl_access got = sl_hierarchy_access(
            p->h, r[i].store ? SL_ACCESS_STORE : SL_ACCESS_LOAD, r[i].address, r[i].size);
        uint64_t w = got.events & SL_ACCESS_TLB_MISS ? p->h->port[1].walk_cycles : 0;
        uint64_t missed = got.cycles - p->h->port[1].hit_cycles - w;
        uint64_t line = r[i].address >> p->h->port[1].line_log2;
        stores |= r[i].store;
        walk += w;
        data += missed;
        waits |= missed || line == p->coming;
        p->coming = missed ? line : p->coming;
    }
    while (waits && p->cache)
        idle(p, SL_MACHINE_STALL_DATA);
    p->totals[SL_MACHINE_DATA_HALVES] += n == 1 ? 2 : n;
    ticks(p, SL_MACHINE_STALL_DTLB, walk);
    if (p->blocking)
        ticks(p, SL_MACHINE_STALL_DATA, data);
    else if (data)
        p->cache = data + 1;
    plain_results(p, op, !p->blocking && op->flags & SL_INSN_LOADS ? data : 0);
    if (stores && p->store_busy && p->h->port[1].l1 && !p->h->port[1].l1->back)
        p->store = p->store_busy + 1;
    p->began[at] = p->totals[SL_MACHINE_CYCLES] + 1;
    p->begun++;
    p->memories += n != 0;
    p->branches += op->branch != 0;
    p->wholes += is_whole(op);
    p->floats += is_float(op);
    if (p->begun == p->width)
        finish(p);
}

static void plain_block(struct plain *p, const struct sl_block_execution *e, uint32_t held)
{
    const struct sl_reference *r = e->reference;
    ticks(p, SL_MACHINE_STALL_PROFILER, held);
    if (e->taken || e->prediction != SL_PREDICTED) {
        finish(p);
        ticks(p, SL_MACHINE_STALL_BRANCH,
              e->prediction == SL_MISFETCHED  ? p->misfetch
              : e->prediction != SL_PREDICTED ? p->penalty
                                              : p->bubble);
        p->line = UINT64_MAX;
    }
    for (unsigned i = 0; i < e->n_ops; i++) {
        unsigned n = 0;
        while (r + n < e->reference + e->n_references && r[n].op == i)
            n++;
        plain_op(p, e, i, r, n);
        r += n;
    }
}

#endif
