/* SPDX-License-Identifier: MIT */
/* Totals over all intervals of an interval profiler, for a table whose host does not receive
 * intervals (sl_table_open() in sluice.h).
 *
 * A tuple that was no candidate of an interval had at most `unlisted_high` events there. So with
 *
 *     high = sum over its intervals of (high - unlisted_high) + sum over all of unlisted_high
 *
 * the true total is between `low` and `high` if this is true in each interval. */
#ifndef SL_INTERVAL_TOTALS_H
#define SL_INTERVAL_TOTALS_H

#include "index_map.h"
#include "sluice.h"

struct sl_interval_totals {
    struct sl_index_map tuples; /* their indices in entry[] */
    struct sl_entry *entry;     /* `high` is only the first sum, modulo 2^64 */
    struct sl_entry *under_way; /* entries of the current interval, during a drain */
    size_t room, room_under_way;
    uint64_t unlisted_high;
    uint64_t memory_bytes;      /* limit */
    uint64_t lost, lost_weight; /* candidates dropped at the limit */
};

/* sl_table_host.interval with a struct sl_interval_totals as context. */
void sl_interval_totals_add(void *totals, const struct sl_interval *interval);

/* Draining, in two steps: sl_interval_totals_under_way() for each entry of the current interval,
 * which emits tuples without a total; then sl_interval_totals_emit(), which emits all totals. */
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
