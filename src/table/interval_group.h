/* What the steps of the fast form (interval_observe.c) hand on to each other. */
#ifndef SL_INTERVAL_GROUP_H
#define SL_INTERVAL_GROUP_H

#include "interval_table.h"

#define SL_INTERVAL_GROUP 64u /* events that are worked on at a time */
#define SL_INTERVAL_WORDS (SL_BYTE_HASH_MAX / SL_PACKED_FUNCTIONS)

/* Places in the group, in order. One more than a group has: what is no hit, or no miss,
 * is written behind the last one and then overwritten. */
struct sl_interval_group {
    size_t n_hits, n_misses;
    uint8_t hit_at[SL_INTERVAL_GROUP + 1], miss_at[SL_INTERVAL_GROUP + 1];
    uint16_t hit_slot[SL_INTERVAL_GROUP + 1];
    uint64_t hash[SL_INTERVAL_WORDS][SL_INTERVAL_GROUP]; /* packed, of the misses */
};

/* Packed hashes of n values, function word by function word. */
typedef void sl_interval_hash_values(const struct sl_interval_table *t, const uint64_t *value,
                                     size_t n, uint64_t hash[][SL_INTERVAL_GROUP]);

sl_interval_hash_values sl_interval_hash_portable;

#endif
