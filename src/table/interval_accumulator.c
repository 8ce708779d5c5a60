/* The accumulator: what is in it, where, and which entry has to make room.
 *
 * In hardware it is fully associative. Here a tuple is found by a hash with chains
 * (interval_table.h draws them); one hash value in four is in use at most, so that a
 * chain is seldom longer than one. */
#include <assert.h>

#include "interval_table.h"

size_t sl_accumulator_heads(size_t capacity)
{
    size_t n = 64;
    while (n < 4 * capacity)
        n *= 2;
    return n;
}

static bool same(struct sl_tuple a, struct sl_tuple b)
{
    return a.pc == b.pc && a.value == b.value;
}

size_t sl_accumulator_find(const struct sl_accumulator *a, struct sl_tuple tuple)
{
    size_t slot = a->head[sl_accumulator_hash(a, tuple)] & SL_HEAD_SLOT;
    while (slot && !same(a->tuple[slot], tuple))
        slot = a->next[slot];
    return slot;
}

/* The head of a chain, with its mark. */
static uint16_t head_of(const struct sl_accumulator *a, size_t slot)
{
    return (uint16_t)(slot | (slot && a->next[slot] ? SL_HEAD_MORE : 0));
}

void sl_accumulator_insert(struct sl_accumulator *a, size_t slot, struct sl_tuple tuple)
{
    uint16_t *head = &a->head[sl_accumulator_hash(a, tuple)];
    assert(!a->note[slot].used);
    a->tuple[slot] = tuple;
    a->note[slot].used = true;
    a->next[slot] = *head & SL_HEAD_SLOT;
    *head = head_of(a, slot);
}

void sl_accumulator_remove(struct sl_accumulator *a, size_t slot)
{
    uint16_t *head = &a->head[sl_accumulator_hash(a, a->tuple[slot])];
    size_t first = *head & SL_HEAD_SLOT;
    if (first == slot) {
        first = a->next[slot];
    } else {
        size_t at = first;
        while (a->next[at] != slot)
            at = a->next[at];
        a->next[at] = a->next[slot];
    }
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

size_t sl_accumulator_room(struct sl_accumulator *a, uint64_t threshold)
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
