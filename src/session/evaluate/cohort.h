/* SPDX-License-Identifier: MIT */
/* Tables with the same intervals, and one exact profile of the interval
 * under way for all of them: to count it takes longer than most of the tables do.
 *
 * Tables that get the same events and whose intervals all have the same length
 * (sl_table_kind.interval) begin and end them with the same events. */
#ifndef SL_COHORT_H
#define SL_COHORT_H

#include "measured.h"

struct sl_cohort {
    struct sl_cohort *next;
    struct sl_measured **table; /* the caller's */
    size_t n;
    struct sl_interval_exact exact; /* all of them point to it */
};

/* Takes the table up, in one of the list or in a new one. Out of memory: false. */
bool sl_cohort_join(struct sl_cohort **list, struct sl_measured *table);

/* Gives the batch to all, interval by interval. */
void sl_cohort_observe(struct sl_cohort *cohort, const struct sl_batch *batch);

void sl_cohorts_free(struct sl_cohort *list);

#endif
