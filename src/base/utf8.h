/* SPDX-License-Identifier: MIT */
/* UTF-8 text: validation, and safe copies of text from other sources (paths, arguments, symbols)
 * that terminals and JSON accept. */
#ifndef SL_UTF8_H
#define SL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A copy in which each byte that is not part of valid UTF-8 is replaced by U+FFFD. Free it. Returns
 * NULL if out of memory. */
char *sl_utf8_clean(const char *text);

/* As above, and hidden characters (sl_utf8_hidden()) are replaced by '?'. */
char *sl_utf8_printable(const char *text);

/* Size in bytes of the character at `text`, of which n > 0 bytes are available: more than n if
 * these can begin a valid character, 0 if they cannot. */
size_t sl_utf8_size(const char *text, size_t n);

/* Code point of a valid character of `size` bytes. */
uint32_t sl_utf8_code(const char *text, size_t size);

/* True if the character is invisible but affects the text around it: moves a terminal's cursor,
 * breaks the line, changes the direction of writing. */
bool sl_utf8_hidden(uint32_t code);

/* Number of characters in valid UTF-8. */
size_t sl_utf8_length(const char *text);

/* Number of bytes of the first n characters, or of all if there are fewer. */
size_t sl_utf8_bytes(const char *text, size_t n);

/* Shortens valid UTF-8 in place to at most `width` characters, with "..." in the middle: the ends
 * of a name are its most specific parts. */
void sl_utf8_shorten(char *text, size_t width);

/* As sl_utf8_printable(), and frees `text`; NULL for NULL. */
char *sl_own_printable(char *text);

/* The last part of a path, "primes.c" of "/src/primes.c"; NULL for NULL. */
const char *sl_file_name(const char *path);

/* True if `asked` is the name, or the name without parameters. */
bool sl_is_called(const char *name, const char *asked);

/* True if two texts are equal; NULL equals "". */
bool sl_same_text(const char *a, const char *b);

/* As asprintf(3): returns the text, to be freed; NULL if out of memory. */
char *sl_asprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
