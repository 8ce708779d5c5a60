/* SPDX-License-Identifier: MIT */
/* Issue, completion and commit of the out-of-order core, one instruction at a time. out_of_order.c
 * has the rules. Almost all instructions are plain, or one load or store; each has a record of its
 * needs (sl_issue_needs), and the loop over these takes most of the core's time. */
#ifndef SL_OUT_OF_ORDER_EXECUTE_H
#define SL_OUT_OF_ORDER_EXECUTE_H

#include "out_of_order_memory.h"

/* ---- commit ---- */

/* Attributes the stall cycles of instruction `i` of the group, whose timing is piece->passage,
 * after a commit in cycle `before`. Returns its commit cycle. */
static __attribute__((noinline)) uint64_t lose(const struct sl_out_of_order *core,
                                               struct sl_dispatch_group *piece, uint32_t i,
                                               uint64_t before)
{
    struct sl_op_transfer p = piece->passage;
    uint64_t lost = core->place[i].committed - before - 1;
    piece->lost += lost;
    const struct sl_op *op = &piece->executed->op[piece->from + i];
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    uint64_t latency = p.memory ? unit->computing : unit->latency;
    uint64_t computes = latency ? latency - 1 : 0;
    uint64_t walk = piece->slow == op ? piece->walk : 0,
             beyond = piece->slow == op ? piece->beyond : 0;
    uint64_t known = walk + beyond + computes, all = p.complete - p.issued - 1;
    bool waits = piece->waits && !i;
    const struct {
        enum sl_machine_event cause;
        uint64_t cycles;
    } wait[] = {
        {SL_MACHINE_LOST_BRANCH, i ? 0 : piece->led},
        {SL_MACHINE_LOST_STRUCTURE, piece->crowded ? piece->queued[i] : 0},
        {SL_MACHINE_LOST_ITLB, waits ? piece->walks : 0},
        {SL_MACHINE_LOST_FETCH, waits ? piece->misses : 0},
        {SL_MACHINE_LOST_STRUCTURE, piece->crowded ? piece->placed[i] : 0},
        {SL_MACHINE_LOST_DEPENDENCE, waits && piece->crowded ? piece->apart : 0},
        {SL_MACHINE_LOST_STRUCTURE, p.issued - p.ready},
        {SL_MACHINE_LOST_LOAD_USE, all > known ? all - known : 0},
        {SL_MACHINE_LOST_DTLB, walk},
        {SL_MACHINE_LOST_DATA, beyond},
        {SL_MACHINE_LOST_LONG, computes},
        {SL_MACHINE_LOST_PROFILER, p.held},
    };
    enum sl_machine_event first = SL_MACHINE_LOST_FETCH;
    for (unsigned w = sizeof wait / sizeof *wait; w-- && lost;) {
        uint64_t part = wait[w].cycles < lost ? wait[w].cycles : lost;
        piece->happened[wait[w].cause] += part;
        lost -= part;
        first = wait[w].cycles ? wait[w].cause : first;
    }
    /* The pipeline was empty: its length. */
    piece->happened[first] += lost;
    return core->place[i].committed;
}

/* Commits an instruction after one committed in cycle `before`, at least one cycle after the one
 * `commit` places before it. Returns the cycle. */
static inline uint64_t sl_out_of_order_commit(const struct sl_out_of_order *core,
                                              struct sl_out_of_order_place *place, uint64_t before,
                                              uint64_t complete)
{
    uint64_t turn = place[core->commit_back].committed;
    return place->committed = sl_later(sl_later(before, turn + 1), complete + 1);
}

/* The same for instruction `i` of the group, with commit log or profiler queue. */
static __attribute__((noinline)) uint64_t commit_watched(const struct sl_out_of_order *core,
                                                         struct sl_out_of_order_place *place,
                                                         uint64_t before,
                                                         const struct sl_dispatch_group *piece,
                                                         uint32_t i, struct sl_op_transfer *p)
{
    const struct sl_block_execution *e = piece->executed;
    uint64_t cycle = sl_out_of_order_commit(core, place, before, p->complete);
    if (core->held > cycle) {
        p->held = core->held - sl_later(cycle, before + 1);
        place->committed = cycle = core->held;
    }
    if (e->commit)
        sl_commit_note(&e->commit[piece->from + i], before, place->dispatched, cycle,
                       before && (core->alone == before ||
                                  (!(piece->from + i) && sl_block_execution_flushes(e))));
    return cycle;
}

/* ---- execution ---- */

/* ---- instructions of any kind ---- */

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
               : sl_calendar_take(&core->calendar, core->calendar.base, ready, needs);
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
                                          struct sl_dispatch_group *piece, const struct sl_op *op,
                                          uint64_t dispatched, const struct sl_reference *r,
                                          struct sl_op_transfer *p)
{
    const struct sl_block_execution *e = piece->executed;
    p->memory = r < e->reference + e->n_references && e->op + r->op == op;
    p->ready = ready_at(core, op, dispatched + 1);
    p->issued = issue_any(core, op, p->ready, p->memory);
    p->complete = p->issued + core->unit[op->unit].latency;
    if (p->memory) {
        r = access_all(core, piece, op, r, p);
        piece->asked = core->hierarchy->now;
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
execute_any(struct sl_out_of_order *core, struct sl_dispatch_group *piece, uint32_t i,
            const struct sl_reference *own, uint64_t before)
{
    struct sl_out_of_order_place *place = core->place + i;
    struct sl_op_transfer *p = &piece->passage;
    *p = (struct sl_op_transfer){0};
    sl_calendar_advance(&core->calendar, place->dispatched + 1);
    const struct sl_reference *r = run_any(core, piece, piece->executed->op + piece->from + i,
                                           place->dispatched, own, p);
    piece->complete = p->complete;
    uint64_t committed = commit_watched(core, place, before, piece, i, p);
    if (committed > before + 1)
        lose(core, piece, i, before);
    if (p->memory)
        sl_out_of_order_leaves(core, committed);
    for (; own < r; own++)
        if (own->store)
            sl_out_of_order_stored(core, own, p->complete, committed);
    return r;
}

/* ---- instructions of the usual kinds ---- */

/* Returns the cycle in which all sources are available. */
static inline uint64_t ready_for(const struct sl_out_of_order *core, const struct sl_issue_needs *d,
                                 uint64_t dispatched)
{
    const uint64_t *complete = core->complete;
    return sl_later(sl_later(dispatched + 1, complete[d->source[0]]),
                    sl_later(complete[d->source[1]], complete[d->source[2]]));
}

/* Sets the cycles in which the two results are available. */
static inline void finish(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
                          const struct sl_issue_needs *d, uint64_t complete, uint64_t second)
{
    core->complete[d->result[0]] = piece->complete = complete;
    core->complete[d->result[1]] = second;
}

/* Returns when the second result of a load is available: that of a pop is an updated address. */
static inline uint64_t second_of(const struct sl_issue_needs *d, uint64_t issued, uint64_t complete)
{
    return d->kind == SL_DEMAND_POP ? issued + 1 : complete;
}

/* Completes and commits an access, after a commit in cycle `before`. Returns the commit cycle. */
static inline uint64_t end_access(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
                                  const struct sl_issue_needs *d,
                                  struct sl_out_of_order_place *place, uint64_t complete,
                                  uint64_t second, uint64_t before)
{
    finish(core, piece, d, complete, second);
    uint64_t committed = sl_out_of_order_commit(core, place, before, complete);
    sl_out_of_order_leaves(core, committed);
    return committed;
}

/* Accesses off the fast path; they are issued, and their timing is piece->passage. */
static __attribute__((noinline)) uint64_t load_unusually(struct sl_out_of_order *core,
                                                         struct sl_dispatch_group *piece,
                                                         uint32_t i, const struct sl_reference *r,
                                                         uint64_t before)
{
    const struct sl_op *op = piece->executed->op + r->op;
    struct sl_op_transfer *p = &piece->passage;
    uint64_t loaded = load(core, r, p->issued, (struct slow){op, piece, p->issued});
    p->complete = sl_later(loaded + core->unit[op->unit].computing, p->issued + 1);
    uint64_t second = second_of(&piece->demand[i], p->issued, p->complete);
    uint64_t committed = end_access(core, piece, &piece->demand[i], core->place + i, p->complete,
                                    second, before);
    return committed > before + 1 ? lose(core, piece, i, before) : committed;
}

static __attribute__((noinline)) uint64_t store_unusually(struct sl_out_of_order *core,
                                                          struct sl_dispatch_group *piece,
                                                          uint32_t i, const struct sl_reference *r,
                                                          uint64_t before)
{
    struct sl_op_transfer *p = &piece->passage;
    store(core, r, p->issued, piece->executed->op[r->op].pc);
    uint64_t committed = end_access(core, piece, &piece->demand[i], core->place + i, p->complete,
                                    p->complete, before);
    sl_out_of_order_stored(core, r, p->complete, committed);
    return committed > before + 1 ? lose(core, piece, i, before) : committed;
}

/* Executes a load or store after a commit in cycle `before`. Returns its commit cycle. */
static inline __attribute__((always_inline)) uint64_t
execute_load(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
             const struct sl_issue_needs *d, struct sl_out_of_order_place *place,
             const struct sl_reference *r, uint64_t before)
{
    uint64_t ready = ready_for(core, d, place->dispatched), taken, store;
    uint64_t issued = sl_calendar_take_of(&core->calendar, place->dispatched + 1, ready, d->needs,
                                          &taken);
    uint64_t asked = piece->asked = issued + core->address_cycles;
    sl_out_of_order_takes_port(core, piece, taken);
    if (__builtin_expect(!sl_out_of_order_loads(core, r, asked, &store), 0)) {
        piece->passage = (struct sl_op_transfer){ready, issued, 0, 0, true};
        return load_unusually(core, piece, (uint32_t)(place - core->place), r, before);
    }
    uint64_t complete = issued + d->cycles;
    if (store) /* its data arrive later or earlier than from L1 */
        complete += sl_later(store, asked) - asked + core->forwarding_cycles - core->hit_cycles;
    uint64_t committed = end_access(core, piece, d, place, complete, second_of(d, issued, complete),
                                    before);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    piece->passage = (struct sl_op_transfer){ready, issued, complete, 0, true};
    return lose(core, piece, (uint32_t)(place - core->place), before);
}

static inline __attribute__((always_inline)) uint64_t
execute_store(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
              const struct sl_issue_needs *d, struct sl_out_of_order_place *place,
              const struct sl_reference *r, uint64_t before)
{
    uint64_t ready = ready_for(core, d, place->dispatched), taken;
    uint64_t issued = sl_calendar_take_of(&core->calendar, place->dispatched + 1, ready, d->needs,
                                          &taken);
    uint64_t complete = issued + d->cycles;
    piece->asked = issued + core->address_cycles;
    sl_out_of_order_takes_port(core, piece, taken);
    if (__builtin_expect(!sl_out_of_order_stores(core, r), 0)) {
        piece->passage = (struct sl_op_transfer){ready, issued, complete, 0, true};
        return store_unusually(core, piece, (uint32_t)(place - core->place), r, before);
    }
    uint64_t committed = end_access(core, piece, d, place, complete, complete, before);
    sl_recent_add(&core->stores, r->address >> STORED_LOG2, complete, committed);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    piece->passage = (struct sl_op_transfer){ready, issued, complete, 0, true};
    return lose(core, piece, (uint32_t)(place - core->place), before);
}

/* ---- pieces ---- */

/* Executes a plain instruction in the same way. */
static inline uint64_t execute_plain(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
                                     const struct sl_issue_needs *d,
                                     struct sl_out_of_order_place *place, uint64_t before)
{
    uint64_t ready = ready_for(core, d, place->dispatched);
    uint64_t issued = sl_calendar_take(&core->calendar, place->dispatched + 1, ready, d->needs);
    uint64_t complete = issued + d->cycles;
    finish(core, piece, d, complete, complete);
    uint64_t committed = sl_out_of_order_commit(core, place, before, complete);
    if (__builtin_expect(committed <= before + 1, 1))
        return committed;
    piece->passage = (struct sl_op_transfer){ready, issued, complete, 0, false};
    return lose(core, piece, (uint32_t)(place - core->place), before);
}

/* Executes and commits a group without optional outputs. Returns the first reference after it. */
static inline const struct sl_reference *
execute(struct sl_out_of_order *core, struct sl_dispatch_group *piece, const struct sl_reference *r)
{
    const struct sl_issue_needs *d = piece->demand, *end = d + piece->n;
    struct sl_out_of_order_place *place = core->place;
    uint64_t committed = core->committed;
    sl_calendar_advance(&core->calendar, place->dispatched + 1);
    for (; d < end; place++, d++) {
        if (d->kind == SL_DEMAND_PLAIN) {
            committed = execute_plain(core, piece, d, place, committed);
        } else if (d->kind <= SL_DEMAND_POP) {
            committed = execute_load(core, piece, d, place, r++, committed);
        } else if (d->kind == SL_DEMAND_STORE) {
            committed = execute_store(core, piece, d, place, r++, committed);
        } else {
            r = execute_any(core, piece, (uint32_t)(place - core->place), r, committed);
            committed = place->committed;
        }
    }
    core->committed = committed;
    return r;
}

/* The same with optional outputs, or if the group's cycles are so far apart that the calendar has
 * to advance in between. */
static __attribute__((noinline)) const struct sl_reference *
execute_each(struct sl_out_of_order *core, struct sl_dispatch_group *piece,
             const struct sl_reference *r)
{
    for (uint32_t i = 0; i < piece->n; i++) {
        r = execute_any(core, piece, i, r, core->committed);
        core->committed = core->place[i].committed;
    }
    return r;
}

#endif
