/* Entries in the text report. */
#ifndef SL_TEXT_ENTRIES_H
#define SL_TEXT_ENTRIES_H

#include "path_view.h"

/* How many lines an entry takes at most, if not `in_full`. */
size_t sl_text_entry_lines(const struct sl_saved_profile *profile);

/* Prints the first n (0: all), in lines of at most `width` characters. In full: what is
 * along a path is not shortened to a line. */
int sl_text_entries(sqlite3 *database, const struct sl_saved_profile *profile, uint64_t n,
                    bool in_full, size_t width, FILE *out, struct sl_failure *f);

/* An entry by itself, without its count: "main+0x1c -> main+0x10"; of a path, which `paths`
 * has looked at, "main+0x1c..+0x30 NT". To be freed; NULL when memory ran out. */
char *sl_text_event(const struct sl_saved_profile *profile, const struct sl_saved_entry *entry,
                    const struct sl_path_view *paths);

#endif
