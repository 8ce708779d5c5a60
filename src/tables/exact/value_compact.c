/* SPDX-License-Identifier: MIT */
/* Compact value table, which counts <instruction, value> tuples in slots of 8 bytes, and the
 * numbering of prefixes. A prefix is an instruction with the upper half of a value. value_compact.h
 * describes the table and the prefixes. */
#include "value_compact.h"

#include <stdlib.h>

#include "grow.h"
#include "pages.h"
#include "resources.h"

#define NO_PREFIX UINT64_MAX /* its instruction id is never used */
#define PREFIX_SLOTS 1024u   /* to begin with */
#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* tables below this size double */
#define SECRETS 4u                        /* hash keys to try */
#define HUGE_PAGE (UINT64_C(1) << 18)     /* slots */
#define PARTS 16u /* in which a table is freed; each costs a TLB shootdown */
_Static_assert(SL_COMPACT_MARGIN % SL_COMPACT_LINE == 0, "the margin is whole lines");

/* ---- prefixes ---- */

static uint32_t *probe_prefix(const struct sl_prefixes *all, uint64_t prefix)
{
    size_t mask = all->n_slots - 1, at = sl_mix(prefix ^ all->key) & mask;
    while (all->slot[at] && all->prefix[all->slot[at]] != prefix)
        at = (at + 1) & mask;
    return &all->slot[at];
}

uint32_t sl_prefixes_find(const struct sl_prefixes *all, uint64_t prefix)
{
    return all->n ? *probe_prefix(all, prefix) : 0;
}

static bool grow_prefixes(struct sl_prefixes *all)
{
    size_t n = all->n_slots ? 2 * all->n_slots : PREFIX_SLOTS;
    if (!SL_GROW(all->prefix, all->capacity, (size_t)all->n + 2))
        return false;
    all->prefix[0] = NO_PREFIX;
    if (2 * ((size_t)all->n + 1) <= all->n_slots)
        return true;
    uint32_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return false;
    if (!all->n_slots)
        all->key = sl_random_key();
    free(all->slot);
    all->slot = slot;
    all->n_slots = n;
    for (uint32_t i = 1; i <= all->n; i++)
        *probe_prefix(all, all->prefix[i]) = i;
    return true;
}

uint32_t sl_prefixes_add(struct sl_prefixes *all, uint64_t prefix)
{
    if (all->n == SL_PREFIXES_MAX || !grow_prefixes(all))
        return 0;
    all->prefix[++all->n] = prefix;
    return *probe_prefix(all, prefix) = all->n;
}

uint64_t sl_prefixes_bytes(const struct sl_prefixes *all)
{
    return all->capacity * sizeof *all->prefix + all->n_slots * sizeof *all->slot;
}

void sl_prefixes_free(struct sl_prefixes *all)
{
    free(all->prefix);
    free(all->slot);
}

/* ---- compact table ---- */

uint64_t sl_compact_slots(const struct sl_compact *c)
{
    return c->slot ? c->n_slots + SL_COMPACT_MARGIN : 0;
}

uint64_t sl_compact_bytes(const struct sl_compact *c)
{
    return sl_compact_slots(c) * sizeof *c->slot;
}

static size_t bytes_of(uint64_t n_slots)
{
    return (n_slots + SL_COMPACT_MARGIN) * sizeof(uint64_t);
}

/* Slots that fit, if that is at least 1/16 more than there are; else those there are. */
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

bool sl_compact_has_capacity(const struct sl_compact *c, uint64_t n, uint64_t bytes)
{
    return c->n_used + n <= most_slots(c, bytes) / SL_COMPACT_LINE * (SL_COMPACT_LINE - 1);
}

/* Copies slots whose tuple did not move. used[] has the number of used slots of each line, because
 * reading the line itself would wait for the store to it. */
static void fill(const struct sl_compact *c, uint8_t *used, const uint64_t *from,
                 const uint64_t *end)
{
    for (; from < end; from++) {
        uint64_t s = *from;
        if (!(s & SL_COMPACT_HELD))
            continue;
        uint64_t line = (uint64_t)(sl_compact_home(c, s >> SL_COMPACT_KEY_SHIFT) - c->slot) /
                        SL_COMPACT_LINE;
        while (__builtin_expect(used[line] == SL_COMPACT_LINE, 0))
            line++;
        c->slot[line * SL_COMPACT_LINE + used[line]++] = s;
    }
}

/* Homes are further apart than before, so that no tuple ends further after the last home. */
bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots)
{
    uint64_t n_old = sl_compact_slots(c), *old = c->slot, *larger = sl_pages_new(bytes_of(n_slots));
    uint64_t part = (n_old / PARTS / HUGE_PAGE + 1) * HUGE_PAGE;
    uint8_t *used = calloc((n_slots + SL_COMPACT_MARGIN) / SL_COMPACT_LINE, 1);
    if (!larger || !used) {
        sl_pages_free(larger, larger ? bytes_of(n_slots) : 0);
        free(used);
        return false;
    }
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

/* Rehashes with a new random key. Returns false, with nothing changed, if out of memory or if a
 * tuple would be too far from its home. */
static bool rehash(struct sl_compact *c)
{
    struct sl_compact other = *c;
    bool near = true;
    other.secret = sl_random_key() | 1;
    if (!(other.slot = sl_pages_new(bytes_of(c->n_slots))))
        return false;
    for (uint64_t i = 0; i < c->n_slots + SL_COMPACT_MARGIN && near; i++) {
        uint64_t key = c->slot[i] >> SL_COMPACT_KEY_SHIFT;
        if (!c->slot[i])
            continue;
        uint64_t *home = sl_compact_home(&other, key), *s = sl_compact_probe(home, key);
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
        uint64_t *home = sl_compact_home(c, key), *s = sl_compact_probe(home, key);
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

void sl_compact_free(struct sl_compact *c)
{
    sl_pages_free(c->slot, sl_compact_bytes(c));
}
