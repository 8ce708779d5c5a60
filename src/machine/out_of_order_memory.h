/* The out-of-order core's loads and stores; the rules are in out_of_order.c.
 *
 * The hierarchy is asked in the order of the program and answers at once: a line that
 * an older load misses is there for all that follow. When it really comes is in
 * `fills`. A younger load that is issued before the older one that missed would have
 * missed itself: it waits as long as that did, from its own time on, and the line comes
 * then for all that follow. */
#ifndef SL_OUT_OF_ORDER_MEMORY_H
#define SL_OUT_OF_ORDER_MEMORY_H

#include "out_of_order_state.h"

#define STORED_LOG2 3 /* a load and a store meet in 8 bytes */

/* What one reference took: when its data are there, and of the cycles until then. */
struct taken {
    uint64_t complete;
    uint64_t walk, beyond; /* the TLB's walk, what is beyond L1's own latency */
};

static inline uint64_t last_of(const struct sl_reference *r, unsigned size_log2)
{
    return sl_cache_last_line(r->address, r->size, size_log2);
}

/* When the youngest store to any of its bytes that is still in the queue at `asked` is
 * complete; 0 if there is none. */
static inline uint64_t forwarded(const struct sl_out_of_order *core, const struct sl_reference *r,
                                 uint64_t asked)
{
    uint64_t complete = 0, last = last_of(r, STORED_LOG2);
    for (uint64_t at = r->address >> STORED_LOG2; at <= last; at++) {
        const struct sl_recent_entry *e = sl_recent_find(&core->stores, at);
        if (e && e->when[1] > asked && e->when[0] > complete)
            complete = e->when[0];
    }
    return complete;
}

/* Its lines come at `come`, after `cycles`. */
static inline void fill(struct sl_out_of_order *core, const struct sl_reference *r, uint64_t come,
                 uint64_t cycles)
{
    unsigned line_log2 = core->hierarchy->port[1].line_log2;
    uint64_t last = last_of(r, line_log2);
    for (uint64_t line = r->address >> line_log2; line <= last; line++)
        sl_recent_add(&core->fills, line, come, cycles);
    if (come > core->last_fill)
        core->last_fill = come;
}

/* When data that L1 has are there: not before their lines have come. */
static inline uint64_t filled(struct sl_out_of_order *core, const struct sl_reference *r,
                              uint64_t asked, uint64_t complete)
{
    unsigned line_log2 = core->hierarchy->port[1].line_log2;
    uint64_t last = last_of(r, line_log2);
    for (uint64_t line = r->address >> line_log2; line <= last; line++) {
        struct sl_recent_entry *e = sl_recent_find(&core->fills, line);
        if (!e)
            continue;
        if (e->when[0] > asked + e->when[1])
            e->when[0] = asked + e->when[1];
        if (e->when[0] > complete)
            complete = e->when[0];
    }
    return complete;
}

static inline struct taken load(struct sl_out_of_order *core, const struct sl_reference *r,
                                uint64_t cycle)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[1];
    uint64_t asked = cycle + core->address_cycles, store = forwarded(core, r, asked);
    core->hierarchy->now = asked;
    struct sl_access got = sl_hierarchy_load(core->hierarchy, r->address, r->size);
    struct taken t = {.complete = asked + got.cycles};
    if (got.what & (SL_ACCESS_L1_MISS | SL_ACCESS_LATE))
        fill(core, r, t.complete, got.cycles);
    else if (core->last_fill > t.complete)
        t.complete = filled(core, r, asked, t.complete);
    if (store) {
        t.complete = (store > asked ? store : asked) + core->forwarding_cycles;
        return t;
    }
    t.walk = sl_stall_of(port, got).walk;
    t.beyond = t.complete - asked - port->hit_cycles - t.walk;
    return t;
}

static inline struct taken store(struct sl_out_of_order *core, const struct sl_reference *r,
                                 uint64_t cycle)
{
    uint64_t asked = cycle + core->address_cycles;
    core->hierarchy->now = asked;
    struct sl_access got = sl_hierarchy_store(core->hierarchy, r->address, r->size);
    if (got.what & (SL_ACCESS_L1_MISS | SL_ACCESS_LATE))
        fill(core, r, asked + got.cycles, got.cycles);
    return (struct taken){.complete = asked};
}

/* Of the halves of a cycle that an access takes; those of the first are counted when
 * nobody knows yet whether a second comes, which then has its half already. */
static inline uint64_t halves(const struct sl_calendar *c, uint64_t cycle)
{
    uint64_t there = sl_calendar_taken(c, cycle, SL_SLOT_PORT);
    return there < 2 ? 2 : there > 2;
}

/* When it has them, and has computed with what it loaded. */
static inline void completes(struct sl_op_passage *p, struct taken slowest, bool loads,
                                             uint64_t computing)
{
    uint64_t least = p->issued + (computing ? computing : 1);
    p->complete = slowest.complete + (loads ? computing : 0);
    if (p->complete < least)
        p->complete = least;
    p->walk = slowest.walk;
    p->beyond = slowest.beyond;
}

static __attribute__((noinline)) void access_all(struct sl_out_of_order *core,
                                                 struct sl_op_passage *p,
                                                 const struct sl_reference *reference, uint32_t n,
                                                 uint64_t computing, uint64_t *happened)
{
    struct taken slowest = {.complete = p->issued};
    uint64_t cycle = p->issued;
    bool loads = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct sl_reference *r = &reference[i];
        if (i)
            cycle = sl_calendar_take(&core->calendar, cycle, SL_SLOT(SL_SLOT_PORT));
        happened[SL_H_DATA_HALVES] += halves(&core->calendar, cycle);
        struct taken t = r->store ? store(core, r, cycle) : load(core, r, cycle);
        loads |= !r->store;
        if (t.complete > slowest.complete)
            slowest = t;
    }
    completes(p, slowest, loads, computing);
}

/* Issues an instruction with `n` references, at least one, and completes it. */
static inline void sl_out_of_order_access(struct sl_out_of_order *core, struct sl_op_passage *p,
                                          const struct sl_op *op,
                                          const struct sl_out_of_order_unit *unit,
                                          const struct sl_reference *reference, uint32_t n,
                                          uint64_t *happened)
{
    uint64_t computing = sl_out_of_order_computing(op, unit);
    sl_out_of_order_issue(core, p, unit, unit->needs + SL_SLOT(SL_SLOT_PORT));
    core->hierarchy->pc = op->pc;
    if (__builtin_expect(n > 1, 0)) {
        access_all(core, p, reference, n, computing, happened);
        return;
    }
    happened[SL_H_DATA_HALVES] += halves(&core->calendar, p->issued);
    if (reference->store)
        completes(p, store(core, reference, p->issued), false, computing);
    else
        completes(p, load(core, reference, p->issued), true, computing);
}

/* It has been committed: loads that follow meet its stores. */
static inline void sl_out_of_order_stored(struct sl_out_of_order *core, uint64_t complete,
                                          uint64_t committed, const struct sl_reference *reference,
                                          uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct sl_reference *r = &reference[i];
        if (!r->store)
            continue;
        uint64_t last = last_of(r, STORED_LOG2);
        for (uint64_t at = r->address >> STORED_LOG2; at <= last; at++)
            sl_recent_add(&core->stores, at, complete, committed);
    }
}

#endif
