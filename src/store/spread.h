/* SPDX-License-Identifier: MIT */
/* Five-number summary of a sample (minimum, quartiles, maximum), and a box plot of it as text. */
#ifndef SL_SPREAD_H
#define SL_SPREAD_H

#include <stddef.h>

struct sl_spread {
    size_t n; /* size of the sample; if 0, the rest is NAN */
    double min, lower_quartile, median, upper_quartile, max, mean;
};

/* Summarizes n numbers without NANs. Sorts them, NANs last. Quartiles are interpolated linearly
 * between two numbers (R's type 7). */
struct sl_spread sl_spread_of(double *number, size_t n);

/* Draws it on a scale from 0 to `top` with `width` characters and a NUL:
 *
 *         |--[===+=====]--------|        whiskers to min and max, box between the quartiles, median
 */
void sl_spread_draw(const struct sl_spread *spread, double top, char *out, size_t width);

#endif
