/* SPDX-License-Identifier: MIT */
/* Accumulator of the interval profilers, the associative table of frequent tuples: search,
 * insertion, removal, and the choice of an entry to replace.
 *
 * The hardware is fully associative. The model uses a hash table with chains (interval_table.h), at
 * most a quarter full, so that chains rarely have more than one entry. */
#include <assert.h>
#include <string.h>

#include "interval_group.h"

size_t sl_accumulator_follow(const struct sl_accumulator *a, size_t slot, uint64_t pc,
                             uint64_t value)
{
    do
        slot = a->next[slot];
    while (slot && (a->tuple[slot].pc != pc || a->tuple[slot].value != value));
    return slot;
}

/* The head of a chain, with its mark. */
static uint16_t head_of(const struct sl_accumulator *a, size_t slot)
{
    return (uint16_t)(slot | (slot && a->next[slot] ? SL_HEAD_MORE : 0));
}

static void add_to_filter(struct sl_accumulator *a, uint64_t key)
{
    a->filter[0][key >> 32 & 255] |= (uint8_t)(1u << (key >> 40 & 7));
    a->filter[1][key >> 48 & 255] |= (uint8_t)(1u << (key >> 56 & 7));
    a->mark[key >> a->mark_shift] = 1;
}

void sl_accumulator_refilter(struct sl_accumulator *a)
{
    memset(a->filter, 0, sizeof a->filter);
    memset(a->mark, 0, (size_t)1 << (64 - a->mark_shift));
    for (size_t slot = 1; slot <= a->capacity; slot++)
        if (a->note[slot].used)
            add_to_filter(a, a->note[slot].key);
}

void sl_accumulator_insert(struct sl_accumulator *a, size_t slot, uint64_t key,
                           struct sl_tuple tuple)
{
    uint16_t *head = &a->head[key >> a->head_shift];
    assert(!a->note[slot].used);
    a->tuple[slot] = tuple;
    a->note[slot].used = true;
    a->note[slot].key = key;
    add_to_filter(a, key);
    a->next[slot] = *head & SL_HEAD_SLOT;
    *head = head_of(a, slot);
}

void sl_accumulator_remove(struct sl_accumulator *a, size_t slot)
{
    uint16_t *head = &a->head[a->note[slot].key >> a->head_shift];
    size_t first = *head & SL_HEAD_SLOT;
    if (first == slot) {
        first = a->next[slot];
    } else {
        size_t at = first;
        while (a->next[at] != slot)
            at = a->next[at];
        a->next[at] = a->next[slot];
    }
    struct sl_accumulator_cache *cached = &a->cache[a->note[slot].key >> a->cache_shift];
    if (cached->slot == slot)
        cached->tuple_id = SL_NO_INDEX;
    *head = head_of(a, first);
    a->note[slot].used = a->note[slot].retained = false;
    a->count[slot] = 0;
    if (slot < a->empty)
        a->empty = slot;
}

/* Replaceable: retained, and not yet a candidate again. */
static size_t lowest_replaceable(const struct sl_accumulator *a, uint64_t threshold)
{
    size_t lowest = 0;
    uint64_t count = threshold;
    for (size_t slot = 1; slot <= a->capacity; slot++)
        if (a->note[slot].retained && a->count[slot] < count) {
            lowest = slot;
            count = a->count[slot];
        }
    return lowest;
}

size_t sl_accumulator_find_free(struct sl_accumulator *a, uint64_t threshold)
{
    if (a->closed)
        return 0;
    while (a->empty <= a->capacity && a->note[a->empty].used)
        a->empty++;
    if (a->empty <= a->capacity)
        return a->empty;
    size_t slot = lowest_replaceable(a, threshold);
    /* Within an interval no entry gets empty and none gets replaceable. */
    a->closed = !slot;
    return slot;
}

size_t sl_interval_find_uncached(struct sl_accumulator *a, uint64_t word, uint32_t tuple_id,
                                 uint64_t pc, uint64_t value)
{
    uint64_t key = sl_accumulator_key(word, value);
    size_t slot = sl_accumulator_find(a, key, pc, value);
    if (slot)
        a->cache[key >> a->cache_shift] = (struct sl_accumulator_cache){value, tuple_id,
                                                                        (uint16_t)slot};
    return slot;
}
