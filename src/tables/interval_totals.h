/* SPDX-License-Identifier: MIT */
/* Totals of a run for tables that report their tuples once per interval. The counts of all
 * intervals are added up to one profile of the complete run.
 *
 * A tuple that was not reported for an interval had a count of at most `unlisted_high` there. So
 * with
 *
 *     high = sum over its intervals of (high - unlisted_high) + sum over all of unlisted_high
 *
 * the true count is between `low` and `high` of the total if it is in each interval. */
#ifndef SL_INTERVAL_TOTALS_H
#define SL_INTERVAL_TOTALS_H

#include "index_map.h"
#include "sluice.h"

struct sl_interval_totals {
    struct sl_index_map tuples;   /* index in entry[] */
    struct sl_entry *entry;       /* high: only the first of the two sums, modulo 2^64 */
    struct sl_entry *in_progress; /* of the interval in progress, while draining */
    size_t capacity, in_progress_capacity;
    uint64_t unlisted_high;
    uint64_t memory_bytes;      /* memory limit */
    uint64_t lost, lost_weight; /* entries dropped at the memory limit, and their counts */
};

/* Adds an interval; a callback for sl_table_host.interval with `totals` as context. */
void sl_interval_totals_add(void *totals, const struct sl_interval *interval);

/* Draining: call sl_interval_totals_in_progress() for each entry of the interval in progress, which
 * emits those without a total, then sl_interval_totals_emit() for all others. */
struct sl_interval_totals_drain {
    struct sl_interval_totals *totals;
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
    bool stopped;
};
bool sl_interval_totals_in_progress(void *drain, const struct sl_entry *entry);
void sl_interval_totals_emit(struct sl_interval_totals_drain *drain);

void sl_interval_totals_free(struct sl_interval_totals *totals);

#endif
