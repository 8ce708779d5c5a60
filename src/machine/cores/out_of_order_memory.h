/* SPDX-License-Identifier: MIT */
/* Loads and stores of the out-of-order core model. out_of_order.c describes the rules.
 *
 * The hierarchy is accessed in program order and updated at once: a line that an older load misses
 * is present for all younger ones. `fills` has the cycle in which it really arrives. A younger load
 * that is issued before the older one would have missed itself: it waits as long as that one, from
 * its own issue on, and the line then arrives for all later ones. */
#ifndef SL_OUT_OF_ORDER_MEMORY_H
#define SL_OUT_OF_ORDER_MEMORY_H

#include "out_of_order_state.h"

#define STORED_LOG2 3 /* loads and stores are compared by 8 bytes */

static inline uint64_t last_of(const struct sl_reference *r, unsigned size_log2)
{
    return sl_cache_last_line(r->address, r->size, size_log2);
}

/* Returns the completion of the latest store to those 8 bytes if it is still in the queue at
 * `asked`, else 0. */
static inline uint64_t forwarded_at(const struct sl_out_of_order *core, uint64_t at, uint64_t asked)
{
    const struct sl_recent_entry *e = sl_recent_find(&core->stores, at);
    return e && e->when[1] > asked ? e->when[0] : 0;
}

/* Returns the completion of the youngest store to any of its bytes that is still in the queue at
 * `asked`; 0: none. */
static inline uint64_t forwarded(const struct sl_out_of_order *core, const struct sl_reference *r,
                                 uint64_t asked)
{
    uint64_t at = r->address >> STORED_LOG2, complete = forwarded_at(core, at, asked);
    if (__builtin_expect((r->address + (r->size - 1u)) >> STORED_LOG2 != at, 0))
        for (uint64_t last = last_of(r, STORED_LOG2); at++ < last;)
            complete = sl_later(complete, forwarded_at(core, at, asked));
    return complete;
}

/* Records that the lines arrive at `arrival`, after `cycles`. */
static inline void fill(struct sl_out_of_order *core, const struct sl_reference *r,
                        uint64_t arrival, uint64_t cycles)
{
    unsigned line_log2 = core->hierarchy->port[1].line_log2;
    uint64_t last = last_of(r, line_log2);
    for (uint64_t line = r->address >> line_log2; line <= last; line++)
        sl_recent_add(&core->fills, line, cycles, arrival);
    if (arrival > core->last_fill)
        core->last_fill = arrival;
}

/* Returns when data in L1 are available: not before their lines have arrived. */
static inline uint64_t filled(struct sl_out_of_order *core, const struct sl_reference *r,
                              uint64_t asked, uint64_t complete)
{
    unsigned line_log2 = core->hierarchy->port[1].line_log2;
    uint64_t last = last_of(r, line_log2);
    for (uint64_t line = r->address >> line_log2; line <= last; line++) {
        struct sl_recent_entry *e = sl_recent_find(&core->fills, line);
        if (!e)
            continue;
        if (e->when[1] > asked + e->when[0])
            e->when[1] = asked + e->when[0];
        if (e->when[1] > complete)
            complete = e->when[1];
    }
    return complete;
}

/* State of an instruction that waits for data. */
struct slow {
    const struct sl_op *op;
    struct sl_dispatch_group *group;
    uint64_t complete; /* of its slowest reference so far */
};

/* A load off the fast path: a miss, a line in flight or a store to its bytes. Returns when its data
 * are available. If that is later than all before, it is what its instruction waits for. */
static __attribute__((noinline)) uint64_t load_slow(struct sl_out_of_order *core,
                                                    const struct sl_reference *r, uint64_t asked,
                                                    uint64_t store, struct sl_access access,
                                                    struct slow slow)
{
    const struct sl_hierarchy_port *port = &core->hierarchy->port[1];
    uint64_t complete = asked + access.cycles, walk = 0, beyond = 0;
    if (access.events & (SL_ACCESS_L1_MISS | SL_ACCESS_LATE))
        fill(core, r, complete, access.cycles);
    else if (core->last_fill > complete)
        complete = filled(core, r, asked, complete);
    if (store) {
        complete = (store > asked ? store : asked) + core->forwarding_cycles;
    } else {
        walk = access.events & SL_ACCESS_TLB_MISS ? port->walk_cycles : 0;
        beyond = complete - asked - port->hit_cycles - walk;
    }
    if (complete > slow.complete) {
        slow.group->slow = slow.op;
        slow.group->walk = walk;
        slow.group->beyond = beyond;
    }
    return complete;
}

/* Returns when the data are available. */
static inline uint64_t load(struct sl_out_of_order *core, const struct sl_reference *r,
                            uint64_t cycle, struct slow slow)
{
    struct sl_hierarchy *h = core->hierarchy;
    uint64_t asked = cycle + core->address_cycles, store = forwarded(core, r, asked);
    h->now = asked;
    h->pc = slow.op->pc;
    struct sl_access access = sl_hierarchy_access(h, SL_ACCESS_LOAD, r->address, r->size);
    if (!access.events && !store && core->last_fill <= asked + access.cycles)
        return asked + access.cycles;
    return load_slow(core, r, asked, store, access, slow);
}

/* Returns the completion of the store. */
static inline uint64_t store(struct sl_out_of_order *core, const struct sl_reference *r,
                             uint64_t cycle, uint64_t pc)
{
    uint64_t asked = cycle + core->address_cycles;
    core->hierarchy->now = asked;
    core->hierarchy->pc = pc;
    struct sl_access access = sl_hierarchy_access(core->hierarchy, SL_ACCESS_STORE, r->address,
                                                  r->size);
    if (access.events & (SL_ACCESS_L1_MISS | SL_ACCESS_LATE))
        fill(core, r, asked + access.cycles, access.cycles);
    return asked;
}

/* Counts the half cycles of an access that takes a port in a cycle with these reservations. */
static inline void sl_out_of_order_count_port(const struct sl_out_of_order *core,
                                              struct sl_dispatch_group *group, uint64_t taken)
{
    group->totals[SL_MACHINE_DATA_HALVES] += core->halves[sl_calendar_byte(taken, SL_SLOT_PORT)];
}

/* Completes an issued instruction with references. Each takes a port, the first one at issue.
 * Returns the first reference of the next instruction. */
static const struct sl_reference *access_all(struct sl_out_of_order *core,
                                             struct sl_dispatch_group *group,
                                             const struct sl_op *op, const struct sl_reference *r,
                                             struct sl_op_timing *p)
{
    const struct sl_reference *first = r,
                              *end = group->executed->reference + group->executed->n_references;
    uint64_t computing = core->unit[op->unit].computing, cycle = p->issued;
    struct slow slow = {op, group, cycle};
    bool loads = false;
    for (; r < end && r->op == first->op; r++) {
        if (r != first)
            cycle = sl_calendar_reserve(&core->calendar, core->calendar.base, cycle,
                                        SL_SLOT(SL_SLOT_PORT));
        sl_out_of_order_count_port(core, group, sl_calendar_at(&core->calendar, cycle));
        const struct sl_op *was = group->slow;
        group->slow = NULL;
        uint64_t complete = r->store ? store(core, r, cycle, op->pc) : load(core, r, cycle, slow);
        if (complete > slow.complete)
            slow.complete = complete;
        else
            group->slow = was;
        loads |= !r->store;
    }
    p->complete = sl_later(slow.complete + (loads ? computing : 0),
                           p->issued + (computing ? computing : 1));
    return r;
}

/* ---- fast paths ---- */

/* True if all of its bytes are in one unit of 8 bytes. */
static inline bool sl_out_of_order_one_unit(const struct sl_reference *r)
{
    return (r->address ^ (r->address + (r->size - 1u))) < 1u << STORED_LOG2;
}

/* True if no line in flight can be that of a load within one line. */
static inline bool sl_out_of_order_line_arrived(const struct sl_out_of_order *core,
                                                const struct sl_reference *r, uint64_t answered)
{
    return __builtin_expect(core->last_fill <= answered, 1) ||
           sl_recent_slot(&core->fills, r->address >> core->hierarchy->port[1].line_log2)->last <=
               answered;
}

/* Fast path of a load that accesses memory in that cycle: returns true if the line is in L1 and not
 * in flight; false changes nothing. *store is the completion of an uncommitted store with its data;
 * 0: none. */
static inline bool sl_out_of_order_load_fast(struct sl_out_of_order *core,
                                             const struct sl_reference *r, uint64_t asked,
                                             uint64_t *store)
{
    uint64_t at = r->address >> STORED_LOG2;
    *store = 0;
    if (!sl_out_of_order_one_unit(r))
        return false;
    if (sl_recent_slot(&core->stores, at)->last > asked)
        *store = forwarded_at(core, at, asked);
    return sl_out_of_order_line_arrived(core, r, asked + core->hit_cycles) &&
           sl_hierarchy_access_fast(core->hierarchy, SL_ACCESS_LOAD, r->address, r->size);
}

/* The same for a store that does not write through. */
static inline bool sl_out_of_order_store_fast(struct sl_out_of_order *core,
                                              const struct sl_reference *r)
{
    struct sl_hierarchy *h = core->hierarchy;
    return sl_out_of_order_one_unit(r) && !h->port[1].through &&
           sl_hierarchy_one_line(&h->port[1], r->address, r->size) &&
           sl_hierarchy_hit_fast(h, SL_ACCESS_STORE, r->address);
}

/* Records the commit of an instruction in the load/store queue. */
static inline void sl_out_of_order_queue_commit(struct sl_out_of_order *core, uint64_t committed)
{
    core->lsq.left[core->n_memory++ & core->lsq.mask] = committed;
}

/* Records the commit of a store, for later loads. */
static inline void sl_out_of_order_record_store(struct sl_out_of_order *core,
                                                const struct sl_reference *r, uint64_t complete,
                                                uint64_t committed)
{
    uint64_t last = last_of(r, STORED_LOG2);
    for (uint64_t at = r->address >> STORED_LOG2; at <= last; at++)
        sl_recent_add(&core->stores, at, complete, committed);
}

#endif
