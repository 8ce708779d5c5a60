/* SPDX-License-Identifier: MIT */
/* Random numbers between 0 and 1, for tests only. */
#ifndef SL_TESTS_RANDOM_UNIT_H
#define SL_TESTS_RANDOM_UNIT_H

#include "random.h"

/* Uniform on [0, 1), 53 bits. */
static inline double random_unit(uint64_t *state)
{
    return (double)(sl_random_next(state) >> 11) * 0x1p-53;
}

#endif
