/* SPDX-License-Identifier: MIT */
/* Encoding of a path as a tuple: <address of its first instruction, branches>. The second field
 * contains the number of branches in the path and the outcome of each branch:
 *
 *     63          38 37   32 31                 0
 *     |      0      | length |     outcomes     |
 *
 * The outcomes are a binary number of `length` digits in the order of the branches: the first
 * branch is the highest digit, the last is bit 0. 1: taken, or unconditional. So a path can be
 * walked from its start if the code is known; the detector's options say which branches are
 * recorded (path_control.h).
 *
 * A path in flight is stored as its *trail*: the outcomes with a leading 1, so that appending a
 * branch is one shift. */
#ifndef SL_PATH_DESCRIPTOR_H
#define SL_PATH_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#define SL_PATH_DESCRIPTOR_BITS (64u + 6u + 32u) /* in hardware: start, length, outcomes */

#define SL_PATH_LENGTH_MAX 32u
#define SL_PATH_TRAIL_BITS 33 /* of the longest trail */

static inline unsigned sl_path_length(uint64_t value)
{
    return (unsigned)(value >> 32);
}

/* The outcome of branch i, from 0 in the order of the path. */
static inline bool sl_path_taken(uint64_t value, unsigned i)
{
    return value >> (sl_path_length(value) - 1 - i) & 1;
}

/* The second field of the path with this trail, which is not 0. */
static inline uint64_t sl_path_value(uint64_t trail)
{
    unsigned length = 63u - (unsigned)__builtin_clzll(trail);
    return (uint64_t)length << 32 | (trail ^ UINT64_C(1) << length);
}

#endif
