/* SPDX-License-Identifier: MIT */
/* Writes the results of a sweep as JSON. docs/json.md describes the format. */
#ifndef SL_JSON_SWEEP_H
#define SL_JSON_SWEEP_H

#include "sweep_view.h"

int sl_json_sweep(const struct sl_sweep_view *view, FILE *out, struct sl_failure *f);

#endif
