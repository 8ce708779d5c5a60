/* SPDX-License-Identifier: MIT */
/* Draws the table of functions of `sluice top`: self and total percentages of the interval, bars
 * for the self percentage in the last intervals, name, module and source line. Columns are left
 * out from the right, and the bars last, as long as a name would lose its middle. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define GAP 2u
#define PERCENT_COLUMNS 7u
#define NAME_MIN 12u
#define MODULE_MAX 24u
#define WHERE_MAX 32u
#define LAYOUTS 4u

/* Widths of columns; 0: left out. */
struct layout {
    unsigned total, history, name, module, where;
};

typedef const struct cli_top_function *row_pointer;

static int by_self(const void *left, const void *right)
{
    row_pointer a = *(const row_pointer *)left, b = *(const row_pointer *)right;
    if (a->self != b->self)
        return a->self > b->self ? -1 : 1;
    return a->total != b->total ? (a->total > b->total ? -1 : 1) : strcmp(a->name, b->name);
}

static int by_total(const void *left, const void *right)
{
    row_pointer a = *(const row_pointer *)left, b = *(const row_pointer *)right;
    return a->total != b->total ? (a->total > b->total ? -1 : 1) : by_self(left, right);
}

/* ---- widths ---- */

static unsigned width_of(const char *text)
{
    unsigned columns = 0;
    for (; *text; text++)
        columns += (*text & 0xc0) != 0x80;
    return columns;
}

static unsigned with_gap(unsigned columns)
{
    return columns ? columns + GAP : 0;
}

/* The width of a column whose longest text has this length. */
static unsigned column(unsigned length, unsigned least, unsigned most)
{
    return !length ? 0 : length < least ? least : length < most ? length : most;
}

/* The widths without the first columns of: source, module, history. */
static struct layout layout_without(unsigned left_out, unsigned columns, unsigned total,
                                    unsigned module, unsigned where)
{
    struct layout l = {.total = columns < 2 * NAME_MIN + with_gap(total) ? 0 : total,
                       .history = columns < 100 ? TOP_HISTORY / 2 : TOP_HISTORY,
                       .module = module,
                       .where = where};
    unsigned *const column[LAYOUTS - 1] = {&l.where, &l.module, &l.history};
    for (unsigned i = 0; i < left_out; i++)
        *column[i] = 0;
    unsigned used = with_gap(PERCENT_COLUMNS) + with_gap(l.total) + with_gap(l.history) +
                    with_gap(l.module) + with_gap(l.where);
    l.name = columns > used ? columns - used : 0;
    return l;
}

static struct layout choose_layout(const struct cli_top_screen *p, const row_pointer *row, size_t n)
{
    unsigned module = 0, where = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned m = width_of(row[i]->module), w = width_of(row[i]->where);
        module = m > module ? m : module;
        where = w > where ? w : where;
    }
    module = column(module, (unsigned)strlen("module"), MODULE_MAX);
    where = column(where, (unsigned)strlen("source"), WHERE_MAX);
    /* Names that lose their middle even without the other columns do not count. */
    unsigned total = p->functions->has_callers ? PERCENT_COLUMNS : 0;
    unsigned left_out = 0;
    struct layout widest = layout_without(LAYOUTS - 1, p->columns, total, module, where), l;
    for (l = layout_without(left_out, p->columns, total, module, where); left_out < LAYOUTS - 1;
         l = layout_without(left_out, p->columns, total, module, where)) {
        bool fit = l.name >= NAME_MIN;
        for (size_t i = 0; i < n && fit; i++)
            fit = cli_top_name_fits(row[i]->name, l.name) ||
                  !cli_top_name_fits(row[i]->name, widest.name);
        if (fit)
            break;
        left_out++;
    }
    return l;
}

/* ---- rows ---- */

/* Bars of 1/8 to 8/8 for the last `n` intervals; the highest is the function's largest percentage.
 */
static void put_history(FILE *out, const struct cli_top_function *row, unsigned n, bool utf8)
{
    static const char *const bar[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const character[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
    const float *history = row->history + TOP_HISTORY - n;
    float most = 0;
    for (unsigned i = 0; i < n; i++)
        most = history[i] > most ? history[i] : most;
    for (unsigned i = 0; i < n; i++) {
        unsigned level = history[i] > 0 ? 1 + (unsigned)(7.5f * history[i] / most) : 0;
        fputs(utf8 ? bar[level] : character[level], out);
    }
}

static void put_percent(FILE *out, uint64_t part, uint64_t all)
{
    fprintf(out, "%6.2f%%  ", all ? 100.0 * (double)part / (double)all : 0);
}

static void put_row(FILE *out, const struct cli_top_screen *p, const struct layout *l,
                    const struct cli_top_function *row)
{
    put_percent(out, row->self, p->functions->weight);
    if (l->total)
        put_percent(out, row->total, p->functions->weight);
    if (l->history) {
        fputs(TOP_DIM, out);
        put_history(out, row, l->history, p->utf8);
        fputs(TOP_PLAIN, out);
        cli_top_put_padded(out, "", GAP);
    }
    cli_top_put_name(out, row->name, l->name);
    if (l->module) {
        cli_top_put_padded(out, "", GAP);
        cli_top_put_padded(out, row->module, l->module);
    }
    if (l->where) {
        cli_top_put_padded(out, "", GAP);
        cli_top_put(out, row->where, l->where);
    }
    fputs(TOP_LINE_END, out);
}

static void put_headings(FILE *out, const struct cli_top_screen *p, const struct layout *l)
{
    char text[512];
    snprintf(text, sizeof text, "%7s  %s%-*s%-*s%-*s%s", "self", l->total ? "  total  " : "",
             (int)with_gap(l->history), l->history ? "history" : "", (int)with_gap(l->name),
             "function", (int)with_gap(l->module), l->module ? "module" : "",
             l->where ? "source" : "");
    fputs(TOP_REVERSE, out);
    cli_top_put_padded(out, text, p->columns);
    fputs(TOP_PLAIN TOP_LINE_END, out);
}

void cli_top_put_functions(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    row_pointer row[2 * TOP_ROWS];
    size_t n = p->functions->n_rows;
    for (size_t i = 0; i < n; i++)
        row[i] = &p->functions->row[i];
    qsort(row, n, sizeof *row, p->by_total ? by_total : by_self);
    n = n < space ? n : space;
    struct layout l = choose_layout(p, row, n);
    put_headings(out, p, &l);
    for (size_t i = 0; i < n; i++)
        put_row(out, p, &l, row[i]);
    for (size_t i = n; i < space; i++)
        fputs(TOP_LINE_END, out);
}
