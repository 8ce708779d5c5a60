/* SPDX-License-Identifier: MIT */
/* Report format `flat`: self costs of functions, like gprof's flat profile.
 *
 *          %     sum        self    calls  self/call  total/call  function
 *     68.89%  68.89%  16,490,806   59,997      274.9       348.9  msort_with_tmp  msort.c:39
 *      9.81%  78.70%   2,347,656  782,552        3.0         3.0  cmp             fib.c:4
 *
 * Per call: self cost and inclusive cost. Recursive calls are counted in the number of calls; their
 * cost is counted once. */
#include "exporter.h"
#include "text.h"

enum column { SHARE, SUM, SELF, CALLS, SELF_CALL, TOTAL_CALL, NAME, LINE, N_COLUMNS };

static void add_head(struct sl_text_table *table, const struct sl_call_costs *costs)
{
    bool calls = costs->has_calls;
    sl_text_add_row(table,
                    (const char *const[N_COLUMNS]){"%", "sum", "self", calls ? "calls" : NULL,
                                                   calls ? "self/call" : NULL,
                                                   calls ? "total/call" : NULL, "function"});
}

static void add_row(struct sl_text_table *table, const struct sl_call_costs *costs,
                    uint32_t function, uint64_t sum)
{
    const struct sl_context_function *f = &costs->tree.function[function];
    const struct sl_function_costs *c = &costs->function[function];
    char average[SL_AVERAGE_SIZE];
    sl_text_row(table);
    sl_text_put_percentage(table, SHARE, c->self, costs->total);
    sl_text_put_percentage(table, SUM, sum, costs->total);
    sl_text_put_number(table, SELF, c->self);
    sl_text_put_format(table, NAME, "%s%s", f->name, f->inlined ? " [inlined]" : "");
    sl_text_put(table, LINE, f->line);
    if (!c->calls)
        return;
    sl_text_put_number(table, CALLS, c->calls);
    sl_text_put(table, SELF_CALL, sl_average(c->self, c->calls, average));
    sl_text_put(table, TOTAL_CALL, sl_average(c->inclusive, c->calls, average));
}

static bool print_rows(const struct sl_call_costs *costs, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {.columns = "rrrrrrsb"};
    uint64_t sum = 0;
    add_head(&table, costs);
    for (size_t i = 0; i < n; i++) {
        sum += costs->function[costs->by_self[i]].self;
        add_row(&table, costs, costs->by_self[i], sum);
    }
    return sl_text_finish(&table, width, out);
}

static int write_flat(struct sl_database *database, const struct sl_report_config *config,
                      FILE *out, struct sl_failure *f)
{
    return sl_text_call_costs(database, config, "Functions", print_rows, out, f);
}

const struct sl_exporter sl_flat_exporter = {
    .name = "flat",
    .summary = "self costs and calls of functions, like gprof's flat profile, but exact",
    .default_specs = SL_CALL_COSTS_SPECS,
    .needs = "context",
    .write = write_flat,
};
