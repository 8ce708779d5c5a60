/* SPDX-License-Identifier: MIT */
#ifndef SL_TEXT_LINES_H
#define SL_TEXT_LINES_H

#include "saved.h"

/* Whether the i-th profile is shown as lines: it says what blocks cost, not how often they were
 * entered, it is exact, and the first to say so. */
bool sl_text_is_lines(const struct sl_saved_profiles *profiles, size_t i);

/* Prints the n costliest source lines (0: all) of a profile of blocks (text_lines.c). */
int sl_text_lines(struct sl_database *database, const struct sl_saved_profile *profile, uint64_t n,
                  size_t width, FILE *out, struct sl_failure *f);

#endif
