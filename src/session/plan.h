/* SPDX-License-Identifier: MIT */
/* Execution plans: an execution plan defines how a group of profiles gets its events. The session
 * chooses a plan for each group once, before the run. */
#ifndef SL_PLAN_H
#define SL_PLAN_H

#include <stdbool.h>
#include <stddef.h>

struct sl_group;

/* A table in plan.c describes each plan. */
enum sl_plan {
    SL_PLAN_EVENTS,
    SL_PLAN_NGRAMS,
    SL_PLAN_EXITS,
    SL_PLAN_EXIT_TOTALS,
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

/* True if the detector reads sl_slice.exits. */
static inline bool sl_plan_reads_exits(enum sl_plan plan)
{
    return plan == SL_PLAN_NGRAMS || plan == SL_PLAN_EXITS || plan == SL_PLAN_EXIT_TOTALS;
}

/* True if the tables get totals at the end of the run (sl_group_add_totals) instead of events. */
static inline bool sl_plan_has_totals(enum sl_plan plan)
{
    return plan >= SL_PLAN_EXIT_TOTALS;
}

#endif
