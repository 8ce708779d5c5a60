/* SPDX-License-Identifier: MIT */
/* Evaluator: measures the errors of the tables of a group of profiles, by comparing them with an
 * exact profile of the same events (--exact).
 *
 * A session without --exact has no evaluator, and its batches go from the group to the tables
 * directly. With --exact the group hands each batch to the evaluator, which splits it where errors
 * are due and hands the parts to the tables:
 *
 *     batch ─► part ─┬─► exact table of the whole run
 *                    ├─► tables
 *                    ├─► interval evaluators: interval tables, an exact profile of the interval
 *                    └─► windows: a second table per table, emptied at the start of each window
 *
 * Errors of the whole run are measured every `every` events (the points of the error curve) and at
 * the end. */
#ifndef SL_EVALUATOR_H
#define SL_EVALUATOR_H

#include "evaluated_table.h"

/* What to measure. */
struct sl_evaluation_config {
    bool enabled;    /* --exact, or an option that implies it */
    uint64_t every;  /* events between two points of the error curve; 0: one point, at the end */
    uint64_t points; /* points per doubling of the events once the curve is longer; 0: all */
    struct sl_invariance_limits limits;
};

/* ---- totals of a batch ---- */

/* A batch in which the events of a tuple are replaced by one event with the sum of their weights,
 * for tables for which that makes no difference (sl_table_kind.sums_up_to). Repetitions of a table
 * with other seeds (--runs) share it, so that the events are read once for all of them. Zeroed
 * before its first use. */
struct sl_sums {
    struct sl_batch batch; /* the result; valid until the next call */
    uint32_t *tuple_id;
    uint64_t *weight;
    size_t tuple_ids_capacity, weights_capacity;
    uint64_t *sum; /* by tuple id: weight that is not in the batch yet */
    size_t sums_capacity;
    uint32_t *open; /* the tuple ids with such a weight, in order of first appearance */
    size_t n_open, open_capacity;
};

/* Makes sums->batch from `batch`, which must have no values. No sum is above `most`; an event whose
 * own weight is above it is kept, at its position. Returns false if out of memory: there is no
 * batch then. */
bool sl_sums_make(struct sl_sums *sums, const struct sl_batch *batch, uint64_t most);

void sl_sums_free(struct sl_sums *sums);

/* ---- intervals ---- */

/* Interval tables of equal interval length, and one exact profile of the current interval for all
 * of them: counting it takes longer than most of the tables do. Tables that get the same events and
 * whose intervals have the same length (sl_table_kind.interval) start and end them with the same
 * events. */
struct sl_interval_evaluator {
    struct sl_interval_evaluator *next;
    struct sl_evaluated_table **table; /* borrowed */
    size_t n, capacity;
    struct sl_interval_exact exact; /* sl_intervals.exact of all of them */
};

/* ---- windows ---- */

/* Dynamic overlap: the accuracy of a profiler that runs for a short time only (Vaswani et al.,
 * section 6.2).
 *
 * The run is divided into windows of a number of instructions. A table is empty at the start of
 * each window and is compared at its end with the exact profile of the window's events. The table
 * of the profile itself is never emptied, so that a second table of the same kind is needed, with
 * as much memory:
 *
 *     instructions          |   window 0   |   window 1   |   window 2   | rest
 *     table of the profile  |---------------------------------------------------
 *     second table            the same     |--------------|--------------|------
 *
 * In the first window both would be equal, so that the second table is made at its end. A window
 * ends with the block that has the last of its instructions. Events belong to the window in which
 * the detector emits them: a path that starts in one window and ends in the next counts in the
 * next.
 *
 * Excluded are interval tables, which are evaluated by interval, and tables that grow and lose
 * nothing. */
struct sl_windows {
    size_t n_tables; /* that are evaluated by window */
    struct sl_table_host host;
    bool begun;                     /* the first window has ended */
    struct sl_interval_exact exact; /* of the current window, from the second on */
    bool out_of_memory;             /* reported at the end of the window */
};

/* ---- the evaluator ---- */

/* Zeroed before it is opened. */
struct sl_evaluator {
    struct sl_evaluation_config config;
    struct sl_evaluated_table **table; /* of the group */
    size_t n;
    struct sl_table *exact;                  /* of the whole run; NULL: not open */
    struct sl_interval_evaluator *intervals; /* a list, one per interval length */
    struct sl_windows windows;
    uint64_t events;     /* so far */
    uint64_t sums_up_to; /* limit for `sums`: the least of those that use them; 0: unused */
    struct sl_sums sums;
    struct sl_failure failure; /* of a measurement during the run; code 0: none */
};

/* Opens the exact table and the parts that the tables need. The tables are open; the array stays
 * the caller's and must outlive the evaluator. `host` has the memory of one table. Returns 0,
 * SL_ENOMEM, or an error of the exact table's init. Call sl_evaluator_close() in either case. */
int sl_evaluator_open(struct sl_evaluator *evaluator, const struct sl_evaluation_config *config,
                      struct sl_evaluated_table **table, size_t n, const struct sl_table_host *host,
                      struct sl_failure *f);

/* Counts a batch in all tables and measures errors where a point of the curve is due. A failure is
 * reported by sl_evaluator_finish(). */
void sl_evaluator_observe(struct sl_evaluator *evaluator, const struct sl_batch *batch);

/* Ends a window of the run: adds its overlap to each table's, and opens the second tables for the
 * next window. `partial` for the incomplete window at the end of the run, after which no batch
 * follows. Returns 0, SL_ENOMEM or an error of a table's init. */
int sl_evaluator_end_window(struct sl_evaluator *evaluator, const struct sl_tuple_names *names,
                            bool partial, struct sl_failure *f);

/* Makes the last measurement and fills sl_evaluated_table.error. Call once, after the tables have
 * finished. Returns 0, SL_ENOMEM, or the error of an earlier measurement. */
int sl_evaluator_finish(struct sl_evaluator *evaluator, const struct sl_tuple_names *names,
                        struct sl_failure *f);

/* Frees everything but the tables. */
void sl_evaluator_close(struct sl_evaluator *evaluator);

#endif
