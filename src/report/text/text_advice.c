/* SPDX-License-Identifier: MIT */
#include "text_advice.h"

#include <stdlib.h>

#include "text_table.h"
#include "utf8.h"

#define SENTENCES 3

size_t sl_text_advice(const struct sl_advice *advice, size_t width, FILE *out)
{
    size_t lines = advice->n ? 2 : 0;
    if (advice->n && out)
        fputs("\nWorth knowing\n", out);
    for (size_t i = 0; i < advice->n && i < SENTENCES; i++) {
        char *line = sl_own_format("%.40s: %s", advice->advised[i].where,
                                   advice->advised[i].sentence);
        lines += line ? sl_text_wrap(line, "  ", width, out) : 0;
        free(line);
    }
    return lines;
}
