/* SPDX-License-Identifier: MIT */
/* Options and timing of the branch queue, in which retired branches wait until a hardware profiler
 * processes them (branch_queue.h). */
#include "branch_queue.h"

#include <stdlib.h>

const struct sl_option sl_profiler_options[] = {
    SL_UNSIGNED_FLAGS(
        struct sl_profiler_config, queue, "none", 0, SL_BRANCH_QUEUE_MAX, SL_OPTION_NONE,
        "number of entries of the queue in which retired branches wait for a path profiler"),
    SL_UNSIGNED(
        struct sl_profiler_config, latency, "1", 0, 1000,
        "cycles that the path profiler's table needs to count a path that is already in the table"),
    SL_OPTIONS_END,
};

bool sl_branch_queue_init(struct sl_branch_queue *q, const struct sl_profiler_config *config)
{
    size_t n = config->queue ? (size_t)config->queue : 1;
    *q = (struct sl_branch_queue){.entries = config->queue, .taken = calloc(n, sizeof *q->taken)};
    return q->taken;
}

void sl_branch_queue_free(struct sl_branch_queue *q)
{
    free(q->taken);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t sl_branch_queue_put(struct sl_branch_queue *q, uint64_t cycle, uint32_t work)
{
    if (!work)
        return cycle;
    /* The branch `entries` before this one freed its entry when the profiler removed it. */
    uint64_t put = later(cycle, q->taken[q->at]), taken = later(put + 1, q->done);
    if (!q->entries)
        put = taken - 1;
    q->taken[q->at] = q->entries ? taken : 0;
    q->at = q->at + 1 < q->entries ? q->at + 1 : 0;
    q->done = taken + work;
    return put;
}
