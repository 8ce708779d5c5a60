/* SPDX-License-Identifier: MIT */
/* Paths in words. Each text is printable and to be freed; NULL when memory ran
 * out. */
#ifndef SL_PATH_WORDS_H
#define SL_PATH_WORDS_H

#include "path_view.h"

/* "is_prime+0x14..+0x30": from its first instruction, whose symbol is given, to its last
 * branch; "is_prime+0x14.." where that is not known. */
char *sl_path_span(const struct sl_path_view *view, const char *start);

/* "primes.c:22 → 23 → 25": the lines along it; with "→ …" where the rest is not known. ""
 * if there are none. */
char *sl_path_lines(const struct sl_path_view *view);

/* "primes.c:22 → primes.c:23": the same with each of them whole. */
char *sl_path_lines_whole(const struct sl_path_view *view);

/* "is_prime+0x14 → +0x20": its blocks, in the same way. */
char *sl_path_blocks(const struct sl_path_view *view);

/* The same of any lines, of any symbols; and a span from one symbol to another. */
char *sl_join_lines(char *const *line, size_t n);
char *sl_join_symbols(char *const *symbol, size_t n);
char *sl_symbol_span(const char *start, const char *end);

#endif
