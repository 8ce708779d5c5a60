/* SPDX-License-Identifier: MIT */
/* Hash map from a pair of 64-bit values to a dense index 0, 1, 2, ...
 *
 * Addresses, edges and calls get small indices this way, so that counting is an array increment.
 * Open addressing, linear probing, at most half full. Not for hot loops: callers look a key up once
 * and store its index. */
#ifndef SL_INDEX_MAP_H
#define SL_INDEX_MAP_H

#include <stddef.h>
#include <stdint.h>

struct sl_index_map {
    struct sl_index_slot *slot;
    size_t n_slots; /* a power of two, or 0 */
    size_t n_keys;
};

#define SL_NO_INDEX UINT32_MAX

/* The index of (a, b); SL_NO_INDEX if it is not in the map. */
uint32_t sl_index_find(const struct sl_index_map *map, uint64_t a, uint64_t b);

/* The index of (a, b). A new key gets the next index, and `map->n_keys` grows. Returns SL_NO_INDEX
 * if out of memory. */
uint32_t sl_index_add(struct sl_index_map *map, uint64_t a, uint64_t b);

void sl_index_free(struct sl_index_map *map);

#endif
