/* SPDX-License-Identifier: MIT */
/* Prints the results of `sluice compare` as text: a table with one row per profile, an explanation
 * of its columns, and a plot of how the errors change during the run, if this was measured.
 *
 *     profile             storage  messages  overhead   error  below 5% from  M events/s
 *     value@R256              9 B     3,906    11.72%   4.31%        700,000       412.3
 *     value@H[P256]2048    2.0 KB     3,804    11.41%   1.02%         50,000       120.0 */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "text_table.h"
#include "utf8.h"

#define WIDTH 100
#define NOTHING "-" /* where a column does not apply */

#define PLOT_ROWS 14 /* of the scale; errors below the scale are in one more row */
#define PLOT_COLUMNS 80
#define PLOT_DECADES 3

enum column {
    PROFILE,
    STORAGE,
    MESSAGES,
    OVERHEAD,
    ERROR,
    INTERVAL,
    OVERLAP,
    DYNAMIC,
    BELOW,
    SPEED,
    N_COLUMNS
};

/* ---- the plot ----
 *
 * Vertical axis: the error, on a logarithmic scale of at most three decades, because errors fall
 * with the square root of the number of events. Errors below the scale, for example 0, are in the
 * row "less". Horizontal axis: events. Each profile has a letter; a * marks a position of two or
 * more profiles; dashes mark the limit.
 *
 *     20.00% |a
 *            |b  a  a
 *      5.00% |---b--------a--------
 *      1.00% |      b  b  b  b
 *       less |            c  c
 *            +---------------------
 *             0             1,000,000 events */

struct plot {
    double top, bottom; /* errors of the first and the last row */
    uint64_t last;      /* events at the right end */
    char cell[PLOT_ROWS + 1][PLOT_COLUMNS + 1];
};

static char plot_letter(size_t i)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return letters[i % (sizeof letters - 1)];
}

static bool has_curves(const struct sl_comparisons *all)
{
    size_t i = 0;
    while (i < all->n && all->row[i].curve->n < 2)
        i++;
    return all->every && i < all->n;
}

static size_t row_of(const struct plot *plot, double error)
{
    if (error < plot->bottom)
        return PLOT_ROWS;
    return (size_t)lround((PLOT_ROWS - 1) * log(plot->top / error) / log(plot->top / plot->bottom));
}

/* Computes the scales, which include all points and the limit. */
static void span(struct plot *plot, const struct sl_comparisons *all, double limit)
{
    double low = limit;
    plot->top = low;
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->row[i].curve->n; k++) {
            const struct sl_curve_point *point = &all->row[i].curve->point[k];
            plot->top = fmax(plot->top, point->error);
            low = point->error > 0 ? fmin(low, point->error) : low;
            plot->last = point->events > plot->last ? point->events : plot->last;
        }
    plot->bottom = fmax(low, plot->top * pow(10, -PLOT_DECADES));
    if (plot->bottom >= plot->top) /* all errors equal the limit */
        plot->bottom = plot->top / 10;
}

static void draw(struct plot *plot, const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->row[i].curve->n; k++) {
            const struct sl_curve_point *point = &all->row[i].curve->point[k];
            double share = plot->last ? (double)point->events / (double)plot->last : 0;
            char *cell =
                &plot->cell[row_of(plot, point->error)][(size_t)(share * (PLOT_COLUMNS - 1))];
            bool taken = *cell != ' ' && *cell != '-' && *cell != plot_letter(i);
            *cell = taken ? '*' : plot_letter(i);
        }
}

/* Prints the scale at the left of a row. */
static void print_scale(const struct plot *plot, size_t row, size_t limit_row, double limit,
                        FILE *out)
{
    double error = row == limit_row ? limit : row ? plot->bottom : plot->top;
    if (row == PLOT_ROWS)
        fprintf(out, "  %8s |", "less");
    else if (!row || row == limit_row || row == PLOT_ROWS - 1)
        fprintf(out, "  %7.2f%% |", 100 * error);
    else
        fprintf(out, "  %8s |", "");
}

static void print_plot(const struct sl_comparisons *all, double limit, FILE *out)
{
    struct plot plot = {0};
    char number[SL_FORMAT_SIZE], line[PLOT_COLUMNS + 1] = "";
    span(&plot, all, limit);
    size_t limit_row = row_of(&plot, limit);
    for (size_t row = 0; row <= PLOT_ROWS; row++)
        memset(plot.cell[row], row == limit_row ? '-' : ' ', PLOT_COLUMNS);
    draw(&plot, all);
    for (size_t row = 0; row <= PLOT_ROWS; row++) {
        size_t length = PLOT_COLUMNS;
        while (length && plot.cell[row][length - 1] == ' ')
            length--;
        if (row == PLOT_ROWS && !length)
            continue;
        print_scale(&plot, row, limit_row, limit, out);
        fprintf(out, "%.*s\n", (int)length, plot.cell[row]);
    }
    memset(line, '-', PLOT_COLUMNS);
    fprintf(out, "  %8s +%s\n  %8s  0%*s events\n", "", line, "", PLOT_COLUMNS - 8,
            sl_format_number(plot.last, number));
}

/* ---- the table ---- */

static void put_percent(struct sl_text_table *table, size_t column, double share)
{
    if (isnan(share))
        sl_text_put(table, column, NOTHING);
    else
        sl_text_put_format(table, column, "%.2f%%", 100 * share);
}

static bool has_intervals(const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (!isnan(all->row[i].interval_error))
            return true;
    return false;
}

/* True if the run was long enough for the dynamic overlap of windows. */
static bool has_windows(const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->row[i].windows > 0)
            return true;
    return false;
}

static void add_heading(struct sl_text_table *table, const struct sl_comparison_view *view)
{
    const struct sl_comparisons *all = view->all;
    sl_text_row(table);
    sl_text_put(table, PROFILE, "profile");
    sl_text_put(table, STORAGE, "storage");
    sl_text_put(table, MESSAGES, "messages");
    sl_text_put(table, OVERHEAD, "overhead");
    sl_text_put(table, ERROR, "error");
    sl_text_put(table, INTERVAL, has_intervals(all) ? "by interval" : NULL);
    sl_text_put(table, OVERLAP, has_windows(all) ? "overlap" : NULL);
    sl_text_put(table, DYNAMIC, has_windows(all) ? "dynamic" : NULL);
    if (all->every)
        sl_text_put_format(table, BELOW, "below %g%% from", 100 * view->limit);
    sl_text_put(table, SPEED, "M events/s");
}

static void put_below(struct sl_text_table *table, const struct sl_comparison_view *view,
                      const struct sl_comparison *row)
{
    uint64_t below = sl_comparison_below(view, row);
    if (row->curve->n && below != UINT64_MAX)
        sl_text_put_number(table, BELOW, below);
    else
        sl_text_put(table, BELOW, row->curve->n ? "never" : NOTHING);
}

static void add_profile(struct sl_text_table *table, const struct sl_comparison_view *view,
                        size_t i)
{
    const struct sl_comparisons *all = view->all;
    const struct sl_comparison *row = &all->row[i];
    const struct sl_table_status *status = &row->status;
    char storage[SL_FORMAT_SIZE];
    double speed = sl_comparison_speed(row);
    char *name = sl_utf8_printable(row->given ? row->given : row->spec);
    sl_text_row(table);
    if (name && has_curves(all))
        sl_text_put_format(table, PROFILE, "%c %s", plot_letter(i), name);
    else
        sl_text_put_own(table, PROFILE, name ? strdup(name) : NULL);
    free(name);
    sl_text_put(table, STORAGE, sl_format_storage(status->storage_bits, storage));
    if (status->sends)
        sl_text_put_number(table, MESSAGES, status->messages);
    else
        sl_text_put(table, MESSAGES, NOTHING);
    put_percent(table, OVERHEAD,
                row->waited_for ? row->profiler_overhead : sl_overhead(status, view->whole));
    put_percent(table, ERROR, row->measured ? row->error : (double)NAN);
    if (has_intervals(all))
        put_percent(table, INTERVAL, row->interval_error);
    if (has_windows(all)) {
        put_percent(table, OVERLAP, row->overlap);
        put_percent(table, DYNAMIC, row->overlap_dynamic);
    }
    if (all->every)
        put_below(table, view, row);
    if (isnan(speed))
        sl_text_put(table, SPEED, NOTHING);
    else
        sl_text_put_format(table, SPEED, "%.1f", speed / 1e6);
}

/* Explains the error measures in use; if there are several, each with its name. */
static void explain_errors(const struct sl_comparisons *all, FILE *out)
{
    static const char *const meaning[SL_MEASURES] = {
        [SL_MEASURE_INVARIANCE] =
            "mean difference between measured and exact invariance of the frequent tuples; the "
            "invariance of a tuple is its percentage of the executions of its instruction",
        [SL_MEASURE_OVERLAP] = "100 % minus the overlap with the exact profile, which is the "
                               "sum of the smaller of the two percentages of each tuple",
        [SL_MEASURE_RELATIVE] = "relative error of the count of a machine event, mean over all "
                                "machine events that occurred",
    };
    static const char *const of[SL_MEASURES] = {
        [SL_MEASURE_INVARIANCE] = "error of values, loads and types: ",
        [SL_MEASURE_OVERLAP] = "error of edges, calls, blocks, functions and paths: ",
        [SL_MEASURE_RELATIVE] = "error of events: ",
    };
    bool there[SL_MEASURES] = {false};
    unsigned n = 0;
    for (size_t i = 0; i < all->n; i++) {
        n += !there[all->row[i].measure];
        there[all->row[i].measure] = true;
    }
    for (unsigned i = 0; i < SL_MEASURES; i++)
        if (there[i])
            sl_text_wrap(meaning[i], n > 1 ? of[i] : "error: ", WIDTH, out);
}

/* Explains the columns. */
static void explain(const struct sl_comparison_view *view, FILE *out)
{
    const struct sl_comparisons *all = view->all;
    char number[SL_FORMAT_SIZE], line[256];
    bool sends = false, unmeasured = false, waits = false;
    for (size_t i = 0; i < all->n; i++) {
        waits = waits || all->row[i].waited_for;
        sends = sends || all->row[i].status.sends;
        unmeasured = unmeasured ||
                     (!all->row[i].measured && all->row[i].measure == SL_MEASURE_INVARIANCE);
    }
    snprintf(line, sizeof line, "cycles to handle messages (%u each), as a percentage of %s %s",
             SL_MESSAGE_CYCLES, sl_format_number(view->whole.n, number),
             all->cycles ? "cycles of the CPU model" : "instructions executed");
    if (sends && view->whole.n)
        sl_text_wrap(line, "overhead: ", WIDTH, out);
    if (waits)
        sl_text_wrap(
            "additional cycles in which the CPU model waits for the branch queue of the profiler",
            sends ? "or " : "overhead: ", WIDTH, out);
    explain_errors(all, out);
    if (has_intervals(all))
        sl_text_wrap(
            "error of the candidates' counts in an interval, mean over all complete intervals",
            "by interval: ", WIDTH, out);
    if (has_windows(all))
        sl_text_wrap(
            "overlap with the exact profile, the sum of the smaller of the two percentages of "
            "each tuple; dynamic overlap is the mean over windows that each begin with "
            "an empty table",
            "overlap: ", WIDTH, out);
    if (unmeasured)
        sl_text_wrap("no error can be computed, because no instruction has enough executions and "
                     "frequent tuples: lower the limits of --error-of",
                     "! ", WIDTH, out);
}

int sl_text_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f)
{
    const struct sl_comparisons *all = view->all;
    struct sl_text_table table = {.columns = ""};
    for (size_t i = 0; i < N_COLUMNS; i++)
        table.columns[i] = i == PROFILE ? 's' : 'r';
    add_heading(&table, view);
    for (size_t i = 0; i < all->n; i++)
        add_profile(&table, view, i);
    if (sl_text_warnings(&view->notes, WIDTH, out))
        putc('\n', out);
    if (!sl_text_finish(&table, WIDTH, out))
        return sl_report_no_memory(f);
    putc('\n', out);
    explain(view, out);
    if (has_curves(all)) {
        fprintf(out, "\nerror by events\n");
        print_plot(all, view->limit, out);
    }
    return 0;
}
