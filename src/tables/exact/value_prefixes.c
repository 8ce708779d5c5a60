/* SPDX-License-Identifier: MIT */
#include "value_prefixes.h"

#include <stdlib.h>

#include "grow.h"
#include "hash.h"
#include "unforeseen.h"

#define NOBODY UINT64_MAX /* no instruction has this number */
#define SLOTS_FIRST 1024u

static uint32_t *probe(const struct sl_prefixes *all, uint64_t prefix)
{
    size_t mask = all->n_slots - 1, at = sl_mix(prefix ^ all->key) & mask;
    while (all->slot[at] && all->prefix[all->slot[at]] != prefix)
        at = (at + 1) & mask;
    return &all->slot[at];
}

uint32_t sl_prefixes_find(const struct sl_prefixes *all, uint64_t prefix)
{
    return all->n ? *probe(all, prefix) : 0;
}

static bool make_room(struct sl_prefixes *all)
{
    size_t n = all->n_slots ? 2 * all->n_slots : SLOTS_FIRST;
    if (!SL_GROW(all->prefix, all->room, (size_t)all->n + 2))
        return false;
    all->prefix[0] = NOBODY;
    if (2 * ((size_t)all->n + 1) <= all->n_slots)
        return true;
    uint32_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return false;
    if (!all->n_slots)
        all->key = sl_unforeseen();
    free(all->slot);
    all->slot = slot;
    all->n_slots = n;
    for (uint32_t i = 1; i <= all->n; i++)
        *probe(all, all->prefix[i]) = i;
    return true;
}

uint32_t sl_prefixes_add(struct sl_prefixes *all, uint64_t prefix)
{
    if (all->n == SL_PREFIXES_MAX || !make_room(all))
        return 0;
    all->prefix[++all->n] = prefix;
    return *probe(all, prefix) = all->n;
}

uint64_t sl_prefixes_bytes(const struct sl_prefixes *all)
{
    return all->room * sizeof *all->prefix + all->n_slots * sizeof *all->slot;
}

void sl_prefixes_free(struct sl_prefixes *all)
{
    free(all->prefix);
    free(all->slot);
}
