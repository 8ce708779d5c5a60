/* SPDX-License-Identifier: MIT */
/* Single-hash interval profiler (table `singlehash`): one table of counters. interval_table.h
 * describes the algorithm. There is no option for conservative update, which needs several tables.
 * The defaults are the paper's best configuration: at the end of an interval, counters are reset
 * and entries are retained. */
#include "interval_table.h"

static const struct sl_option options[] = {
    SL_INTERVAL_OPTIONS("1"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_interval_config *c = config;
    c->tables = 1;
    return sl_interval_check(config, f);
}

const struct sl_table_kind sl_table_singlehash = {
    .name = "singlehash",
    .summary = "finds tuples that make up a given percentage of an interval's events, with one "
               "table of counters",
    .options = options,
    SL_INTERVAL_KIND,
    .resolve = resolve,
};
