/* SPDX-License-Identifier: MIT */
/* Exact counts of <instruction, value> tuples: selects the tables, passes events through the
 * cache, and drains the results. values.h has the overview. */
#include "values.h"

#include <stdlib.h>

#define MEMORY_LEAST (UINT64_C(1) << 26) /* bytes: with less, only the wide table is used */
#define BYTES_GROUP 64u
#define CACHE_FROM                                                                \
    (UINT64_C(1) << 20) /* events: with fewer, the tables fit in the CPU's caches \
                         */

/* ---- the cache ---- */

static bool count_list(void *values, const struct sl_value_slot *slot, size_t n)
{
    sl_values_count_slots(values, slot, n);
    return sl_values_have_capacity(values);
}

static void open_cache(struct sl_values *v)
{
    v->cache = calloc(1, sizeof *v->cache);
    v->lists = sl_value_lists_open(count_list, v, v->threaded);
    v->cache_closed = !v->cache || !v->lists || !sl_values_have_capacity(v);
    if (!v->cache_closed)
        v->cache->evicted = sl_value_lists_current(v->lists);
}

static void submit_evicted(struct sl_values *v)
{
    bool capacity;
    v->cache->evicted = sl_value_lists_submit(v->lists, &capacity);
    v->cache_closed |= !capacity;
}

/* Flushes cache and lists to the tables. The thread is idle afterwards. */
static void flush_cache(struct sl_values *v)
{
    struct sl_value_cache *cache = v->cache;
    if (!cache || !cache->events)
        return;
    for (uint64_t i = 0; i < SL_VALUE_CACHE_SLOTS; i++)
        if (cache->slot[i].packed) {
            if (cache->evicted->n >= SL_VALUE_LIST_FULL)
                submit_evicted(v);
            cache->evicted->slot[cache->evicted->n++] = cache->slot[i];
            cache->slot[i].packed = 0;
        }
    submit_evicted(v);
    sl_value_lists_wait(v->lists);
    cache->events = 0;
}

/* Called before every SL_VALUE_CACHE_STEP events, counted from the first one of the run, so that no
 * decision depends on the division into batches. */
static void begin_round(struct sl_values *v)
{
    if (!v->cache && v->events >= CACHE_FROM && !v->cache_closed)
        open_cache(v);
    if (!v->cache)
        return;
    if (!v->cache_closed && v->cache->evicted->n >= SL_VALUE_LIST_FULL)
        submit_evicted(v);
    if (v->cache_closed || v->cache->events > SL_VALUE_CACHE_EVENTS_MAX)
        flush_cache(v);
    v->cache_in_use = !v->cache_closed;
}

/* Counts events in the tables directly. The cache may have tuples at the same time. */
static void count_directly(struct sl_values *v, const struct sl_batch *part)
{
    sl_value_lists_wait(v->lists);
    sl_values_count_events(v, part);
    v->cache_closed |= v->cache_in_use && !sl_values_have_capacity(v);
}

/* ---- all ---- */

static bool has_weights(const struct sl_batch *batch)
{
    bool more = false;
    for (size_t i = 0; i < batch->n && batch->weight; i++)
        more |= batch->weight[i] != 1;
    return more;
}

/* Chooses the tables. */
static void begin(struct sl_values *v, const struct sl_batch *batch)
{
    v->started = true;
    v->plain = v->spill || v->memory_bytes < MEMORY_LEAST || has_weights(batch) ||
               !sl_dense_reserve(&v->dense, 1) ||
               !(v->recent = calloc(SL_VALUES_RECENT, sizeof *v->recent)) ||
               !sl_values_reserve_one(v);
    v->wide.spill = v->spill;
    v->wide.memory_bytes = v->memory_bytes;
}

void sl_values_observe(struct sl_values *v, const struct sl_batch *batch)
{
    struct sl_batch rest = *batch;
    if (!v->started)
        begin(v, batch);
    if (v->plain) {
        sl_value_counts_observe(&v->wide, batch);
        return;
    }
    while (rest.n) {
        size_t left = SL_VALUE_CACHE_STEP - v->events % SL_VALUE_CACHE_STEP,
               n = rest.n < left ? rest.n : left;
        struct sl_batch part = sl_batch_part(&rest, 0, n);
        if (v->events % SL_VALUE_CACHE_STEP == 0)
            begin_round(v);
        if (v->cache_in_use && !batch->weight && batch->names->n <= SL_VALUE_INSN_MAX)
            sl_value_cache_count(v->cache, part.tuple_id, part.value, n);
        else
            count_directly(v, &part);
        v->events += n;
        rest = sl_batch_part(&rest, n, rest.n - n);
    }
}

/* ---- results ---- */

struct draining {
    const struct sl_values *values;
    const struct sl_tuple_names *names;
    const uint64_t *least;
    uint64_t omitted;
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
};

/* Smallest byte of a slot or position that may reach *least: with `more`, the carry decides. */
static uint64_t least_held(const struct draining *d)
{
    return *d->least < SL_COMPACT_MORE ? *d->least : SL_COMPACT_MORE;
}

/* `held` is the byte of the tuple's slot or position. */
static bool emit_key(const struct draining *d, uint64_t key, uint64_t held)
{
    uint64_t prefix = d->values->prefixes.prefix[key >> 32], value = prefix << 32 | (uint32_t)key;
    uint64_t count = held & SL_COMPACT_COUNT_MAX;
    uint32_t insn = (uint32_t)(prefix >> 32);
    if (held & SL_COMPACT_MORE)
        count += sl_value_counts_of(&d->values->carries, insn, value);
    struct sl_entry entry = {
        .tuple = {d->names->pc[insn], value}, .count = count, .low = count, .high = count};
    return d->emit(d->context, &entry);
}

static bool drain_compact(struct draining *d)
{
    const struct sl_compact *c = &d->values->compact;
    const uint64_t *end = c->slot + sl_compact_slots(c);
    for (const uint64_t *s = c->slot; s < end; s++) {
        uint64_t held = *s & SL_COMPACT_HELD;
        if (held < least_held(d) || !held)
            d->omitted += held != 0;
        else if (!emit_key(d, *s >> SL_COMPACT_KEY_SHIFT, held))
            return false;
    }
    return true;
}

/* Returns true if all of n positions are below *least, as most are, and counts them. */
static bool omitted(struct draining *d, const uint8_t *held, size_t n)
{
    uint8_t most = 0, n_used = 0;
    for (size_t i = 0; i < n; i++) {
        most = held[i] > most ? held[i] : most;
        n_used = (uint8_t)(n_used + (held[i] != 0));
    }
    bool all = most < least_held(d) || !most;
    d->omitted += all ? n_used : 0;
    return all;
}

static bool drain_span(struct draining *d, uint32_t prefix, const struct sl_dense_span *s)
{
    const uint8_t *held = d->values->dense.byte + s->at;
    for (uint32_t at = 0, n; at < s->n_positions; at += n) {
        n = s->n_positions - at < BYTES_GROUP ? s->n_positions - at : BYTES_GROUP;
        if (n == BYTES_GROUP && omitted(d, held + at, BYTES_GROUP))
            continue;
        for (uint32_t i = at; i < at + n; i++)
            if (held[i] && !emit_key(d, sl_compact_key(prefix, s->base + (i << s->shift)), held[i]))
                return false;
    }
    return true;
}

static bool drain_dense(struct draining *d)
{
    const struct sl_dense *dense = &d->values->dense;
    for (uint32_t prefix = 1; dense->n_bytes && prefix <= d->values->prefixes.n; prefix++)
        if (!drain_span(d, prefix, sl_dense_span_of(dense, prefix)))
            return false;
    return true;
}

/* Each tuple is in exactly one table afterwards. */
static void sort_slots(struct sl_values *v)
{
    flush_cache(v);
    sl_values_unite(v);
}

uint64_t sl_values_drain(struct sl_values *v, const struct sl_tuple_names *names,
                         const uint64_t *least,
                         bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct draining d = {v, names, least, 0, emit, context};
    sort_slots(v);
    if (drain_compact(&d) && drain_dense(&d))
        sl_value_counts_drain(&v->wide, names, emit, context);
    return d.omitted;
}

static uint64_t distinct_with_id(const struct sl_values *v)
{
    return v->compact.n_used - v->compact.n_left + v->dense.n_used;
}

uint64_t sl_values_distinct(struct sl_values *v)
{
    sort_slots(v);
    return distinct_with_id(v) + sl_value_counts_distinct(&v->wide);
}

uint64_t sl_values_distinct_about(struct sl_values *v)
{
    sort_slots(v);
    return distinct_with_id(v) + v->wide.n_used + (v->spill ? v->spill->n_slots : 0);
}

struct sl_values_drops sl_values_dropped(const struct sl_values *v)
{
    sl_value_lists_wait(v->lists);
    return (struct sl_values_drops){v->drops.events + v->wide.drops + v->carries.drops,
                                    v->drops.weight + v->wide.drops_weight +
                                        v->carries.drops_weight};
}

uint64_t sl_values_bytes(const struct sl_values *v)
{
    sl_value_lists_wait(v->lists);
    return sl_compact_bytes(&v->compact) + sl_dense_bytes(&v->dense) +
           sl_prefixes_bytes(&v->prefixes) + sl_value_counts_bytes(&v->wide) +
           sl_value_counts_bytes(&v->carries);
}

void sl_values_close(struct sl_values *v)
{
    sl_value_lists_close(v->lists);
    sl_compact_free(&v->compact);
    sl_dense_free(&v->dense);
    sl_prefixes_free(&v->prefixes);
    free(v->cache);
    free(v->recent);
    sl_value_counts_close(&v->wide);
    sl_value_counts_close(&v->carries);
}
