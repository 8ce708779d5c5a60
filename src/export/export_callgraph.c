/* Who calls whom and what that costs, as gprof's call graph has it. Each function has a
 * paragraph, above it its callers, below it what it calls:
 *
 *          share        self      called        calls  function
 *
 *                        246  21,176,642          3/3      main [4]
 *     [5]  88.47%        246  21,176,642            3  qsort_r [5]
 *                    990,061  19,943,790     3/59,997      msort_with_tmp [6]
 *                        125       1,938          3/4      malloc [32]
 *
 * In the function's own line: what it cost itself, and what all that it called did; how often
 * it was called, and + how often by itself. In the others' lines: what the calls of one by
 * the other cost, in the same two parts, and how many of all calls of the one that is called
 * those are. Costs of calls are exact (call_costs.h). */
#include <stdlib.h>
#include <string.h>

#include "call_costs.h"
#include "exporter.h"
#include "text_head.h"
#include "text_table.h"
#include "utf8.h"
#include "wording.h"

#define PARAGRAPHS 30 /* unless a number is given */

enum column { INDEX, SHARE, SELF, BELOW, CALLS, NAME, N_COLUMNS };

struct graph {
    const struct sl_call_costs *costs;
    uint32_t *place; /* of a function among the paragraphs, from 1 */
    struct sl_text_table table;
    size_t *ends; /* of paragraphs: rows */
};

static char *name_of(const struct graph *g, uint32_t function, const char *before)
{
    if (function == SL_NO_INDEX)
        return sl_own_format("%s(nobody)", before);
    return sl_own_format("%s%s [%u]", before, g->costs->tree.function[function].name,
                        g->place[function]);
}

static bool add(struct graph *g, char **cell)
{
    bool whole = cell[SELF] && cell[BELOW] && cell[NAME];
    return sl_text_row(&g->table, cell) && whole;
}

static char *grouped(uint64_t number)
{
    char room[SL_GROUPED_ROOM];
    return strdup(sl_grouped(number, room));
}

static bool add_arc(struct graph *g, const struct sl_arc_costs *arc, uint32_t named)
{
    char part[SL_GROUPED_ROOM], all[SL_GROUPED_ROOM];
    const struct sl_call_costs *costs = g->costs;
    char *cell[N_COLUMNS] = {
        [SELF] = grouped(arc->self),
        [BELOW] = grouped(arc->inclusive - arc->self),
        [NAME] = name_of(g, named, "    "),
    };
    if (costs->has_calls)
        cell[CALLS] = sl_own_format("%s/%s", sl_grouped(arc->calls, part),
                                   sl_grouped(costs->function[arc->callee].calls, all));
    return add(g, cell);
}

static bool add_function(struct graph *g, uint32_t function)
{
    const struct sl_call_costs *costs = g->costs;
    const struct sl_function_costs *c = &costs->function[function];
    double total = (double)costs->total;
    char calls[SL_GROUPED_ROOM], own[SL_GROUPED_ROOM];
    char *cell[N_COLUMNS] = {
        [INDEX] = sl_own_format("[%u]", g->place[function]),
        [SHARE] = sl_own_format("%.2f%%", costs->total ? 100 * (double)c->inclusive / total : 0),
        [SELF] = grouped(c->self),
        [BELOW] = grouped(c->inclusive - c->self),
        [NAME] = name_of(g, function, ""),
    };
    if (costs->has_calls)
        cell[CALLS] = sl_own_format("%s%s%s", sl_grouped(c->calls - c->recursive, calls),
                                   c->recursive ? "+" : "",
                                   c->recursive ? sl_grouped(c->recursive, own) : "");
    return add(g, cell);
}

/* The costliest caller is next to the function, as is the costliest that it calls. */
static bool add_paragraph(struct graph *g, uint32_t function)
{
    const struct sl_call_costs *costs = g->costs;
    bool good = true;
    for (size_t i = costs->n_arcs; i-- > 0 && good;)
        if (costs->arc[i].callee == function)
            good = add_arc(g, &costs->arc[i], costs->arc[i].caller);
    good = good && add_function(g, function);
    for (size_t i = 0; i < costs->n_arcs && good; i++)
        if (costs->arc[i].caller == function)
            good = add_arc(g, &costs->arc[i], costs->arc[i].callee);
    return good;
}

static bool add_head(struct graph *g)
{
    char *cell[N_COLUMNS] = {
        [INDEX] = strdup(""), [SHARE] = strdup("share"), [SELF] = strdup("self"),
        [BELOW] = strdup("called"), [CALLS] = g->costs->has_calls ? strdup("calls") : NULL,
        [NAME] = strdup("function"),
    };
    return add(g, cell);
}

static void print_rows(struct graph *g, size_t n, size_t width, FILE *out)
{
    size_t row = 0;
    sl_text_fit(&g->table, width);
    sl_text_print_row(&g->table, row++, width, out);
    for (size_t i = 0; i < n; i++) {
        putc('\n', out);
        while (row < g->ends[i])
            sl_text_print_row(&g->table, row++, width, out);
    }
}

static bool print_paragraphs(const struct sl_call_costs *costs, size_t n, size_t width, FILE *out)
{
    size_t n_functions = costs->tree.n_functions;
    struct graph g = {
        .costs = costs,
        .place = calloc(n_functions + 1, sizeof *g.place),
        .ends = calloc(n + 1, sizeof *g.ends),
        .table = {
            .n_columns = N_COLUMNS,
            .column = {SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT, SL_COLUMN_RIGHT,
                       SL_COLUMN_RIGHT, SL_COLUMN_SHRINKS},
        },
    };
    bool good = g.place && g.ends;
    for (uint32_t i = 0; i < n_functions && good; i++)
        g.place[costs->by_inclusive[i]] = i + 1;
    good = good && add_head(&g);
    for (size_t i = 0; i < n && good; i++) {
        good = add_paragraph(&g, costs->by_inclusive[i]);
        g.ends[i] = g.table.n_cells / N_COLUMNS;
    }
    if (good)
        print_rows(&g, n, width, out);
    sl_text_free(&g.table);
    free(g.place);
    free(g.ends);
    return good;
}

static int write_callgraph(struct sl_database *database, const struct sl_report_config *config, FILE *out,
                           struct sl_failure *f)
{
    struct sl_call_costs costs;
    int result = sl_call_costs_load(&costs, database, f);
    if (result)
        return result;
    size_t n = config->n ? config->n : PARAGRAPHS;
    n = n < costs.tree.n_functions ? n : costs.tree.n_functions;
    result = sl_call_costs_head(&costs, database, "Calls", config, out, f);
    if (!result && !print_paragraphs(&costs, n, sl_text_width(config), out))
        result = sl_report_no_memory(f);
    if (!result)
        sl_call_costs_foot(&costs, n, sl_text_width(config), out);
    sl_call_costs_free(&costs);
    return result;
}

const struct sl_exporter sl_callgraph_exporter = {
    .name = "callgraph",
    .summary = "who calls whom, and what that costs, as gprof's call graph, exactly",
    .usual = SL_CALL_COSTS_USUAL,
    .write = write_callgraph,
};
