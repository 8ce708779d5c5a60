/* SPDX-License-Identifier: MIT */
/* Struct for a group of 256 events in the interval profilers. The lookup of a group in the
 * accumulator stores its result in the struct, and the update of the counters reads the result
 * (interval_observe.c). */
#ifndef SL_INTERVAL_GROUP_H
#define SL_INTERVAL_GROUP_H

#include "interval_table.h"

#define SL_INTERVAL_GROUP 256u /* events: a byte is an index */
#define SL_INTERVAL_MASK 64u   /* events whose bits are in one 64-bit word */
#define SL_INTERVAL_LIST                                                    \
    (SL_INTERVAL_GROUP + SL_INTERVAL_MASK) /* vectors write beyond the last \
                                            */

/* A group of events, split into hits and misses. */
struct sl_interval_group {
    size_t n, n_found, n_misses;
    uint8_t found[SL_INTERVAL_LIST]; /* events that were compared: all hits, and some misses */
    uint16_t slot[SL_INTERVAL_LIST]; /* of each of them; 0: a miss */
    uint32_t
        cache_index[SL_INTERVAL_GROUP]; /* of each event with a value: its index in the cache */
    uint8_t miss[SL_INTERVAL_LIST];     /* events that are not in the accumulator */
};

/* The packed hashes of a group's events, those of tables 4w to 4w + 3 in word w. While the group is
 * split, they are the hashes of the names. Not a member of the group: if a function that is not
 * inlined reads one array of a struct and writes another by the same index, gcc 12.2 may treat the
 * call as one without effect and remove it. */
typedef uint64_t sl_interval_hashes[SL_INTERVAL_WORDS][SL_INTERVAL_GROUP];

/* Index in t->counter of the counter of table k, from the first word of an event's hashes. */
static inline uint32_t sl_interval_counter_index(const uint64_t *hash, unsigned k)
{
    return hash[k / SL_PACKED_FUNCTIONS * SL_INTERVAL_GROUP] >> 16 * (k % SL_PACKED_FUNCTIONS) &
           0xffff;
}

/* Slot of an event that is not in the cache, or 0. A tuple that is found is added to the cache.
 * `word` is the hash of its name. */
size_t sl_interval_find_uncached(struct sl_accumulator *a, uint64_t word, uint32_t tuple_id,
                                 uint64_t pc, uint64_t value);

/* ---- interval_avx512.c ---- */

bool sl_interval_has_avx512(void);

/* Splits g->n tuples with values into those that may be in the accumulator and misses, and hashes
 * all of them. The hashes of all names must be stored. */
void sl_interval_sort_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                             struct sl_interval_group *g, sl_interval_hashes hash);

/* sl_interval_raise(), and with values sl_interval_count(), for what sl_interval_raises_units(). */
size_t sl_interval_raise_avx512(struct sl_interval_table *t, const struct sl_interval_group *g,
                                const uint64_t *hash, const uint64_t *value, uint32_t *smallest);

/* ---- interval_raise.c ---- */

/* Whether counters are raised by at most one, conservatively, and cannot saturate. */
static inline bool sl_interval_raises_units(const struct sl_interval_table *t,
                                            const uint64_t *weight)
{
    return !weight && (t->config.conservative || t->config.tables == 1) &&
           t->length <= t->counter_max;
}

/* Raises the counters of the misses in order, up to and including the first one that must be
 * promoted. Returns its index in g->miss and sets *smallest to its smallest counter before the
 * event; returns g->n_misses if there is none. */
size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_hashes hash,
                         uint32_t *smallest);

/* Hashes and raises in one pass, for up to four tables and if sl_interval_raises_units(). `word`
 * has the hashes of the names. */
size_t sl_interval_count(struct sl_interval_table *t, const uint64_t *value,
                         const struct sl_interval_group *g, const uint64_t *word,
                         uint32_t *smallest);

/* Whether a promotion is dropped because the accumulator is full until the interval ends. Counts
 * the drop. */
static inline bool sl_interval_drop_promotion(struct sl_interval_table *t, uint64_t weight)
{
    if (!t->accumulator.closed)
        return false;
    t->drops++;
    t->drops_weight += weight;
    return true;
}

#endif
