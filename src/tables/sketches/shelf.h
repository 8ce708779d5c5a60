/* SPDX-License-Identifier: MIT */
/* A fixed number of places, each with a tuple and a count: found by the tuple, and by who counts
 * least. Hardware has a memory that is searched by content; here an index does it.
 *
 *     place    0   1   2   3  ...
 *     tuple    a   b   c   d            slot[its key] leads to its place, or to one
 *     count    9   4   4   7            whose `next` leads there
 *                                       least: place 1, the first of those that count 4
 *
 * Who counts least is not kept in order: as long as counts only grow, the places that still have
 * the smallest one lie behind a cursor, and when there is none left all are looked at again. Many
 * tie there when a stream is much wider than the shelf, so this is rare.
 */
#ifndef SL_SHELF_H
#define SL_SHELF_H

#include "rival.h"

#define SL_SHELF_NONE UINT32_MAX

struct sl_shelf {
    uint32_t n, room;
    struct sl_tuple *tuple;
    uint64_t *count;
    uint64_t *extra; /* for the table */
    uint32_t *home;  /* of a place: the slot that leads to it */
    uint32_t *slot;  /* 1 + place; 0: none. There are sixteen of them for a place, or more */
    uint32_t *next;  /* of a place: 1 + the next of the same slot, or 0 */
    unsigned shift;  /* of a key, to a slot */
    uint64_t least;  /* no place has less */
    uint32_t cursor; /* no place before it has `least` */
};

void sl_shelf_lay_out(struct sl_shelf *shelf, size_t room, uintptr_t base, size_t *used);

SL_RIVAL_INLINE bool sl_shelf_has(const struct sl_shelf *shelf, uint32_t place,
                                  struct sl_tuple tuple)
{
    return shelf->tuple[place].pc == tuple.pc && shelf->tuple[place].value == tuple.value;
}

/* The tuple's place, or SL_SHELF_NONE. */
SL_RIVAL_INLINE uint32_t sl_shelf_find(const struct sl_shelf *shelf, struct sl_tuple tuple,
                                       uint64_t key)
{
    for (uint32_t at = shelf->slot[key >> shelf->shift]; at; at = shelf->next[at - 1])
        if (sl_shelf_has(shelf, at - 1, tuple))
            return at - 1;
    return SL_SHELF_NONE;
}

/* Puts a tuple that is not there into the next free place, with count and extra 0; SL_SHELF_NONE
 * if there is none. */
uint32_t sl_shelf_add(struct sl_shelf *shelf, struct sl_tuple tuple, uint64_t key);

/* A place gets a tuple; it has none. */
SL_RIVAL_INLINE void sl_shelf_put(struct sl_shelf *shelf, uint32_t place, struct sl_tuple tuple,
                                  uint64_t key)
{
    uint32_t home = (uint32_t)(key >> shelf->shift);
    shelf->tuple[place] = tuple;
    shelf->home[place] = home;
    shelf->next[place] = shelf->slot[home];
    shelf->slot[home] = place + 1;
}

/* The place goes to another tuple, which is not there. Its count and extra stay. */
SL_RIVAL_INLINE void sl_shelf_rename(struct sl_shelf *shelf, uint32_t place, struct sl_tuple tuple,
                                     uint64_t key)
{
    uint32_t *link = &shelf->slot[shelf->home[place]];
    while (*link != place + 1)
        link = &shelf->next[*link - 1];
    *link = shelf->next[place];
    sl_shelf_put(shelf, place, tuple, key);
}

/* The first of those places that count least, of a full shelf. */
uint32_t sl_shelf_search_least(struct sl_shelf *shelf);

SL_RIVAL_INLINE uint32_t sl_shelf_least(struct sl_shelf *shelf)
{
    uint32_t at = shelf->cursor;
    return at < shelf->n && shelf->count[at] == shelf->least ? at : sl_shelf_search_least(shelf);
}

/* To be told when a count may have been lowered. */
static inline void sl_shelf_changed(struct sl_shelf *shelf, uint32_t place)
{
    if (shelf->count[place] < shelf->least) {
        shelf->least = shelf->count[place];
        shelf->cursor = place;
    } else if (shelf->count[place] == shelf->least && place < shelf->cursor) {
        shelf->cursor = place;
    }
}

#endif
