/* SPDX-License-Identifier: MIT */
/* How what was measured in several runs is spread, in the text report. */
#ifndef SL_TEXT_RUNS_H
#define SL_TEXT_RUNS_H

#include "saved_runs.h"

/* Neither says anything of a single run, or when memory ran out.
 *
 * Of each event that happened at least so often. */
void sl_text_run_events(const struct sl_saved_profile *profile, const struct sl_saved_runs *runs,
                        uint64_t least, size_t width, FILE *out);

/* Of measures. The lines that it takes, printed unless `out` is NULL. */
size_t sl_text_run_measures(const struct sl_saved_profile *profile,
                            const struct sl_saved_runs *runs, size_t width, FILE *out);

#endif
