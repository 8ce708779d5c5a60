/* SPDX-License-Identifier: MIT */
/* Draws the screen of `sluice top`: three header lines, a table, the program's last line of output,
 * and a list of the keys. The table contains functions (top_function_rows.c), or the most frequent
 * tuples (heavy hitters) of the interval and the tuples that are no longer frequent. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define HEAD_ROWS 4u
#define FOOT_ROWS 2u
#define WHERE_MAX 40u
#define COUNT_COLUMNS 16u
#define SHARE_COLUMNS 11u
#define GAP 2u

char *cli_top_printable(const char *text)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size);
    if (!to)
        return NULL;
    sl_print_line(to, "%s", text);
    if (fclose(to)) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

unsigned cli_top_put(FILE *out, const char *text, unsigned most)
{
    unsigned columns = 0;
    char *line = cli_top_printable(text);
    for (const char *at = line; at && *at && (columns < most || (*at & 0xc0) == 0x80); at++) {
        putc(*at, out);
        columns += (*at & 0xc0) != 0x80;
    }
    free(line);
    return columns;
}

void cli_top_put_padded(FILE *out, const char *text, unsigned columns)
{
    for (unsigned n = cli_top_put(out, text, columns); n < columns; n++)
        putc(' ', out);
}

void cli_top_copy_name(char *to, char *name)
{
    sl_short_name(name, TOP_NAME_COLUMNS);
    snprintf(to, TOP_TEXT, "%s", name);
}

bool cli_top_name_fits(const char *name, unsigned columns)
{
    char copy[TOP_TEXT];
    snprintf(copy, sizeof copy, "%s", name);
    return sl_short_name(copy, columns);
}

void cli_top_put_name(FILE *out, const char *name, unsigned columns)
{
    char copy[TOP_TEXT];
    snprintf(copy, sizeof copy, "%s", name);
    sl_short_name(copy, columns);
    cli_top_put_padded(out, copy, columns);
}

/* 1234567 as 1,234,567. */
static const char *number(uint64_t n, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}

/* ---- header ---- */

/* The views, with the current one in brackets. */
static void put_views(FILE *out, const struct cli_top_screen *p)
{
    char text[64];
    unsigned used = 0;
    for (size_t i = 0; i < p->n_views; i++) {
        bool current = i == p->at;
        snprintf(text, sizeof text, current ? "[%zu %.40s]" : " %zu %.40s ", i + 1, p->view[i]);
        fputs(current ? TOP_BOLD : "", out);
        used += cli_top_put(out, text, p->columns - used);
        fputs(TOP_PLAIN, out);
    }
    if (p->interval) {
        snprintf(text, sizeof text, "  %.60s", p->interval->head.given);
        cli_top_put(out, text, p->columns - used);
    }
    fputs(TOP_LINE_END, out);
}

static void describe_interval(const struct cli_top_screen *p, char *text, size_t size)
{
    static const char *const orders[TOP_ORDERS] = {"by count", "by name", "newest first"};
    const struct cli_top_functions *f = p->functions;
    const struct cli_top_head *i = p->interval ? &p->interval->head : NULL;
    char a[32], b[32];
    if (f)
        snprintf(text, size, "interval %s  %.1f s  %s %s  %zu function%s  by %s",
                 number(f->number, a), f->seconds, number(f->weight, b), f->unit, f->n,
                 f->n == 1 ? "" : "s", p->by_total ? "total" : "self");
    else if (i)
        snprintf(text, size,
                 "interval %s  %s events  %zu heavy hitter%s: %zu new, %zu still hot, %zu gone  %s",
                 number(i->number, a), number(i->events, b), i->n_candidates,
                 i->n_candidates == 1 ? "" : "s", i->n_new, i->n_candidates - i->n_new, i->n_gone,
                 orders[p->order]);
    else
        snprintf(text, size, "no interval has ended yet");
}

static void put_head(FILE *out, const struct cli_top_screen *p)
{
    char text[512];
    const char *title = p->frozen ? "sluice top  FROZEN  " : "sluice top  ";
    unsigned others = (unsigned)strlen(title) + 12;
    fputs(TOP_BOLD, out);
    cli_top_put(out, title, p->columns);
    fputs(TOP_PLAIN, out);
    cli_top_put_padded(out, p->program, p->columns > others ? p->columns - others : 0);
    snprintf(text, sizeof text, "%8.1f s", p->seconds);
    cli_top_put(out, p->columns > others ? text : "", 12);
    fputs(TOP_LINE_END, out);
    put_views(out, p);
    describe_interval(p, text, sizeof text);
    cli_top_put(out, text, p->columns);
    fputs(TOP_LINE_END, out);
}

/* ---- heavy hitters ---- */

/* Columns next to the names; 0: left out. */
struct widths {
    unsigned count, where;
};

static unsigned name_columns(const struct cli_top_screen *p, struct widths w)
{
    unsigned others = w.count + SHARE_COLUMNS + (w.where ? w.where + GAP : 0);
    return p->columns > others ? p->columns - others : 0;
}

/* Leaves out the source line, and then the count, if a name would lose its middle next to them.
 * Names that lose it anyway do not matter. */
static struct widths choose_widths(const struct cli_top_screen *p,
                                   const struct cli_top_row *const *row, size_t n)
{
    struct widths w = {.count = COUNT_COLUMNS};
    for (size_t i = 0; i < n; i++) {
        unsigned length = (unsigned)strlen(row[i]->where);
        w.where = length > w.where ? length : w.where;
    }
    w.where = w.where < WHERE_MAX ? w.where : WHERE_MAX;
    for (size_t i = 0; i < n && w.count; i++)
        while (w.count && !cli_top_name_fits(row[i]->what, name_columns(p, w)) &&
               cli_top_name_fits(row[i]->what, name_columns(p, (struct widths){0})))
            *(w.where ? &w.where : &w.count) = 0;
    return w;
}

static void put_row(FILE *out, const struct cli_top_screen *p, const struct cli_top_row *row,
                    char mark, struct widths w)
{
    char text[64], count[32];
    double share = p->interval->head.weight
                       ? 100.0 * (double)row->count / (double)p->interval->head.weight
                       : 0;
    fputs(mark == '-' ? TOP_DIM : mark == '+' ? TOP_BOLD : "", out);
    if (w.count)
        fprintf(out, "%*s ", (int)w.count - 1, number(row->count, count));
    if (mark == '-') /* its count is that of the previous interval */
        snprintf(text, sizeof text, "%6s  %c  ", "", mark);
    else
        snprintf(text, sizeof text, "%5.1f%%  %c  ", share, mark);
    fputs(text, out);
    cli_top_put_name(out, row->what, name_columns(p, w));
    if (w.where) {
        cli_top_put_padded(out, "", GAP);
        cli_top_put(out, row->where, w.where);
    }
    fputs(TOP_PLAIN TOP_LINE_END, out);
}

static int by_name(const void *left, const void *right)
{
    const struct cli_top_row *const *a = left, *const *b = right;
    int order = strcmp((*a)->what, (*b)->what);
    return order ? order : (*a)->count > (*b)->count ? -1 : (*a)->count < (*b)->count;
}

static int newest(const void *left, const void *right)
{
    const struct cli_top_row *const *a = left, *const *b = right;
    if ((*a)->is_new != (*b)->is_new)
        return (*a)->is_new ? -1 : 1;
    return (*a)->count > (*b)->count ? -1 : (*a)->count < (*b)->count;
}

/* Prints new and still hot entries, then those that are gone; the latter get up to a third of the
 * rows, and more if rows are left. */
static void put_rows(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    const struct cli_top_interval *i = p->interval;
    const struct cli_top_row *row[2 * TOP_ROWS];
    size_t n_gone = i->head.n_gone_rows < space / 3 ? i->head.n_gone_rows : space / 3;
    size_t n = i->head.n_rows < space - n_gone ? i->head.n_rows : space - n_gone;
    if (n_gone < i->head.n_gone_rows && n + n_gone < space)
        n_gone = space - n < i->head.n_gone_rows ? space - n : i->head.n_gone_rows;
    for (size_t at = 0; at < i->head.n_rows; at++)
        row[at] = &i->row[at];
    if (p->order != TOP_BY_COUNT)
        qsort(row, i->head.n_rows, sizeof *row, p->order == TOP_BY_NAME ? by_name : newest);
    for (size_t at = 0; at < n_gone; at++)
        row[n + at] = &i->gone[at];
    struct widths w = choose_widths(p, row, n + n_gone);
    char heading[64];
    snprintf(heading, sizeof heading, "%*s     %%      what", (int)w.count,
             w.count ? i->head.unit : "");
    fputs(TOP_REVERSE, out);
    cli_top_put_padded(out, heading, p->columns);
    fputs(TOP_PLAIN TOP_LINE_END, out);
    for (size_t at = 0; at < n + n_gone; at++)
        put_row(out, p, row[at], at >= n ? '-' : row[at]->is_new ? '+' : ' ', w);
    for (size_t at = n + n_gone; at < space; at++)
        fputs(TOP_LINE_END, out);
}

static void put_help(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    static const char *const lines[] = {
        "self    percentage of this interval in the function itself",
        "total   with the functions that it calls; history: self in the last intervals",
        "+, -    new or gone since the previous interval",
        "",
        "1 to 9  view with this number: functions, blocks, ...; p, Tab: next view",
        "s       sort order: by self or total; by count, by name or newest first",
        "f       freeze or continue the screen; the program continues",
        "w       save the profile so far; the program continues",
        "q       end the program (SIGTERM); a second q ends sluice without waiting",
        "d       detach from the terminal; the program and its profile continue",
        "h       show or hide this help",
    };
    size_t n = sizeof lines / sizeof *lines;
    for (size_t i = 0; i < space; i++) {
        cli_top_put(out, i < n ? lines[i] : "", p->columns);
        fputs(TOP_LINE_END, out);
    }
}

static void put_table(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    put_head(out, p);
    if (p->helps || !(p->interval || p->functions))
        put_help(out, p, space + 1);
    else if (p->functions)
        cli_top_put_functions(out, p, space);
    else
        put_rows(out, p, space);
    fputs(TOP_DIM, out);
    cli_top_put(out, p->message ? p->message : p->output, p->columns);
    fputs(TOP_PLAIN TOP_LINE_END, out);
}

char *cli_top_draw(const struct cli_top_screen *p, size_t *n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n);
    if (!out)
        return NULL;
    fputs("\033[H\033[K", out);
    if (p->rows > HEAD_ROWS + FOOT_ROWS) /* else only the line of keys fits */
        put_table(out, p, p->rows - HEAD_ROWS - FOOT_ROWS);
    fputs("\033[J", out);
    cli_top_put(out, "q end  p view  s sort  f freeze  w save  d detach  h help", p->columns);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}
