/* SPDX-License-Identifier: MIT */
/* Exact table (`exact`): stores every tuple with its count. It is the reference for all other
 * tables.
 *
 * Static tuples have dense ids: an array of counts, one increment per event. Tuples with a value in
 * the event, <instruction, value>, are counted in hash tables (values.h).
 *
 * The table grows up to its memory budget. Then known tuples are still counted, and new ones are
 * dropped and counted as drops. With a spill directory, values are written to disk instead
 * (value_counts.h).
 *
 * Assumption: counts and weights stay below 2^63 in total. */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "values.h"

struct exact {
    uint64_t memory_bytes;
    uint64_t events, weight, drops, drops_weight;
    /* Static tuples. */
    uint64_t *count;
    size_t n_counts, counts_capacity;
    bool full;
    struct sl_values values;
    struct sl_spill spill;
    uint64_t distinct_values; /* valid after finish() */
    bool finished;
};

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config, (void)host;
    return sizeof(struct exact);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct exact *e = state;
    (void)config, (void)f;
    *e = (struct exact){.memory_bytes = host->memory_bytes,
                        .values = {.memory_bytes = host->memory_bytes, .threaded = host->helpers},
                        .spill.directory = host->spill_directory};
    if (host->spill_directory)
        e->values.spill = &e->spill;
    return 0;
}

/* ---- static tuples ---- */

static void drop(struct exact *e, uint64_t times, uint64_t weight)
{
    e->drops += times;
    e->drops_weight += weight;
}

/* Allocates counters for `n` static tuples, as far as the memory budget allows. */
static void make_counts(struct exact *e, size_t n)
{
    if (e->n_counts >= n || e->full)
        return;
    uint64_t capacity = e->memory_bytes / sizeof *e->count;
    size_t wanted = n <= capacity ? n : (size_t)capacity;
    e->full = wanted < n;
    if (SL_GROW(e->count, e->counts_capacity, wanted))
        e->n_counts = wanted;
    else
        e->full = true;
}

static void observe_static(struct exact *e, const struct sl_batch *batch)
{
    size_t n = batch->n;
    make_counts(e, batch->names->n);
    uint64_t *count = e->count;
    if (e->full) {
        for (size_t i = 0; i < n; i++) {
            uint64_t weight = batch->weight ? batch->weight[i] : 1;
            if (batch->tuple_id[i] < e->n_counts)
                count[batch->tuple_id[i]] += weight;
            else
                drop(e, 1, weight);
        }
    } else if (batch->weight) {
        for (size_t i = 0; i < n; i++)
            count[batch->tuple_id[i]] += batch->weight[i];
    } else {
        for (size_t i = 0; i < n; i++)
            count[batch->tuple_id[i]]++;
    }
}

static void add(void *state, uint32_t tuple_id, uint64_t times, uint64_t weight)
{
    struct exact *e = state;
    e->events += times;
    e->weight += weight;
    make_counts(e, (size_t)tuple_id + 1);
    if (tuple_id < e->n_counts)
        e->count[tuple_id] += weight;
    else
        drop(e, times, weight);
}

/* ---- events ---- */

static void observe(void *state, const struct sl_batch *batch)
{
    struct exact *e = state;
    e->events += batch->n;
    e->weight += sl_batch_weight(batch);
    if (batch->value)
        sl_values_observe(&e->values, batch);
    else
        observe_static(e, batch);
}

/* Identifies the instruction by its id, not by its address. */
static void step(void *state, const struct sl_event *event)
{
    struct sl_tuple_names names = {.n = (size_t)event->tuple_id + 1};
    struct sl_batch batch = {
        1,   &event->tuple_id, &event->tuple.value, &event->weight, &names, NULL, event->thread,
        NULL};
    observe(state, &batch);
}

static void finish(void *state)
{
    struct exact *e = state;
    e->distinct_values = sl_values_distinct(&e->values);
    e->finished = true;
}

/* ---- results ---- */

/* Merges spilled runs with the table in memory, which is sorted for that. */
static uint64_t drain_heavy(const void *state, const struct sl_tuple_names *names,
                            const uint64_t *least,
                            bool (*emit)(void *context, const struct sl_entry *entry),
                            void *context)
{
    const struct exact *e = state;
    for (size_t i = 0; i < e->n_counts; i++) {
        uint64_t n = e->count[i];
        struct sl_entry entry = {
            .tuple = sl_tuple_named(names, i), .count = n, .low = n, .high = n};
        if (n && !emit(context, &entry))
            return 0;
    }
    return sl_values_drain((struct sl_values *)&e->values, names, least, emit, context);
}

static void drain(const void *state, const struct sl_tuple_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    if (names) /* entries have tuple ids only */
        drain_heavy(state, names, &(uint64_t){0}, emit, context);
}

/* Before finish(), a spilled tuple counts once per run that contains it. */
static uint64_t distinct_values(const struct exact *e)
{
    return e->finished ? e->distinct_values
                       : sl_values_distinct_about((struct sl_values *)&e->values);
}

static void write_note(const struct exact *e, struct sl_table_status *out)
{
    if (e->spill.error)
        snprintf(
            out->note, sizeof out->note,
            "the exact table cannot spill to %.200s: %s; %llu events of new tuples are not counted",
            e->spill.directory, strerror(e->spill.error), (unsigned long long)out->drops);
    else if (out->drops)
        snprintf(out->note, sizeof out->note,
                 "the exact table used up its memory (%.1f MB): %llu events of new tuples are not "
                 "counted; raise the memory limit",
                 (double)e->memory_bytes / 1e6, (unsigned long long)out->drops);
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct exact *e = state;
    struct sl_values_drops dropped = sl_values_dropped(&e->values);
    uint64_t drops = e->drops + dropped.events, n_static = 0;
    *out = (struct sl_table_status){.events = e->events,
                                    .weight = e->weight,
                                    .drops = drops,
                                    .drops_weight = e->drops_weight + dropped.weight,
                                    .bounds = drops ? SL_BOUNDS_NONE : SL_BOUNDS_CERTAIN};
    /* Counts used elements only: the size of the array also depends on the division into batches,
     * which differs between runs. */
    for (size_t i = 0; i < e->n_counts; i++)
        n_static += e->count[i] != 0;
    out->distinct = n_static + distinct_values(e);
    out->failed = e->spill.error;
    out->storage_bits = 8 * (n_static * sizeof *e->count + sl_values_bytes(&e->values));
    write_note(e, out);
}

static void rest(void *state)
{
    sl_value_lists_wait(((struct exact *)state)->values.lists);
}

static void close_exact(void *state)
{
    struct exact *e = state;
    free(e->count);
    sl_values_close(&e->values);
}

const struct sl_table_kind sl_table_exact = {
    .name = "exact",
    .adds = SL_ADDS_LISTED,
    .summary = "every tuple with its exact count; grows up to the memory limit",
    .storage = "8, 64 or 128 bits per <instruction, value> tuple, 64 bits per other tuple",
    SL_TABLE_FUNCTIONS,
    .finish = finish,
    .drain = drain,
    .close = close_exact,
    .totals = &(const struct sl_table_totals){.add = add},
    .large = &(const struct sl_table_large){.rest = rest, .drain_heavy = drain_heavy},
};
