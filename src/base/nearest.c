/* SPDX-License-Identifier: MIT */
/* Spelling suggestions ("did you mean ...?"): finds the name with the smallest edit distance to a
 * mistyped word. The distance counts inserted, omitted and replaced letters and transposed pairs of
 * adjacent letters. No letter is edited twice (F. Damerau, 1964). */
#include "sluice.h"

#include <string.h>

#define LENGTH_MAX 32u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance_of(const char *a, const char *b)
{
    /* row[i][j]: distance of the first i letters of a and the first j of b. */
    unsigned row[LENGTH_MAX + 1][LENGTH_MAX + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LENGTH_MAX || m > LENGTH_MAX)
        return LENGTH_MAX;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (!i || !j) {
                row[i][j] = (unsigned)(i + j);
                continue;
            }
            row[i][j] = least(least(row[i - 1][j], row[i][j - 1]) + 1,
                              row[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[i][j] = least(row[i][j], row[i - 2][j - 2] + 1);
        }
    return row[n][m];
}

/* One error in three letters is a typing error, more is another word. */
void sl_nearest_start(struct sl_nearest *nearest, const char *word, size_t size)
{
    if (!nearest)
        return;
    *nearest = (struct sl_nearest){.distance = 1 + ((unsigned)size + 1) / 3};
    if (word && size < sizeof nearest->word)
        memcpy(nearest->word, word, size);
}

void sl_nearest_offer(struct sl_nearest *nearest, const char *name)
{
    if (!(nearest && name))
        return;
    unsigned distance = distance_of(nearest->word, name);
    if (!nearest->word[0] || distance >= nearest->distance)
        return;
    nearest->distance = distance;
    nearest->best = name;
}

const char *sl_nearest_hint(const struct sl_nearest *nearest, char out[SL_NEAREST_BYTES])
{
    if (!nearest || !out || !nearest->best)
        return ";";
    snprintf(out, SL_NEAREST_BYTES, "; did you mean %.40s?", nearest->best);
    return out;
}
