/* SPDX-License-Identifier: MIT */
/* The part of a stream that is looked at: so many instructions are left out, and after so many
 * more it ends, whoever gave it.
 *
 *     instructions   0            skip                    skip + limit
 *     blocks         |--|---|----|--|==|=====|==|===|==|===|--|----|
 *                                   ^ the first whole one        ^ the one that reaches it ends it
 *
 * Blocks are not cut: the window begins with the first block behind `skip` instructions, and
 * ends behind the block that makes `limit` of them in it, or more. Threads count together, in the
 * order of the stream. What is left out is left out for all, machines included: they begin cold,
 * as after the fast-forwarding of simulators, and call stacks begin empty. */
#ifndef SL_WINDOW_H
#define SL_WINDOW_H

#include "event.h"
#include "statics.h"

/* All zero: the whole stream. */
struct sl_window {
    uint64_t skip, limit; /* instructions; a limit of 0: there is none */
    uint64_t skipped, taken;
    bool begun;          /* something was given */
    bool ended;          /* a block behind it was seen */
    uint32_t thread;     /* whose block was the last that counts */
    uint32_t *block_mem; /* of the chunk in which it begins; sl_window_free frees it */
};

enum sl_window_verdict { SL_WINDOW_DROP, SL_WINDOW_GIVE, SL_WINDOW_END };

/* Leaves of the chunk what is in the window; SL_WINDOW_DROP: that is nothing, SL_WINDOW_END: and
 * neither is what follows. False for memory that is not to be had. */
bool sl_window_cut(struct sl_window *window, const struct sl_statics *statics,
                   struct sl_chunk *chunk, enum sl_window_verdict *verdict);

void sl_window_free(struct sl_window *window);

#endif
