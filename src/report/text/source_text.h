/* SPDX-License-Identifier: MIT */
/* Source files, to be shown line by line. */
#ifndef SL_SOURCE_TEXT_H
#define SL_SOURCE_TEXT_H

#include <stddef.h>

struct sl_source_texts {
    struct sl_source_text {
        const char *path; /* the caller's */
        char *bytes;      /* lines end with 0 */
        char **line;
        size_t n, room; /* none if the file cannot be read */
    } * text;
    size_t n, room;
};

/* A line of a file, from 1 on, printable and without tabulators, to be freed. NULL if the file is
 * not there, or not so long, or memory ran out. Only plain files are read. */
char *sl_source_text_line(struct sl_source_texts *texts, const char *path, int line);
void sl_source_texts_free(struct sl_source_texts *texts);

#endif
