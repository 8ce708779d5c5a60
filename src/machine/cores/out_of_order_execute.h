/* SPDX-License-Identifier: MIT */
/* Issue, completion and commit of the out-of-order core model. The model computes the cycles of
 * these three for one instruction at a time, in program order (rules: out_of_order.c). A
 * precomputed record (sl_issue_needs) lists the resources of each simple instruction; a simple
 * instruction has at most one load or store. The loop over these records takes most of the model's
 * time. */
#ifndef SL_OUT_OF_ORDER_EXECUTE_H
#define SL_OUT_OF_ORDER_EXECUTE_H

#include "out_of_order_memory.h"

/* ---- commit ---- */

/* Attributes the stall cycles of instruction `i` of the group, whose timing is group->timing,
 * after a commit in cycle `before`. Returns its commit cycle. */
static __attribute__((noinline)) uint64_t attribute_stalls(const struct sl_out_of_order *core,
                                                           struct sl_dispatch_group *group,
                                                           uint32_t i, uint64_t before)
{
    struct sl_op_timing p = group->timing;
    uint64_t lost = core->times[i].committed - before - 1;
    group->lost += lost;
    const struct sl_op *op = &group->executed->op[group->from + i];
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t latency = p.memory ? unit->computing : unit->latency;
    uint64_t computes = latency ? latency - 1 : 0;
    uint64_t walk = group->slow == op ? group->walk : 0,
             beyond = group->slow == op ? group->beyond : 0;
    uint64_t known = walk + beyond + computes, all = p.complete - p.issued - 1;
    bool waits = group->waits && !i;
    const struct {
        enum sl_machine_event cause;
        uint64_t cycles;
    } wait[] = {
        {SL_MACHINE_STALL_BRANCH, i ? 0 : group->branch_wait},
        {SL_MACHINE_STALL_STRUCTURE, group->slow_dispatch ? group->ifq_wait[i] : 0},
        {SL_MACHINE_STALL_ITLB, waits ? group->walks : 0},
        {SL_MACHINE_STALL_FETCH, waits ? group->misses : 0},
        {SL_MACHINE_STALL_STRUCTURE, group->slow_dispatch ? group->rob_wait[i] : 0},
        {SL_MACHINE_STALL_DEPENDENCE, waits && group->slow_dispatch ? group->serialized : 0},
        {SL_MACHINE_STALL_STRUCTURE, p.issued - p.ready},
        {SL_MACHINE_STALL_LOAD_USE, all > known ? all - known : 0},
        {SL_MACHINE_STALL_DTLB, walk},
        {SL_MACHINE_STALL_DATA, beyond},
        {SL_MACHINE_STALL_LONG, computes},
        {SL_MACHINE_STALL_PROFILER, p.held},
    };
    enum sl_machine_event first = SL_MACHINE_STALL_FETCH;
    for (unsigned w = sizeof wait / sizeof *wait; w-- && lost;) {
        uint64_t part = wait[w].cycles < lost ? wait[w].cycles : lost;
        group->totals[wait[w].cause] += part;
        lost -= part;
        first = wait[w].cycles ? wait[w].cause : first;
    }
    /* Cycles beyond all waits: the pipeline was empty and had to be filled. */
    group->totals[first] += lost;
    return core->times[i].committed;
}

/* Commits an instruction after one committed in cycle `before`, at least one cycle after the one
 * `commit` positions before it. Returns the cycle. */
static inline uint64_t sl_out_of_order_commit(const struct sl_out_of_order *core,
                                              struct sl_op_times *times, uint64_t before,
                                              uint64_t complete)
{
    uint64_t turn = times[core->commit_back].committed;
    return times->committed = sl_later(sl_later(before, turn + 1), complete + 1);
}

/* The same for instruction `i` of the group, with commit log or profiler queue. */
static __attribute__((noinline)) uint64_t
commit_detailed(const struct sl_out_of_order *core, struct sl_op_times *times, uint64_t before,
                const struct sl_dispatch_group *group, uint32_t i, struct sl_op_timing *p)
{
    const struct sl_block_execution *e = group->executed;
    uint64_t cycle = sl_out_of_order_commit(core, times, before, p->complete);
    if (core->held > cycle) {
        p->held = core->held - sl_later(cycle, before + 1);
        times->committed = cycle = core->held;
    }
    if (e->commit)
        sl_commit_record(&e->commit[group->from + i], before, times->dispatched, cycle,
                         before && (core->alone == before ||
                                    (!(group->from + i) && sl_block_execution_flushes(e))));
    return cycle;
}

/* ---- slow path: instructions of any kind ---- */

static uint64_t ready_at(const struct sl_out_of_order *core, const struct sl_op *op, uint64_t ready)
{
    for (unsigned i = 0; i < op->n_sources && op->unit != SL_UNIT_NONE; i++)
        ready = sl_later(ready, core->complete[op->source[i]]);
    return ready;
}

/* Returns the cycle of issue. */
static uint64_t issue_any(struct sl_out_of_order *core, const struct sl_op *op, uint64_t ready,
                          bool memory)
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t needs = unit->needs + (memory ? SL_SLOT(SL_SLOT_PORT) : 0);
    return unit->occupies
               ? sl_calendar_occupy(&core->calendar, ready, needs, unit->occupies, unit->latency)
               : sl_calendar_reserve(&core->calendar, core->calendar.base, ready, needs);
}

/* Sets the cycles in which its results are available. */
static void set_results(struct sl_out_of_order *core, const struct sl_op *op, uint64_t issued,
                        uint64_t complete)
{
    for (unsigned i = 0; i < op->n_results; i++)
        core->complete[op->result[i]] = complete;
    for (unsigned i = 1; i <= op->n_updates; i++)
        core->complete[op->result[op->n_results - i]] = issued + 1;
}

/* Issues and completes an instruction. Returns the first reference of the next one. */
static const struct sl_reference *run_any(struct sl_out_of_order *core,
                                          struct sl_dispatch_group *group, const struct sl_op *op,
                                          uint64_t dispatched, const struct sl_reference *r,
                                          struct sl_op_timing *p)
{
    const struct sl_block_execution *e = group->executed;
    p->memory = r < e->reference + e->n_references && e->op + r->op == op;
    p->ready = ready_at(core, op, dispatched + 1);
    p->issued = issue_any(core, op, p->ready, p->memory);
    p->complete = p->issued + core->unit[op->unit].latency;
    if (p->memory) {
        r = access_all(core, group, op, r, p);
        group->asked = core->hierarchy->now;
    }
    set_results(core, op, p->issued, p->complete);
    if (op->branch != SL_BRANCH_NONE) {
        core->branch_dispatch = dispatched;
        core->branch_complete = p->complete;
    }
    return r;
}

/* Executes instruction `i` of the group on the slow path, after a commit in cycle `before`. Returns
 * the first reference of the next one. */
static __attribute__((noinline)) const struct sl_reference *
execute_slow(struct sl_out_of_order *core, struct sl_dispatch_group *group, uint32_t i,
             const struct sl_reference *own, uint64_t before)
{
    struct sl_op_times *times = core->times + i;
    struct sl_op_timing *p = &group->timing;
    *p = (struct sl_op_timing){0};
    sl_calendar_advance(&core->calendar, times->dispatched + 1);
    const struct sl_reference *r = run_any(core, group, group->executed->op + group->from + i,
                                           times->dispatched, own, p);
    group->complete = p->complete;
    uint64_t committed = commit_detailed(core, times, before, group, i, p);
    if (committed > before + 1)
        attribute_stalls(core, group, i, before);
    if (p->memory)
        sl_out_of_order_queue_commit(core, committed);
    for (; own < r; own++)
        if (own->store)
            sl_out_of_order_record_store(core, own, p->complete, committed);
    return r;
}

/* ---- fast paths: plain instructions, one load, one store ---- */

/* Returns the cycle in which all sources are available. */
static inline uint64_t ready_for(const struct sl_out_of_order *core, const struct sl_issue_needs *d,
                                 uint64_t dispatched)
{
    const uint64_t *complete = core->complete;
    return sl_later(sl_later(dispatched + 1, complete[d->source[0]]),
                    sl_later(complete[d->source[1]], complete[d->source[2]]));
}

/* Sets the cycles in which the two results are available. */
static inline void finish(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                          const struct sl_issue_needs *d, uint64_t complete, uint64_t second)
{
    core->complete[d->result[0]] = group->complete = complete;
    core->complete[d->result[1]] = second;
}

/* Returns when the second result of a load is available: that of a pop is an updated address. */
static inline uint64_t second_of(const struct sl_issue_needs *d, uint64_t issued, uint64_t complete)
{
    return d->kind == SL_ISSUE_POP ? issued + 1 : complete;
}

/* Completes and commits an access, after a commit in cycle `before`. Returns the commit cycle. */
static inline uint64_t end_access(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                                  const struct sl_issue_needs *d, struct sl_op_times *times,
                                  uint64_t complete, uint64_t second, uint64_t before)
{
    finish(core, group, d, complete, second);
    uint64_t committed = sl_out_of_order_commit(core, times, before, complete);
    sl_out_of_order_queue_commit(core, committed);
    return committed;
}

/* Finishes a load or store that is not on the fast path: it is issued, and its timing is
 * group->timing. Returns its commit cycle. */
static __attribute__((noinline)) uint64_t
finish_access_slow(struct sl_out_of_order *core, struct sl_dispatch_group *group, uint32_t i,
                   const struct sl_reference *r, uint64_t before)
{
    const struct sl_op *op = group->executed->op + r->op;
    struct sl_op_timing *p = &group->timing;
    if (r->store)
        store(core, r, p->issued, op->pc);
    else
        p->complete = sl_later(load(core, r, p->issued, (struct slow){op, group, p->issued}) +
                                   core->unit[op->unit].computing,
                               p->issued + 1);
    uint64_t second = second_of(&group->needs[i], p->issued, p->complete);
    uint64_t committed = end_access(core, group, &group->needs[i], core->times + i, p->complete,
                                    second, before);
    if (r->store)
        sl_out_of_order_record_store(core, r, p->complete, committed);
    return committed > before + 1 ? attribute_stalls(core, group, i, before) : committed;
}

/* Executes a load or store after a commit in cycle `before`. Returns its commit cycle. */
static inline __attribute__((always_inline)) uint64_t
execute_load(struct sl_out_of_order *core, struct sl_dispatch_group *group,
             const struct sl_issue_needs *d, struct sl_op_times *times,
             const struct sl_reference *r, uint64_t before)
{
    uint64_t ready = ready_for(core, d, times->dispatched), taken, store;
    uint64_t issued = sl_calendar_reserve_in(&core->calendar, times->dispatched + 1, ready,
                                             d->needs, &taken);
    uint64_t asked = group->asked = issued + core->address_cycles;
    sl_out_of_order_count_port(core, group, taken);
    if (__builtin_expect(!sl_out_of_order_load_fast(core, r, asked, &store), 0)) {
        group->timing = (struct sl_op_timing){ready, issued, 0, 0, true};
        return finish_access_slow(core, group, (uint32_t)(times - core->times), r, before);
    }
    uint64_t complete = issued + d->cycles;
    if (store) /* its data arrive later or earlier than from L1 */
        complete += sl_later(store, asked) - asked + core->forwarding_cycles - core->hit_cycles;
    uint64_t committed = end_access(core, group, d, times, complete, second_of(d, issued, complete),
                                    before);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    group->timing = (struct sl_op_timing){ready, issued, complete, 0, true};
    return attribute_stalls(core, group, (uint32_t)(times - core->times), before);
}

static inline __attribute__((always_inline)) uint64_t
execute_store(struct sl_out_of_order *core, struct sl_dispatch_group *group,
              const struct sl_issue_needs *d, struct sl_op_times *times,
              const struct sl_reference *r, uint64_t before)
{
    uint64_t ready = ready_for(core, d, times->dispatched), taken;
    uint64_t issued = sl_calendar_reserve_in(&core->calendar, times->dispatched + 1, ready,
                                             d->needs, &taken);
    uint64_t complete = issued + d->cycles;
    group->asked = issued + core->address_cycles;
    sl_out_of_order_count_port(core, group, taken);
    if (__builtin_expect(!sl_out_of_order_store_fast(core, r), 0)) {
        group->timing = (struct sl_op_timing){ready, issued, complete, 0, true};
        return finish_access_slow(core, group, (uint32_t)(times - core->times), r, before);
    }
    uint64_t committed = end_access(core, group, d, times, complete, complete, before);
    sl_recent_add(&core->stores, r->address >> STORED_LOG2, complete, committed);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    group->timing = (struct sl_op_timing){ready, issued, complete, 0, true};
    return attribute_stalls(core, group, (uint32_t)(times - core->times), before);
}

/* ---- groups ---- */

/* Executes a plain instruction after a commit in cycle `before`. Returns its commit cycle. */
static inline uint64_t execute_plain(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                                     const struct sl_issue_needs *d, struct sl_op_times *times,
                                     uint64_t before)
{
    uint64_t ready = ready_for(core, d, times->dispatched);
    uint64_t issued = sl_calendar_reserve(&core->calendar, times->dispatched + 1, ready, d->needs);
    uint64_t complete = issued + d->cycles;
    finish(core, group, d, complete, complete);
    uint64_t committed = sl_out_of_order_commit(core, times, before, complete);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    group->timing = (struct sl_op_timing){ready, issued, complete, 0, false};
    return attribute_stalls(core, group, (uint32_t)(times - core->times), before);
}

/* Executes and commits a group without optional outputs. Returns the first reference after it. */
static inline const struct sl_reference *
execute(struct sl_out_of_order *core, struct sl_dispatch_group *group, const struct sl_reference *r)
{
    const struct sl_issue_needs *d = group->needs, *end = d + group->n;
    struct sl_op_times *times = core->times;
    uint64_t committed = core->committed;
    sl_calendar_advance(&core->calendar, times->dispatched + 1);
    for (; d < end; times++, d++) {
        if (d->kind == SL_ISSUE_PLAIN) {
            committed = execute_plain(core, group, d, times, committed);
        } else if (d->kind <= SL_ISSUE_POP) {
            committed = execute_load(core, group, d, times, r++, committed);
        } else if (d->kind == SL_ISSUE_STORE) {
            committed = execute_store(core, group, d, times, r++, committed);
        } else {
            r = execute_slow(core, group, (uint32_t)(times - core->times), r, committed);
            committed = times->committed;
        }
    }
    core->committed = committed;
    return r;
}

/* The same with optional outputs, or if the group is dispatched in cycles so far apart that the
 * calendar has to advance in between. */
static __attribute__((noinline)) const struct sl_reference *
execute_group_slow(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                   const struct sl_reference *r)
{
    for (uint32_t i = 0; i < group->n; i++) {
        r = execute_slow(core, group, i, r, core->committed);
        core->committed = core->times[i].committed;
    }
    return r;
}

#endif
