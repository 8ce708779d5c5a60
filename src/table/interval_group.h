/* What the steps of the fast form hand on to each other: interval_observe.c tells how
 * they go together. */
#ifndef SL_INTERVAL_GROUP_H
#define SL_INTERVAL_GROUP_H

#include "interval_table.h"

#define SL_INTERVAL_GROUP 64u                       /* events: a bit each in a word */
#define SL_INTERVAL_PLACES (SL_INTERVAL_GROUP + 8u) /* vectors write beyond the last */

/* A group of events, split. Bit i is the batch's event i. */
struct sl_interval_group {
    size_t n, n_found, n_misses;
    uint64_t found;  /* that were looked up one by one: all hits, and maybe others */
    uint64_t misses; /* that are not in the accumulator */
    uint16_t slot[SL_INTERVAL_GROUP + 1]; /* of the found ones, in order; 0: a miss after all */
};

/* Where the counters of the misses are: those of miss j in tables 4w to 4w + 3 at
 * place[w][j]. Not in the group: where a function that is not inlined reads one array of
 * a struct and writes another by the same index, gcc 12.2 may take it for one without
 * effect and drop the call. */
typedef uint16_t sl_interval_places[SL_INTERVAL_PLACES][SL_PACKED_FUNCTIONS];

/* The place among all counters of miss j's counter in table k. */
static inline uint32_t sl_interval_place(const sl_interval_places *place, size_t j, unsigned k)
{
    return place[k / SL_PACKED_FUNCTIONS][j][k % SL_PACKED_FUNCTIONS];
}

/* ---- interval_avx512.c ----------------------------------------------------- */

/* The vector form hashes a larger part of the batch at once: all of it, hits or not. */
#define SL_INTERVAL_CHUNK 256u
#define SL_INTERVAL_HASHES (SL_INTERVAL_CHUNK + SL_INTERVAL_GROUP)

struct sl_interval_hashes {
    _Alignas(64) uint64_t key[SL_INTERVAL_HASHES];
    uint64_t packed[SL_INTERVAL_WORDS][SL_INTERVAL_HASHES];
};

bool sl_interval_has_avx512(void);

/* Hashes up to a chunk of tuples with values, all of whose names are kept. */
void sl_interval_hash_avx512(const struct sl_interval_table *t, const struct sl_batch *chunk,
                             struct sl_interval_hashes *hashes);

/* Splits the group that begins `from` events into the chunk. */
void sl_interval_split_avx512(const struct sl_interval_table *t, const struct sl_batch *group,
                              const struct sl_interval_hashes *hashes, size_t from,
                              struct sl_interval_group *g, sl_interval_places *place);

/* ---- interval_raise.c ------------------------------------------------------ */

/* Raises the counters of the misses in order, up to and with the first one that is to be
 * promoted: then its place among the misses, otherwise their number. `smallest` is what
 * its smallest counter was. */
size_t sl_interval_raise(struct sl_interval_table *t, const uint64_t *weight,
                         const struct sl_interval_group *g, const sl_interval_places *place,
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

/* As sl_interval_raise: conservatively, without weights, without saturation. */
size_t sl_interval_raise_avx2(struct sl_interval_table *t, const struct sl_interval_group *g,
                              const sl_interval_places *place, uint32_t *smallest);

#endif
