/* SPDX-License-Identifier: MIT */
/* The latest of what was done to a place, as far as it is recent: stores by the eight
 * bytes they wrote, lines by when they come.
 *
 *     slot of a hash ──► latest ──► older ──► older ──► too old: overwritten
 *
 * Entries are a ring in the order in which they were added; those of one hash are
 * linked from the latest to the oldest. Numbers go up for ever, so a link to an entry
 * that was overwritten is known by its number. Nothing is ever removed. */
#ifndef SL_RECENT_H
#define SL_RECENT_H

#include <stddef.h>
#include <stdint.h>

#define SL_RECENT_SLOTS 4u /* of the hash, for each entry: few entries meet another one's slot */

struct sl_recent_entry {
    uint64_t place;
    uint64_t older;   /* number + 1; 0: none */
    uint64_t when[2]; /* cycles; what they are is the owner's */
};

/* Those with one hash. */
struct sl_recent_slot {
    uint64_t number; /* of the latest, + 1; 0: none */
    uint64_t last;   /* none of them was added with a later when[1] */
};

struct sl_recent {
    uint64_t n; /* entries so far */
    uint64_t mask;
    unsigned shift;
    struct sl_recent_entry *entry;
    struct sl_recent_slot *slot; /* by hash */
};

/* Bytes for the `room` latest, a power of 2 from 2 on; and its making in that much
 * zeroed memory, aligned to 8 bytes. */
static inline size_t sl_recent_bytes(uint64_t room)
{
    return room *
           (sizeof(struct sl_recent_entry) + SL_RECENT_SLOTS * sizeof(struct sl_recent_slot));
}

static inline void sl_recent_init(struct sl_recent *r, uint64_t room, void *memory)
{
    *r = (struct sl_recent){.mask = room - 1,
                            .entry = memory,
                            .shift = 64 - (unsigned)__builtin_ctzll(SL_RECENT_SLOTS * room)};
    r->slot = (struct sl_recent_slot *)(r->entry + room);
}

static inline struct sl_recent_slot *sl_recent_slot(const struct sl_recent *r, uint64_t place)
{
    return &r->slot[place * UINT64_C(0x9e3779b97f4a7c15) >> r->shift];
}

/* The latest entry of a place, or NULL. */
static inline struct sl_recent_entry *sl_recent_find(const struct sl_recent *r, uint64_t place)
{
    uint64_t number = sl_recent_slot(r, place)->number;
    while (number && r->n - number <= r->mask) {
        struct sl_recent_entry *e = &r->entry[(number - 1) & r->mask];
        if (e->place == place)
            return e;
        number = e->older;
    }
    return NULL;
}

static inline void sl_recent_add(struct sl_recent *r, uint64_t place, uint64_t first,
                                 uint64_t second)
{
    struct sl_recent_slot *slot = sl_recent_slot(r, place);
    r->entry[r->n & r->mask] = (struct sl_recent_entry){place, slot->number, {first, second}};
    *slot = (struct sl_recent_slot){++r->n, second > slot->last ? second : slot->last};
}

#endif
