/* Entries in the text report. */
#ifndef SL_TEXT_ENTRIES_H
#define SL_TEXT_ENTRIES_H

#include "saved.h"

/* Prints the first n (0: all), in lines of at most `width` characters. */
int sl_text_entries(sqlite3 *database, const struct sl_saved_profile *profile, uint64_t n,
                    size_t width, FILE *out, struct sl_failure *f);

#endif
