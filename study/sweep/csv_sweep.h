/* SPDX-License-Identifier: MIT */
/* Writes all measurements of all results of a sweep as CSV. */
#ifndef SL_CSV_SWEEP_H
#define SL_CSV_SWEEP_H

#include "sweep_view.h"

int sl_csv_sweep(const struct sl_sweep_view *view, struct sl_sweep_store *store, FILE *out,
                 struct sl_failure *f);

#endif
