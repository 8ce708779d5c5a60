/* SPDX-License-Identifier: MIT */
#ifndef SL_TEXT_PHASES_H
#define SL_TEXT_PHASES_H

#include "saved.h"

/* Nothing where the profile has no phases. At most n of them (0: all). */
int sl_text_phases(struct sl_database *database, const struct sl_saved_profile *profile, uint64_t n,
                   size_t width, FILE *out, struct sl_failure *f);

#endif
