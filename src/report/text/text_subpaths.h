/* SPDX-License-Identifier: MIT */
/* The hot subpaths of a sequence in the text report. */
#ifndef SL_TEXT_SUBPATHS_H
#define SL_TEXT_SUBPATHS_H

#include "saved_sequence.h"

/* How many lines there are besides subpaths, and how many a subpath takes at most, if not
 * `in_full`. */
#define SL_TEXT_SUBPATHS_AROUND 5
#define SL_TEXT_SUBPATH_LINES 2

/* Prints the first n (0: all) of the profile in lines of at most `width`
 * characters, and how much smaller than the sequence its grammar is. In full: a line for each
 * event of a subpath. */
int sl_text_subpaths(struct sl_database *database, const struct sl_saved_profile *profile,
                     const struct sl_saved_sequence *sequence, uint64_t n, bool in_full,
                     size_t width, FILE *out, struct sl_failure *f);

#endif
