/* SPDX-License-Identifier: MIT */
#include "wrap.h"

#include <string.h>

#define WIDTH 100u

void sl_wrap(const char *first, const char *text, FILE *out)
{
    size_t indent = strlen(first), column = indent;
    fputs(first, out);
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > indent && column + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putc(' ', out);
            column++;
        }
        fwrite(text, 1, word, out);
        column += word;
        text += word + strspn(text + word, " ");
    }
    putc('\n', out);
}
