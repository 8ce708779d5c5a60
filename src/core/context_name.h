/* Names of calling contexts: 64 bits that a function called in a context gets from that
 * context's name and its own address, so that a list of <function, name of its caller's
 * context> has the whole tree in it. Two contexts with the same name are not to be expected:
 * among a million, with a probability of 3e-8. */
#ifndef SL_CONTEXT_NAME_H
#define SL_CONTEXT_NAME_H

#include "hash.h"

#define SL_CONTEXT_NONE UINT64_C(0)    /* of whoever calls a function that has no caller */
#define SL_CONTEXT_BEYOND UINT64_MAX   /* of callers that are not known: too many contexts */

static inline uint64_t sl_context_name(uint64_t caller, uint64_t function)
{
    uint64_t name = sl_mix_pair(caller, function);
    return name == SL_CONTEXT_NONE || name == SL_CONTEXT_BEYOND ? 1 : name;
}

#endif
