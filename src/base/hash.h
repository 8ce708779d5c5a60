/* SPDX-License-Identifier: MIT */
/* Hash functions for sluice's own data structures. (Those of the modelled hardware are in
 * byte_hash.h.) */
#ifndef SL_HASH_H
#define SL_HASH_H

#include <stdint.h>

/* Murmur3's finaliser: every input bit reaches every output bit. */
static inline uint64_t sl_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

static inline uint64_t sl_mix_pair(uint64_t a, uint64_t b)
{
    return sl_mix(a ^ sl_mix(b + UINT64_C(0x9e3779b97f4a7c15)));
}

#endif
