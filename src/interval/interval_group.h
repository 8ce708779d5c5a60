/* What the steps of the fast form hand on to each other: interval_observe.c tells how
 * they go together. */
#ifndef SL_INTERVAL_GROUP_H
#define SL_INTERVAL_GROUP_H

#include "interval_table.h"

#define SL_INTERVAL_GROUP 256u /* events: a byte says which */
#define SL_INTERVAL_MASK 64u   /* of them have their bits in one word */
#define SL_INTERVAL_BLOCK 16u  /* misses that a vector form hashes at a time */
#define SL_INTERVAL_LIST (SL_INTERVAL_GROUP + SL_INTERVAL_MASK) /* vectors write beyond the last */

/* A group of events, split. */
struct sl_interval_group {
    size_t n, n_found, n_misses;
    uint8_t found[SL_INTERVAL_LIST]; /* events that were looked up one by one: all hits, maybe more */
    uint16_t slot[SL_INTERVAL_LIST]; /* theirs; 0: a miss after all */
    uint8_t miss[SL_INTERVAL_LIST];  /* events that are not in the accumulator */
    /* Of each miss the value and its name's part of the first packed hash. */
    uint64_t value[SL_INTERVAL_LIST], word[SL_INTERVAL_LIST];
};

/* Where the counters of the misses are: those of miss j in tables 4w to 4w + 3 at
 * place[w][j]. Not in the group: where a function that is not inlined reads one array of
 * a struct and writes another by the same index, gcc 12.2 may take it for one without
 * effect and drop the call. */
typedef uint16_t sl_interval_places[SL_INTERVAL_LIST][SL_PACKED_FUNCTIONS];

/* The place among all counters of miss j's counter in table k. */
static inline uint32_t sl_interval_place(const sl_interval_places *place, size_t j, unsigned k)
{
    return place[k / SL_PACKED_FUNCTIONS][j][k % SL_PACKED_FUNCTIONS];
}

/* Looks up an event by the head of its chain: its slot, or 0. It mostly is at the head, so
 * that this is foreseen. `tuple` is a->tuple, which a loop has in a register. */
static inline size_t sl_interval_look_up(const struct sl_accumulator *a,
                                         const struct sl_tuple *tuple, unsigned head, uint64_t pc,
                                         uint64_t value)
{
    size_t slot = head & SL_HEAD_SLOT;
    bool same = ((tuple[slot].pc ^ pc) | (tuple[slot].value ^ value)) == 0;
    if (__builtin_expect(!same || !slot, 0))
        slot = head & SL_HEAD_MORE ? sl_accumulator_follow(a, slot, pc, value) : 0;
    return slot;
}

/* ---- interval_avx512.c ----------------------------------------------------- */

bool sl_interval_has_avx512(void);

/* Splits g->n tuples with values, all of whose names are kept. */
void sl_interval_split_avx512(const struct sl_interval_table *t, const struct sl_batch *batch,
                              struct sl_interval_group *g);

/* Hashes the misses: word w of them all. */
void sl_interval_hash_avx512(const struct sl_interval_table *t, const uint64_t *value,
                             const uint64_t *word, unsigned w, size_t n,
                             uint16_t (*place)[SL_PACKED_FUNCTIONS]);

/* Hashes and raises in one, as sl_interval_raise_avx2, for four tables. */
size_t sl_interval_count_avx512(struct sl_interval_table *t, const struct sl_interval_group *g,
                                uint32_t *smallest);

/* ---- interval_raise.c ------------------------------------------------------ */

/* Whether the counters of a group go up by one at most, conservatively, and cannot be full. */
static inline bool sl_interval_raises_units(const struct sl_interval_table *t,
                                            const uint64_t *weight)
{
    return !weight && t->config.conservative && t->length <= t->counter_max;
}

/* Raises the counters of the misses in order, up to and with the first one that is to be
 * promoted: then its place among the misses, otherwise their number. `smallest` is what
 * its smallest counter was. */
size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_places *place,
                         uint32_t *smallest);

/* Hashes and raises in one: four tables, units, tuples with values. */
size_t sl_interval_count(struct sl_interval_table *t, const struct sl_interval_group *g,
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

/* ---- interval_avx2.c ------------------------------------------------------- */

bool sl_interval_has_avx2(void);

/* As sl_interval_raise and sl_interval_count, for what sl_interval_raises_units. */
size_t sl_interval_raise_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                              const sl_interval_places *place, uint32_t *smallest);
size_t sl_interval_count_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                              uint32_t *smallest);

#endif
