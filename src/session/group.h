/* SPDX-License-Identifier: MIT */
/* Group: the profiles of a session that count the same events, with their tables.
 *
 * Profiles whose specs are equal up to the '@' (detectors, options and metrics) form one group, so
 * that their detectors run once:
 *
 *     pieces of a chunk ─► detectors ─► batch ─┬─► table of profile 1
 *                                              └─► table of profile 2 ...
 *
 * A batch takes two calls: the detectors emit it (detector_set.h), and the group passes it to each
 * table. With --exact, the evaluator (evaluator.h) is between them. It passes the batch on in
 * parts, so that it can compare the tables with an exact table at every point of the error curve.
 *
 * While chunks run, a group reads nothing of other groups and writes only to itself. The worker
 * pool (worker_pool.c) relies on that: it runs several groups at once, each in one thread.
 *
 * Call order: add_profile (once or more), open, sl_plan_choose, run (per chunk),
 * add_totals (if the plan has totals), finish, close. */
#ifndef SL_GROUP_H
#define SL_GROUP_H

#include "detector_set.h"
#include "evaluator.h"

struct sl_group;

/* ---- pieces and slices of a chunk (slices.c) ---- */

struct sl_piece {
    uint32_t block_high, mem_high; /* the first block and access after it */
    bool active;                   /* it is counted */
    bool ends_window;
};

/* Zeroed before its first use. */
struct sl_pieces {
    const struct sl_chunk *chunk;
    const struct sl_exits *exits; /* sl_slice.exits; NULL: no plan needs block pairs */
    struct sl_piece *piece;
    size_t n, capacity;
};

/* State of the division. Set `marked`, `waits` and `window` before the first chunk, and `start` as
 * soon as it is known; everything else is zero at first. */
struct sl_cutter {
    bool marked;          /* count only between region markers */
    bool waits;           /* count nothing before the first block at `start`, in any thread */
    uint64_t start;       /* 0: not known yet */
    uint64_t window;      /* instructions; 0: no windows */
    uint64_t in_window;   /* instructions so far in the current window */
    uint32_t *mark_depth; /* nesting of markers, by thread */
    size_t mark_depth_capacity;
    bool mark_seen;
};

/* Divides the next chunk into pieces, which refer to it. Returns 0 or SL_ENOMEM. */
int sl_cutter_cut(struct sl_cutter *cutter, const struct sl_chunk *chunk,
                  const struct sl_statics *statics, struct sl_pieces *pieces, struct sl_failure *f);

/* Iterator over the slices of a group. */
struct sl_slices {
    const struct sl_pieces *pieces;
    uint32_t blocks_max;
    size_t at; /* the next piece */
    struct sl_slice slice;
    bool ends_window; /* a window ends after the slice */
};

/* The iterator, before the first slice. */
struct sl_slices sl_slices_of(const struct sl_pieces *pieces, uint32_t blocks_max);

/* Advances to the next slice that is not empty. Returns false at the end of the chunk. */
bool sl_slices_next(struct sl_slices *slices);

/* ---- execution plans ---- */

/* How a group gets its events. The session chooses a plan for each group once, before the run. A
 * table in plan.c describes each plan. */
enum sl_plan {
    SL_PLAN_EVENTS,
    SL_PLAN_NGRAMS,
    SL_PLAN_EXITS,
    SL_PLAN_EXIT_TOTALS, /* from here on: tables get totals (sl_group_add_totals), not events */
    SL_PLAN_PAIR_TOTALS,
    SL_PLAN_DERIVED,
    SL_PLANS
};

/* What the plans of all groups need from the session while it runs chunks. */
struct sl_plan_needs {
    bool block_pairs; /* a pass over block pairs (block_pairs.h), with these results: */
    bool counts, exits, loop_exits;
    bool weights; /* the weight of each block, by the session's metrics */
};

/* Chooses the plans of n opened groups and prepares their detectors for them. `whole_chunks`: every
 * chunk is counted as a whole and unchanged; otherwise all plans are SL_PLAN_EVENTS. Call once,
 * after sl_group_open() and before the first chunk. */
void sl_plan_choose(struct sl_group *group, size_t n, bool whole_chunks,
                    struct sl_plan_needs *needs);

/* True if the detectors of the group read chunks. */
static inline bool sl_plan_reads_chunks(enum sl_plan plan)
{
    return plan != SL_PLAN_PAIR_TOTALS && plan != SL_PLAN_DERIVED;
}

/* ---- groups ---- */

/* A profile of a session: its spec, the group that produces its events, and its table. */
struct sl_profile {
    struct sl_profile_spec spec;
    struct sl_group *group;
    const struct sl_detector_env *env; /* the session's */
    uint64_t run;              /* 0: as requested; r: a repetition with a seed higher by r */
    struct sl_profile *repeat; /* its repetitions (--runs), in order */
    size_t n_repeats;
    struct sl_evaluated_table table; /* closed by the session */
};

struct sl_group {
    struct sl_detector_set detectors;
    struct sl_evaluated_table **table; /* of the profiles, which own and close them */
    size_t n_tables, tables_capacity;
    struct sl_evaluator *evaluator; /* NULL without --exact */
    /* Gets each batch before the tables do; NULL: no observer. */
    void (*on_batch)(void *context, const struct sl_batch *batch);
    void *on_batch_context;
    const struct sl_machine *machine; /* the session's CPU model; NULL without -m */
    enum sl_plan plan;
    const struct sl_group *derived_from; /* source of the totals; NULL unless SL_PLAN_DERIVED */
    bool needs_time;                     /* some table reads sl_batch.time */
    bool opened;
};

/* Adds a profile and sets profile->group. The first profile determines the detectors; its spec must
 * outlive the group. Returns false if out of memory. */
bool sl_group_add_profile(struct sl_group *group, struct sl_profile *profile);

/* Opens detectors and tables, which get equal parts of host.memory_bytes. The caller sets the
 * members of `host` that do not depend on the group. `env`, `evaluation` and what `host` points to
 * must outlive the group. Returns 0 or a negative enum sl_error: SL_ENOMEM, SL_EUSAGE if a detector
 * refuses its options, or what a table's init returns. Call sl_group_close() in either case. */
int sl_group_open(struct sl_group *group, const struct sl_detector_env *env,
                  const struct sl_evaluation_config *evaluation, struct sl_table_host host,
                  struct sl_failure *f);

/* For the plans that count totals: adds the totals of the whole run to the tables. Call once, after
 * the last chunk and after sl_block_pairs_flush(); derived groups come after their source. Returns
 * 0 or an error of a detector, usually SL_ENOMEM. */
int sl_group_add_totals(struct sl_group *group, const struct sl_block_pairs *pairs,
                        struct sl_events *buffer, struct sl_failure *f);

/* Counts one chunk, given as pieces. weight[m][b] is the weight of block b by the session's metric
 * m. `buffer` has a capacity of SL_EVENTS_MAX events and may be reused after the return. Returns 0
 * at once if the plan reads no chunks. Returns 0 or the first error of a detector or the evaluator;
 * no further chunk may follow an error. */
int sl_group_run(struct sl_group *group, const struct sl_pieces *pieces, uint64_t *const *weight,
                 struct sl_events *buffer, struct sl_failure *f);

/* Flushes events that detectors held back, finishes the tables and makes the last evaluation. Call
 * once, also after an error, so that what was counted can be saved; a group that was never opened
 * returns 0. Returns 0 or the first error, also one that a table met during the run, but finishes
 * every table in any case. */
int sl_group_finish(struct sl_group *group, struct sl_events *buffer, struct sl_failure *f);

/* An exact profile of the events: the evaluator's, or else a table of the kind `exact`. NULL if
 * there is neither. */
const struct sl_table *sl_group_exact(const struct sl_group *group);

/* Waits until the helper threads of all tables are idle, so that the process can be forked. */
void sl_group_rest(struct sl_group *group);

/* Frees detectors and evaluator; a zeroed group is allowed. The session closes the tables. */
void sl_group_close(struct sl_group *group);

#endif
