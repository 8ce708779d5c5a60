/* SPDX-License-Identifier: MIT */
/* Linear feedback shift registers (lfsr.h): the taps for each register width, and functions that
 * compute the state after many shifts. Jump table k maps a state to the state after 2^k shifts;
 * applying table k - 1 twice gives table k. A jump over n shifts applies one table for each bit of
 * n that is 1. */
#include "lfsr.h"

#include <stddef.h>

const char *const sl_lfsr_widths[] = {"16", "32", "64", NULL};

const struct sl_lfsr sl_lfsrs[] = {
    {16, {1, 4, 6}},
    {32, {6, 13, 23}},
    {64, {15, 28, 45}},
};

static uint64_t apply(uint64_t (*sum)[16], uint64_t state)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 16; i++)
        out ^= sum[i][state >> 4 * i & 15];
    return out;
}

void sl_lfsr_jumps_init(struct sl_lfsr_jumps *jumps, const struct sl_lfsr *l)
{
    for (unsigned k = 0; k < SL_LFSR_JUMPS; k++)
        for (unsigned bit = 0; bit < l->width; bit++) {
            uint64_t one = UINT64_C(1) << bit, *sum = jumps->sum[k][bit / 4];
            uint64_t then = k ? apply(jumps->sum[k - 1], apply(jumps->sum[k - 1], one))
                              : sl_lfsr_stride(l, one, 1);
            for (unsigned below = 0; below < 1u << bit % 4; below++)
                sum[(1u << bit % 4) + below] = sum[below] ^ then;
        }
}

uint64_t sl_lfsr_jump(const struct sl_lfsr_jumps *jumps, uint64_t state, uint64_t steps)
{
    for (unsigned k = 0; steps; k++, steps >>= 1)
        if (steps & 1)
            state = apply((uint64_t(*)[16])jumps->sum[k], state);
    return state;
}
