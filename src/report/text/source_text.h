/* SPDX-License-Identifier: MIT */
/* Cache of source files for listings of code. A file is read once, and its lines are returned by
 * number. */
#ifndef SL_SOURCE_TEXT_H
#define SL_SOURCE_TEXT_H

#include <stddef.h>

struct sl_source_texts {
    struct sl_source_text {
        const char *path; /* borrowed from the caller */
        char *bytes;      /* lines end with 0 */
        char **line;
        size_t n, capacity; /* lines; 0 if the file cannot be read */
    } * text;
    size_t n, capacity;
};

/* Returns a line (numbered from 1) of a file: printable, tabs expanded to blanks, to be freed by
 * the caller. Returns NULL if the file cannot be read or has fewer lines, or if out of memory.
 * Opens regular files only, so that a named pipe or a device in a database cannot block or have
 * effects. `path` must outlive `texts`; a zeroed `texts` is empty. */
char *sl_source_text_line(struct sl_source_texts *texts, const char *path, int line);
void sl_source_texts_free(struct sl_source_texts *texts);

#endif
