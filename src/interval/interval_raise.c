/* The counters' part of the fast form (interval_observe.c), a loop for each number of
 * tables that matters.
 *
 * Without weights, and where an interval is too short to fill a counter, a conservative
 * raise is an addition of the carry of a comparison: those that equal the smallest get
 * one more. */
#include "interval_group.h"

static inline uint32_t raised(uint32_t counter, uint64_t weight, uint32_t most)
{
    return weight < most - counter ? counter + (uint32_t)weight : most;
}

/* Reads the counters of miss j; the smallest. They are in different tables, so that all
 * may be read before one is written. */
static inline uint32_t read_counters(const uint32_t *counters, const sl_interval_places *place,
                                     size_t j, unsigned n, uint32_t *counter)
{
    uint32_t smallest = UINT32_MAX;
    for (unsigned k = 0; k < n; k++) {
        counter[k] = counters[sl_interval_place(place, j, k)];
        smallest = counter[k] < smallest ? counter[k] : smallest;
    }
    return smallest;
}

/* Weights, or counters that may saturate. */
static size_t raise_general(struct sl_interval_table *t, const uint64_t *weights,
                            const struct sl_interval_group *g, const sl_interval_places *place,
                            uint32_t *smallest_out)
{
    uint32_t *counters = t->counter, most = t->counter_max;
    unsigned n = (unsigned)t->config.tables;
    for (size_t j = 0; j < g->n_misses; j++) {
        uint64_t weight = weights ? weights[g->miss[j]] : 1;
        uint32_t counter[SL_BYTE_HASH_MAX];
        uint32_t smallest = read_counters(counters, place, j, n, counter);
        uint32_t least = raised(smallest, weight, most);
        for (unsigned k = 0; k < n; k++) {
            uint32_t *to = &counters[sl_interval_place(place, j, k)];
            if (!t->config.conservative)
                *to = raised(counter[k], weight, most);
            else if (counter[k] < least)
                *to = least;
        }
        *smallest_out = smallest;
        if (least >= t->threshold && weight && !sl_interval_stays_out(t, weight))
            return j;
    }
    return g->n_misses;
}

__attribute__((always_inline)) static inline size_t
raise_units(struct sl_interval_table *t, const struct sl_interval_group *g,
            const sl_interval_places *place, uint32_t *smallest_out, unsigned n, bool conservative)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    size_t n_misses = g->n_misses;
    for (size_t j = 0; j < n_misses; j++) {
        uint32_t counter[SL_BYTE_HASH_MAX];
        uint32_t smallest = read_counters(counters, place, j, n, counter);
        for (unsigned k = 0; k < n; k++)
            counters[sl_interval_place(place, j, k)] += !conservative || counter[k] <= smallest;
        if (__builtin_expect(smallest + 1 >= threshold, 0)) {
            *smallest_out = smallest;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return n_misses;
}

size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_places *place,
                         uint32_t *smallest)
{
    unsigned n = (unsigned)t->config.tables;
    if (weight || t->length > t->counter_max)
        return raise_general(t, weight, g, place, smallest);
    if (n == 1)
        return raise_units(t, g, place, smallest, 1, false);
    if (!sl_interval_raises_units(t, weight))
        return raise_units(t, g, place, smallest, n, false);
    if (t->form >= SL_INTERVAL_AVX2)
        return sl_interval_raise_avx2(t, g, place, smallest);
    return n == 4 ? raise_units(t, g, place, smallest, 4, true)
                  : raise_units(t, g, place, smallest, n, true);
}

size_t sl_interval_count(struct sl_interval_table *t, const struct sl_interval_group *g,
                         uint32_t *smallest_out)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    const struct sl_packed_hash *packed = &t->packed[0];
    for (size_t j = 0; j < g->n_misses; j++) {
        uint64_t hash = g->word[j] ^ sl_packed_value(packed, g->value[j]);
        uint32_t counter[SL_PACKED_FUNCTIONS], smallest = UINT32_MAX;
        for (unsigned k = 0; k < SL_PACKED_FUNCTIONS; k++) {
            counter[k] = counters[hash >> 16 * k & 0xffff];
            smallest = counter[k] < smallest ? counter[k] : smallest;
        }
        for (unsigned k = 0; k < SL_PACKED_FUNCTIONS; k++)
            counters[hash >> 16 * k & 0xffff] = counter[k] + (counter[k] <= smallest);
        if (__builtin_expect(smallest + 1 >= threshold, 0)) {
            *smallest_out = smallest;
            if (!sl_interval_stays_out(t, 1))
                return j;
        }
    }
    return g->n_misses;
}
