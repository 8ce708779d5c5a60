/* SPDX-License-Identifier: MIT */
/* Perfect hash of function addresses: each of n addresses gets its own index below N, where N is n
 * rounded up to a power of two.
 *
 * Paper: Aldham et al., 2011 (leap.c), figure 4; the form is that of Jenkins's generator.
 *
 *     x = address + V;  x += x << 8;  x ^= x >> 4          all in 32 bits
 *     b = x >> B1 & B2
 *     a = (x + (x << A1)) >> A2
 *     index = a ^ tab[b]
 *
 * The hardware has four shifters, three adders and a memory of N small words. An address outside of
 * the n gets some index, too: a caller must store the addresses and compare.
 *
 * Departures. The paper's `tab` has bytes, for up to 256 functions; ours has 16 bits for up to
 * 65,536 and 32 beyond. N is at least 2, so that A2 is a valid shift. Only the low half of a 64-bit
 * address is hashed; two addresses that agree in it are refused. */
#ifndef SL_PERFECT_HASH_H
#define SL_PERFECT_HASH_H

#include "sluice.h"

#define SL_PERFECT_HASH_MAX (UINT64_C(1) << 20) /* addresses */

struct sl_perfect_hash {
    uint32_t v, a1, a2, b1, b2;
    uint32_t *tab;      /* N words, of the caller */
    uint32_t size_log2; /* N = 1 << size_log2 */
};

/* log2 of N for n addresses: sl_perfect_hash.size_log2. */
unsigned sl_perfect_hash_log2(size_t n);

/* Width of `tab` in hardware: 8, 16 or 32 bits. */
unsigned sl_perfect_hash_word_bits(unsigned size_log2);

/* Finds a perfect hash of n different addresses; `tab` has N words. The same addresses in the same
 * order give the same hash. Returns 0, SL_ENOMEM, or SL_EUSAGE if two agree in their low 32 bits,
 * if n is 0 or too large, or if no hash was found. */
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
