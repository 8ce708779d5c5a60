/* SPDX-License-Identifier: MIT */
/* Fetch and dispatch of the out-of-order core model. Both process a group of instructions at once.
 * out_of_order.c describes the rules. */
#ifndef SL_OUT_OF_ORDER_DISPATCH_H
#define SL_OUT_OF_ORDER_DISPATCH_H

#include "out_of_order_state.h"

/* ---- fetch ---- */

static __attribute__((noinline)) void fetch_lines(struct sl_out_of_order *core, uint64_t line,
                                                  uint64_t last, struct sl_dispatch_group *group)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[0];
    core->line = last;
    for (uint64_t n = ((last - line) >> port->line_log2) + 1; n--; line -= port->line_mask) {
        struct sl_stall stall = sl_access_stall(core->hierarchy, SL_ACCESS_FETCH, line, 1);
        group->walks += stall.walk;
        group->misses += stall.rest;
    }
}

/* Fetches the lines of the group's first instruction. */
static inline void fetch_first(struct sl_out_of_order *core, const struct sl_op *op, uint64_t cycle,
                               struct sl_dispatch_group *group)
{
    uint64_t line_mask = core->hierarchy->port[0].line_mask;
    uint64_t first = op->pc & line_mask, last = sl_op_last_line(op, line_mask);
    group->walks = group->misses = 0;
    if (last == core->line && first == last)
        return;
    if (first == core->line)
        first -= line_mask; /* next line */
    core->hierarchy->now = cycle;
    fetch_lines(core, first, last, group);
}

/* Returns how many instructions follow the first one of a group: while they need no new line, or
 * one that hits in L1I on the fast path. That line is fetched early, which only L1I and its TLB
 * observe. */
static inline uint32_t together(struct sl_out_of_order *core, const struct sl_op *op, uint32_t most,
                                struct sl_dispatch_group *group)
{
    uint64_t line_mask = core->hierarchy->port[0].line_mask;
    uint32_t n = 1;
    group->early_op = NULL;
    for (; n < most && op[n].unit != SL_UNIT_SYSTEM; n++) {
        uint64_t first = op[n].pc & line_mask, last = sl_op_last_line(&op[n], line_mask);
        if (first == core->line && last == core->line)
            continue;
        if ((first == core->line ? first - line_mask : first) != last ||
            !sl_hierarchy_access_fast(core->hierarchy, SL_ACCESS_FETCH, last, 1))
            break;
        core->line = last;
        group->early_op = &op[n];
    }
    return n;
}

/* ---- dispatch ---- */

/* True if both queues have capacity for the next `most` instructions, if the first one is fetched
 * and dispatched in these cycles. True for the last one implies true for all, as instructions leave
 * in order. */
static inline bool has_capacity(const struct sl_out_of_order *core, uint32_t most, uint64_t fetched,
                                uint64_t dispatched)
{
    const struct sl_op_times *last = core->times + most - 1;
    return last[core->ifq_back].dispatched <= fetched &&
           last[core->rob_back].committed <= dispatched &&
           sl_out_of_order_queue_free(&core->lsq, core->n_memory + most - 1) <= dispatched &&
           core->alone <= dispatched;
}

/* Slow path of fetch_span(), from a line on that is no plain hit. The instruction that needs it
 * ends the group or, if it is the first, waits for the line. */
static __attribute__((noinline)) uint32_t fetch_rest(struct sl_out_of_order *core, uint32_t n,
                                                     const struct sl_op *op, uint64_t line,
                                                     struct sl_dispatch_group *group)
{
    uint64_t line_mask = core->hierarchy->port[0].line_mask, last = sl_op_last_line(op, line_mask);
    uint32_t i = 1;
    if (line != last && line != (op->pc & line_mask)) {
        while (sl_op_last_line(&op[i], line_mask) != line)
            i++;
        return i;
    }
    group->walks = group->misses = 0;
    group->waits = true;
    fetch_lines(core, line, last, group);
    for (; i < n; i++) {
        last = sl_op_last_line(&op[i], line_mask);
        if (last != core->line &&
            !sl_hierarchy_access_fast(core->hierarchy, SL_ACCESS_FETCH, last, 1))
            break;
        core->line = last;
    }
    return i;
}

/* Fetches the lines of a span that begins with `op`. Returns how many instructions go together:
 * those whose lines are plain hits in L1I; only the first may wait. Lines after the first are
 * fetched early, which only L1I and its TLB observe. */
static inline uint32_t fetch_span(struct sl_out_of_order *core, const struct sl_op_span *span,
                                  const struct sl_op *op, uint64_t cycle,
                                  struct sl_dispatch_group *group)
{
    struct sl_hierarchy *h = core->hierarchy;
    uint64_t line = span->line, line_mask = h->port[0].line_mask;
    uint32_t n_lines = span->n_lines;
    if (line == core->line) {
        line -= line_mask; /* next line */
        n_lines--;
    }
    for (; n_lines; n_lines--, line -= line_mask) {
        h->now = cycle;
        if (__builtin_expect(!sl_hierarchy_access_fast(h, SL_ACCESS_FETCH, line, 1), 0))
            return fetch_rest(core, span->n, op, line, group);
        core->line = line;
    }
    return span->n;
}

/* Returns the latest of a span's first `n` instructions whose line was fetched early; 0: none. */
static inline uint32_t early_op_of(const struct sl_op_span *span, const struct sl_op *op,
                                   uint32_t n, uint64_t line_mask)
{
    if (__builtin_expect(n == span->n, 1))
        return span->early_op;
    while (--n && sl_op_last_line(&op[n], line_mask) == sl_op_last_line(&op[n - 1], line_mask))
        ;
    return n;
}

/* Dispatches a group that is fetched from this cycle on, with that many in the cycle already. */
static inline void dispatch_by_table(struct sl_out_of_order *core, uint64_t fetched,
                                     uint64_t in_fetched, uint32_t n)
{
    struct sl_out_of_order_stage *dispatch = &core->dispatch;
    struct sl_op_times *times = core->times;
    int64_t lag = (int64_t)(dispatch->cycle - fetched), most = core->max_lag;
    uint64_t base = lag > most ? dispatch->cycle : fetched + 1;
    uint64_t row = in_fetched * (dispatch->width + 1) + dispatch->in_cycle;
    lag = lag < 0 ? 0 : lag;
    const struct sl_dispatch_schedule *schedule =
        &core->dispatch_schedules[row * (uint64_t)(most + 2) +
                                  (uint64_t)(lag > most ? most + 1 : lag)];
    for (uint32_t i = 0; i < 8; i++) /* those after the group are overwritten later */
        times[i].dispatched = base + schedule->cycle[i];
    for (uint32_t i = 8; __builtin_expect(i < n, 0); i++)
        times[i].dispatched = base + schedule->cycle[i];
    dispatch->cycle = base + schedule->cycle[n - 1];
    dispatch->in_cycle = schedule->in_cycle[n - 1];
}

/* Fetches and dispatches a span, or its beginning, by table lookup. Returns false if it needs the
 * slow path. */
static inline bool dispatch_fast(struct sl_out_of_order *core, const struct sl_op_span *span,
                                 struct sl_dispatch_group *group)
{
    const struct sl_op *op = group->executed->op + group->from;
    struct sl_out_of_order_stage fetch = core->fetch;
    sl_out_of_order_advance(&fetch, sl_out_of_order_next(&fetch));
    if (!span->n_lines ||
        !has_capacity(core, span->n, fetch.cycle,
                      sl_later(sl_out_of_order_next(&core->dispatch), fetch.cycle + 1)))
        return false;
    group->slow_dispatch = group->spread = group->waits = false;
    uint32_t n = group->n = fetch_span(core, span, op, fetch.cycle, group);
    if (__builtin_expect(group->waits, 0))
        sl_out_of_order_advance(&fetch, fetch.cycle + group->walks + group->misses);
    const struct sl_dispatch_schedule *fetch_schedules = &core->fetch_schedules[fetch.in_cycle];
    if (core->needs_time) {
        uint32_t early_op = early_op_of(span, op, n, core->hierarchy->port[0].line_mask);
        group->early_op = early_op ? op + early_op : NULL;
        group->early_fetched_at = fetch.cycle + fetch_schedules->cycle[early_op];
    }
    dispatch_by_table(core, fetch.cycle, fetch.in_cycle, n);
    core->fetch.cycle = fetch.cycle + fetch_schedules->cycle[n - 1];
    core->fetch.in_cycle = fetch_schedules->in_cycle[n - 1];
    return true;
}

/* Fetches a group one by one. */
static inline void fetch_slow(struct sl_out_of_order *core, struct sl_dispatch_group *group,
                              uint64_t fetched[])
{
    struct sl_out_of_order_stage fetch = core->fetch;
    const struct sl_op_times *capacity = core->times + core->ifq_back;
    for (uint32_t i = 0, n = group->n; i < n; i++) {
        uint64_t turn = sl_out_of_order_next(&fetch),
                 cycle = sl_later(turn, capacity[i].dispatched);
        group->ifq_wait[i] = cycle - turn;
        fetch.in_cycle = cycle == fetch.cycle ? fetch.in_cycle + 1 : 1;
        fetch.cycle = fetched[i] = cycle;
    }
    if (group->early_op)
        group->early_fetched_at = fetched[group->early_op - group->executed->op - group->from];
    core->fetch = fetch;
}

/* Dispatches a group one by one; its first may have to be `alone`. */
static inline void dispatch_each(struct sl_out_of_order *core, uint64_t alone,
                                 struct sl_dispatch_group *group, const uint64_t fetched[])
{
    struct sl_out_of_order_stage dispatch = core->dispatch;
    struct sl_op_times *times = core->times;
    const struct sl_op_times *capacity = times + core->rob_back;
    const struct sl_issue_needs *d = group->needs;
    uint64_t n_memory = core->n_memory;
    for (uint32_t i = 0, n = group->n; i < n; i++) {
        uint64_t arrived = sl_later(sl_out_of_order_next(&dispatch), fetched[i] + 1);
        uint64_t cycle = sl_later(arrived, capacity[i].committed);
        if (sl_issue_accesses(&d[i]))
            cycle = sl_later(cycle, sl_out_of_order_queue_free(&core->lsq, n_memory++));
        group->rob_wait[i] = cycle - arrived;
        if (!i) {
            group->serialized = sl_later(alone, cycle) - cycle;
            cycle += group->serialized;
        }
        dispatch.in_cycle = cycle == dispatch.cycle ? dispatch.in_cycle + 1 : 1;
        dispatch.cycle = times[i].dispatched = cycle;
    }
    core->dispatch = dispatch;
}

/* The slow path. */
static __attribute__((noinline)) void dispatch_slow(struct sl_out_of_order *core, uint32_t most,
                                                    struct sl_dispatch_group *group)
{
    const struct sl_op *op = group->executed->op + group->from;
    struct sl_out_of_order_stage *fetch = &core->fetch;
    bool system = op->unit == SL_UNIT_SYSTEM;
    uint64_t fetched[SL_GROUP_MAX];
    uint64_t turn = sl_out_of_order_next(fetch);
    sl_out_of_order_advance(fetch, sl_later(turn, core->times[core->ifq_back].dispatched));
    uint64_t ifq_wait = fetch->cycle - turn;
    fetch_first(core, op, fetch->cycle, group);
    sl_out_of_order_advance(fetch, fetch->cycle + group->walks + group->misses);
    group->n = together(core, op, system ? 1 : most, group);
    fetch_slow(core, group, fetched);
    dispatch_each(core, system ? core->committed : core->alone, group, fetched);
    group->ifq_wait[0] = ifq_wait;
    group->slow_dispatch = group->waits = true;
    group->spread = core->dispatch.cycle - core->times->dispatched > SL_CALENDAR_CYCLES / 2;
}

#endif
