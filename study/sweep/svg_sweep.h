/* SPDX-License-Identifier: MIT */
/* Writes the results of a sweep as an SVG plot of its points and their Pareto front. */
#ifndef SL_SVG_SWEEP_H
#define SL_SVG_SWEEP_H

#include "sweep_view.h"

int sl_svg_sweep(const struct sl_sweep_view *view, FILE *out, struct sl_failure *f);

#endif
