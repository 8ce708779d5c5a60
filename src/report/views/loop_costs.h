/* SPDX-License-Identifier: MIT */
/* Loops with what they cost, how often they were entered, and their iterations, the costliest
 * first: from the first profile of loops that is not by count, and the first ones by count of
 * iterations and of trips, if there are such. */
#ifndef SL_LOOP_COSTS_H
#define SL_LOOP_COSTS_H

#include "index_map.h"
#include "saved.h"

enum sl_loop_figure { SL_LOOP_COST, SL_LOOP_TRIPS, SL_LOOP_ITERATIONS, SL_LOOP_FIGURES };

struct sl_loop_row {
    uint64_t figure[SL_LOOP_FIGURES];
    char *name, *lines; /* the second may be NULL */
};

struct sl_loop_costs {
    const struct sl_saved_profile *profile[SL_LOOP_FIGURES]; /* NULL: there is none */
    struct sl_index_map numbers;
    struct sl_loop_row *row; /* by number, and then by cost */
    size_t n, room;
    uint64_t outside; /* what was in no loop cost so much */
    enum sl_loop_figure reading;
};

/* SL_EUSAGE if there is no profile of loops by a cost, SL_EFORMAT, SL_ENOMEM; to be freed all the
 * same. */
int sl_loop_costs_load(struct sl_loop_costs *loops, struct sl_database *database,
                       struct sl_failure *f);
void sl_loop_costs_free(struct sl_loop_costs *loops);

#endif
