/* SPDX-License-Identifier: MIT */
/* A line of words as people write commands. */
#ifndef SL_SPLIT_WORDS_H
#define SL_SPLIT_WORDS_H

/* Divides at blanks; what is between ' or " stays together. NULL at the end of the list; an empty
 * list for a text without words. To be freed by the second; NULL without memory. */
char **sl_words_split(const char *text);
void sl_words_free(char **word);

#endif
