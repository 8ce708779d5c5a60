/* SPDX-License-Identifier: MIT */
/* Seeded random number generator (splitmix64), which gives the same numbers on every computer. Its
 * state is one 64-bit word. */
#ifndef SL_RANDOM_H
#define SL_RANDOM_H

#include <stdint.h>

#include "gpu_inline.h"

/* The next number, uniform on 64 bits. */
SL_GPU_INLINE uint64_t sl_random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform on 0..n-1 by the high half of a product; the bias is below n / 2^64. */
SL_GPU_INLINE uint64_t sl_random_below(uint64_t *state, uint64_t n)
{
    return (uint64_t)((unsigned __int128)sl_random_next(state) * n >> 64);
}

#endif
