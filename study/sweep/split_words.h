/* SPDX-License-Identifier: MIT */
/* Splits the text of a command line into words at blanks, except within quotes. */
#ifndef SL_SPLIT_WORDS_H
#define SL_SPLIT_WORDS_H

/* Splits at blanks; text within ' or " stays together. Returns a list that ends with NULL, for
 * sl_words_free(); NULL if out of memory. */
char **sl_words_split(const char *text);
void sl_words_free(char **word);

#endif
