/* SPDX-License-Identifier: MIT */
/* A top list: a fixed number of entries, each a tuple and a count, found by tuple or by smallest
 * count. Hardware has a content-addressable memory; the model has an index.
 *
 *     place    0   1   2   3  ...
 *     tuple    a   b   c   d            slot[key] is the first place of a chain by next[]
 *     count    9   4   4   7
 *                                       smallest count: place 1, the first one with count 4
 *
 * The list is not sorted. While counts only grow, the places that still have the smallest count are
 * at or after a cursor; if none is left, all counts are scanned again. That is rare, because many
 * counts tie for the smallest when a stream has many more tuples than the list has places. */
#ifndef SL_TOP_LIST_H
#define SL_TOP_LIST_H

#include "sketch.h"

#define SL_SHELF_NONE UINT32_MAX

struct sl_top_list {
    uint32_t n, capacity;
    struct sl_tuple *tuple;
    uint64_t *count;
    uint64_t *extra; /* a second number, defined by the table */
    uint32_t *home;  /* by place: the slot of its chain */
    uint32_t *slot;  /* 1 + first place of the chain; 0: empty. At least 16 slots per place */
    uint32_t *next;  /* by place: 1 + the next place of the chain, or 0 */
    unsigned shift;  /* slot = key >> shift */
    uint64_t least;  /* no count is smaller */
    uint32_t cursor; /* no place before it has the count `least` */
};

/* Lays out the arrays of a list of `room` entries. */
void sl_top_list_lay_out(struct sl_top_list *shelf, size_t capacity, struct sl_layout *l);

SL_RIVAL_INLINE bool sl_top_list_has(const struct sl_top_list *shelf, uint32_t place,
                                     struct sl_tuple tuple)
{
    return shelf->tuple[place].pc == tuple.pc && shelf->tuple[place].value == tuple.value;
}

/* The tuple's place, or SL_SHELF_NONE. */
SL_RIVAL_INLINE uint32_t sl_top_list_find(const struct sl_top_list *shelf, struct sl_tuple tuple,
                                          uint64_t key)
{
    for (uint32_t at = shelf->slot[key >> shelf->shift]; at; at = shelf->next[at - 1])
        if (sl_top_list_has(shelf, at - 1, tuple))
            return at - 1;
    return SL_SHELF_NONE;
}

/* Adds a tuple that is not in the list at the next free place, with count and extra 0. Returns the
 * place, or SL_SHELF_NONE if the list is full. */
uint32_t sl_top_list_add(struct sl_top_list *shelf, struct sl_tuple tuple, uint64_t key);

/* Writes a tuple to an unused place and links it to its chain. */
SL_RIVAL_INLINE void sl_top_list_put(struct sl_top_list *shelf, uint32_t place,
                                     struct sl_tuple tuple, uint64_t key)
{
    uint32_t home = (uint32_t)(key >> shelf->shift);
    shelf->tuple[place] = tuple;
    shelf->home[place] = home;
    shelf->next[place] = shelf->slot[home];
    shelf->slot[home] = place + 1;
}

/* Replaces the tuple of a place by one that is not in the list. Count and extra stay. */
SL_RIVAL_INLINE void sl_top_list_rename(struct sl_top_list *shelf, uint32_t place,
                                        struct sl_tuple tuple, uint64_t key)
{
    uint32_t *link = &shelf->slot[shelf->home[place]];
    while (*link != place + 1)
        link = &shelf->next[*link - 1];
    *link = shelf->next[place];
    sl_top_list_put(shelf, place, tuple, key);
}

/* The first place with the smallest count, of a full list. */
uint32_t sl_top_list_search_least(struct sl_top_list *shelf);

SL_RIVAL_INLINE uint32_t sl_top_list_least(struct sl_top_list *shelf)
{
    uint32_t at = shelf->cursor;
    return at < shelf->n && shelf->count[at] == shelf->least ? at : sl_top_list_search_least(shelf);
}

/* Must be called after a count was set to a value that may be smaller than before. */
static inline void sl_top_list_changed(struct sl_top_list *shelf, uint32_t place)
{
    if (shelf->count[place] < shelf->least) {
        shelf->least = shelf->count[place];
        shelf->cursor = place;
    } else if (shelf->count[place] == shelf->least && place < shelf->cursor) {
        shelf->cursor = place;
    }
}

/* drain() and status() of a table whose entries are those of a top list, from
 *
 *     entry_at(table, place)    the entry of a place; a count of 0 is not emitted */
#define SL_SHELF_DRAIN(type)                                                                    \
    static void drain(const void *state, const struct sl_tuple_names *names,                    \
                      bool (*emit)(void *context, const struct sl_entry *entry), void *context) \
    {                                                                                           \
        const type *table = state;                                                              \
        (void)names;                                                                            \
        for (uint32_t i = 0; i < table->shelf.n; i++) {                                         \
            struct sl_entry entry = entry_at(table, i);                                         \
            if (entry.count && !emit(context, &entry))                                          \
                return;                                                                         \
        }                                                                                       \
    }

#define SL_SHELF_STATUS(type, bounds)                                  \
    static void status(const void *state, struct sl_table_status *out) \
    {                                                                  \
        const type *table = state;                                     \
        size_t distinct = 0;                                           \
        for (uint32_t i = 0; i < table->shelf.n; i++)                  \
            distinct += entry_at(table, i).count != 0;                 \
        sl_sketch_status(&table->rival, distinct, bounds, out);        \
    }

#endif
