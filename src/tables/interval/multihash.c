/* SPDX-License-Identifier: MIT */
/* Multi-hash interval profiler (table `multihash`): several tables of counters, each with its own
 * hash function. A rare tuple is mistaken for a frequent one only if it collides with frequent
 * tuples in every table. interval_table.h has the algorithm.
 *
 * Departure: the defaults, 2 tables of 1024 counters with conservative update, reset and retaining,
 * are the best measured ones for long intervals (1M events, 0.1 %, docs/results/interval.md): mean
 * error over twelve programs 1.8 % for values and 1.2 % for edges. The paper's best, 4 tables
 * without reset, has 8.6 % and 0.8 %: without reset, the counters of promoted tuples stay at T, and
 * with hundreds of candidates a rare tuple often finds all of its counters at T. For short
 * intervals (10K events, 1 %) the paper's is better: 0.1 % instead of 0.3 % and 1.1 %; there
 * tables=4,reset=0 also never misses a candidate while the accumulator has a free entry. */
#include "interval_table.h"

static const struct sl_option options[] = {
    SL_INTERVAL_OPTION(SL_UNSIGNED, tables, "2", 1, SL_BYTE_HASH_MAX,
                       "number of tables, each with its own hash function"),
    SL_INTERVAL_OPTION(
        SL_BOOL, conservative, "1",
        "1: conservative update: an event increments only the smallest counters of its tuple"),
    SL_INTERVAL_OPTIONS("1"),
    SL_OPTIONS_END,
};

const struct sl_table_kind sl_table_multihash = {
    .name = "multihash",
    .summary = "finds tuples that make up a given percentage of an interval's events, with several "
               "tables of counters",
    .options = options,
    SL_INTERVAL_KIND,
    .resolve = sl_interval_check,
};
