/* SPDX-License-Identifier: MIT */
/* Perfect hashing of function addresses (the function profiler's document, figure 4; the
 * form is that of a published generator of Jenkins'): each of n addresses gets an index
 * of its own below N, n rounded up to a power of two.
 *
 *     x = address + V;  x += x << 8;  x ^= x >> 4          32 bits all of it
 *     b = x >> B1 & B2
 *     a = (x + (x << A1)) >> A2
 *     index = a ^ tab[b]
 *
 * What hardware needs is four shifters, three adders, one memory of N small words. An
 * address that is none of the n gets some index, too: whoever may be given one has to
 * keep the addresses beside, and compare.
 *
 * In the document `tab` has bytes, for up to 256 functions. Ours go further: words of 16
 * bits for up to 65,536, of 32 beyond. N is at least 2, so that A2 is a shift that words
 * of 32 bits have. Of addresses of 64 bits the low half is taken; two that agree in it
 * cannot be told apart by any of these hashes. */
#ifndef SL_PERFECT_HASH_H
#define SL_PERFECT_HASH_H

#include "sluice.h"

#define SL_PERFECT_HASH_MAX (UINT64_C(1) << 20) /* addresses */

struct sl_perfect_hash {
    uint32_t v, a1, a2, b1, b2;
    uint32_t *tab;      /* the caller's, N words */
    uint32_t size_log2; /* N = 1 << size_log2 */
};

/* log2 of N for n addresses: sl_perfect_hash.size_log2. */
unsigned sl_perfect_hash_log2(size_t n);

/* Bits of a word of `tab` as hardware has it: 8, 16 or 32. */
unsigned sl_perfect_hash_word_bits(unsigned size_log2);

/* Finds the hash of n different addresses; `tab` has room for N words. The same addresses
 * in the same order give the same hash. SL_EUSAGE if two are the same in their low 32
 * bits, if there are none or too many, or if none of very many hashes is perfect. */
int sl_perfect_hash_make(struct sl_perfect_hash *hash, const uint64_t *address, size_t n,
                         uint32_t *tab, struct sl_failure *f);

static inline uint32_t sl_perfect_hash_index(const struct sl_perfect_hash *hash, uint64_t address)
{
    uint32_t x = (uint32_t)address + hash->v;
    x += x << 8;
    x ^= x >> 4;
    uint32_t b = x >> hash->b1 & hash->b2;
    uint32_t a = (x + (x << hash->a1)) >> hash->a2;
    return a ^ hash->tab[b];
}

#endif
