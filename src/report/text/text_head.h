/* SPDX-License-Identifier: MIT */
/* What every report in text begins with: what ran, which part of it counts, and what to beware
 * of. */
#ifndef SL_TEXT_HEAD_H
#define SL_TEXT_HEAD_H

#include "wording.h"

/* Returns the number of lines, or an error. */
int sl_text_head(struct sl_database *database, size_t width, FILE *out, struct sl_failure *f);

/* Each note as a paragraph; returns the number of lines. */
size_t sl_text_notes(const struct sl_notes *notes, size_t width, FILE *out);

/* Columns of a line. */
size_t sl_text_width(const struct sl_report_config *config);

#endif
