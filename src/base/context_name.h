/* SPDX-License-Identifier: MIT */
/* 64-bit names of calling contexts. The name of a context is a hash of the address of its function
 * and the name of its caller. Therefore, a list of pairs <function, name of the caller> describes
 * the whole calling context tree. The probability that any two of a million contexts have the same
 * name is 2e-6.
 *
 *     63                          6 5            0
 *     |  name of the caller        |   depth     |      second field of a context
 *
 * The depth is 0 for a called function. For an inlined function it is the depth of its inline frame
 * at the address in the first field: 1 if it is inlined in the function itself, 2 in that frame,
 * and so on. */
#ifndef SL_CONTEXT_NAME_H
#define SL_CONTEXT_NAME_H

#include "hash.h"

#define SL_CONTEXT_NONE UINT64_C(0)   /* name of the caller of a root function */
#define SL_CONTEXT_BEYOND UINT64_MAX  /* unknown callers, because of too many contexts */
#define SL_CONTEXT_DEPTH UINT64_C(63) /* mask, and largest value, of the depth */

static inline uint64_t sl_context_name(uint64_t second, uint64_t first)
{
    uint64_t name = sl_mix_pair(second, first) & ~SL_CONTEXT_DEPTH;
    return name == SL_CONTEXT_NONE || name == (SL_CONTEXT_BEYOND & ~SL_CONTEXT_DEPTH)
               ? SL_CONTEXT_DEPTH + 1
               : name;
}

/* The two parts of a second field. */
static inline uint64_t sl_context_caller(uint64_t second)
{
    return second == SL_CONTEXT_BEYOND ? second : second & ~SL_CONTEXT_DEPTH;
}

static inline unsigned sl_context_depth(uint64_t second)
{
    return second == SL_CONTEXT_BEYOND ? 0 : (unsigned)(second & SL_CONTEXT_DEPTH);
}

#endif
