/* SPDX-License-Identifier: MIT */
/* Report format `loops`: costs, entries and iterations of loops, the costliest loop first.
 *
 *          %        cost  entries  iterations  per entry  loop
 *     25.78%  6,170,065  213,656     397,337        1.9  msort_with_tmp+0x260..+0x296 msort.c:64-72
 *
 * loop_costs.h says which profiles it needs. The last line has the cost of code in no loop. */
#include "exporter.h"
#include "loop_costs.h"
#include "text.h"

#define ROWS 30 /* unless config->n is set */

enum column { SHARE, COST, ENTRIES, ITERATIONS, PER_ENTRY, NAME, LINES, N_COLUMNS };

static void add_head(struct sl_text_table *table, const struct sl_loop_costs *l)
{
    bool both = l->profile[SL_LOOP_ENTRIES] && l->profile[SL_LOOP_ITERATIONS];
    sl_text_add_row(table, (const char *const[N_COLUMNS]){
                               "%", "cost", l->profile[SL_LOOP_ENTRIES] ? "entries" : NULL,
                               l->profile[SL_LOOP_ITERATIONS] ? "iterations" : NULL,
                               both ? "per entry" : NULL, "loop"});
}

static void add_row(struct sl_text_table *table, const struct sl_loop_costs *l,
                    const struct sl_loop_row *row)
{
    char average[SL_AVERAGE_SIZE];
    const uint64_t *count = row->count;
    sl_text_row(table);
    sl_text_put_percentage(table, SHARE, count[SL_LOOP_COST], l->profile[SL_LOOP_COST]->weight);
    sl_text_put_number(table, COST, count[SL_LOOP_COST]);
    if (l->profile[SL_LOOP_ENTRIES])
        sl_text_put_number(table, ENTRIES, count[SL_LOOP_ENTRIES]);
    if (l->profile[SL_LOOP_ITERATIONS])
        sl_text_put_number(table, ITERATIONS, count[SL_LOOP_ITERATIONS]);
    if (count[SL_LOOP_ENTRIES] && count[SL_LOOP_ITERATIONS])
        sl_text_put(table, PER_ENTRY,
                    sl_average(count[SL_LOOP_ITERATIONS], count[SL_LOOP_ENTRIES], average));
    sl_text_put(table, NAME, row->name);
    sl_text_put(table, LINES, row->lines);
}

static bool print_rows(const struct sl_loop_costs *l, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {.columns = "rrrrrsb"};
    add_head(&table, l);
    for (size_t i = 0; i < n; i++)
        add_row(&table, l, &l->row[i]);
    return sl_text_finish(&table, width, out);
}

static int print(const struct sl_text *t, const struct sl_loop_costs *l)
{
    const struct sl_db_profile *cost = l->profile[SL_LOOP_COST];
    size_t n = t->config->n ? t->config->n : ROWS;
    char more[64] = "";
    n = n < l->n ? n : l->n;
    int printed = sl_text_head(t);
    if (printed < 0)
        return printed;
    fprintf(t->out, "\nLoops by %s\n", cost->metric->units);
    if (!print_rows(l, n, t->width, t->out))
        return sl_report_no_memory(t->f);
    if (l->n > n)
        snprintf(more, sizeof more, "; %s more loops", SL_NUMBER(l->n - n));
    putc('\n', t->out);
    sl_text_paragraph(t->out, t->width, "", "of %s %s, %s (%.2f%%) are in no loop%s",
                      SL_NUMBER(cost->weight), cost->metric->units, SL_NUMBER(l->outside),
                      sl_percent(l->outside, cost->weight), more);
    return 0;
}

static int write_loops(struct sl_database *database, const struct sl_report_config *config,
                       FILE *out, struct sl_failure *f)
{
    struct sl_loop_costs l;
    int result = sl_loop_costs_load(&l, database, f);
    if (!result)
        result = print(&(struct sl_text){database, config, sl_text_width(config), out, f}, &l);
    sl_loop_costs_free(&l);
    return result;
}

#define COUNTS "loop:count", "loop(entries=1):count"

const struct sl_exporter sl_loops_exporter = {
    .name = "loops",
    .summary = "loops: costs, entries, iterations per entry",
    .default_specs = {SL_SPECS("loop", COUNTS), SL_SPECS("loop:cycles", COUNTS)},
    .needs = "loop",
    .write = write_loops,
};
