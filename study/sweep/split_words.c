/* SPDX-License-Identifier: MIT */
/* Splits the text of a command line into words at blanks, except within quotes. */
#include "split_words.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

static const char blanks[] = " \t";

/* Returns the word that begins at *at, without its quotes, and moves *at to its end. */
static char *take(const char **at)
{
    char *word = malloc(strlen(*at) + 1), *to = word, quote = 0;
    for (; word && **at && (quote || !strchr(blanks, **at)); ++*at)
        if (quote ? **at == quote : **at == '\'' || **at == '"')
            quote = quote ? 0 : **at;
        else
            *to++ = **at;
    if (word)
        *to = '\0';
    return word;
}

char **sl_words_split(const char *text)
{
    size_t n = 0, capacity = 0;
    char **word = NULL;
    if (!SL_GROW(word, capacity, 1))
        return NULL;
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        char *one = SL_GROW(word, capacity, n + 2) ? take(&at) : NULL;
        if (!one) {
            sl_words_free(word);
            return NULL;
        }
        word[n++] = one;
        word[n] = NULL;
    }
    return word;
}

void sl_words_free(char **word)
{
    for (size_t i = 0; word && word[i]; i++)
        free(word[i]);
    free(word);
}
