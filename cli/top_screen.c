/* SPDX-License-Identifier: MIT */
/* Draws the screen of `sluice top`: four header lines, the most frequent tuples (heavy hitters) of
 * the interval, the tuples that are no longer frequent, the program's last line of output, and a
 * list of the keys. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"
#define LINE_END "\033[K\r\n"
#define HEAD_ROWS 4u
#define FOOT_ROWS 2u
#define WHERE_COLUMNS 24u
#define GAP 2u

/* Copy of the text without control characters, as a line; NULL if out of memory. */
static char *without_controls(const char *text)
{
    char *line = NULL;
    size_t size;
    FILE *to = open_memstream(&line, &size);
    if (!to)
        return NULL;
    sl_print_line(to, "%s", text);
    if (!fclose(to))
        return line;
    free(line);
    return NULL;
}

/* Prints at most `most` columns; returns how many. */
static unsigned put(FILE *out, const char *text, unsigned most)
{
    unsigned columns = 0;
    char *line = without_controls(text);
    for (const char *at = line; at && *at != '\n' && (columns < most || (*at & 0xc0) == 0x80);
         at++) {
        putc(*at, out);
        columns += (*at & 0xc0) != 0x80;
    }
    free(line);
    return columns;
}

static void put_padded(FILE *out, const char *text, unsigned columns)
{
    for (unsigned n = put(out, text, columns); n < columns; n++)
        putc(' ', out);
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

static void put_head(FILE *out, const struct cli_top_screen *p)
{
    static const char *const orders[TOP_ORDERS] = {"by count", "by name", "newest first"};
    const struct cli_top_head *i = p->interval ? &p->interval->head : NULL;
    char a[32], b[32], text[512];
    unsigned space = p->columns > 24 ? p->columns - 24 : 0;
    fputs(BOLD "sluice top  " PLAIN, out);
    put_padded(out, p->program, space);
    snprintf(text, sizeof text, "%8.1f s", p->seconds);
    put(out, text, 12);
    fputs(LINE_END, out);
    if (!i) {
        put(out, "no interval has ended yet", p->columns);
        fputs(LINE_END LINE_END LINE_END, out);
        return;
    }
    snprintf(text, sizeof text, "profile %zu of %zu  %s  %s", p->profile + 1, p->n_profiles,
             i->given, orders[p->order]);
    put(out, text, p->columns);
    fputs(LINE_END, out);
    snprintf(text, sizeof text,
             "interval %s  %s events  %zu heavy hitter%s: %zu new, %zu still hot, %zu gone%s",
             number(i->number, a), number(i->events, b), i->n_candidates,
             i->n_candidates == 1 ? "" : "s", i->n_new, i->n_candidates - i->n_new, i->n_gone,
             p->frozen ? "  FROZEN" : "");
    put(out, text, p->columns);
    fputs(LINE_END REVERSE, out);
    snprintf(text, sizeof text, "%15s      %%      what", i->unit);
    put_padded(out, text, p->columns);
    fputs(PLAIN LINE_END, out);
}

static void put_row(FILE *out, const struct cli_top_screen *p, const struct cli_top_row *row,
                    char mark)
{
    char text[64], count[32];
    double share = p->interval->head.weight
                       ? 100.0 * (double)row->count / (double)p->interval->head.weight
                       : 0;
    unsigned where = p->columns > 90 ? WHERE_COLUMNS : 0, head = 28;
    if (mark == '-') /* its count is that of the previous interval */
        snprintf(text, sizeof text, "%15s %6s  %c  ", number(row->count, count), "", mark);
    else
        snprintf(text, sizeof text, "%15s %5.1f%%  %c  ", number(row->count, count), share, mark);
    fputs(mark == '-' ? DIM : mark == '+' ? BOLD : "", out);
    put_padded(out, text, head);
    if (p->columns > head + where + GAP)
        put_padded(out, row->what, p->columns - head - where - GAP);
    if (where) {
        put_padded(out, "", GAP);
        put(out, row->where, where);
    }
    fputs(PLAIN LINE_END, out);
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
    const struct cli_top_row *row[TOP_ROWS];
    size_t n_gone = i->head.n_gone_rows < space / 3 ? i->head.n_gone_rows : space / 3;
    size_t n = i->head.n_rows < space - n_gone ? i->head.n_rows : space - n_gone;
    if (n_gone < i->head.n_gone_rows && n + n_gone < space)
        n_gone = space - n < i->head.n_gone_rows ? space - n : i->head.n_gone_rows;
    for (size_t at = 0; at < i->head.n_rows; at++)
        row[at] = &i->row[at];
    if (p->order != TOP_BY_COUNT)
        qsort(row, i->head.n_rows, sizeof *row, p->order == TOP_BY_NAME ? by_name : newest);
    for (size_t at = 0; at < n; at++)
        put_row(out, p, row[at], row[at]->is_new ? '+' : ' ');
    for (size_t at = 0; at < n_gone; at++)
        put_row(out, p, &i->gone[at], '-');
    for (size_t at = n + n_gone; at < space; at++)
        fputs(LINE_END, out);
}

static void put_help(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    static const char *const lines[] = {
        "+ new and - gone since the previous interval; % of the total of this interval",
        "",
        "p, Tab  next profile; 1 to 9: profile with this number",
        "s       sort order: by count, by name, newest first",
        "f       freeze or continue the screen; the program continues",
        "w       save the profile so far; the program continues",
        "q       end the program (SIGTERM); a second q ends sluice without waiting",
        "d       detach from the terminal; the program and its profile continue",
        "h       show or hide this help",
    };
    size_t n = sizeof lines / sizeof *lines;
    for (size_t i = 0; i < space; i++) {
        put(out, i < n ? lines[i] : "", p->columns);
        fputs(LINE_END, out);
    }
}

static void put_table(FILE *out, const struct cli_top_screen *p, unsigned space)
{
    put_head(out, p);
    if (p->helps || !p->interval)
        put_help(out, p, space);
    else
        put_rows(out, p, space);
    fputs(DIM, out);
    put(out, p->message ? p->message : p->output, p->columns);
    fputs(PLAIN LINE_END, out);
}

char *cli_top_draw(const struct cli_top_screen *p, size_t *n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, n);
    if (!out)
        return NULL;
    fputs("\033[H", out);
    if (p->rows > HEAD_ROWS + FOOT_ROWS) /* else only the line of keys fits */
        put_table(out, p, p->rows - HEAD_ROWS - FOOT_ROWS);
    put(out, "q end  p profile  s sort  f freeze  w save  d detach  h help", p->columns);
    fputs("\033[K\033[J", out);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}
