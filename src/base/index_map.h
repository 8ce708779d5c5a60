/* SPDX-License-Identifier: MIT */
/* A map from a pair of 64-bit words to a dense number 0, 1, 2, ...: how
 * addresses, edges and calls get the small numbers that make counting an array
 * increment. Open addressing, linear probing, at most half full. Not for hot
 * loops: it is asked once per static thing, and the number is kept. */
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

/* The number of (a, b); SL_NO_INDEX if it has none yet. */
uint32_t sl_index_find(const struct sl_index_map *map, uint64_t a, uint64_t b);

/* The number of (a, b), giving it the next one if it has none: the caller sees
 * that by `map->n_keys` having grown. SL_NO_INDEX when memory ran out. */
uint32_t sl_index_add(struct sl_index_map *map, uint64_t a, uint64_t b);

void sl_index_free(struct sl_index_map *map);

#endif
