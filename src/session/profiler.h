/* SPDX-License-Identifier: MIT */
/* The path profiler as hardware beside the machine, and what it costs.
 *
 * Whether commit has to wait for its branch queue (src/machine/predictors/branch_queue.h) depends
 * on how long it works on each branch, which depends on the paths and on what is in its table;
 * neither depends on the machine. So before the machine runs a chunk, the profiler has
 * seen all of it, and has noted down how many cycles each branch will take:
 *
 *     chunk ──► detector, table ──► work, by block ──► machine: queue, commit
 *        │                                                 ▲
 *        └─────────────────────────────────────────────────┘
 *
 *     push, update, update_count        1 cycle each
 *     pop                               1 + profiler.latency, and if the path is not in the
 *                                       table what that takes for a miss (sl_table_kind.delay)
 *
 * Detector and table are those of the one profile that can be such a profiler, once more:
 * the profile itself gets its events behind the machine, when their weights are known.
 * The two are the same table where the metric is `count`. Where it is another, an event
 * that weighs nothing leaves the profile's table alone, and the one here reckons with a
 * search for each path nevertheless.
 *
 * What it costs is not the cycles in which commit waited: while it does, misses are under
 * way and units work on, and much is made up for behind it. So a second machine without a
 * profiler runs beside; the difference is the cost.
 *
 * Overhead in percent on ss4 with path@hpt, and the published mean of 12 programs:
 *
 *     queue                        0     1     2     4     8    16
 *     bzip2                     8.84  6.96  5.90  5.57  5.27  4.90    busy 59 % of the time
 *     cc1                       3.96  3.61  3.12  2.82  2.63  2.41    busy 43 %
 *     bzip2, profiler.latency=0 3.91              1.37
 *     published                 8.04              0.60
 *
 * What a queue does not hide are loops in which a branch comes back sooner than the four
 * cycles that update, pop and push take. (Were `queue = 0` to mean that commit waits until
 * the profiler is done with the branch itself, bzip2 would lose 16.7 %.)
 *
 * It works on all of the run, whatever --range and --marked leave of the profile.
 *
 * Not modelled: what software takes to read the table out; repair of the stack (longjmp,
 * signals), which in the document handlers do; a stack that spills. */
#ifndef SL_PROFILER_H
#define SL_PROFILER_H

#include "detector.h"
#include "machine.h"
#include "table.h"
#include "group.h"

struct sl_profiler {
    const struct sl_profile *profile;    /* NULL: there is none, and nothing is to be done */
    const struct sl_detector_kind *kind; /* its detector */
    struct sl_machine *machine;          /* the session's */
    struct sl_machine *unhindered;
    struct sl_watch watch;
    struct sl_selection all;
    void *detector;
    bool opened;
    struct sl_table *table; /* NULL: not open */
    struct sl_events events;
    uint8_t *operations; /* by block, likewise: */
    uint32_t *work;
    uint64_t branches, cycles; /* that it worked on, and how long */
};

/* Finds the profile whose profiler the machine's description is about. SL_EUSAGE if none
 * or several can be. `machine` may be NULL. */
int sl_profiler_choose(struct sl_profiler *profiler, struct sl_machine *machine,
                       const struct sl_profile *profile, size_t n, struct sl_failure *f);

int sl_profiler_open(struct sl_profiler *profiler, const struct sl_watch *watch,
                     struct sl_failure *f);

/* New static facts. */
int sl_profiler_sync(struct sl_profiler *profiler, struct sl_failure *f);

/* What the machine has to know of the chunk that it will run next. */
int sl_profiler_run(struct sl_profiler *profiler, const struct sl_chunk *chunk,
                    struct sl_failure *f);

/* Cycles of the run so far without it; 0 if there is none. */
uint64_t sl_profiler_cycles_without(const struct sl_profiler *profiler);

void sl_profiler_close(struct sl_profiler *profiler);

#endif
