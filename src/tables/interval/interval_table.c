/* SPDX-License-Identifier: MIT */
/* Implementation of the interval profilers `singlehash` and `multihash`: counts an event, promotes
 * frequent tuples, ends intervals and returns results. interval_table.h has the algorithm. */
#include "interval_table.h"

#include <string.h>

/* ---- one event ---- */

static uint64_t key_of(const struct sl_interval_table *t, struct sl_tuple tuple)
{
    return sl_accumulator_key(sl_interval_pc_part(t, tuple.pc), tuple.value);
}

static bool counts_approximately(const struct sl_interval_table *t)
{
    return t->approximate.estimates;
}

static uint32_t raised(const struct sl_interval_table *t, uint32_t counter, uint64_t weight)
{
    return weight < t->counter_max - counter ? counter + (uint32_t)weight : t->counter_max;
}

/* Raises the counters. Returns the smallest value before that. */
static uint32_t raise(struct sl_interval_table *t, const uint32_t *at, uint64_t weight)
{
    uint32_t smallest = UINT32_MAX;
    unsigned n = (unsigned)t->config.tables;
    for (unsigned k = 0; k < n; k++)
        smallest = t->counter[at[k]] < smallest ? t->counter[at[k]] : smallest;
    uint32_t least = raised(t, smallest, weight);
    for (unsigned k = 0; k < n; k++) {
        uint32_t *counter = &t->counter[at[k]];
        if (!t->config.conservative)
            *counter = raised(t, *counter, weight);
        else if (*counter < least)
            *counter = least;
    }
    return smallest;
}

void sl_interval_find_counters(const struct sl_interval_table *t, struct sl_tuple tuple,
                               uint32_t *at)
{
    for (unsigned k = 0; k < t->config.tables; k++)
        at[k] = (k << t->index_bits) + sl_byte_hash_words(t->byte_table[k], t->index_bits,
                                                          (unsigned)t->config.word, tuple.pc,
                                                          tuple.value);
}

static void miss(struct sl_interval_table *t, const struct sl_event *event)
{
    uint32_t at[SL_BYTE_HASH_MAX], smallest;
    bool hot;
    sl_interval_find_counters(t, event->tuple, at);
    if (counts_approximately(t)) {
        smallest = sl_interval_approximate_raise(t, at, event->weight);
        hot = smallest >= t->approximate.threshold;
    } else {
        smallest = raise(t, at, event->weight);
        hot = raised(t, smallest, event->weight) >= t->threshold;
    }
    if (hot && event->weight) {
        struct sl_event without_id = *event;
        without_id.tuple_id = SL_NO_INDEX;
        sl_interval_promote(t, &without_id, at, smallest);
    }
}

void sl_interval_step(void *state, const struct sl_event *event)
{
    struct sl_interval_table *t = state;
    size_t slot = sl_accumulator_find(&t->accumulator, key_of(t, event->tuple), event->tuple.pc,
                                      event->tuple.value);
    t->events++;
    t->weight += event->weight;
    if (slot)
        t->accumulator.count[slot] += event->weight;
    else
        miss(t, event);
    if (t->weight >= t->length)
        sl_interval_end(t);
}

/* ---- promotion ---- */

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/* Upper bound of the tuple's count up to its promotion. */
static uint64_t most_before(const struct sl_interval_table *t, uint64_t weight, const uint32_t *at,
                            uint32_t smallest)
{
    uint64_t most = smallest == t->counter_max ? t->weight : at_most(smallest + weight, t->weight);
    for (unsigned k = 0; t->lost && k < t->config.tables; k++)
        most = at_most(most + t->lost[at[k]], t->weight);
    return at_most(most + t->accumulator.replaced_high, t->weight);
}

/* Upper bound of the weight that another tuple loses if this counter is zeroed. A tuple with T or
 * more would have been promoted. (Its promotion cannot have been dropped, because after the first
 * drop no tuple is promoted in an interval; with sets it can.) */
static uint64_t lost_with(const struct sl_interval_table *t, uint32_t counter)
{
    if (!t->config.ways)
        return at_most(counter, t->threshold - 1);
    return counter == t->counter_max ? t->weight : counter;
}

/* Zeroes counters, and records what other tuples may lose by that. */
static void reset(struct sl_interval_table *t, const uint32_t *at)
{
    for (unsigned k = 0; k < t->config.tables; k++) {
        if (t->lost)
            t->lost[at[k]] += lost_with(t, t->counter[at[k]]);
        t->counter[at[k]] = 0;
    }
}

/* Sets the slot of the static tuple with this id; 0: none. */
static void set_name_slot(struct sl_interval_table *t, uint32_t tuple_id, size_t slot)
{
    if (tuple_id < t->names_stored)
        t->name_slot[tuple_id] = (uint16_t)(slot ? slot : SL_SLOT_ABSENT);
}

static void remove_entry(struct sl_interval_table *t, size_t slot)
{
    set_name_slot(t, t->accumulator.note[slot].tuple_id, 0);
    sl_accumulator_remove(&t->accumulator, slot);
}

void sl_interval_promote(struct sl_interval_table *t, const struct sl_event *event,
                         const uint32_t *at, uint32_t smallest)
{
    struct sl_accumulator *a = &t->accumulator;
    size_t slot = t->config.ways ? sl_interval_find_free_in_set(t, at)
                                 : sl_accumulator_find_free(a, t->threshold);
    if (!slot) {
        t->drops++;
        t->drops_weight += event->weight;
        return;
    }
    bool approximate = counts_approximately(t);
    uint64_t count = approximate ? t->approximate.estimates[smallest]
                                 : raised(t, smallest, event->weight);
    uint64_t most = approximate ? count : most_before(t, event->weight, at, smallest);
    uint64_t least = approximate ? count : at_most(event->weight, count);
    if (a->note[slot].used) {
        if (a->count[slot] > a->replaced_high)
            a->replaced_high = a->count[slot];
        remove_entry(t, slot);
    }
    sl_accumulator_insert(a, slot, key_of(t, event->tuple), event->tuple);
    a->count[slot] = count;
    a->note[slot].below = count - least;
    a->note[slot].above = most - count;
    a->note[slot].tuple_id = event->tuple_id;
    if (event->tuple_id == SL_NO_INDEX)
        t->slots_stale = true;
    else
        set_name_slot(t, event->tuple_id, slot);
    if (t->config.reset)
        reset(t, at);
}

/* ---- intervals ---- */

bool sl_interval_entry(const void *state, size_t i, struct sl_entry *entry)
{
    const struct sl_accumulator *a = &((const struct sl_interval_table *)state)->accumulator;
    size_t slot = i + 1;
    if (slot > a->capacity)
        return false;
    uint64_t count = a->count[slot];
    *entry = (struct sl_entry){.tuple = a->tuple[slot],
                               .count = count,
                               .low = count - a->note[slot].below,
                               .high = count + a->note[slot].above};
    return true;
}

/* The smallest of the tables' largest counters. No tuple has more than that in all its counters. */
static uint64_t least_maximum(const struct sl_interval_table *t)
{
    uint32_t least = UINT32_MAX;
    for (unsigned k = 0; k < t->config.tables; k++) {
        uint32_t most = 0;
        for (size_t i = 0; i < (size_t)1 << t->index_bits; i++) {
            uint32_t counter = t->counter[((size_t)k << t->index_bits) + i];
            most = counter > most ? counter : most;
        }
        least = most < least ? most : least;
    }
    return least;
}

static uint64_t sum_of_lost(const struct sl_interval_table *t)
{
    uint64_t sum = 0;
    for (unsigned k = 0; t->lost && k < t->config.tables; k++) {
        uint64_t most = 0;
        for (size_t i = 0; i < (size_t)1 << t->index_bits; i++) {
            uint64_t lost = t->lost[((size_t)k << t->index_bits) + i];
            most = lost > most ? lost : most;
        }
        sum = at_most(sum + most, t->weight);
    }
    return sum;
}

/* Upper bound of the count of any tuple that is no candidate. It is computed as for an entry, but
 * for any counters, which are below T unless a promotion was dropped. */
static uint64_t unlisted_high(const struct sl_interval_table *t)
{
    uint64_t most = t->threshold - 1;
    if (counts_approximately(t))
        return t->weight;
    if (t->drops) {
        most = least_maximum(t);
        if (most == t->counter_max)
            return t->weight;
    }
    return at_most(most + t->accumulator.replaced_high + sum_of_lost(t), t->weight);
}

static void report(struct sl_interval_table *t, bool partial)
{
    struct sl_interval interval = {.number = t->number,
                                   .first_event = t->first_event,
                                   .events = t->events,
                                   .weight = t->weight,
                                   .drops = t->drops,
                                   .threshold = t->threshold,
                                   .partial = partial,
                                   .entry = t->report};
    if (!t->host.interval)
        return;
    for (size_t i = 0; sl_interval_entry(t, i, &t->report[interval.n_entries]); i++)
        interval.n_entries += t->report[interval.n_entries].count >= t->threshold;
    interval.unlisted_high = unlisted_high(t);
    t->host.interval(t->host.context, &interval);
}

/* Prepares the accumulator for the next interval. */
static void retain(struct sl_interval_table *t)
{
    struct sl_accumulator *a = &t->accumulator;
    for (size_t slot = 1; slot <= a->capacity; slot++) {
        struct sl_interval_note *note = &a->note[slot];
        if (!note->used)
            continue;
        if (!t->config.retain || a->count[slot] < t->threshold) {
            remove_entry(t, slot);
            continue;
        }
        note->below = note->above = 0;
        note->retained = true;
        a->count[slot] = 0;
    }
    sl_accumulator_refilter(a);
    a->closed = false;
    a->replaced_high = 0;
}

void sl_interval_end(struct sl_interval_table *t)
{
    report(t, false);
    retain(t);
    memset(t->counter, 0, t->config.counters * sizeof *t->counter);
    if (t->lost)
        memset(t->lost, 0, t->config.counters * sizeof *t->lost);
    t->number++;
    t->first_event += t->events;
    t->weight_before += t->weight;
    t->drops_before += t->drops;
    t->drops_weight_before += t->drops_weight;
    t->events = t->weight = t->drops = t->drops_weight = 0;
}

size_t sl_interval_cut_at(const struct sl_interval_table *t, const uint64_t *weight, size_t n)
{
    uint64_t left = t->length - t->weight;
    if (!weight)
        return left < n ? (size_t)left : n;
    for (size_t i = 0; i < n; i++) {
        if (weight[i] >= left)
            return i + 1;
        left -= weight[i];
    }
    return n;
}

size_t sl_interval_cut(const void *state, const struct sl_batch *batch)
{
    return sl_interval_cut_at(state, batch->weight, batch->n);
}

void sl_interval_finish(void *state)
{
    struct sl_interval_table *t = state;
    if (t->events)
        report(t, true);
}

/* ---- results ---- */

void sl_interval_status(const void *state, struct sl_table_status *out)
{
    const struct sl_interval_table *t = state;
    *out = (struct sl_table_status){.events = t->first_event + t->events,
                                    .weight = t->weight_before + t->weight,
                                    .drops = t->drops_before + t->drops,
                                    .drops_weight = t->drops_weight_before + t->drops_weight,
                                    .storage_bits = sl_interval_storage_bits(&t->config),
                                    .bounds = counts_approximately(t) ? SL_BOUNDS_NONE
                                                                      : SL_BOUNDS_CERTAIN};
    if (!t->host.interval && t->number)
        snprintf(out->note, sizeof out->note,
                 "%llu intervals ended but were not reported; the counts are those of the current "
                 "interval",
                 (unsigned long long)t->number);
}
