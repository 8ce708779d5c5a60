/* What each function costs itself, as gprof's flat profile has it:
 *
 *      share     sum        self    calls  self/call  total/call  function
 *     68.89%  68.89%  16,490,806   59,997      274.9       348.9  msort_with_tmp  msort.c:39
 *      9.81%  78.70%   2,347,656  782,552        3.0         3.0  cmp             fib.c:4
 *
 * Per call: what it cost itself, and with all that it called. Recursion is counted once in the
 * total, but each call in the number. */
#include <stdlib.h>
#include <string.h>

#include "call_costs.h"
#include "exporter.h"
#include "text_head.h"
#include "text_table.h"
#include "utf8.h"
#include "wording.h"

#define ROWS 30 /* unless a number is given */

enum column { SHARE, SUM, SELF, CALLS, SELF_CALL, TOTAL_CALL, NAME, LINE, N_COLUMNS };

static bool add_head(struct sl_text_table *table, const struct sl_call_costs *costs)
{
    char *cell[N_COLUMNS] = {
        [SHARE] = strdup("share"), [SUM] = strdup("sum"), [SELF] = strdup("self"),
        [CALLS] = costs->has_calls ? strdup("calls") : NULL,
        [SELF_CALL] = costs->has_calls ? strdup("self/call") : NULL,
        [TOTAL_CALL] = costs->has_calls ? strdup("total/call") : NULL,
        [NAME] = strdup("function"),
    };
    bool whole = cell[SHARE] && cell[SUM] && cell[SELF] && cell[NAME];
    return sl_text_row(table, cell) && whole;
}

static char *percent(uint64_t part, uint64_t whole)
{
    return sl_own_format("%.2f%%", whole ? 100.0 * (double)part / (double)whole : 0);
}

static bool add_row(struct sl_text_table *table, const struct sl_call_costs *costs,
                    uint32_t function, uint64_t sum)
{
    const struct sl_context_function *f = &costs->tree.function[function];
    const struct sl_function_costs *c = &costs->function[function];
    char number[SL_GROUPED_ROOM], average[SL_AVERAGE_ROOM];
    char *cell[N_COLUMNS] = {
        [SHARE] = percent(c->self, costs->total),
        [SUM] = percent(sum, costs->total),
        [SELF] = strdup(sl_grouped(c->self, number)),
        [NAME] = strdup(f->name),
        [LINE] = f->line ? strdup(f->line) : NULL,
    };
    if (c->calls) {
        cell[CALLS] = strdup(sl_grouped(c->calls, number));
        cell[SELF_CALL] = strdup(sl_average(c->self, c->calls, average));
        cell[TOTAL_CALL] = strdup(sl_average(c->inclusive, c->calls, average));
    }
    bool whole = cell[SHARE] && cell[SUM] && cell[SELF] && cell[NAME];
    return sl_text_row(table, cell) && whole;
}

static bool print_rows(const struct sl_call_costs *costs, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {
        .n_columns = N_COLUMNS,
        .column = {SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT,
                   SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_SHRINKS,
                   SL_COLUMN_SHRINKS | SL_COLUMN_GOES},
    };
    uint64_t sum = 0;
    bool good = add_head(&table, costs);
    for (size_t i = 0; i < n && good; i++) {
        sum += costs->function[costs->by_self[i]].self;
        good = add_row(&table, costs, costs->by_self[i], sum);
    }
    if (good) {
        sl_text_fit(&table, width);
        sl_text_print(&table, width, out);
    }
    sl_text_free(&table);
    return good;
}

static int write_flat(struct sl_database *database, const struct sl_report_config *config, FILE *out,
                      struct sl_failure *f)
{
    struct sl_call_costs costs;
    int result = sl_call_costs_load(&costs, database, f);
    if (result)
        return result;
    size_t width = sl_text_width(config), n = config->n ? config->n : ROWS;
    n = n < costs.tree.n_functions ? n : costs.tree.n_functions;
    result = sl_call_costs_head(&costs, database, "Functions", config, out, f);
    if (!result && !print_rows(&costs, n, width, out))
        result = sl_report_no_memory(f);
    if (!result)
        sl_call_costs_foot(&costs, n, width, out);
    sl_call_costs_free(&costs);
    return result;
}

const struct sl_exporter sl_flat_exporter = {
    .name = "flat",
    .summary = "functions and their calls, as gprof's flat profile, exactly",
    .usual = SL_CALL_COSTS_USUAL,
    .write = write_flat,
};
