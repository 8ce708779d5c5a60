/* SPDX-License-Identifier: MIT */
/* Names of calling contexts: a function called in a context gets one from that context's name and
 * its own address, so that a list of <function, name of its caller's context> has the whole tree
 * in it. Two contexts with the same name are not to be expected: among a million, with a
 * probability of 2e-6.
 *
 *     63                          6 5            0
 *     |  name of the caller        |   depth     |      the second word of a context
 *
 * The depth is 0 for a function that was called. For one that was inlined it is that of its frame
 * at the address that is the first word: 1 in the function itself, 2 in that frame, and so on. */
#ifndef SL_CONTEXT_NAME_H
#define SL_CONTEXT_NAME_H

#include "hash.h"

#define SL_CONTEXT_NONE UINT64_C(0)  /* of whoever calls a function that has no caller */
#define SL_CONTEXT_BEYOND UINT64_MAX /* of callers that are not known: too many contexts */
#define SL_CONTEXT_DEPTH                                                     \
    UINT64_C(63) /* bits of the depth; what is inlined deeper counts so deep \
                  */

static inline uint64_t sl_context_name(uint64_t second, uint64_t first)
{
    uint64_t name = sl_mix_pair(second, first) & ~SL_CONTEXT_DEPTH;
    return name == SL_CONTEXT_NONE || name == (SL_CONTEXT_BEYOND & ~SL_CONTEXT_DEPTH)
               ? SL_CONTEXT_DEPTH + 1
               : name;
}

/* The two parts of a second word. */
static inline uint64_t sl_context_caller(uint64_t second)
{
    return second == SL_CONTEXT_BEYOND ? second : second & ~SL_CONTEXT_DEPTH;
}

static inline unsigned sl_context_depth(uint64_t second)
{
    return second == SL_CONTEXT_BEYOND ? 0 : (unsigned)(second & SL_CONTEXT_DEPTH);
}

#endif
