/* SPDX-License-Identifier: MIT */
/* What was read and measured in each run of a profile, in the JSON report. */
#ifndef SL_JSON_RUNS_H
#define SL_JSON_RUNS_H

#include "saved_runs.h"

/* Writes `, "readings": [...]` and `, "runs": {...}`, as far as there is something in them. */
int sl_json_runs(struct sl_database *database, const struct sl_saved_profile *profile, FILE *out,
                 struct sl_failure *f);

#endif
