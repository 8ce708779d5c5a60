/* SPDX-License-Identifier: MIT */
/* The branch queue: where retired branches wait for a profiler that looks at each of them
 * (section 6.3 of the path profiler's document).
 *
 *     commit ──► | waits | waits | ... | ──► profiler, busy with one branch
 *                  `queue` entries
 *
 * A branch is put into the queue in the cycle in which it commits, if there is room. If
 * there is none, nothing behind it is committed before the cycle in which there is. The
 * profiler takes the oldest that waits, the cycle after it was put there at the earliest,
 * as soon as it is done with the one before; the entry is free in that cycle.
 *
 * Without entries (queue = 0) a branch is handed to the profiler itself, and nothing is
 * committed behind it before that has taken it.
 *
 * What the profiler has to do for each branch is not known here: the caller says how many
 * cycles it takes. A branch that takes none is not put into the queue. */
#ifndef SL_BRANCH_QUEUE_H
#define SL_BRANCH_QUEUE_H

#include "options.h"

#define SL_BRANCH_QUEUE_NONE UINT64_MAX
#define SL_BRANCH_QUEUE_MAX 4096u

struct sl_profiler_config {
    uint64_t queue;   /* entries; SL_BRANCH_QUEUE_NONE: no profiler is in the way */
    uint64_t latency; /* cycles of its table; for the caller */
};

extern const struct sl_option sl_profiler_options[]; /* section `profiler` */

struct sl_branch_queue {
    uint64_t entries;
    uint64_t at;     /* in `taken`: the oldest of the latest `entries` branches */
    uint64_t done;   /* from this cycle on the profiler has nothing to do */
    uint64_t *taken; /* when it took each of these */
};

/* False when memory ran out. Only for a configuration that has a queue. */
bool sl_branch_queue_init(struct sl_branch_queue *queue, const struct sl_profiler_config *config);
void sl_branch_queue_free(struct sl_branch_queue *queue);

/* A branch commits in `cycle`, not before the one before it, and will take the profiler
 * `work` cycles. Returns the first cycle in which anything behind it can commit. */
uint64_t sl_branch_queue_put(struct sl_branch_queue *queue, uint64_t cycle, uint32_t work);

#endif
