/* SPDX-License-Identifier: MIT */
/* What the candidates of all intervals add up to: for those who want one profile of a table
 * that reports interval by interval, and no reports.
 *
 * A tuple that was no candidate of an interval had at most `unlisted_high` there. So with
 *
 *     high = sum over its intervals of (high - unlisted_high) + sum over all of unlisted_high
 *
 * the true count is between `low` and `high` of a total where it is so in each interval. */
#ifndef SL_INTERVAL_TOTALS_H
#define SL_INTERVAL_TOTALS_H

#include "index_map.h"
#include "sluice.h"

struct sl_interval_totals {
    struct sl_index_map tuples; /* their places in entry[] */
    struct sl_entry *entry;     /* high: only the first sum, modulo 2^64 */
    struct sl_entry *under_way; /* of the interval under way, while draining */
    size_t room, room_under_way;
    uint64_t unlisted_high;
    uint64_t memory_bytes;      /* it grows no further */
    uint64_t lost, lost_weight; /* candidates that came when there was no more memory */
};

/* As sl_table_host.interval, `totals` being the context. */
void sl_interval_totals_add(void *totals, const struct sl_interval *interval);

/* To drain totals: first what the interval under way has, each entry of it, which emits those
 * that have no total yet; then all others. */
struct sl_interval_totals_drain {
    struct sl_interval_totals *totals;
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
    bool stopped;
};
bool sl_interval_totals_under_way(void *drain, const struct sl_entry *entry);
void sl_interval_totals_emit(struct sl_interval_totals_drain *drain);

void sl_interval_totals_free(struct sl_interval_totals *totals);

#endif
