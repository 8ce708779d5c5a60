/* SPDX-License-Identifier: MIT */
/* Counter updates of the interval profilers: increments the counters of events that are not in the
 * accumulator (interval_observe.c), with a specialized loop for each number of tables.
 *
 * Without weights, and if an interval is too short to saturate a counter, a conservative raise adds
 * the result of a comparison: counters that equal the smallest one are incremented. */
#include "interval_group.h"

#define INLINE __attribute__((always_inline)) static inline

static inline uint32_t raised(uint32_t counter, uint64_t weight, uint32_t most)
{
    return weight < most - counter ? counter + (uint32_t)weight : most;
}

/* Reads the counters of a miss and returns the smallest. They are in different tables, so that all
 * may be read before one is written. */
INLINE uint32_t read_counters(const uint32_t *counters, const uint64_t *hash, unsigned n,
                              uint32_t *counter)
{
    uint32_t smallest = UINT32_MAX;
    for (unsigned k = 0; k < n; k++) {
        counter[k] = counters[sl_interval_counter_index(hash, k)];
        smallest = counter[k] < smallest ? counter[k] : smallest;
    }
    return smallest;
}

/* The general case: weights, or counters that may saturate. */
static size_t raise_general(struct sl_interval_table *t, const uint64_t *weights,
                            const struct sl_interval_group *g, const uint64_t *hash,
                            uint32_t *smallest_out)
{
    uint32_t *counters = t->counter, most = t->counter_max;
    unsigned n = (unsigned)t->config.tables;
    for (size_t j = 0; j < g->n_misses; j++) {
        size_t i = g->miss[j];
        uint64_t weight = weights ? weights[i] : 1;
        uint32_t counter[SL_BYTE_HASH_MAX];
        uint32_t smallest = read_counters(counters, hash + i, n, counter);
        uint32_t least = raised(smallest, weight, most);
        for (unsigned k = 0; k < n; k++) {
            uint32_t *to = &counters[sl_interval_counter_index(hash + i, k)];
            if (!t->config.conservative)
                *to = raised(counter[k], weight, most);
            else if (counter[k] < least)
                *to = least;
        }
        *smallest_out = smallest;
        if (least >= t->threshold && weight && !sl_interval_drop_promotion(t, weight))
            return j;
    }
    return g->n_misses;
}

/* `hash` has the whole hashes or, with `values`, those of the names, for up to four tables. */
INLINE size_t raise_units(struct sl_interval_table *t, const struct sl_interval_group *g,
                          const uint64_t *hash, const uint64_t *value, uint32_t *smallest_out,
                          unsigned n, bool conservative, bool values)
{
    uint32_t *counters = t->counter, threshold = (uint32_t)t->threshold;
    const struct sl_packed_hash *packed = &t->packed[0];
    size_t n_misses = g->n_misses;
    for (size_t j = 0; j < n_misses; j++) {
        size_t i = g->miss[j];
        uint64_t whole = values ? hash[i] ^ sl_packed_value(packed, value[i]) : 0;
        const uint64_t *of = values ? &whole : hash + i;
        uint32_t counter[SL_BYTE_HASH_MAX], smallest = read_counters(counters, of, n, counter);
        for (unsigned k = 0; k < n; k++)
            counters[sl_interval_counter_index(of, k)] = counter[k] +
                                                         (!conservative || counter[k] <= smallest);
        if (__builtin_expect(smallest + 1 >= threshold, 0)) {
            *smallest_out = smallest;
            if (!sl_interval_drop_promotion(t, 1))
                return j;
        }
    }
    return n_misses;
}

size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_hashes hash,
                         uint32_t *smallest)
{
    unsigned n = (unsigned)t->config.tables;
    if (weight || t->length > t->counter_max)
        return raise_general(t, weight, g, hash[0], smallest);
    if (!sl_interval_raises_units(t, weight))
        return raise_units(t, g, hash[0], NULL, smallest, n, false, false);
    if (t->form == SL_INTERVAL_AVX512)
        return sl_interval_raise_avx512(t, g, hash[0], NULL, smallest);
    switch (n) {
    case 2:
        return raise_units(t, g, hash[0], NULL, smallest, 2, true, false);
    case 4:
        return raise_units(t, g, hash[0], NULL, smallest, 4, true, false);
    default:
        return raise_units(t, g, hash[0], NULL, smallest, n, true, false);
    }
}

size_t sl_interval_count(struct sl_interval_table *t, const uint64_t *value,
                         const struct sl_interval_group *g, const uint64_t *word,
                         uint32_t *smallest)
{
    if (t->form == SL_INTERVAL_AVX512)
        return sl_interval_raise_avx512(t, g, word, value, smallest);
    switch (t->config.tables) {
    case 1:
        return raise_units(t, g, word, value, smallest, 1, false, true);
    case 2:
        return raise_units(t, g, word, value, smallest, 2, true, true);
    case 3:
        return raise_units(t, g, word, value, smallest, 3, true, true);
    default:
        return raise_units(t, g, word, value, smallest, 4, true, true);
    }
}
