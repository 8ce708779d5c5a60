/* SPDX-License-Identifier: MIT */
/* Grids: a text with alternatives in braces stands for many.
 *
 *     multihash(tables={1,2,4},counters={1K..4K})      nine of them, the last braces fastest
 *     ss4,l2.size={256K..2M}                           256K 512K 1M 2M
 *
 * Between braces are words with commas between them (commas inside of parentheses and brackets are
 * the word's own), or ranges: LOW..HIGH doubles from LOW as long as it is not above HIGH,
 * LOW..HIGH+STEP adds. Numbers of a range are whole and may have the suffixes of numbers anywhere;
 * where LOW and HIGH have different ones, 1024 of the lower are 1 of the next, so that what comes
 * out reads as people write it, whatever a K is to whoever reads it. */
#ifndef SL_GRID_H
#define SL_GRID_H

#include "sluice-study.h"

#define SL_GRID_MAX 1000000u       /* texts of one grid */
#define SL_GRID_BYTES (256u << 20) /* and their length, all together */
#define SL_GRID_BRACES 100u        /* of one text: each is a level of calls */

struct sl_grid {
    char **text;
    size_t n, capacity, bytes;
};

/* Adds all that the text stands for: itself, where it has no braces. SL_EUSAGE with a sentence that
 * points at what is wrong. */
int sl_grid_expand(struct sl_grid *grid, const char *text, struct sl_failure *f);

/* Adds a copy of one text as it is. */
bool sl_grid_add(struct sl_grid *grid, const char *text);

void sl_grid_free(struct sl_grid *grid);

#endif
