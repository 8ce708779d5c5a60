/* SPDX-License-Identifier: MIT */
/* Events of a machine in the text report: where it is known how often each happened, all
 * profiles of the same events stand side by side in one table. */
#ifndef SL_TEXT_EVENTS_H
#define SL_TEXT_EVENTS_H

#include "text_measures.h"

/* What takes the place of profile i in the report, `measures` being those of each; to be
 * freed. The table and the spreads of all that are in it, for the first of them; "" for the others,
 * exact ones among them; NULL for a profile that is in none. Shows the n that happened most
 * (0: all that did). */
int sl_text_events(const struct sl_saved_profiles *profiles, const struct sl_measures *measures,
                   size_t i, uint64_t n, size_t width, char **text, struct sl_failure *f);

#endif
