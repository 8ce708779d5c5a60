/* SPDX-License-Identifier: MIT */
/* Single-hash interval profiler (`singlehash`): one table of counters (interval_table.h), so that
 * conservative update has no meaning. The defaults are the paper's best: reset and retaining. */
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
    .summary = "every tuple with a given share of an interval, by one table of counters",
    .options = options,
    SL_INTERVAL_KIND,
    .resolve = resolve,
};
