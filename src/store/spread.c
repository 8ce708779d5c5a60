/* SPDX-License-Identifier: MIT */
/* Computes and draws five-number summaries (spread.h). */
#include "spread.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b))
        return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
    return (a > b) - (a < b);
}

/* Returns a quantile of n sorted numbers, interpolated linearly. */
static double quantile(const double *number, size_t n, double fraction)
{
    double position = fraction * (double)(n - 1), below = floor(position);
    size_t i = (size_t)below;
    return i + 1 < n ? number[i] + (position - below) * (number[i + 1] - number[i]) : number[i];
}

struct sl_spread sl_spread_of(double *number, size_t n)
{
    struct sl_spread s = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    double sum = 0;
    if (n)
        qsort(number, n, sizeof *number, by_value);
    for (; s.n < n && !isnan(number[s.n]); s.n++)
        sum += number[s.n];
    if (!s.n)
        return s;
    s.min = number[0];
    s.lower_quartile = quantile(number, s.n, 0.25);
    s.median = quantile(number, s.n, 0.5);
    s.upper_quartile = quantile(number, s.n, 0.75);
    s.max = number[s.n - 1];
    s.mean = sum / (double)s.n;
    return s;
}

static size_t column_of(double number, double top, size_t width)
{
    double fraction = top > 0 ? number / top : 0;
    return (size_t)lround(fmin(fmax(fraction, 0), 1) * (double)(width - 1));
}

/* Later parts are drawn over earlier ones: whiskers, box, median. */
void sl_spread_draw(const struct sl_spread *s, double top, char *out, size_t width)
{
    memset(out, ' ', width);
    out[width] = '\0';
    if (!s->n || !width)
        return;
    size_t min = column_of(s->min, top, width), max = column_of(s->max, top, width);
    size_t low = column_of(s->lower_quartile, top, width);
    size_t high = column_of(s->upper_quartile, top, width);
    memset(out + min, '-', max - min + 1);
    memset(out + low, '=', high - low + 1);
    out[min] = out[max] = '|';
    out[low] = '[';
    out[high] = ']';
    out[column_of(s->median, top, width)] = '+';
    out[max + 1] = '\0';
}
