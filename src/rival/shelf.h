/* A fixed number of places, each with a tuple and a count: found by the tuple, and by who counts
 * least. Hardware has a memory that is searched by content; here an index does it.
 *
 *     place    0   1   2   3  ...
 *     tuple    a   b   c   d            slot[hash of the tuple] leads to its place
 *     count    9   4   4   7            least: place 1, the first of those that count 4
 *
 * Who counts least is not kept in order: as long as counts only grow, the places that still have
 * the smallest one lie behind a cursor, and when there is none left all are looked at again. Many
 * tie there when a stream is much wider than the shelf, so this is rare (spacesaving.c has figures).
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
    uint32_t *home;  /* of a place: the slot that its tuple should have */
    uint32_t *slot;  /* 1 + place; 0: empty. Linear probing, at most a quarter full */
    uint32_t mask;
    uint64_t least; /* no place has less */
    uint32_t cursor; /* no place before it has `least` */
};

void sl_shelf_lay_out(struct sl_shelf *shelf, size_t room, uintptr_t base, size_t *used);

SL_RIVAL_INLINE uint32_t sl_shelf_home(const struct sl_shelf *shelf, struct sl_tuple tuple)
{
    /* Two products: this is looked at for every event, and nothing that is modelled depends on it. */
    uint64_t word = tuple.pc ^ tuple.value * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(word * UINT64_C(0xc2b2ae3d27d4eb4f) >> 32) & shelf->mask;
}

SL_RIVAL_INLINE bool sl_shelf_has(const struct sl_shelf *shelf, uint32_t place, struct sl_tuple tuple)
{
    return shelf->tuple[place].pc == tuple.pc && shelf->tuple[place].value == tuple.value;
}

/* The tuple's place, or SL_SHELF_NONE. *hint is where it was found the last time. */
SL_RIVAL_INLINE uint32_t sl_shelf_find(const struct sl_shelf *shelf, struct sl_tuple tuple,
                                       uint64_t *hint)
{
    if (*hint < shelf->n && sl_shelf_has(shelf, (uint32_t)*hint, tuple))
        return (uint32_t)*hint;
    for (uint32_t at = sl_shelf_home(shelf, tuple); shelf->slot[at]; at = (at + 1) & shelf->mask)
        if (sl_shelf_has(shelf, shelf->slot[at] - 1, tuple)) {
            *hint = shelf->slot[at] - 1;
            return shelf->slot[at] - 1;
        }
    return SL_SHELF_NONE;
}

/* Puts a tuple that is not there into the next free place, with count and extra 0; SL_SHELF_NONE
 * if there is none. */
uint32_t sl_shelf_add(struct sl_shelf *shelf, struct sl_tuple tuple);

/* The place goes to another tuple, which is not there. Its count and extra stay. */
void sl_shelf_rename(struct sl_shelf *shelf, uint32_t place, struct sl_tuple tuple);

/* The first of those places that count least, of a full shelf. */
uint32_t sl_shelf_least(struct sl_shelf *shelf);

/* To be told when a count was lowered. */
static inline void sl_shelf_lowered(struct sl_shelf *shelf, uint32_t place)
{
    if (shelf->count[place] < shelf->least) {
        shelf->least = shelf->count[place];
        shelf->cursor = place;
    } else if (shelf->count[place] == shelf->least && place < shelf->cursor) {
        shelf->cursor = place;
    }
}

#endif
