/* SPDX-License-Identifier: MIT */
/* Costs, entries and iterations of loops, the costliest first: from the first profile of loops that
 * is not by count, and the first ones by count of iterations and of entries (trips=1), if there are
 * such. */
#ifndef SL_LOOP_COSTS_H
#define SL_LOOP_COSTS_H

#include "index_map.h"
#include "db.h"

enum sl_loop_figure { SL_LOOP_COST, SL_LOOP_TRIPS, SL_LOOP_ITERATIONS, SL_LOOP_FIGURES };

struct sl_loop_row {
    uint64_t figure[SL_LOOP_FIGURES];
    char *name, *lines; /* `lines` may be NULL */
};

struct sl_loop_costs {
    const struct sl_db_profile *profile[SL_LOOP_FIGURES]; /* NULL: no such profile */
    struct sl_index_map numbers;
    struct sl_loop_row *row; /* the costliest first */
    size_t n, capacity;
    uint64_t outside; /* cost of code in no loop */
    enum sl_loop_figure reading;
};

/* Returns 0, SL_EUSAGE if there is no profile of loops by a cost, SL_EFORMAT or SL_ENOMEM. Call
 * sl_loop_costs_free() in either case. */
int sl_loop_costs_load(struct sl_loop_costs *loops, struct sl_database *database,
                       struct sl_failure *f);
void sl_loop_costs_free(struct sl_loop_costs *loops);

#endif
