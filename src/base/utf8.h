/* SPDX-License-Identifier: MIT */
/* Text from outside (paths, arguments, symbols) made fit to be shown: any byte
 * can be in it, and terminals and JSON take only some. */
#ifndef SL_UTF8_H
#define SL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A copy in which each byte that is not part of valid UTF-8 is U+FFFD. Free it;
 * NULL when memory ran out. */
char *sl_utf8_clean(const char *text);

/* As above, and each hidden character is '?'. */
char *sl_utf8_printable(const char *text);

/* Bytes of the character at `text`, of which n > 0 are there: more than n if what is there begins
 * a valid one, 0 if nothing can make it valid. */
size_t sl_utf8_size(const char *text, size_t n);

/* The number of a valid character of so many bytes. */
uint32_t sl_utf8_code(const char *text, size_t size);

/* Whether it would not be seen, but do something to what is around it: move a terminal's cursor,
 * break the line, turn the direction of writing. */
bool sl_utf8_hidden(uint32_t code);

/* Number of characters in valid UTF-8. */
size_t sl_utf8_length(const char *text);

/* Shortens valid UTF-8 in place to at most `width` characters, by "..." in the
 * middle: both ends of a name tell more than its middle. */
void sl_utf8_shorten(char *text, size_t width);

/* The same of a text that it frees; NULL for NULL. */
char *sl_own_printable(char *text);

/* As asprintf(3): to be freed; NULL when memory ran out. */
char *sl_own_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
