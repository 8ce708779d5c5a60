/* SPDX-License-Identifier: MIT */
/* Errors upwards, by a logarithmic scale of at most three decades, since they fall as
 * the root of the events does; what is below it, an error of 0 in particular, in a row
 * of its own. Events to the right. A letter is a profile, a * where two or more meet,
 * dashes are the limit.
 *
 *     20.00% |a
 *            |b  a  a
 *      5.00% |---b--------a--------
 *      1.00% |      b  b  b  b
 *       less |            c  c
 *            +---------------------
 *             0             1,000,000 events */
#include "text_comparison_plot.h"

#include <string.h>

#include "wording.h"

#define ROWS 14 /* of the scale; one more is below it */
#define COLUMNS 80
#define DECADES 3

struct plot {
    double top, bottom; /* errors of the first row and the last */
    uint64_t last;      /* events at the right end */
    char cell[ROWS + 1][COLUMNS + 1];
};

char sl_plot_letter(size_t i)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return letters[i % (sizeof letters - 1)];
}

bool sl_plot_wanted(const struct sl_comparisons *all)
{
    size_t i = 0;
    while (i < all->n && all->row[i].curve->n < 2)
        i++;
    return all->every && i < all->n;
}

static size_t row_of(const struct plot *plot, double error)
{
    if (error < plot->bottom)
        return ROWS;
    return (size_t)lround((ROWS - 1) * log(plot->top / error) / log(plot->top / plot->bottom));
}

/* The scales: all points, and the limit in any case. */
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
    plot->bottom = fmax(low, plot->top * pow(10, -DECADES));
    if (plot->bottom >= plot->top) /* nothing but the limit */
        plot->bottom = plot->top / 10;
}

static void draw(struct plot *plot, const struct sl_comparisons *all)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->row[i].curve->n; k++) {
            const struct sl_curve_point *point = &all->row[i].curve->point[k];
            double share = plot->last ? (double)point->events / (double)plot->last : 0;
            char *cell = &plot->cell[row_of(plot, point->error)][(size_t)(share * (COLUMNS - 1))];
            bool taken = *cell != ' ' && *cell != '-' && *cell != sl_plot_letter(i);
            *cell = taken ? '*' : sl_plot_letter(i);
        }
}

/* What stands at the left of a row. */
static void print_scale(const struct plot *plot, size_t row, size_t limit_row, double limit,
                        FILE *out)
{
    double error = row == limit_row ? limit : row ? plot->bottom : plot->top;
    if (row == ROWS)
        fprintf(out, "  %8s |", "less");
    else if (!row || row == limit_row || row == ROWS - 1)
        fprintf(out, "  %7.2f%% |", 100 * error);
    else
        fprintf(out, "  %8s |", "");
}

void sl_plot(const struct sl_comparisons *all, double limit, FILE *out)
{
    struct plot plot = {0};
    char number[SL_WORDING_ROOM], line[COLUMNS + 1] = "";
    span(&plot, all, limit);
    size_t limit_row = row_of(&plot, limit);
    for (size_t row = 0; row <= ROWS; row++)
        memset(plot.cell[row], row == limit_row ? '-' : ' ', COLUMNS);
    draw(&plot, all);
    for (size_t row = 0; row <= ROWS; row++) {
        size_t length = COLUMNS;
        while (length && plot.cell[row][length - 1] == ' ')
            length--;
        if (row == ROWS && !length)
            continue;
        print_scale(&plot, row, limit_row, limit, out);
        fprintf(out, "%.*s\n", (int)length, plot.cell[row]);
    }
    memset(line, '-', COLUMNS);
    fprintf(out, "  %8s +%s\n  %8s  0%*s events\n", "", line, "", COLUMNS - 8,
            sl_wording_number(plot.last, number));
}
