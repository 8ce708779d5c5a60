/* SPDX-License-Identifier: MIT */
/* Test program that demangles C++ and Rust names from standard input, line by line. Names that are
 * not mangled are printed unchanged. */
#include <stdio.h>
#include <stdlib.h>

#include "demangle.h"

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t n; (n = getline(&line, &capacity, stdin)) > 0;) {
        if (line[n - 1] == '\n')
            line[n - 1] = '\0';
        char *readable = sl_demangle(line, NULL);
        puts(readable ? readable : line);
        free(readable);
    }
    free(line);
    return 0;
}
