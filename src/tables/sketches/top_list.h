/* SPDX-License-Identifier: MIT */
/* Top list of a sketch: a fixed number of entries, each a tuple and a count, found by tuple or by
 * smallest count. The hardware finds a tuple with a content-addressable memory, and this model
 * finds it with a hash index.
 *
 *     position 0   1   2   3  ...
 *     tuple    a   b   c   d            slot[key] is the first position of a chain by next[]
 *     count    9   4   4   7
 *                                       smallest count: position 1, the first one with count 4
 *
 * The list is not sorted. While counts only grow, the positions that still have the smallest count
 * are at or after a cursor; if none is left, all counts are scanned again. That is rare, because
 * many counts tie for the smallest if a stream has far more tuples than the list has positions. */
#ifndef SL_TOP_LIST_H
#define SL_TOP_LIST_H

#include "sketch.h"

#define SL_TOP_LIST_NONE UINT32_MAX

struct sl_top_list {
    uint32_t n, capacity;
    struct sl_tuple *tuple;
    uint64_t *count;
    uint64_t *extra; /* a second number, defined by the table */
    uint32_t *home;  /* by position: the slot of its chain */
    uint32_t *slot;  /* 1 + first position of the chain; 0: empty. At least 16 slots per position */
    uint32_t *next;  /* by position: 1 + the next position of the chain, or 0 */
    unsigned shift;  /* slot = key >> shift */
    uint64_t least;  /* no count is smaller */
    uint32_t cursor; /* no position before it has the count `least` */
};

/* Lays out the arrays of a list of `capacity` entries. */
void sl_top_list_lay_out(struct sl_top_list *list, size_t capacity, struct sl_layout *l);

/* The tuple's position, or SL_TOP_LIST_NONE. */
SL_SKETCH_INLINE uint32_t sl_top_list_find(const struct sl_top_list *list, struct sl_tuple tuple,
                                           uint64_t key)
{
    for (uint32_t at = list->slot[key >> list->shift]; at; at = list->next[at - 1])
        if (sl_tuple_same(list->tuple[at - 1], tuple))
            return at - 1;
    return SL_TOP_LIST_NONE;
}

/* Adds a tuple that is not in the list at the next free position, with count and extra 0. Returns
 * the position, or SL_TOP_LIST_NONE if the list is full. */
uint32_t sl_top_list_add(struct sl_top_list *list, struct sl_tuple tuple, uint64_t key);

/* Writes a tuple to an unused position and links it to its chain. */
SL_SKETCH_INLINE void sl_top_list_put(struct sl_top_list *list, uint32_t position,
                                      struct sl_tuple tuple, uint64_t key)
{
    uint32_t home = (uint32_t)(key >> list->shift);
    list->tuple[position] = tuple;
    list->home[position] = home;
    list->next[position] = list->slot[home];
    list->slot[home] = position + 1;
}

/* Replaces the tuple of a position by one that is not in the list. Count and extra stay. */
SL_SKETCH_INLINE void sl_top_list_rename(struct sl_top_list *list, uint32_t position,
                                         struct sl_tuple tuple, uint64_t key)
{
    uint32_t *link = &list->slot[list->home[position]];
    while (*link != position + 1)
        link = &list->next[*link - 1];
    *link = list->next[position];
    sl_top_list_put(list, position, tuple, key);
}

/* The first position with the smallest count, of a full list. */
uint32_t sl_top_list_search_least(struct sl_top_list *list);

SL_SKETCH_INLINE uint32_t sl_top_list_least(struct sl_top_list *list)
{
    uint32_t at = list->cursor;
    return at < list->n && list->count[at] == list->least ? at : sl_top_list_search_least(list);
}

/* Must be called after a count was set to a value that may be smaller than before. */
static inline void sl_top_list_changed(struct sl_top_list *list, uint32_t position)
{
    if (list->count[position] < list->least) {
        list->least = list->count[position];
        list->cursor = position;
    } else if (list->count[position] == list->least && position < list->cursor) {
        list->cursor = position;
    }
}

/* entry() of a table whose entries are those of a top list, from
 *
 *     entry_at(table, position)    the entry of a position */
#define SL_TOP_LIST_ENTRY(type)                                          \
    static bool entry(const void *state, size_t i, struct sl_entry *out) \
    {                                                                    \
        const type *table = state;                                       \
        bool exists = i < table->list.n;                                 \
        if (exists)                                                      \
            *out = entry_at(table, i);                                   \
        return exists;                                                   \
    }

#endif
