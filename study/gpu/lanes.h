/* SPDX-License-Identifier: MIT */
/* Macros for code that runs in a warp of 32 lanes, on the GPU or emulated on the CPU. The GPU
 * versions of the tables use these macros.
 *
 * On the GPU a lane is a thread, and a value per lane is a register. On the CPU a warp is one
 * thread that loops over its lanes, and a value per lane is an array. The same source works for
 * both:
 *
 *     uint32_t slot[SL_LANES];                 one per lane; on the GPU an array of one element
 *     SL_EACH(l) slot[l] = find(SL_LANE(l));   all lanes; code outside is uniform
 *     uint32_t hits = sl_ballot(slot);         a bit for each lane whose element is not 0
 *     sl_meet();                               barrier: makes writes visible to all lanes
 *
 * Within an SL_EACH, no lane reads what another lane writes in the same SL_EACH. */
#ifndef SL_LANES_H
#define SL_LANES_H

#include <stdint.h>

#define SL_WARP 32u

#ifdef __CUDACC__

#define SL_BANK __device__ static inline
#define SL_LANES 1u
#define SL_LANE(l) ((l) + (threadIdx.x & 31u))
#define SL_EACH(l) for (unsigned l = 0; l < 1u; l++)
#define SL_ONE if (!(threadIdx.x & 31u))
#define SL_UNROLLED _Pragma("unroll") /* keeps the indexed arrays in registers */

SL_BANK void sl_meet(void)
{
    __syncwarp();
}

SL_BANK uint32_t sl_ballot(const uint32_t *of)
{
    return __ballot_sync(~0u, of[0] != 0);
}

SL_BANK uint32_t sl_least(const uint32_t *of)
{
    return __reduce_min_sync(~0u, of[0]);
}

SL_BANK uint32_t sl_pick(const uint32_t *of, unsigned lane)
{
    return __shfl_sync(~0u, of[0], (int)lane);
}

SL_BANK uint64_t sl_pick_long(const uint64_t *of, unsigned lane)
{
    return __shfl_sync(~0u, (unsigned long long)of[0], (int)lane);
}

SL_BANK void sl_add_to(uint32_t *sum, uint32_t n)
{
    atomicAdd(sum, n);
}

/* Adds to a sum that all warps share and returns its old value. Called by one lane. */
SL_BANK uint64_t sl_take_from(uint64_t *sum, uint64_t n)
{
    return atomicAdd((unsigned long long *)sum, (unsigned long long)n);
}

/* Compare and swap: stores `value` if the slot is 0. Returns the old value. */
SL_BANK uint32_t sl_claim(uint32_t *place, uint32_t value)
{
    return atomicCAS(place, 0u, value);
}

SL_BANK unsigned sl_first_lane(uint32_t mask)
{
    return (unsigned)__ffs((int)mask) - 1;
}

SL_BANK unsigned sl_lanes_in(uint32_t mask)
{
    return (unsigned)__popc(mask);
}

#else

#define SL_BANK static inline
#define SL_LANES SL_WARP
#define SL_LANE(l) (l)
#define SL_EACH(l) for (unsigned l = 0; l < SL_WARP; l++)
#define SL_ONE
#define SL_UNROLLED

SL_BANK void sl_meet(void)
{
}

SL_BANK uint32_t sl_ballot(const uint32_t *of)
{
    uint32_t mask = 0;
    for (unsigned l = 0; l < SL_WARP; l++)
        mask |= (uint32_t)(of[l] != 0) << l;
    return mask;
}

SL_BANK uint32_t sl_least(const uint32_t *of)
{
    uint32_t least = of[0];
    for (unsigned l = 1; l < SL_WARP; l++)
        least = of[l] < least ? of[l] : least;
    return least;
}

SL_BANK uint32_t sl_pick(const uint32_t *of, unsigned lane)
{
    return of[lane];
}

SL_BANK uint64_t sl_pick_long(const uint64_t *of, unsigned lane)
{
    return of[lane];
}

SL_BANK void sl_add_to(uint32_t *sum, uint32_t n)
{
    *sum += n;
}

SL_BANK uint64_t sl_take_from(uint64_t *sum, uint64_t n)
{
    uint64_t was = *sum;
    *sum += n;
    return was;
}

SL_BANK uint32_t sl_claim(uint32_t *place, uint32_t value)
{
    uint32_t was = *place;
    if (!was)
        *place = value;
    return was;
}

SL_BANK unsigned sl_first_lane(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

SL_BANK unsigned sl_lanes_in(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

#endif

/* Mask of the lanes low .. high - 1. */
SL_BANK uint32_t sl_lanes_between(unsigned low, unsigned high)
{
    uint32_t below_high = high < SL_WARP ? (1u << high) - 1 : ~0u;
    return low < SL_WARP ? below_high & ~((1u << low) - 1) : 0;
}

#endif
