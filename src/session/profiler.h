/* SPDX-License-Identifier: MIT */
/* Model of a hardware path profiler whose branch queue can stall the CPU model, and of the
 * resulting overhead.
 *
 * Whether commit stalls on the profiler's branch queue (src/machine/predictors/branch_queue.h)
 * depends on the profiler's time per branch, which depends on the paths and on the contents of its
 * table, but not on the CPU model. So the profiler processes each chunk before the CPU model runs
 * it, and records the cycles of each branch:
 *
 *     chunk ──► detector, table ──► work, by block ──► CPU model: queue, commit
 *        │                                                 ▲
 *        └─────────────────────────────────────────────────┘
 *
 *     push, update, update_count        1 cycle each
 *     pop                               1 + profiler.latency, and for a path that is not in the
 *                                       table the table's miss latency (sl_table_kind.delay)
 *
 * Detector and table are second instances of those of the profile that is this profiler; the
 * profile itself gets its events after the CPU model, when their weights are known. With the metric
 * `count` both tables are equal. With another metric, events of weight 0 do not change the
 * profile's table, while the one here is searched for every path.
 *
 * The overhead is not the number of stall cycles of commit: misses and functional units proceed
 * during a stall, and later instructions make up for much of it. So a second CPU model without a
 * profiler runs in parallel; the difference of their cycles is the overhead.
 *
 * docs/results/paths.md compares the overhead of 12 programs with the paper (Vaswani et al., 2005).
 *
 * A queue cannot hide loops in which a branch recurs within the four cycles of update, pop and
 * push. (If `queue = 0` meant that commit waits until the profiler has finished the branch itself,
 * the overhead of bzip2 would be 16.7 %.)
 *
 * The profiler processes the whole run, whatever --range and --marked select for the profile.
 *
 * Not modelled: the time of software that reads the table; repair of the stack (longjmp, signals),
 * which handlers do in the paper; a stack that spills. */
#ifndef SL_PROFILER_H
#define SL_PROFILER_H

#include "detector.h"
#include "machine.h"
#include "table.h"
#include "group.h"

struct sl_profiler {
    const struct sl_profile *profile;    /* NULL: there is no such profiler; calls do nothing */
    const struct sl_detector_kind *kind; /* its detector */
    struct sl_machine *machine;          /* the session's */
    struct sl_machine *unhindered;       /* the same without a profiler */
    struct sl_detector_env env;
    struct sl_selection all;
    void *detector;
    bool opened;
    struct sl_table *table; /* NULL: not open */
    struct sl_events events;
    uint8_t *operations;       /* by block of the chunk: operations on the path stack */
    uint32_t *work;            /* by block of the chunk: cycles */
    uint64_t branches, cycles; /* totals: branches processed, cycles for them */
};

/* Finds the profile whose profiler stalls the CPU model, if that has a branch queue. `machine` may
 * be NULL. Returns 0, or SL_EUSAGE if there is a queue and no profile, or several, can have it. */
int sl_profiler_choose(struct sl_profiler *profiler, struct sl_machine *machine,
                       const struct sl_profile *profile, size_t n, struct sl_failure *f);

/* Opens detector, table and the second CPU model. Returns 0, SL_ENOMEM or an error of one of them.
 * Call sl_profiler_close() in either case. */
int sl_profiler_open(struct sl_profiler *profiler, const struct sl_detector_env *env,
                     struct sl_failure *f);

/* Reads new static facts. Returns 0 or SL_ENOMEM, among others. */
int sl_profiler_sync(struct sl_profiler *profiler, struct sl_failure *f);

/* Fills `work` for a chunk; call before the CPU model runs it. Returns 0 or an error of the
 * detector or the second CPU model. */
int sl_profiler_run(struct sl_profiler *profiler, const struct sl_chunk *chunk,
                    struct sl_failure *f);

void sl_profiler_close(struct sl_profiler *profiler);

#endif
