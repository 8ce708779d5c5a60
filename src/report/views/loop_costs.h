/* SPDX-License-Identifier: MIT */
/* Costs, entries and iterations of loops, the costliest loop first. Costs come from the first loop
 * profile with a cost metric, iterations from the first loop profile with the metric `count`, and
 * entries from the first one with the metric `count` and the option entries=1. Entries or
 * iterations without a profile are 0. */
#ifndef SL_LOOP_COSTS_H
#define SL_LOOP_COSTS_H

#include "index_map.h"
#include "db.h"

enum sl_loop_count { SL_LOOP_COST, SL_LOOP_ENTRIES, SL_LOOP_ITERATIONS, SL_LOOP_COUNTS };

struct sl_loop_row {
    uint64_t count[SL_LOOP_COUNTS];
    char *name, *lines; /* `lines` may be NULL */
};

struct sl_loop_costs {
    const struct sl_db_profile *profile[SL_LOOP_COUNTS]; /* NULL: no such profile */
    struct sl_index_map numbers;
    struct sl_loop_row *row; /* the costliest first */
    size_t n, capacity;
    uint64_t outside; /* cost of code in no loop */
    enum sl_loop_count reading;
};

/* Returns 0, SL_EUSAGE if there is no profile of loops by a cost, SL_EFORMAT or SL_ENOMEM. Call
 * sl_loop_costs_free() in either case. */
int sl_loop_costs_load(struct sl_loop_costs *loops, struct sl_database *database,
                       struct sl_failure *f);
void sl_loop_costs_free(struct sl_loop_costs *loops);

#endif
