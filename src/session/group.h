/* SPDX-License-Identifier: MIT */
/* Profiles that share a feed: the detectors, and the tables behind them. A group needs nothing
 * of another, only the chunk, its pieces and what its blocks weigh. */
#ifndef SL_GROUP_H
#define SL_GROUP_H

#include "feed.h"
#include "judge.h"
#include "plan.h"
#include "profile.h"
#include "slices.h"

struct sl_group {
    struct sl_feed feed;
    struct sl_judge judge;
    void (*observe)(void *context, const struct sl_batch *batch); /* NULL: nobody looks on */
    void *observe_context;
    const struct sl_machine *machine; /* the session's; NULL: none */
    enum sl_plan plan;
    const struct sl_group *derived_from; /* source of the totals; NULL unless SL_PLAN_DERIVED */
    bool timed;                          /* some table looks at the times of events */
    bool open;
};

/* Whether the profile's events are those of the group. */
bool sl_group_suits(const struct sl_group *group, const struct sl_profile *profile);

/* Takes the profile up; the first one makes the feed. False without memory. */
bool sl_group_join(struct sl_group *group, struct sl_profile *profile);

/* What a group is given by its session, which keeps all of it. */
struct sl_group_host {
    const struct sl_watch *watch;
    const struct sl_judging *judging;
    uint64_t memory_bytes;                    /* for its tables together */
    const struct sl_function_list *functions; /* filled when they are known */
    unsigned helpers;                         /* as sl_table_host has them, for each table: */
    const char *spill_directory;
};

int sl_group_open(struct sl_group *group, const struct sl_group_host *host, struct sl_failure *f);

/* For the plans that count totals: adds the totals of the whole run to the tables. Call once, after
 * the last chunk and after sl_block_pairs_flush(); derived groups come after their source. Returns
 * 0 or an error of a detector, usually SL_ENOMEM. */
int sl_group_add_totals(struct sl_group *group, const struct sl_block_pairs *pairs,
                        struct sl_events *buffer, struct sl_failure *f);

/* The chunk that the pieces are of; `weight` has what its blocks weigh, by the session's metrics.
 * `buffer` has room for SL_EVENTS_MAX events. */
int sl_group_run(struct sl_group *group, const struct sl_pieces *pieces, uint64_t *const *weight,
                 struct sl_events *buffer, struct sl_failure *f);

/* After the last chunk: what detectors held back is given, the tables finish and are judged. */
int sl_group_finish(struct sl_group *group, struct sl_events *buffer, struct sl_failure *f);

void sl_group_close(struct sl_group *group);

#endif
