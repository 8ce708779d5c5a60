/* SPDX-License-Identifier: MIT */
/* What the text report says of a profile's table, below its entries: what it cost,
 * how wrong it was, how its intervals went, how what was measured differs from run to run. */
#ifndef SL_TEXT_MEASURES_H
#define SL_TEXT_MEASURES_H

#include "saved_runs.h"
#include "wording.h"

struct sl_measures {
    char *table, *intervals; /* a line each, in words; NULL: there is nothing to say */
    struct sl_saved_runs runs;
};

/* Of profile number i. A table that several share is spoken of below the last of them. */
int sl_measures_load(struct sl_database *database, size_t i, struct sl_measures *measures,
                     struct sl_failure *f);
void sl_measures_free(struct sl_measures *measures);

/* The lines that they take, at most `width` characters wide, printed unless `out` is NULL. */
size_t sl_measures_print(const struct sl_saved_profile *profile, const struct sl_measures *measures,
                         size_t width, FILE *out);

#endif
