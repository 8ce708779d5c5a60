/* SPDX-License-Identifier: MIT */
/* Event counting of the hot path table: step() counts one event; observe() counts a batch, with the
 * same result as step() for each event of the batch.
 *
 * Fast path. For static tuples, entry_of[tuple_id] is the entry that holds the tuple, or its set if
 * it has no entry; an eviction updates it. So a hit compares no tuples and a miss computes no hash.
 * If the host guarantees that different ids are different tuples, a miss compares no tuples either.
 *
 * Slow path: ids beyond the array and tuples with values are hashed and compared. */
#include "byte_hash.h"
#include "hpt.h"

#define NO_TUPLE_ID UINT32_MAX
#define ABSENT SIZE_MAX
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static uint32_t set_of(const struct sl_hpt *h, struct sl_tuple tuple)
{
    unsigned bits = h->set_bits, rotation = h->rotation;
    uint64_t start = sl_xorfold(tuple.pc, bits);
    if (h->config.index == SL_HPT_START)
        return (uint32_t)start;
    uint64_t rest = sl_xorfold(tuple.value, bits), mask = (UINT64_C(1) << bits) - 1;
    return (uint32_t)(start ^ ((rest << rotation | rest >> (bits - rotation)) & mask));
}

/* ---- one event ---- */

static uint64_t events_in(const struct sl_hpt *h, size_t entry)
{
    return h->count[entry] - h->account[entry].beyond;
}

/* An event that saturates the counter is not counted as an event of the entry. */
static void saturate(struct sl_hpt *h, size_t entry, uint64_t weight)
{
    uint64_t capacity = h->most - h->count[entry], lost = weight - capacity;
    h->count[entry] = h->most;
    h->account[entry].beyond += capacity;
    h->account[entry].since += lost;
    h->lost[entry / h->config.ways] += lost;
    h->saturated += lost;
    h->drops++;
}

/* `now` is the number of events, including this one. */
static void hit(struct sl_hpt *h, size_t entry, uint64_t weight, uint64_t now)
{
    h->used[entry] = now;
    if (weight > h->most - h->count[entry]) {
        saturate(h, entry, weight);
        return;
    }
    h->count[entry] += weight;
    h->account[entry].beyond += weight - 1;
}

/* Makes entry_of[tuple_id] the only one that refers to the entry. */
static void set_owner(struct sl_hpt *h, size_t entry, uint32_t set, uint32_t tuple_id)
{
    if (h->owner[entry])
        h->entry_of[h->owner[entry] - 1] = SL_HPT_ABSENT | set;
    h->owner[entry] = 0;
    if (tuple_id >= h->n_entries_of)
        return;
    h->owner[entry] = tuple_id + 1;
    h->entry_of[tuple_id] = (uint32_t)entry;
}

static size_t victim_in(const struct sl_hpt *h, size_t first)
{
    const uint64_t *key = h->config.replacement == SL_HPT_LRU ? h->used : h->count;
    size_t victim = first;
    for (size_t entry = first + 1; entry < first + h->config.ways; entry++)
        victim = key[entry] < key[victim] ? entry : victim;
    return victim;
}

/* Subtracts the weight from the victim's count, and the same percentage from its events. */
static void age_victim(struct sl_hpt *h, size_t victim, uint32_t set, uint64_t weight)
{
    uint64_t events = weight;
    if (h->account[victim].beyond)
        events = (uint64_t)((unsigned __int128)events_in(h, victim) * weight / h->count[victim]);
    h->count[victim] -= weight;
    h->account[victim].beyond -= weight - events;
    h->account[victim].since += weight;
    h->lost[set] += 2 * weight;
    h->drops += events + 1;
}

static void miss(struct sl_hpt *h, struct sl_tuple tuple, uint32_t set, uint32_t tuple_id,
                 uint64_t weight, uint64_t now)
{
    size_t victim = victim_in(h, (size_t)set * h->config.ways);
    uint64_t before = h->lost[set];
    if (h->config.replacement == SL_HPT_AGE && h->count[victim] > weight) {
        age_victim(h, victim, set, weight);
        return;
    }
    if (h->count[victim]) {
        h->drops += events_in(h, victim);
        h->lost[set] += h->count[victim];
    }
    h->tuple[victim] = tuple;
    h->count[victim] = 0;
    h->account[victim] = (struct sl_hpt_account){.before = before};
    set_owner(h, victim, set, tuple_id);
    hit(h, victim, weight, now);
}

/* The tuple's entry, or ABSENT. */
static size_t find(const struct sl_hpt *h, struct sl_tuple tuple, uint32_t set)
{
    size_t first = (size_t)set * h->config.ways;
    for (size_t entry = first; entry < first + h->config.ways; entry++)
        if (sl_tuple_same(h->tuple[entry], tuple) && h->count[entry])
            return entry;
    return ABSENT;
}

/* The transition, by the fields of the tuple. */
static void enter(struct sl_hpt *h, struct sl_tuple tuple, uint32_t set, uint32_t tuple_id,
                  uint64_t weight, uint64_t now)
{
    size_t entry = find(h, tuple, set);
    if (entry == ABSENT) {
        miss(h, tuple, set, tuple_id, weight, now);
        return;
    }
    if (tuple_id < h->n_entries_of)
        set_owner(h, entry, set, tuple_id);
    hit(h, entry, weight, now);
}

static void count_event(struct sl_hpt *h, const struct sl_event *event)
{
    h->fast_miss = false; /* from now on there may be an entry to which no tuple id leads */
    h->events++;
    h->weight += event->weight;
    if (event->weight)
        enter(h, event->tuple, set_of(h, event->tuple), NO_TUPLE_ID, event->weight, h->events);
}

uint32_t sl_hpt_delay(const void *state, const struct sl_event *event)
{
    const struct sl_hpt *h = state;
    bool there = !event->weight || find(h, event->tuple, set_of(h, event->tuple)) != ABSENT;
    return there ? 0 : h->miss_cycles;
}

/* ---- batches ---- */

/* Equal tuples may have several ids; only one of them leads to the entry. */
static void add_names(struct sl_hpt *h, const struct sl_tuple_names *names)
{
    for (; h->n_entries_of < names->n && h->n_entries_of < h->entries_of_capacity;
         h->n_entries_of++) {
        uint32_t set = set_of(h, sl_tuple_named(names, h->n_entries_of));
        h->entry_of[h->n_entries_of] = SL_HPT_ABSENT | set;
    }
}

/* A static tuple whose entry is unknown or saturated. */
static void enter_id(struct sl_hpt *h, const struct sl_tuple_names *names, uint32_t tuple_id,
                     uint64_t weight, uint64_t now)
{
    struct sl_tuple tuple = sl_tuple_named(names, tuple_id);
    bool known = tuple_id < h->n_entries_of && h->entry_of[tuple_id] & SL_HPT_ABSENT;
    enter(h, tuple, known ? h->entry_of[tuple_id] ^ SL_HPT_ABSENT : set_of(h, tuple), tuple_id,
          weight, now);
}

/* A miss of an event of weight 1 under lfu, if different ids are different tuples: a tuple without
 * an entry in entry_of[] is in no entry. */
ALWAYS_INLINE void miss_unit(struct sl_hpt *h, const struct sl_tuple_names *names,
                             uint32_t tuple_id, uint32_t set)
{
    size_t ways = (size_t)h->config.ways, victim = (size_t)set * ways;
    uint64_t least = h->count[victim];
    for (size_t entry = victim + 1, end = victim + ways; entry < end; entry++)
        if (h->count[entry] < least) {
            least = h->count[entry];
            victim = entry;
        }
    h->drops += least - h->account[victim].beyond;
    h->account[victim] = (struct sl_hpt_account){.before = h->lost[set]};
    h->lost[set] += least;
    h->count[victim] = 1;
    set_owner(h, victim, set, tuple_id);
    h->tuple[victim] = sl_tuple_named(names, tuple_id);
}

/* Inlined with constant arguments. */
ALWAYS_INLINE void each_static(struct sl_hpt *h, const struct sl_batch *batch, bool weighted,
                               bool lru, bool fast_miss)
{
    /* Copies, so that the compiler does not reload them after each store. */
    const uint32_t *ids = batch->tuple_id, *entry_of = h->entry_of;
    uint64_t *count = h->count, *used = h->used;
    const uint64_t most = h->most, before = h->events;
    const size_t n = batch->n, n_entries_of = h->n_entries_of;
    for (size_t i = 0; i < n; i++) {
        uint32_t tuple_id = ids[i];
        uint64_t weight = weighted ? batch->weight[i] : 1;
        uint32_t place = tuple_id < n_entries_of ? entry_of[tuple_id] : SL_HPT_ABSENT;
        if (weighted && !weight)
            continue;
        if (__builtin_expect(!(place & SL_HPT_ABSENT) && weight <= most - count[place], 1)) {
            count[place] += weight;
            if (lru)
                used[place] = before + i + 1;
            if (weighted)
                h->account[place].beyond += weight - 1;
            continue;
        }
        if (fast_miss && place & SL_HPT_ABSENT && tuple_id < n_entries_of) {
            miss_unit(h, batch->names, tuple_id, place ^ SL_HPT_ABSENT);
            continue;
        }
        enter_id(h, batch->names, tuple_id, weight, before + i + 1);
    }
}

static void observe_static(struct sl_hpt *h, const struct sl_batch *batch)
{
    bool lru = h->config.replacement == SL_HPT_LRU;
    add_names(h, batch->names);
    if (batch->weight && lru)
        each_static(h, batch, true, true, false);
    else if (batch->weight)
        each_static(h, batch, true, false, false);
    else if (lru)
        each_static(h, batch, false, true, false);
    else if (h->fast_miss)
        each_static(h, batch, false, false, true);
    else
        each_static(h, batch, false, false, false);
}

static void observe_values(struct sl_hpt *h, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_event e = sl_batch_event(batch, i);
        if (e.weight)
            enter(h, e.tuple, set_of(h, e.tuple), NO_TUPLE_ID, e.weight, h->events + i + 1);
    }
}

static void observe(struct sl_hpt *h, const struct sl_batch *batch)
{
    (batch->value ? observe_values : observe_static)(h, batch);
    h->events += batch->n;
    h->weight += sl_batch_weight(batch);
}

/* Counts n events of the window. At the end of a window, the table is read. */
static void count_down(struct sl_hpt *h, uint64_t n)
{
    if (h->config.phase && !(h->phases.left -= n))
        sl_phases_read(&h->phases, h->tuple, h->count, h->events, h->weight, false);
}

void sl_hpt_observe(void *state, const struct sl_batch *batch)
{
    struct sl_hpt *h = state;
    size_t at = 0;
    for (; h->config.phase && batch->n - at >= h->phases.left;) {
        size_t n = (size_t)h->phases.left;
        struct sl_batch part = sl_batch_part(batch, at, n);
        observe(h, &part);
        count_down(h, n);
        at += n;
    }
    struct sl_batch rest = at ? sl_batch_part(batch, at, batch->n - at) : *batch;
    observe(h, &rest);
    count_down(h, rest.n);
}

void sl_hpt_step(void *state, const struct sl_event *event)
{
    struct sl_hpt *h = state;
    count_event(h, event);
    count_down(h, 1);
}
