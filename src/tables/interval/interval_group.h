/* SPDX-License-Identifier: MIT */
/* What the steps of the fast form hand on to each other: interval_observe.c tells how
 * they go together. */
#ifndef SL_INTERVAL_GROUP_H
#define SL_INTERVAL_GROUP_H

#include "interval_table.h"

#define SL_INTERVAL_GROUP 256u /* events: a byte says which */
#define SL_INTERVAL_MASK 64u   /* of them have their bits in one word */
#define SL_INTERVAL_LIST                                                    \
    (SL_INTERVAL_GROUP + SL_INTERVAL_MASK) /* vectors write beyond the last \
                                            */

/* A group of events, split. */
struct sl_interval_group {
    size_t n, n_found, n_misses;
    uint8_t
        found[SL_INTERVAL_LIST]; /* events that were looked up one by one: all hits, maybe more */
    uint16_t slot[SL_INTERVAL_LIST];   /* theirs; 0: a miss after all */
    uint32_t front[SL_INTERVAL_GROUP]; /* of each event of a batch with values: where it would be */
    uint8_t miss[SL_INTERVAL_LIST];    /* events that are not in the accumulator */
};

/* The packed hashes of a group's events, those of tables 4w to 4w + 3 in word w. While it is
 * split, they are the names' parts. Not in the group: where a function that is not inlined reads
 * one array of a struct and writes another by the same index, gcc 12.2 may take it for one without
 * effect and drop the call. */
typedef uint64_t sl_interval_hashes[SL_INTERVAL_WORDS][SL_INTERVAL_GROUP];

/* Where in t->counter the counter of table k is, from the first word of an event's hashes. */
static inline uint32_t sl_interval_place(const uint64_t *hash, unsigned k)
{
    return hash[k / SL_PACKED_FUNCTIONS * SL_INTERVAL_GROUP] >> 16 * (k % SL_PACKED_FUNCTIONS) &
           0xffff;
}

/* Looks up an event that is not the one in front: its slot, or 0. Found, it comes to the front.
 * `word` is its name's part of the hash. */
size_t sl_interval_look_behind(struct sl_accumulator *a, uint64_t word, uint32_t number,
                               uint64_t pc, uint64_t value);

/* ---- interval_avx512.c ---- */

bool sl_interval_has_avx512(void);

/* Sorts g->n tuples with values, all of whose names are kept, into those that may be in the
 * accumulator and misses, and hashes all of them. */
void sl_interval_sort_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                             struct sl_interval_group *g, sl_interval_hashes hash);

/* ---- interval_raise.c ---- */

/* Whether the counters of a group go up by one at most, conservatively, and cannot be full. */
static inline bool sl_interval_raises_units(const struct sl_interval_table *t,
                                            const uint64_t *weight)
{
    return !weight && (t->config.conservative || t->config.tables == 1) &&
           t->length <= t->counter_max;
}

/* Raises the counters of the misses in order, up to and with the first one that is to be
 * promoted: then its place among the misses, otherwise their number. `smallest` is what
 * its smallest counter was. */
size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_hashes hash,
                         uint32_t *smallest);

/* Hashes and raises in one: up to four tables, units. `word` is the names' parts of the hashes. */
size_t sl_interval_count(struct sl_interval_table *t, const uint64_t *value,
                         const struct sl_interval_group *g, const uint64_t *word,
                         uint32_t *smallest);

/* Whether a tuple that could be promoted now stays out, as there is no room until the
 * interval ends: that is a drop, and changes nothing else. */
static inline bool sl_interval_stays_out(struct sl_interval_table *t, uint64_t weight)
{
    if (!t->accumulator.closed)
        return false;
    t->drops++;
    t->drops_weight += weight;
    return true;
}

#endif
