/* The out-of-order core's loads and stores; the rules are in out_of_order.c.
 *
 * The hierarchy is asked in the order of the program and answers at once: a line that
 * an older load misses is there for all that follow. When it really comes is in
 * `fills`. A younger load that is issued before the older one that missed would have
 * missed itself: it waits as long as that did, from its own time on, and the line comes
 * then for all that follow. */
#ifndef SL_OUT_OF_ORDER_MEMORY_H
#define SL_OUT_OF_ORDER_MEMORY_H

#include "out_of_order_commit.h"

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

/* The latest store to those 8 bytes, if it is still in the queue at `asked`: when it is complete; else 0.
 * Asked for instruction `i` of the piece. */
static inline uint64_t forwarded_at(struct sl_out_of_order *core,
                                    struct sl_out_of_order_piece *piece, uint32_t i, uint64_t at,
                                    uint64_t asked)
{
    const struct sl_recent_entry *e = sl_recent_find(&core->stores, at);
    if (!e)
        return 0;
    if (__builtin_expect(e->when[1] == NOT_COMMITTED, 0))
        sl_out_of_order_commit(core, piece, i);
    return e->when[1] > asked ? e->when[0] : 0;
}

/* When the youngest store to any of its bytes that is still in the queue at `asked` is
 * complete; 0 if there is none. */
static inline uint64_t forwarded(struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                                 uint32_t i, const struct sl_reference *r, uint64_t asked)
{
    uint64_t at = r->address >> STORED_LOG2, last = last_of(r, STORED_LOG2);
    uint64_t complete = forwarded_at(core, piece, i, at, asked);
    while (__builtin_expect(at++ < last, 0))
        complete = sl_later(complete, forwarded_at(core, piece, i, at, asked));
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

/* A load that L1 does not just have, or that a line on its way or a store has to do with. */
static __attribute__((noinline)) struct taken load_slowly(struct sl_out_of_order *core,
                                                          const struct sl_reference *r,
                                                          uint64_t asked, uint64_t store,
                                                          struct sl_access got)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[1];
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

static inline struct taken load(struct sl_out_of_order *core, struct sl_out_of_order_piece *piece,
                                uint32_t i, const struct sl_reference *r, uint64_t cycle)
{
    struct sl_hierarchy *h = core->hierarchy;
    uint64_t asked = cycle + core->address_cycles, store = forwarded(core, piece, i, r, asked);
    struct sl_access got = {0, h->port[1].hit_cycles};
    h->now = asked;
    bool there = sl_hierarchy_usual(h, SL_ACCESS_LOAD, r->address, r->size);
    if (!there)
        got = sl_hierarchy_search(h, SL_ACCESS_LOAD, r->address, r->size);
    if (there && !store && core->last_fill <= asked + got.cycles)
        return (struct taken){.complete = asked + got.cycles};
    return load_slowly(core, r, asked, store, got);
}

static inline struct taken store(struct sl_out_of_order *core, const struct sl_reference *r,
                                 uint64_t cycle)
{
    uint64_t asked = cycle + core->address_cycles;
    core->hierarchy->now = asked;
    struct sl_access got = sl_hierarchy_store(core->hierarchy, r->address, r->size);
    if (__builtin_expect(got.what & (SL_ACCESS_L1_MISS | SL_ACCESS_LATE), 0))
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

/* References other than a single one; each takes a port, the first when it is issued. Returns whether
 * one loads. */
static __attribute__((noinline)) bool access_all(struct sl_out_of_order *core,
                                                 struct sl_out_of_order_piece *piece, uint32_t i,
                                                 const struct sl_reference *r,
                                                 const struct sl_reference *end,
                                                 struct taken *slowest)
{
    uint64_t cycle = piece->passage[i].issued;
    bool loads = false, first = true;
    *slowest = (struct taken){.complete = cycle};
    for (; r < end; r++, first = false) {
        if (!first)
            cycle = sl_calendar_take(&core->calendar, cycle, SL_SLOT(SL_SLOT_PORT));
        piece->happened[SL_H_DATA_HALVES] += halves(&core->calendar, cycle);
        struct taken t = r->store ? store(core, r, cycle) : load(core, piece, i, r, cycle);
        loads |= !r->store;
        if (t.complete > slowest->complete)
            *slowest = t;
    }
    return loads;
}

/* Loads that follow meet its stores. */
static inline void add_stores(struct sl_out_of_order *core, struct sl_op_passage *p,
                              const struct sl_reference *r, const struct sl_reference *end)
{
    p->stores_at = core->stores.n;
    for (; r < end; r++) {
        if (!r->store)
            continue;
        uint64_t last = last_of(r, STORED_LOG2);
        for (uint64_t at = r->address >> STORED_LOG2; at <= last; at++)
            sl_recent_add(&core->stores, at, p->complete, NOT_COMMITTED);
    }
    p->n_stores = (uint32_t)(core->stores.n - p->stores_at);
}

/* When it has what it asked for and has computed with what it loaded. */
static inline void completes(struct sl_op_passage *p, struct taken t, bool loads,
                             uint64_t computing)
{
    p->complete = sl_later(t.complete + (loads ? computing : 0),
                           p->issued + (computing ? computing : 1));
    p->walk = t.walk;
    p->beyond = t.beyond;
}

/* Issues instruction `i` of the piece, which is ready and has references, and completes it. Returns
 * the first reference that is not its own. */
static inline const struct sl_reference *sl_out_of_order_access(
    struct sl_out_of_order *core, struct sl_out_of_order_piece *piece, uint32_t i,
    const struct sl_op *op, const struct sl_reference *r, const struct sl_reference *end)
{
    const struct sl_out_of_order_unit *unit = &core->unit[op->unit];
    const struct sl_reference *next = r + 1;
    struct sl_op_passage *p = &piece->passage[i];
    uint64_t computing = sl_out_of_order_computing(op, unit);
    uint64_t issued = p->issued = sl_out_of_order_issue(core, p->ready, op, unit,
                                                        unit->needs + SL_SLOT(SL_SLOT_PORT));
    core->hierarchy->pc = op->pc;
    while (__builtin_expect(next < end && next->op == r->op, 0))
        next++;
    p->n_stores = 0;
    if (__builtin_expect(next > r + 1, 0)) {
        struct taken slowest;
        bool loads = access_all(core, piece, i, r, next, &slowest);
        completes(p, slowest, loads, computing);
        add_stores(core, p, r, next);
        return next;
    }
    piece->happened[SL_H_DATA_HALVES] += halves(&core->calendar, issued);
    if (r->store) {
        completes(p, store(core, r, issued), false, computing);
        add_stores(core, p, r, next);
    } else {
        completes(p, load(core, piece, i, r, issued), true, computing);
    }
    return next;
}

#endif
