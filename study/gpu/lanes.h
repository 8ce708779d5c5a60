/* SPDX-License-Identifier: MIT */
/* A warp of 32 lanes, on the card and on the processor: what the banks' steps are written in.
 *
 * On the card a lane is a thread, and what each lane has is one of its registers. On the processor
 * a warp is one thread that goes through its lanes, and what each lane has is an array. So one
 * source says both:
 *
 *     uint32_t slot[SL_LANES];                 one for each lane; on the card this is one element
 *     SL_EACH(l) slot[l] = find(SL_LANE(l));   all lanes; what is outside of it all of them do
 *                                              alike
 *     uint32_t hits = sl_ballot(slot);         a bit for each lane whose element is not 0
 *     sl_meet();                               what a lane wrote, all of them may read now
 *
 * A lane writes nothing in a SL_EACH that another lane reads in the same one. */
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
#define SL_UNROLLED _Pragma("unroll") /* what it indexes is then in registers */

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

/* Of a sum that all warps share: what it was. One lane calls it. */
SL_BANK uint64_t sl_take_from(uint64_t *sum, uint64_t n)
{
    return atomicAdd((unsigned long long *)sum, (unsigned long long)n);
}

/* What was there; it is `value` now if that was 0. */
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

/* Lanes low .. high - 1. */
SL_BANK uint32_t sl_lanes_between(unsigned low, unsigned high)
{
    uint32_t below_high = high < SL_WARP ? (1u << high) - 1 : ~0u;
    return low < SL_WARP ? below_high & ~((1u << low) - 1) : 0;
}

#endif
