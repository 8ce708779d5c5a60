/* Counts in 8 bytes each: value_compact.h says how. */
#include "value_compact.h"

#include <assert.h>
#include <string.h>

#include "pages.h"
#include "unforeseen.h"

#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* up to here, where memory does not matter */
#define SECRETS 4u                        /* that are tried */
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
    uint64_t more = c->n_slots < SLOTS_DOUBLED ? c->n_slots : c->n_slots / 2 / SL_COMPACT_LINE * SL_COMPACT_LINE;
    uint64_t n = c->n_slots ? c->n_slots + more : SLOTS_FIRST, most = most_slots(c, bytes);
    if (n > most)
        n = c->n_slots ? most : 0;
    return n > c->n_slots ? n : 0;
}

bool sl_compact_has_room(const struct sl_compact *c, uint64_t n, uint64_t bytes)
{
    return c->n_used + n <= most_slots(c, bytes) / SL_COMPACT_LINE * (SL_COMPACT_LINE - 1);
}

/* Moves all that is in use to the end; the first of it. */
static uint64_t *pack(uint64_t *slot, uint64_t n_old, uint64_t n_new)
{
    uint64_t *to = slot + n_new;
    for (uint64_t *from = slot + n_old; from-- > slot;)
        if (*from)
            *--to = *from;
    return to;
}

/* Puts what is in order from `from` up to `end` at home or behind the one before. What is not quite in
 * order may have its home in front of the row that is being filled, where there may still be room.
 * Nobody gets behind where it is read from: nobody was beyond the margin in the smaller table, and the
 * further apart homes are, the less they go on behind the last. */
static void spread(struct sl_compact *c, const uint64_t *from, uint64_t *end)
{
    uint64_t *start = c->slot, *next = c->slot; /* the row; behind it is what was there before */
    for (; from < end; from++) {
        uint64_t s = *from, hash = sl_compact_hash(c, s >> SL_COMPACT_KEY_SHIFT);
        uint64_t *home = &c->slot[sl_compact_home(c, hash)];
        if (__builtin_expect(home < start, 0)) {
            uint64_t *at = home;
            while (at < next && *at)
                at++;
            if (at < next) {
                *at = s;
                continue;
            }
        } else if (home > next) {
            assert(home <= from);
            memset(next, 0, (size_t)((char *)home - (char *)next));
            start = next = home;
        }
        assert(next <= from);
        *next++ = s;
    }
    memset(next, 0, (size_t)((char *)end - (char *)next));
}

bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots)
{
    uint64_t *slot = c->slot ? sl_pages_grow(c->slot, bytes_of(c->n_slots), bytes_of(n_slots))
                             : sl_pages_new(bytes_of(n_slots));
    if (!slot)
        return false;
    uint64_t *end = slot + n_slots + SL_COMPACT_MARGIN;
    uint64_t *from = c->slot ? pack(slot, c->n_slots + SL_COMPACT_MARGIN, n_slots + SL_COMPACT_MARGIN)
                             : end;
    c->slot = slot;
    c->n_slots = n_slots;
    c->n_most = n_slots / SL_COMPACT_LINE * (SL_COMPACT_LINE - 1);
    spread(c, from, end);
    return true;
}

static bool is_far(const struct sl_compact *c, uint64_t hash, const uint64_t *s)
{
    return s > &c->slot[sl_compact_home(c, hash)] + SL_COMPACT_FAR;
}

/* Gives everybody a new home by another secret. False, and nothing has changed, if one would be too far
 * from it. */
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
        uint64_t *s = sl_compact_probe(&other, hash, key);
        *s = c->slot[i];
        near = !is_far(&other, hash, s);
    }
    sl_pages_free(near ? c->slot : other.slot, bytes_of(c->n_slots));
    if (near)
        *c = other;
    return near;
}

uint64_t *sl_compact_add(struct sl_compact *c, uint64_t key)
{
    uint64_t hash = sl_compact_hash(c, key), *s = sl_compact_probe(c, hash, key);
    for (unsigned i = 0; is_far(c, hash, s); i++) {
        if (i == SECRETS || !rehash(c))
            return NULL;
        hash = sl_compact_hash(c, key);
        s = sl_compact_probe(c, hash, key);
    }
    *s = key << SL_COMPACT_KEY_SHIFT;
    c->n_used++;
    return s;
}

uint64_t sl_compact_bytes(const struct sl_compact *c)
{
    return c->slot ? bytes_of(c->n_slots) : 0;
}

void sl_compact_free(struct sl_compact *c)
{
    sl_pages_free(c->slot, sl_compact_bytes(c));
}
