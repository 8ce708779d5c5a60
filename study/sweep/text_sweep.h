/* SPDX-License-Identifier: MIT */
/* Prints the results of a sweep as text: the points on the Pareto front, or all points. */
#ifndef SL_TEXT_SWEEP_H
#define SL_TEXT_SWEEP_H

#include "sweep_view.h"

int sl_text_sweep(const struct sl_sweep_view *view, const struct sl_sweep_report_config *config,
                  FILE *out, struct sl_failure *f);

/* Prints one line for each stream and reason with missing results; nothing if there are none. */
void sl_text_sweep_holes(const struct sl_sweep_view *view, unsigned width, FILE *out);

#endif
