/* SPDX-License-Identifier: MIT */
/* Report format `callgraph`: costs of functions and of the calls between them, like gprof's call
 * graph. Each paragraph shows one function, with its callers above it and its callees below it:
 *
 *              %        self      called        calls  function
 *
 *                        246  21,176,642          3/3      main [4]
 *     [5]  88.47%        246  21,176,642            3  qsort_r [5]
 *                    990,061  19,943,790     3/59,997      msort_with_tmp [6]
 *                        125       1,938          3/4      malloc [32]
 *
 * The function's own row has its self cost and that of its callees, the number of calls, and + the
 * number of recursive calls. The other rows have the cost of the calls between the two functions,
 * divided in the same way, and their number out of all calls of the callee. Costs of calls are
 * exact (call_costs.h). */
#include <stdlib.h>

#include "exporter.h"
#include "text.h"

enum column { INDEX, SHARE, SELF, BELOW, CALLS, NAME, N_COLUMNS };

struct graph {
    const struct sl_call_costs *costs;
    uint32_t *number; /* by function: number of its paragraph, from 1 */
    struct sl_text_table table;
    size_t *ends; /* by paragraph: the row after its last one */
};

static void put_name(struct graph *g, uint32_t function, const char *before)
{
    if (function == SL_NO_INDEX)
        sl_text_put_format(&g->table, NAME, "%s(no caller)", before);
    else
        sl_text_put_format(
            &g->table, NAME, "%s%s%s [%u]", before, g->costs->tree.function[function].name,
            g->costs->tree.function[function].inlined ? " [inlined]" : "", g->number[function]);
}

static void add_arc(struct graph *g, const struct sl_arc_costs *arc, uint32_t named)
{
    const struct sl_call_costs *costs = g->costs;
    sl_text_row(&g->table);
    sl_text_put_number(&g->table, SELF, arc->self);
    sl_text_put_number(&g->table, BELOW, arc->inclusive - arc->self);
    if (costs->has_calls && costs->function[arc->callee].calls)
        sl_text_put_format(&g->table, CALLS, "%s/%s", SL_NUMBER(arc->calls),
                           SL_NUMBER(costs->function[arc->callee].calls));
    put_name(g, named, "    ");
}

static void add_function(struct graph *g, uint32_t function)
{
    const struct sl_call_costs *costs = g->costs;
    const struct sl_function_costs *c = &costs->function[function];
    sl_text_row(&g->table);
    sl_text_put_format(&g->table, INDEX, "[%u]", g->number[function]);
    sl_text_put_percentage(&g->table, SHARE, c->inclusive, costs->total);
    sl_text_put_number(&g->table, SELF, c->self);
    sl_text_put_number(&g->table, BELOW, c->inclusive - c->self);
    if (c->calls)
        sl_text_put_format(&g->table, CALLS, "%s%s%s", SL_NUMBER(c->calls - c->recursive),
                           c->recursive ? "+" : "", c->recursive ? SL_NUMBER(c->recursive) : "");
    put_name(g, function, "");
}

/* The costliest caller and the costliest callee are next to the function. */
static void add_paragraph(struct graph *g, uint32_t function)
{
    const struct sl_call_costs *costs = g->costs;
    for (size_t i = costs->n_arcs; i-- > 0;)
        if (costs->arc[i].callee == function)
            add_arc(g, &costs->arc[i], costs->arc[i].caller);
    add_function(g, function);
    for (size_t i = 0; i < costs->n_arcs; i++)
        if (costs->arc[i].caller == function)
            add_arc(g, &costs->arc[i], costs->arc[i].callee);
}

static void add_head(struct graph *g)
{
    const char *calls = g->costs->has_calls ? "calls" : NULL;
    sl_text_add_row(&g->table,
                    (const char *const[N_COLUMNS]){"", "%", "self", "called", calls, "function"});
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
        .number = calloc(n_functions + 1, sizeof *g.number),
        .ends = calloc(n + 1, sizeof *g.ends),
        .table = {.columns = "rrrrrs"},
    };
    bool good = g.number && g.ends;
    for (uint32_t i = 0; i < n_functions && good; i++)
        g.number[costs->by_inclusive[i]] = i + 1;
    if (good)
        add_head(&g);
    for (size_t i = 0; i < n && good; i++) {
        add_paragraph(&g, costs->by_inclusive[i]);
        g.ends[i] = sl_text_n_rows(&g.table);
        good = !g.table.failed;
    }
    if (good)
        print_rows(&g, n, width, out);
    sl_text_free(&g.table);
    free(g.number);
    free(g.ends);
    return good;
}

static int write_callgraph(struct sl_database *database, const struct sl_report_config *config,
                           FILE *out, struct sl_failure *f)
{
    return sl_text_call_costs(database, config, "Calls", print_paragraphs, out, f);
}

const struct sl_exporter sl_callgraph_exporter = {
    .name = "callgraph",
    .summary = "functions with callers and callees, like gprof's call graph, but exact",
    .default_specs = SL_CALL_COSTS_SPECS,
    .needs = "context",
    .write = write_callgraph,
};
