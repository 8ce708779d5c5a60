/* SPDX-License-Identifier: MIT */
/* Counts in 8 bytes each: value_compact.h says how. */
#include "value_compact.h"

#include <stdlib.h>

#include "pages.h"
#include "unforeseen.h"

#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* up to here, where memory does not matter */
#define SECRETS 4u                        /* that are tried */
#define HUGE_PAGE (UINT64_C(1) << 18)     /* slots */
#define PARTS 16u                         /* in which a table is given back */
_Static_assert(SL_COMPACT_MARGIN % SL_COMPACT_LINE == 0, "the margin is whole lines");

static size_t bytes_of(uint64_t n_slots)
{
    return (n_slots + SL_COMPACT_MARGIN) * sizeof(uint64_t);
}

/* Homes that there are room for, if it is worth the walk. */
static uint64_t most_slots(const struct sl_compact *c, uint64_t bytes)
{
    uint64_t slots = bytes / sizeof *c->slot / SL_COMPACT_LINE * SL_COMPACT_LINE;
    uint64_t most = slots > SL_COMPACT_MARGIN ? slots - SL_COMPACT_MARGIN : 0;
    return most >= c->n_slots + c->n_slots / 16 ? most : c->n_slots;
}

uint64_t sl_compact_next_size(const struct sl_compact *c, uint64_t bytes)
{
    uint64_t more = c->n_slots < SLOTS_DOUBLED ? c->n_slots
                                               : c->n_slots / 2 / SL_COMPACT_LINE * SL_COMPACT_LINE;
    uint64_t n = c->n_slots ? c->n_slots + more : SLOTS_FIRST, most = most_slots(c, bytes);
    if (n > most)
        n = c->n_slots ? most : 0;
    return n > c->n_slots ? n : 0;
}

bool sl_compact_has_room(const struct sl_compact *c, uint64_t n, uint64_t bytes)
{
    return c->n_used + n <= most_slots(c, bytes) / SL_COMPACT_LINE * (SL_COMPACT_LINE - 1);
}

/* Puts what is in use from `from` up to `end` where it belongs. `used` says how many slots of each
 * line are: whoever asks the line itself waits for what was just written there. */
static void fill(struct sl_compact *c, uint8_t *used, const uint64_t *from, const uint64_t *end)
{
    for (; from < end; from++) {
        uint64_t s = *from;
        if (!(s & SL_COMPACT_HELD))
            continue;
        uint64_t line = sl_compact_home(c, sl_compact_hash(c, s >> SL_COMPACT_KEY_SHIFT)) /
                        SL_COMPACT_LINE;
        while (__builtin_expect(used[line] == SL_COMPACT_LINE, 0))
            line++;
        c->slot[line * SL_COMPACT_LINE + used[line]++] = s;
    }
}

/* Nobody goes on further behind the last home than in the smaller table, as homes are further
 * apart. */
bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots)
{
    uint64_t n_old = c->slot ? c->n_slots + SL_COMPACT_MARGIN : 0, *old = c->slot;
    uint64_t *larger = sl_pages_new(bytes_of(n_slots));
    uint8_t *used = calloc((n_slots + SL_COMPACT_MARGIN) / SL_COMPACT_LINE, 1);
    if (!larger || !used) {
        sl_pages_free(larger, larger ? bytes_of(n_slots) : 0);
        free(used);
        return false;
    }
    uint64_t part = (n_old / PARTS / HUGE_PAGE + 1) * HUGE_PAGE;
    c->slot = larger;
    c->n_slots = n_slots;
    c->n_most = n_slots / SL_COMPACT_LINE * (SL_COMPACT_LINE - 1);
    for (uint64_t at = 0, n; at < n_old; at += n) {
        n = n_old - at < part ? n_old - at : part;
        fill(c, used, old + at, old + at + n);
        sl_pages_free(old + at, n * sizeof *old);
    }
    c->n_used -= c->n_left;
    c->n_left = 0;
    free(used);
    return true;
}

/* Gives everybody a new home by another secret. False, and nothing has changed, if one would be too
 * far from it. */
static bool rehash(struct sl_compact *c)
{
    struct sl_compact other = *c;
    bool near = true;
    other.secret = sl_unforeseen() | 1;
    if (!(other.slot = sl_pages_new(bytes_of(c->n_slots))))
        return false;
    for (uint64_t i = 0; i < c->n_slots + SL_COMPACT_MARGIN && near; i++) {
        uint64_t key = c->slot[i] >> SL_COMPACT_KEY_SHIFT, hash = sl_compact_hash(&other, key);
        if (!c->slot[i])
            continue;
        uint64_t *home = &other.slot[sl_compact_home(&other, hash)],
                 *s = sl_compact_probe(home, key);
        *s = c->slot[i];
        near = s <= home + SL_COMPACT_FAR;
    }
    sl_pages_free(near ? c->slot : other.slot, bytes_of(c->n_slots));
    if (near)
        *c = other;
    return near;
}

uint64_t *sl_compact_add(struct sl_compact *c, uint64_t key)
{
    for (unsigned i = 0; i <= SECRETS; i++) {
        uint64_t *home = &c->slot[sl_compact_home(c, sl_compact_hash(c, key))];
        uint64_t *s = sl_compact_probe(home, key);
        if (s <= home + SL_COMPACT_FAR) {
            *s = key << SL_COMPACT_KEY_SHIFT;
            c->n_used++;
            return s;
        }
        if (i == SECRETS || !rehash(c))
            return NULL;
    }
    return NULL;
}

uint64_t sl_compact_bytes(const struct sl_compact *c)
{
    return c->slot ? bytes_of(c->n_slots) : 0;
}

void sl_compact_free(struct sl_compact *c)
{
    sl_pages_free(c->slot, sl_compact_bytes(c));
}
