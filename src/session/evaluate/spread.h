/* SPDX-License-Identifier: MIT */
/* How a handful of numbers is spread: in five of them, and drawn. */
#ifndef SL_SPREAD_H
#define SL_SPREAD_H

#include <stddef.h>

struct sl_spread {
    size_t n; /* numbers that it is of; without any, the rest is NAN */
    double min, lower_quartile, median, upper_quartile, max, mean;
};

/* Leaves out what is NAN. The numbers are sorted, NAN last. A quartile between two numbers is
 * a weighted mean of them, as most programs have it. */
struct sl_spread sl_spread_of(double *number, size_t n);

/* Draws it on a scale from 0 to `top`, over `width` characters and a NUL:
 *
 *         |--[===+=====]--------|        whiskers to min and max, a box of half of all, the median
 */
void sl_spread_draw(const struct sl_spread *spread, double top, char *out, size_t width);

#endif
