/* SPDX-License-Identifier: MIT */
/* A sweep's points and their front as a picture. */
#ifndef SL_SVG_SWEEP_H
#define SL_SVG_SWEEP_H

#include "sweep_view.h"

int sl_svg_sweep(const struct sl_sweep_view *view, FILE *out, struct sl_failure *f);

#endif
