/* SPDX-License-Identifier: MIT */
/* Interval tables on a GPU, with one warp per table. Each table processes 32 events at a time, with
 * results that are bit-identical to those of interval_table.c on the CPU.
 *
 * A warp has one table. Its lanes look up 32 events in the accumulator at once and count the hits.
 * The misses are processed one by one, since each depends on the counters that the previous one
 * has changed; for each miss, lane k handles table k of the counters:
 *
 *     lanes = events      find find find find ...      hits: count
 *     lanes = tables      miss: counter 0 .. n-1 -> smallest -> raise
 *                         miss: ...
 *
 * Hits do not change counters, and misses do not change the accumulator, so their order does not
 * matter until a promotion. The group is divided there: hits before it are counted, the promotion
 * is done, and the rest of the group is looked up again.
 *
 * State, in words of 32 bits, in shared memory if it fits, otherwise in GPU memory:
 *
 *     | head | counters | tuples | counts | retained: a bit each | cells: two per word |
 *
 * Tuples are given by their ids (sl_bank_identify); 0 means none. Cells form a hash table with
 * open addressing from tuple ids to 1 + slot. When a tuple loses its slot, its cell stays: it
 * leads to a slot with another tuple, and the search continues. Cells are rebuilt when three in
 * four are used, and at the end of an interval.
 *
 * Not supported: bounds (no measurement of a sweep uses them), weights, and approximate counters;
 * bank_plan.c rejects tables that need them. */
#ifndef SL_INTERVAL_BANK_H
#define SL_INTERVAL_BANK_H

#include "bank_table.h"

enum sl_bank_head {
    SL_BANK_WEIGHT, /* of the interval so far */
    SL_BANK_DROPS,
    SL_BANK_EMPTY, /* all slots below this one are used */
    SL_BANK_CLOSED,
    SL_BANK_CELLS,  /* in use */
    SL_BANK_NUMBER, /* index of the interval */
    SL_BANK_HEAD
};

/* The parts of a table's state. */
struct sl_bank_parts {
    uint32_t *head, *counter, *tuple, *count, *retained;
    uint16_t *cell;
};

SL_BANK struct sl_bank_parts sl_bank_parts(const struct sl_bank_table *t, uint32_t *state)
{
    struct sl_bank_parts p;
    p.head = state;
    p.counter = p.head + SL_BANK_HEAD;
    p.tuple = p.counter + (t->tables << t->index_bits);
    p.count = p.tuple + t->capacity;
    p.retained = p.count + t->capacity;
    p.cell = (uint16_t *)(p.retained + (t->capacity + 31) / 32);
    return p;
}

/* ---- the accumulator ---- */

SL_BANK uint32_t sl_bank_cell_of(const struct sl_bank_table *t, uint32_t tuple)
{
    return (tuple * UINT32_C(0x9e3779b1)) >> t->cell_shift;
}

/* Returns 1 + the tuple's slot, or 0 if it is not in the accumulator. */
SL_BANK uint32_t sl_bank_find(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                              uint32_t tuple)
{
    uint32_t at = sl_bank_cell_of(t, tuple), cell;
    while ((cell = p->cell[at]) && p->tuple[cell - 1] != tuple)
        at = (at + 1) & (t->cells - 1);
    return cell;
}

/* Adds a cell for a slot. Called by one lane. */
SL_BANK void sl_bank_put_cell(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                              uint32_t slot)
{
    uint32_t at = sl_bank_cell_of(t, p->tuple[slot]);
    while (p->cell[at])
        at = (at + 1) & (t->cells - 1);
    p->cell[at] = (uint16_t)(slot + 1);
    p->head[SL_BANK_CELLS]++;
}

SL_BANK void sl_bank_make_cells(const struct sl_bank_table *t, const struct sl_bank_parts *p)
{
    uint32_t *pair = (uint32_t *)p->cell;
    SL_EACH(l)
    for (uint32_t i = SL_LANE(l); i < t->cells / 2; i += SL_WARP)
        pair[i] = 0;
    sl_meet();
    SL_ONE
    {
        p->head[SL_BANK_CELLS] = 0;
        for (uint32_t slot = 0; slot < t->capacity; slot++)
            if (p->tuple[slot])
                sl_bank_put_cell(t, p, slot);
    }
    sl_meet();
}

/* Returns the lowest empty slot, or the capacity if there is none. */
SL_BANK uint32_t sl_bank_empty(const struct sl_bank_table *t, const struct sl_bank_parts *p)
{
    uint32_t is_empty[SL_LANES];
    for (uint32_t from = p->head[SL_BANK_EMPTY]; from < t->capacity; from += SL_WARP) {
        SL_EACH(l)
        is_empty[l] = from + SL_LANE(l) < t->capacity && !p->tuple[from + SL_LANE(l)];
        uint32_t some = sl_ballot(is_empty);
        if (some)
            return from + sl_first_lane(some);
    }
    return t->capacity;
}

/* Returns the retained entry with the smallest count below the threshold, the lowest slot on a
 * tie; the capacity if there is none. */
SL_BANK uint32_t sl_bank_replaceable(const struct sl_bank_table *t, const struct sl_bank_parts *p)
{
    uint32_t least[SL_LANES], where[SL_LANES];
    SL_EACH(l)
    {
        least[l] = t->threshold;
        where[l] = t->capacity;
        for (uint32_t slot = SL_LANE(l); slot < t->capacity; slot += SL_WARP)
            if (p->retained[slot / 32] >> slot % 32 & 1 && p->count[slot] < least[l]) {
                least[l] = p->count[slot];
                where[l] = slot;
            }
    }
    uint32_t least_of_all = sl_least(least);
    SL_EACH(l)
    where[l] = least[l] == least_of_all ? where[l] : t->capacity;
    return sl_least(where);
}

/* Returns the slot for a new tuple, or the capacity: then no slot becomes free until the interval
 * ends. */
SL_BANK uint32_t sl_bank_free_slot(const struct sl_bank_table *t, const struct sl_bank_parts *p)
{
    uint32_t slot = t->capacity;
    if (p->head[SL_BANK_CLOSED])
        return slot;
    slot = sl_bank_empty(t, p);
    uint32_t empty = slot;
    if (slot == t->capacity)
        slot = sl_bank_replaceable(t, p);
    sl_meet();
    SL_ONE
    {
        p->head[SL_BANK_EMPTY] = empty;
        p->head[SL_BANK_CLOSED] = slot == t->capacity;
    }
    sl_meet();
    return slot;
}

/* Moves a tuple into the accumulator. index[k] is its counter in table k. */
SL_BANK void sl_bank_promote(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                             uint32_t tuple, uint32_t count, const uint32_t *index)
{
    uint32_t slot = sl_bank_free_slot(t, p);
    if (slot == t->capacity) {
        SL_ONE
        p->head[SL_BANK_DROPS]++;
        sl_meet();
        return;
    }
    SL_ONE
    {
        p->tuple[slot] = tuple;
        p->count[slot] = count;
        p->retained[slot / 32] &= ~(UINT32_C(1) << slot % 32);
        sl_bank_put_cell(t, p, slot);
    }
    if (t->reset)
        SL_EACH(l)
    if (SL_LANE(l) < t->tables)
        p->counter[index[l]] = 0;
    sl_meet();
    if (4 * p->head[SL_BANK_CELLS] > 3 * t->cells)
        sl_bank_make_cells(t, p);
}

/* ---- a group of events ---- */

/* One event per lane. */
struct sl_bank_group {
    unsigned n;
    uint32_t tuple[SL_LANES];
    uint64_t word[SL_BANK_WORDS][SL_LANES];
};

/* Sets index[k] to the counter in table k of the event of lane `of`. */
SL_BANK void sl_bank_index(const struct sl_bank_table *t, const struct sl_bank_group *g,
                           unsigned of, uint32_t *index)
{
    SL_UNROLLED
    for (unsigned w = 0; w < SL_BANK_WORDS; w++) {
        if (4 * w >= t->tables)
            break;
        uint64_t word = sl_pick_long(g->word[w], of);
        SL_EACH(l)
        if (SL_LANE(l) / 4 == w)
            index[l] = (SL_LANE(l) << t->index_bits) +
                       (uint32_t)(word >> 16 * (SL_LANE(l) % 4) & 0xffff);
    }
}

/* Increments the counters of an event that is not in the accumulator. Returns the new minimum. */
SL_BANK uint32_t sl_bank_raise(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                               const uint32_t *index)
{
    uint32_t held[SL_LANES];
    SL_EACH(l)
    held[l] = SL_LANE(l) < t->tables ? p->counter[index[l]] : UINT32_MAX;
    uint32_t smallest = sl_least(held);
    uint32_t raised = smallest < t->counter_max ? smallest + 1 : t->counter_max;
    SL_EACH(l)
    if (SL_LANE(l) < t->tables) {
        uint32_t next = held[l] < t->counter_max ? held[l] + 1 : t->counter_max;
        if (t->conservative)
            next = held[l] < raised ? raised : held[l];
        p->counter[index[l]] = next;
    }
    sl_meet();
    return raised;
}

SL_BANK void sl_bank_process_group(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                                   const struct sl_bank_group *g)
{
    uint32_t slot[SL_LANES], index[SL_LANES] = {0};
    for (unsigned from = 0, stop; from < g->n; from = stop + 1) {
        uint32_t raised = 0, active = sl_lanes_between(from, g->n);
        SL_EACH(l)
        slot[l] = active >> SL_LANE(l) & 1 ? sl_bank_find(t, p, g->tuple[l]) : 0;
        uint32_t misses = active & ~sl_ballot(slot);
        for (stop = g->n; misses; misses &= misses - 1) {
            unsigned lane = sl_first_lane(misses);
            sl_bank_index(t, g, lane, index);
            raised = sl_bank_raise(t, p, index);
            if (raised < t->threshold)
                continue;
            if (!p->head[SL_BANK_CLOSED]) {
                stop = lane;
                break;
            }
            sl_meet();
            SL_ONE
            p->head[SL_BANK_DROPS]++;
        }
        sl_meet();
        SL_EACH(l)
        if (slot[l] && SL_LANE(l) < stop)
            sl_add_to(&p->count[slot[l] - 1], 1);
        sl_meet();
        if (stop < g->n)
            sl_bank_promote(t, p, sl_pick(g->tuple, stop), raised, index);
    }
}

/* ---- intervals ---- */

SL_BANK uint32_t sl_bank_count_of(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                                  uint32_t least)
{
    uint32_t is[SL_LANES], n = 0;
    for (uint32_t from = 0; from < t->capacity; from += SL_WARP) {
        SL_EACH(l)
        is[l] = from + SL_LANE(l) < t->capacity && p->count[from + SL_LANE(l)] >= least;
        n += sl_lanes_in(sl_ballot(is));
    }
    return n;
}

SL_BANK void sl_bank_report(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                            const struct sl_bank_out *out)
{
    uint32_t n = sl_bank_count_of(t, p, t->threshold), held = sl_bank_count_of(t, p, 1);
    uint32_t is[SL_LANES];
    uint64_t at[SL_LANES];
    SL_EACH(l)
    at[l] = SL_LANE(l) ? 0 : sl_take_from(out->n_found, n);
    uint64_t first = sl_pick_long(at, 0);
    struct sl_bank_report report = {first, n, p->head[SL_BANK_DROPS], held, 0};
    SL_ONE
    out->report[t->report + p->head[SL_BANK_NUMBER]] = report;
    for (uint32_t from = 0; from < t->capacity; from += SL_WARP) {
        SL_EACH(l)
        is[l] = from + SL_LANE(l) < t->capacity && p->count[from + SL_LANE(l)] >= t->threshold;
        uint32_t some = sl_ballot(is);
        SL_EACH(l)
        if (is[l]) {
            uint64_t place = first + sl_lanes_in(some & sl_lanes_between(0, SL_LANE(l)));
            struct sl_bank_found found = {out->event_of[p->tuple[from + SL_LANE(l)] - 1] - 1,
                                          p->count[from + SL_LANE(l)]};
            out->found[place] = found;
        }
        first += sl_lanes_in(some);
    }
    sl_meet();
}

SL_BANK void sl_bank_end(const struct sl_bank_table *t, const struct sl_bank_parts *p,
                         const struct sl_bank_out *out)
{
    sl_bank_report(t, p, out);
    SL_EACH(l)
    for (uint32_t word = SL_LANE(l); word < (t->capacity + 31) / 32; word += SL_WARP) {
        uint32_t stays = 0;
        for (uint32_t slot = 32 * word; slot < 32 * word + 32 && slot < t->capacity; slot++) {
            if (t->retain && p->tuple[slot] && p->count[slot] >= t->threshold)
                stays |= UINT32_C(1) << slot % 32;
            else
                p->tuple[slot] = 0;
            p->count[slot] = 0;
        }
        p->retained[word] = stays;
    }
    SL_EACH(l)
    for (uint32_t i = SL_LANE(l); i < t->tables << t->index_bits; i += SL_WARP)
        p->counter[i] = 0;
    sl_meet();
    SL_ONE
    {
        p->head[SL_BANK_WEIGHT] = p->head[SL_BANK_DROPS] = p->head[SL_BANK_EMPTY] = 0;
        p->head[SL_BANK_CLOSED] = 0;
        p->head[SL_BANK_NUMBER]++;
    }
    sl_meet();
    sl_bank_make_cells(t, p);
}

/* Loads one event per lane, beginning at `from`; there is at least one. */
SL_BANK void sl_bank_fetch(const struct sl_bank_table *t, const struct sl_bank_in *in,
                           uint32_t from, struct sl_bank_group *g)
{
    SL_EACH(l)
    {
        uint32_t i = SL_LANE(l) < in->n - from ? from + SL_LANE(l) : from;
        g->tuple[l] = in->tuple[i];
        SL_UNROLLED
        for (unsigned w = 0; w < SL_BANK_WORDS; w++)
            if (4 * w < t->tables)
                g->word[w][l] = in->packed[t->family[w] + i];
    }
}

/* Processes a chunk of events. After the last events of the stream, also reports the incomplete
 * interval. The next group is loaded before this one is processed, to hide the memory latency. */
SL_BANK void sl_bank_process_intervals(const struct sl_bank_table *t, uint32_t *state,
                                       const struct sl_bank_in *in, const struct sl_bank_out *out)
{
    struct sl_bank_parts p = sl_bank_parts(t, state);
    struct sl_bank_group g, next;
    if (in->n)
        sl_bank_fetch(t, in, 0, &next);
    for (uint32_t from = 0; from < in->n; from += g.n) {
        uint32_t left = t->length - p.head[SL_BANK_WEIGHT];
        g = next;
        g.n = in->n - from < SL_WARP ? in->n - from : SL_WARP;
        g.n = left < g.n ? left : g.n;
        if (from + g.n < in->n)
            sl_bank_fetch(t, in, from + g.n, &next);
        sl_bank_process_group(t, &p, &g);
        SL_ONE
        p.head[SL_BANK_WEIGHT] += g.n;
        sl_meet();
        if (p.head[SL_BANK_WEIGHT] == t->length)
            sl_bank_end(t, &p, out);
    }
    if (in->last && p.head[SL_BANK_WEIGHT])
        sl_bank_report(t, &p, out);
}

#endif
