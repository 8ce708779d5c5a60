/* SPDX-License-Identifier: MIT */
/* When each instruction was committed: what a profiler in hardware can see of time.
 *
 *     committed   a b . . . . c d      cycles in which nothing was are lost
 *     after       3 0         5 0      cycles since the one before
 *     flushed                 2        of those, while the machine was empty since the one before
 *                                      had been predicted wrong, or had to be alone
 *     early       1 1         2 3      since it was dispatched
 *
 * The `after` of all instructions add up to the cycles of the core. What accesses that come with
 * a later chunk than their block take (machine.h) is not among them. */
#ifndef SL_COMMIT_LOG_H
#define SL_COMMIT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct sl_ops;

struct sl_commit {
    uint32_t after, flushed, early;
};

/* Committed in `cycle`, dispatched in `dispatched`, the one before committed in `before`. */
static inline void sl_commit_note(struct sl_commit *to, uint64_t before, uint64_t dispatched,
                                  uint64_t cycle, bool flushed)
{
    uint64_t empty = flushed && dispatched > before + 1 ? dispatched - before - 1 : 0;
    *to = (struct sl_commit){.after = (uint32_t)(cycle - before),
                             .flushed = (uint32_t)empty,
                             .early = (uint32_t)(cycle - dispatched)};
}

/* Of a chunk. A struct of zeroes is empty. */
struct sl_commit_log {
    struct sl_commit *commit;
    uint32_t *first; /* by block: its first instruction's; behind the last, where all ends */
    size_t room_commits, room_firsts;
};

/* Makes room for the chunk's instructions; false when memory ran out. */
bool sl_commit_log_begin(struct sl_commit_log *log, const struct sl_ops *ops,
                         const struct sl_chunk *chunk);

void sl_commit_log_free(struct sl_commit_log *log);

#endif
