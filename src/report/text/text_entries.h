/* SPDX-License-Identifier: MIT */
/* Entries in the text report. */
#ifndef SL_TEXT_ENTRIES_H
#define SL_TEXT_ENTRIES_H

#include "saved.h"

/* How many lines an entry takes at most, if not `in_full`. */
size_t sl_text_entry_lines(const struct sl_saved_profile *profile);

/* Prints the first n (0: all), in lines of at most `width` characters. In full: what is
 * along a path is not shortened to a line. */
int sl_text_entries(struct sl_database *database, const struct sl_saved_profile *profile,
                    uint64_t n, bool in_full, size_t width, FILE *out, struct sl_failure *f);

#endif
