/* SPDX-License-Identifier: MIT */
/* Events of the hot path table: step() for one, observe() for a batch, with equal results.
 *
 * Fast path. For static tuples, place[number] is the entry that holds the tuple, or its set if it
 * has no entry; an eviction updates it. So a hit compares no tuples and a miss computes no hash. If
 * the host guarantees that different numbers are different tuples, a miss compares no tuples
 * either.
 *
 * Slow path: numbers beyond the array and tuples with values are hashed and compared. */
#include "byte_hash.h"
#include "hpt.h"

#define NOBODY UINT32_MAX
#define ABSENT SIZE_MAX
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static uint32_t set_of(const struct sl_hpt *h, struct sl_tuple tuple)
{
    unsigned bits = h->set_bits, turn = h->turn;
    uint64_t start = sl_xorfold(tuple.pc, bits);
    if (h->config.index == SL_HPT_START)
        return (uint32_t)start;
    uint64_t rest = sl_xorfold(tuple.value, bits), mask = (UINT64_C(1) << bits) - 1;
    return (uint32_t)(start ^ ((rest << turn | rest >> (bits - turn)) & mask));
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
    h->account[entry].gone += lost;
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

/* Makes place[number] the only one that refers to the entry. */
static void hand_over(struct sl_hpt *h, size_t entry, uint32_t set, uint32_t number)
{
    if (h->owner[entry])
        h->place[h->owner[entry] - 1] = SL_HPT_ABSENT | set;
    h->owner[entry] = 0;
    if (number >= h->n_places)
        return;
    h->owner[entry] = number + 1;
    h->place[number] = (uint32_t)entry;
}

static size_t victim_in(const struct sl_hpt *h, size_t first)
{
    const uint64_t *key = h->config.replacement == SL_HPT_LRU ? h->used : h->count;
    size_t victim = first;
    for (size_t entry = first + 1; entry < first + h->config.ways; entry++)
        victim = key[entry] < key[victim] ? entry : victim;
    return victim;
}

/* The victim's events go in the same share as its count: mostly they are the same. */
static void wear_down(struct sl_hpt *h, size_t victim, uint32_t set, uint64_t weight)
{
    uint64_t events = weight;
    if (h->account[victim].beyond)
        events = (uint64_t)((unsigned __int128)events_in(h, victim) * weight / h->count[victim]);
    h->count[victim] -= weight;
    h->account[victim].beyond -= weight - events;
    h->account[victim].gone += weight;
    h->lost[set] += 2 * weight;
    h->drops += events + 1;
}

static void miss(struct sl_hpt *h, struct sl_tuple tuple, uint32_t set, uint32_t number,
                 uint64_t weight, uint64_t now)
{
    size_t victim = victim_in(h, (size_t)set * h->config.ways);
    uint64_t before = h->lost[set];
    if (h->config.replacement == SL_HPT_AGE && h->count[victim] > weight) {
        wear_down(h, victim, set, weight);
        return;
    }
    if (h->count[victim]) {
        h->drops += events_in(h, victim);
        h->lost[set] += h->count[victim];
    }
    h->tuple[victim] = tuple;
    h->count[victim] = 0;
    h->account[victim] = (struct sl_hpt_account){.before = before};
    hand_over(h, victim, set, number);
    hit(h, victim, weight, now);
}

/* The tuple's entry, or ABSENT. */
static size_t find(const struct sl_hpt *h, struct sl_tuple tuple, uint32_t set)
{
    size_t first = (size_t)set * h->config.ways;
    for (size_t entry = first; entry < first + h->config.ways; entry++)
        if (h->tuple[entry].pc == tuple.pc && h->tuple[entry].value == tuple.value &&
            h->count[entry])
            return entry;
    return ABSENT;
}

/* The transition, by the words of the tuple. */
static void enter(struct sl_hpt *h, struct sl_tuple tuple, uint32_t set, uint32_t number,
                  uint64_t weight, uint64_t now)
{
    size_t entry = find(h, tuple, set);
    if (entry == ABSENT) {
        miss(h, tuple, set, number, weight, now);
        return;
    }
    if (number < h->n_places)
        hand_over(h, entry, set, number);
    hit(h, entry, weight, now);
}

static void take(struct sl_hpt *h, const struct sl_event *event)
{
    h->quick = false; /* from now on there may be an entry to which no number leads */
    h->events++;
    h->weight += event->weight;
    if (event->weight)
        enter(h, event->tuple, set_of(h, event->tuple), NOBODY, event->weight, h->events);
}

uint32_t sl_hpt_delay(const void *state, const struct sl_event *event)
{
    const struct sl_hpt *h = state;
    bool there = !event->weight || find(h, event->tuple, set_of(h, event->tuple)) != ABSENT;
    return there ? 0 : h->miss_cycles;
}

/* ---- batches ---- */

/* Equal tuples may have several numbers; only one of them leads to the entry. */
static void know_names(struct sl_hpt *h, const struct sl_tuple_names *names)
{
    for (; h->n_places < names->n && h->n_places < h->places_capacity; h->n_places++) {
        struct sl_tuple tuple = {names->pc[h->n_places], names->value[h->n_places]};
        h->place[h->n_places] = SL_HPT_ABSENT | set_of(h, tuple);
    }
}

/* A static tuple whose entry is not known, or full. */
static void enter_number(struct sl_hpt *h, const struct sl_tuple_names *names, uint32_t number,
                         uint64_t weight, uint64_t now)
{
    struct sl_tuple tuple = {names->pc[number], names->value[number]};
    bool known = number < h->n_places && h->place[number] & SL_HPT_ABSENT;
    enter(h, tuple, known ? h->place[number] ^ SL_HPT_ABSENT : set_of(h, tuple), number, weight,
          now);
}

/* A miss of an event that weighs 1, by lfu, where numbers tell tuples apart: what is not in
 * place[] is in no entry. The entry's tuple is left for later (write_tuples): most that come
 * so are gone again soon, and to read a tuple is a cache miss. */
ALWAYS_INLINE void miss_quickly(struct sl_hpt *h, uint32_t number, uint32_t set)
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
    hand_over(h, victim, set, number);
    h->stale[h->n_stale] = (uint32_t)victim;
    h->n_stale += !h->is_stale[victim];
    h->is_stale[victim] = true;
}

static void write_tuples(struct sl_hpt *h, const struct sl_tuple_names *names)
{
    while (h->n_stale) {
        size_t entry = h->stale[--h->n_stale];
        uint32_t number = h->owner[entry] - 1;
        h->tuple[entry] = (struct sl_tuple){names->pc[number], names->value[number]};
        h->is_stale[entry] = false;
    }
}

/* What is constant is so after inlining. */
ALWAYS_INLINE void each_static(struct sl_hpt *h, const struct sl_batch *batch, bool weighted,
                               bool lru, bool quick)
{
    /* Else counting would make the compiler load them again for each event. */
    const uint32_t *numbers = batch->number, *places = h->place;
    uint64_t *count = h->count, *used = h->used;
    const uint64_t most = h->most, before = h->events;
    const size_t n = batch->n, n_places = h->n_places;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = numbers[i];
        uint64_t weight = weighted ? batch->weight[i] : 1;
        uint32_t place = number < n_places ? places[number] : SL_HPT_ABSENT;
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
        if (quick && place & SL_HPT_ABSENT && number < n_places) {
            miss_quickly(h, number, place ^ SL_HPT_ABSENT);
            continue;
        }
        write_tuples(h, batch->names);
        enter_number(h, batch->names, number, weight, before + i + 1);
    }
    write_tuples(h, batch->names);
}

static void observe_static(struct sl_hpt *h, const struct sl_batch *batch)
{
    bool lru = h->config.replacement == SL_HPT_LRU;
    know_names(h, batch->names);
    if (batch->weight && lru)
        each_static(h, batch, true, true, false);
    else if (batch->weight)
        each_static(h, batch, true, false, false);
    else if (lru)
        each_static(h, batch, false, true, false);
    else if (h->quick)
        each_static(h, batch, false, false, true);
    else
        each_static(h, batch, false, false, false);
}

static void observe_values(struct sl_hpt *h, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_tuple tuple = {batch->names->pc[batch->number[i]], batch->value[i]};
        uint64_t weight = batch->weight ? batch->weight[i] : 1;
        if (weight)
            enter(h, tuple, set_of(h, tuple), NOBODY, weight, h->events + i + 1);
    }
}

static void observe(struct sl_hpt *h, const struct sl_batch *batch)
{
    (batch->value ? observe_values : observe_static)(h, batch);
    h->events += batch->n;
    if (batch->weight)
        for (size_t i = 0; i < batch->n; i++)
            h->weight += batch->weight[i];
    else
        h->weight += batch->n;
}

/* So many events have come; with the last of a window, the table is read. */
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
    take(h, event);
    count_down(h, 1);
}
