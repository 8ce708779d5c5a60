/* SPDX-License-Identifier: MIT */
/* Curves of errors in a terminal. */
#ifndef SL_TEXT_COMPARISON_PLOT_H
#define SL_TEXT_COMPARISON_PLOT_H

#include "comparison.h"

/* The letter of row i in the plot. */
char sl_plot_letter(size_t i);

/* Whether a curve has more than its last point. */
bool sl_plot_wanted(const struct sl_comparisons *all);

/* `limit` is drawn as a line. */
void sl_plot(const struct sl_comparisons *all, double limit, FILE *out);

#endif
