/* SPDX-License-Identifier: MIT */
/* Text report of `sluice report --partition`: which functions to move to hardware.
 *
 *     Functions to move to hardware (assumed 10 times as fast)
 *          cycles       %  faster  energy    after  function     line
 *       3,000,000  75.00%    3.08  70.00%  81.4 µJ  filter       filter.c:12
 *       1,000,000  25.00%    1.29  20.00%   180 µJ  read_sample  main.c:40
 *     Together
 *       3,000,000  75.00%    3.08  70.00%  81.4 µJ  filter       filter.c:12
 *       3,400,000  85.00%    4.26  80.00%  61.6 µJ  + read_sample
 *
 * Each row of the second table includes the rows above it. */
#include "text.h"

#define ROWS 10 /* unless config->n is set */

enum column { COST, SHARE, FASTER, ENERGY_SHARE, ENERGY_LEFT, NAME, LINE, N_COLUMNS };

static void add_head(struct sl_text_table *table, const struct sl_partition *p)
{
    sl_text_add_row(table, (const char *const[N_COLUMNS]){
                               p->metric, "%", "faster", p->has_energy ? "energy" : NULL,
                               p->has_energy ? "after" : NULL, "function"});
}

static void add_row(struct sl_text_table *table, const struct sl_partition *p,
                    const struct sl_candidate *moved, const char *before)
{
    const struct sl_context_function *f = &p->tree.function[moved->function];
    char number[SL_FORMAT_SIZE];
    sl_text_row(table);
    sl_text_put_number(table, COST, moved->cost);
    sl_text_put_percentage(table, SHARE, moved->cost, p->total);
    sl_text_put_format(table, FASTER, "%.2f",
                       sl_partition_speedup(p->factor, moved->cost, p->total));
    sl_text_put_format(table, NAME, "%s%s", before, f->name);
    sl_text_put(table, LINE, f->line);
    if (!p->has_energy)
        return;
    uint64_t left = sl_partition_left(p->factor, moved->energy, p->energy);
    sl_text_put_percentage(table, ENERGY_SHARE, moved->energy, p->energy);
    sl_text_put(table, ENERGY_LEFT, sl_format_energy(left, number));
}

static bool print_tables(const struct sl_partition *p, size_t n, size_t width, FILE *out)
{
    struct sl_text_table table = {.columns = "rrrrrsb"};
    size_t n_alone = n < p->n ? n : p->n;
    add_head(&table, p);
    for (size_t i = 0; i < n_alone; i++)
        add_row(&table, p, &p->candidate[i], "");
    for (size_t i = 0; i < p->n_steps; i++)
        add_row(&table, p, &p->step[i], i ? "+ " : "");
    bool good = !table.failed;
    if (good)
        sl_text_fit(&table, width);
    for (size_t i = 0; good && i < 1 + n_alone + p->n_steps; i++) {
        if (i == 1 + n_alone)
            fputs("\nCumulative: each function together with the functions above it\n", out);
        sl_text_print_row(&table, i, width, out);
    }
    sl_text_free(&table);
    return good;
}

/* Prints remarks below the tables. */
static void print_remarks(const struct sl_partition *p, size_t n, size_t width, FILE *out)
{
    char energy[64] = "", more[64] = "", number[SL_FORMAT_SIZE];
    if (p->has_energy)
        snprintf(energy, sizeof energy, " and %s", sl_format_energy(p->energy, number));
    if (p->n > n)
        snprintf(more, sizeof more, "; %s more functions", SL_NUMBER(p->n - n));
    putc('\n', out);
    sl_text_paragraph(
        out, width, "",
        "of %s %s%s%s; the cost of each function includes its callees; main, its callers and "
        "functions without callers are left out",
        SL_NUMBER(p->total), p->metric, energy, more);
    sl_text_orphans(&p->tree, width, out);
}

int sl_text_partition(const struct sl_text *t, const struct sl_partition *p)
{
    size_t n = t->config->n ? t->config->n : ROWS;
    int printed = sl_text_head(t);
    if (printed < 0)
        return printed;
    fprintf(t->out, "\nFunctions to move to hardware (assumed %g times as fast)\n", p->factor);
    if (!print_tables(p, n, t->width, t->out))
        return sl_report_no_memory(t->f);
    print_remarks(p, n, t->width, t->out);
    return 0;
}
