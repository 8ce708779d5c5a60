/* SPDX-License-Identifier: MIT */
/* Hash map from pairs of 64-bit values to dense indices (index_map.h). */
#include "index_map.h"

#include <stdlib.h>

#include "hash.h"

struct sl_index_slot {
    uint64_t a, b;
    uint32_t number_plus_1;
};

static struct sl_index_slot *probe(const struct sl_index_map *map, uint64_t a, uint64_t b)
{
    size_t mask = map->n_slots - 1;
    size_t at = (size_t)sl_mix_pair(a, b) & mask;
    while (map->slot[at].number_plus_1 && (map->slot[at].a != a || map->slot[at].b != b))
        at = (at + 1) & mask;
    return &map->slot[at];
}

static int rehash(struct sl_index_map *map)
{
    struct sl_index_map bigger = {.n_slots = map->n_slots ? 2 * map->n_slots : 64};
    bigger.slot = calloc(bigger.n_slots, sizeof *bigger.slot);
    if (!bigger.slot)
        return -1;
    for (size_t i = 0; i < map->n_slots; i++)
        if (map->slot[i].number_plus_1)
            *probe(&bigger, map->slot[i].a, map->slot[i].b) = map->slot[i];
    free(map->slot);
    map->slot = bigger.slot;
    map->n_slots = bigger.n_slots;
    return 0;
}

uint32_t sl_index_find(const struct sl_index_map *map, uint64_t a, uint64_t b)
{
    return map->n_slots ? probe(map, a, b)->number_plus_1 - 1 : SL_NO_INDEX;
}

uint32_t sl_index_add(struct sl_index_map *map, uint64_t a, uint64_t b)
{
    if (2 * (map->n_keys + 1) > map->n_slots && rehash(map) < 0)
        return SL_NO_INDEX;
    struct sl_index_slot *slot = probe(map, a, b);
    if (!slot->number_plus_1)
        *slot = (struct sl_index_slot){a, b, (uint32_t)++map->n_keys};
    return slot->number_plus_1 - 1;
}

void sl_index_free(struct sl_index_map *map)
{
    free(map->slot);
    *map = (struct sl_index_map){0};
}
