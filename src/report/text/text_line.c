/* SPDX-License-Identifier: MIT */
#include "text_line.h"

#include <stdarg.h>
#include <stdlib.h>

bool sl_text_line_open(struct sl_text_line *line)
{
    *line = (struct sl_text_line){0};
    line->out = open_memstream(&line->text, &line->length);
    return line->out;
}

void sl_text_line_add(struct sl_text_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(line->begun ? ", " : "", line->out);
    vfprintf(line->out, format, arguments);
    va_end(arguments);
    line->begun = true;
}

char *sl_text_line_close(struct sl_text_line *line)
{
    bool whole = !fclose(line->out);
    if (whole && line->begun)
        return line->text;
    free(line->text);
    return NULL;
}
