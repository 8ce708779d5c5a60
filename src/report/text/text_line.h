/* SPDX-License-Identifier: MIT */
/* A line of the text report that grows part by part, with commas between them. */
#ifndef SL_TEXT_LINE_H
#define SL_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct sl_text_line {
    char *text;
    size_t length;
    FILE *out;
    bool begun;
};

/* False when memory ran out. */
bool sl_text_line_open(struct sl_text_line *line);

/* A part, as by printf(3). */
void sl_text_line_add(struct sl_text_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The line, to be freed; NULL if nothing is in it, or when memory ran out. */
char *sl_text_line_close(struct sl_text_line *line);

#endif
