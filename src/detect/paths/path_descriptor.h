/* SPDX-License-Identifier: MIT */
/* A path as a tuple: <address of its first instruction, branches>. The second word
 * says how many branches it has and what each did:
 *
 *     63          38 37   32 31                 0
 *     |      0      | length |     outcomes     |
 *
 * The outcomes are a number of `length` binary digits, in the order of the branches:
 * the first branch is the highest of them, the last is bit 0. 1: it was taken, or
 * cannot but be. So a path can be walked from its start, if its branches are known in
 * the code: which of them are in it, and which were passed over, the detector's options
 * say (path_control.h).
 *
 * A path under way is kept as its *trail*: the outcomes with a 1 in front of them, which
 * is all that appending a branch has to shift. */
#ifndef SL_PATH_DESCRIPTOR_H
#define SL_PATH_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#define SL_PATH_DESCRIPTOR_BITS (64u + 6u + 32u) /* in hardware: start, length, outcomes */

#define SL_PATH_LENGTH_MAX 32u
#define SL_PATH_TRAIL_BITS 33 /* of the longest path's trail */

static inline unsigned sl_path_length(uint64_t value)
{
    return (unsigned)(value >> 32);
}

/* What branch i did, from 0 in the order of the path. */
static inline bool sl_path_taken(uint64_t value, unsigned i)
{
    return value >> (sl_path_length(value) - 1 - i) & 1;
}

/* The second word of the path with this trail, which is not 0. */
static inline uint64_t sl_path_value(uint64_t trail)
{
    unsigned length = 63u - (unsigned)__builtin_clzll(trail);
    return (uint64_t)length << 32 | (trail ^ UINT64_C(1) << length);
}

#endif
