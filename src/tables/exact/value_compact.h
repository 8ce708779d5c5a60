/* SPDX-License-Identifier: MIT */
/* Counts of tuples <instruction, value> in 8 bytes each: a hash table that grows.
 *
 *     slot:  | prefix (24) | low half of the value (32) | more (1) | count (7) |
 *
 * A tuple's *key* is the number of its prefix (value_prefixes.h) and the low half of its value. Its
 * home is a line of the cache, 8 slots: with a hash h of 64 bits and n lines, h * n / 2^64. From
 * there on it is in the first slot that was empty (linear probing), mostly in the line itself: so
 * memory is asked once, and the slots of a line can be compared at once. Behind the last home there
 * is a margin, so that nobody has to go on at the beginning. So lines are in the order of their
 * hashes, but for those that had to go on a little, and the table grows in one walk through both,
 * without a jump in memory:
 *
 *     old     | a . b c . d |
 *     larger  | a . . b c . . . d . |
 *
 * What was walked through is given back, so that there is hardly more than one table at any time.
 * It is made half as large again (a small one twice as large) when 7/8 of it are in use: 9 to 14
 * bytes a tuple. (While it grows, a byte for each line says how many of its slots are in use.)
 *
 * What a count of 7 bits cannot hold is carried: the caller keeps it elsewhere, and `more` says
 * that there is some.
 *
 * Values are the program's choice, and the hash is known: somebody could choose such that share
 * their home. When a tuple would be too far from it, all get new homes by a hash with a key that
 * nobody knows. That changes the order in which they are drained, and nothing else. (By chance it
 * does not happen: with a share a of the slots in use, e^-(d(a - 1 - ln a)) of the tuples are d
 * slots away; with 10^8 tuples in 7/8 of the slots, one so far away is expected in one of 10^9
 * runs.) */
#ifndef SL_VALUE_COMPACT_H
#define SL_VALUE_COMPACT_H

#include <stdbool.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "hash.h"
#include "value_prefixes.h"

#define SL_COMPACT_COUNT_BITS 7
#define SL_COMPACT_COUNT_MAX ((UINT64_C(1) << SL_COMPACT_COUNT_BITS) - 1)
#define SL_COMPACT_MORE (UINT64_C(1) << SL_COMPACT_COUNT_BITS)
#define SL_COMPACT_KEY_SHIFT (SL_COMPACT_COUNT_BITS + 1)
#define SL_COMPACT_HELD (SL_COMPACT_MORE | SL_COMPACT_COUNT_MAX)
#define SL_COMPACT_FAR 4608u                   /* from home: nobody is further away */
#define SL_COMPACT_MARGIN (2 * SL_COMPACT_FAR) /* slots behind the last home */

struct sl_compact {
    uint64_t *slot;
    uint64_t n_slots, n_used; /* homes; slots in use */
    uint64_t n_left; /* of these: whose tuple is counted elsewhere now (count and `more` are 0) */
    uint64_t n_most; /* tuples that it takes before it has to grow */
    uint64_t secret; /* of the hash; 0: it is the known one */
};

static inline uint64_t sl_compact_key(uint32_t prefix, uint64_t value)
{
    return (uint64_t)prefix << 32 | (uint32_t)value;
}

/* Every bit of the product's highest bytes, which say where the home is, depends on all of the key.
 */
static inline uint64_t sl_compact_hash(const struct sl_compact *c, uint64_t key)
{
    return __builtin_expect(c->secret != 0, 0) ? sl_mix(key ^ c->secret)
                                               : key * UINT64_C(0x9e3779b97f4a7c15);
}

#define SL_COMPACT_LINE 8u /* slots */

/* The first slot of the line. */
static inline uint64_t sl_compact_home(const struct sl_compact *c, uint64_t hash)
{
    return (uint64_t)((unsigned __int128)hash * (c->n_slots / SL_COMPACT_LINE) >> 64) *
           SL_COMPACT_LINE;
}

/* The slot of a key in one line, or an empty one if it is not there, where it would go; NULL if
 * there is neither. In a line, those in use are in front. */
typedef uint64_t *sl_compact_looker(uint64_t *line, uint64_t key);

static inline uint64_t *sl_compact_look(uint64_t *line, uint64_t key)
{
    for (uint64_t *s = line; s < line + SL_COMPACT_LINE; s++)
        if (!*s || *s >> SL_COMPACT_KEY_SHIFT == key)
            return s;
    return NULL;
}

/* The same for processors with long vectors: all at once. */
#if defined(__x86_64__)
#define SL_COMPACT_AVX2 __attribute__((target("avx2,bmi")))
#define SL_COMPACT_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx2,bmi")))

SL_COMPACT_AVX2 static inline uint64_t *sl_compact_look_avx2(uint64_t *line, uint64_t key)
{
    const __m256i wanted = _mm256_set1_epi64x((long long)key), none = _mm256_setzero_si256();
    unsigned found = 0;
    for (unsigned half = 0; half < 2; half++) {
        __m256i slots = _mm256_load_si256((const __m256i *)(line + 4 * half));
        __m256i same = _mm256_cmpeq_epi64(_mm256_srli_epi64(slots, SL_COMPACT_KEY_SHIFT), wanted);
        __m256i stop = _mm256_or_si256(same, _mm256_cmpeq_epi64(slots, none));
        found |= (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(stop)) << 4 * half;
    }
    return found ? line + __builtin_ctz(found) : NULL;
}

SL_COMPACT_AVX512 static inline uint64_t *sl_compact_look_avx512(uint64_t *line, uint64_t key)
{
    __m512i slots = _mm512_load_si512(line), keys = _mm512_srli_epi64(slots, SL_COMPACT_KEY_SHIFT);
    unsigned found = _mm512_cmpeq_epi64_mask(keys, _mm512_set1_epi64((long long)key)) |
                     _mm512_testn_epi64_mask(slots, slots);
    return found ? line + __builtin_ctz(found) : NULL;
}
#endif

/* The slot of a key whose home is this, or the empty one where it would go. There are slots. */
static inline uint64_t *sl_compact_probe(uint64_t *home, uint64_t key)
{
    while (*home && *home >> SL_COMPACT_KEY_SHIFT != key)
        home++;
    return home;
}

/* Slots that it would have next within so many bytes; 0: it cannot grow, or it is not worth it. */
uint64_t sl_compact_next_size(const struct sl_compact *c, uint64_t bytes);

/* Whether so many more tuples are sure to find room within so many bytes. */
bool sl_compact_has_room(const struct sl_compact *c, uint64_t n, uint64_t bytes);

/* Gives it so many, not fewer than it has, and does away with slots that were left. False when
 * memory ran out. */
bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots);

/* A slot with a count of 0 for a key that is not there; there is room (n_used < n_most). NULL if it
 * would be too far away whatever the hash, or memory ran out. */
uint64_t *sl_compact_add(struct sl_compact *c, uint64_t key);

uint64_t sl_compact_bytes(const struct sl_compact *c);
void sl_compact_free(struct sl_compact *c);

#endif
