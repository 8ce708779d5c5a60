/* Multi-hash: the interval profiler with several tables, each with a hash function of
 * its own. A tuple becomes a candidate only where all of its counters say so, so that
 * a rare one has to collide with frequent ones in every table. What it does in detail
 * is in interval_table.h.
 *
 * The defaults are the document's best configuration for long intervals: 4 tables
 * of 512 counters, conservative update, no reset, retaining, 1M events, 0.1 %. */
#include "interval_table.h"

static const struct sl_option options[] = {
    SL_INTERVAL_OPTION(SL_UNSIGNED, tables, "4", 1, SL_BYTE_HASH_MAX,
                       "tables, each with a hash of its own"),
    SL_INTERVAL_OPTION(SL_BOOL, conservative, "1", "raise only the smallest of a tuple's counters"),
    SL_INTERVAL_OPTIONS("0"),
    SL_OPTIONS_END,
};

const struct sl_table_kind sl_table_multihash = {
    .name = "multihash",
    .summary = "every tuple with a given share of an interval, by several tables of counters",
    .options = options,
    SL_INTERVAL_KIND,
    .resolve = sl_interval_check,
};
