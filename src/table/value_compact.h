/* Counts of tuples <instruction, value> in 8 bytes each: a hash table that grows.
 *
 *     slot:  | prefix (24) | low half of the value (32) | more (1) | count (7) |
 *
 * A tuple's *key* is the number of its prefix (value_prefixes.h) and the low half of its value. Its home
 * is the key's hash as a fraction of the table: with a hash h of 64 bits and n slots, h * n / 2^64.
 * From there on it is in the first slot that was empty (linear probing); behind the last home there is
 * a margin, so that nobody has to go on at the beginning. So slots are in the order of their hashes,
 * but for those that had to go on a little, and the table grows where it is, in two walks:
 *
 *     old     | a . b c . d |
 *     packed  | . . . . . . a b c d |        to its new end
 *     larger  | a . . b c . . d . . |        each to its new home, or behind the one before
 *
 * without a jump in memory, and without another table beside it. It is made half as large again (a
 * small one twice as large) when 3/4 of it are in use: 11 to 16 bytes a tuple.
 *
 * What a count of 7 bits cannot hold is carried: the caller keeps it elsewhere, and `more` says that
 * there is some.
 *
 * Values are the program's choice, and the hash is known: somebody could choose such that share their
 * home. When a tuple would be too far from it, all get new homes by a hash with a key that nobody
 * knows. That changes the order in which they are drained, and nothing else. (By chance it does not
 * happen: with 10^8 tuples, one so far away is expected in one of 10^8 runs.) */
#ifndef SL_VALUE_COMPACT_H
#define SL_VALUE_COMPACT_H

#include <stdbool.h>

#include "hash.h"
#include "value_prefixes.h"

#define SL_COMPACT_COUNT_BITS 7
#define SL_COMPACT_COUNT_MAX ((UINT64_C(1) << SL_COMPACT_COUNT_BITS) - 1)
#define SL_COMPACT_MORE (UINT64_C(1) << SL_COMPACT_COUNT_BITS)
#define SL_COMPACT_KEY_SHIFT (SL_COMPACT_COUNT_BITS + 1)
#define SL_COMPACT_FAR 1024u                  /* from home: nobody is further away */
#define SL_COMPACT_MARGIN (2 * SL_COMPACT_FAR) /* slots behind the last home */

struct sl_compact {
    uint64_t *slot;
    uint64_t n_slots, n_used; /* homes; tuples */
    uint64_t n_most;          /* tuples that it takes before it has to grow */
    uint64_t secret;          /* of the hash; 0: it is the known one */
};

static inline uint64_t sl_compact_key(uint32_t prefix, uint64_t value)
{
    return (uint64_t)prefix << 32 | (uint32_t)value;
}

/* Every bit of the product's highest bytes, which say where the home is, depends on all of the key. */
static inline uint64_t sl_compact_hash(const struct sl_compact *c, uint64_t key)
{
    return __builtin_expect(c->secret != 0, 0) ? sl_mix(key ^ c->secret)
                                               : key * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t sl_compact_home(const struct sl_compact *c, uint64_t hash)
{
    return (uint64_t)((unsigned __int128)hash * c->n_slots >> 64);
}

/* The slot of a key with this hash, or the empty one where it would go. There are slots. */
static inline uint64_t *sl_compact_probe(const struct sl_compact *c, uint64_t hash, uint64_t key)
{
    uint64_t *s = &c->slot[sl_compact_home(c, hash)];
    while (*s && *s >> SL_COMPACT_KEY_SHIFT != key)
        s++;
    return s;
}

/* Slots that it would have next within so many bytes; 0: it cannot grow, or it is not worth it. */
uint64_t sl_compact_next_size(const struct sl_compact *c, uint64_t bytes);

/* Whether so many more tuples are sure to find room within so many bytes. */
bool sl_compact_has_room(const struct sl_compact *c, uint64_t n, uint64_t bytes);

/* Gives it so many. False when memory ran out. */
bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots);

/* A slot with a count of 0 for a key that is not there; there is room (n_used < n_most). NULL if it
 * would be too far away whatever the hash, or memory ran out. */
uint64_t *sl_compact_add(struct sl_compact *c, uint64_t key);

uint64_t sl_compact_bytes(const struct sl_compact *c);
void sl_compact_free(struct sl_compact *c);

#endif
