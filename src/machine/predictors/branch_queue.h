/* SPDX-License-Identifier: MIT */
/* Model of the branch queue of a hardware profiler: retired branches wait in the queue until the
 * profiler processes them.
 *
 * Paper: Vaswani, Thazhuthaveetil, Srikant, "A Programmable Hardware Path Profiler", 2005, section
 * 6.3.
 *
 *     commit ──► | waits | waits | ... | ──► profiler, busy with one branch
 *                  `queue` entries
 *
 * A branch enters the queue in the cycle of its commit. If the queue is full, no later instruction
 * commits until an entry is free. The profiler removes the oldest branch, at the earliest one cycle
 * after it entered, as soon as it has finished the previous one; the entry is free in that cycle.
 *
 * Without entries (queue = 0) a branch goes to the profiler directly, and no later instruction
 * commits until the profiler accepts it.
 *
 * The caller specifies the cycles of work per branch. A branch without work does not enter the
 * queue. */
#ifndef SL_BRANCH_QUEUE_H
#define SL_BRANCH_QUEUE_H

#include "options.h"

#define SL_BRANCH_QUEUE_NONE UINT64_MAX
#define SL_BRANCH_QUEUE_MAX 4096u

struct sl_profiler_config {
    uint64_t queue;   /* entries; SL_BRANCH_QUEUE_NONE: commit does not wait for a profiler */
    uint64_t latency; /* cycles of its table; for the caller */
};

extern const struct sl_option sl_profiler_options[]; /* section `profiler` */

struct sl_branch_queue {
    uint64_t entries;
    uint64_t at;     /* index in `taken` of the oldest of the last `entries` branches */
    uint64_t done;   /* the profiler is idle from this cycle on */
    uint64_t *taken; /* cycle in which the profiler removed each branch */
};

/* Returns false if out of memory. Only for a configuration with a queue. */
bool sl_branch_queue_init(struct sl_branch_queue *queue, const struct sl_profiler_config *config);
void sl_branch_queue_free(struct sl_branch_queue *queue);

/* Adds a branch that commits in `cycle`, not earlier than the previous one, and takes the profiler
 * `work` cycles. Returns the first cycle in which a later instruction can commit. */
uint64_t sl_branch_queue_put(struct sl_branch_queue *queue, uint64_t cycle, uint32_t work);

#endif
