/* SPDX-License-Identifier: MIT */
/* Grids: a text with alternatives in braces is expanded to several texts, one for each point of a
 * sweep.
 *
 *     multihash(tables={1,2,4},counters={1K..4K})      nine; the last braces vary fastest
 *     ss4,l2.size={256K..2M}                           256K 512K 1M 2M
 *
 * Braces contain words separated by commas (commas inside parentheses and brackets belong to the
 * word), or ranges: LOW..HIGH doubles from LOW up to at most HIGH, LOW..HIGH+STEP adds. Numbers of
 * a range are whole and may have the usual suffixes. If LOW and HIGH have different suffixes, 1024
 * of the smaller unit are 1 of the next, so that the results look as a user would write them,
 * whether K is 1000 or 1024 for the option. */
#ifndef SL_GRID_H
#define SL_GRID_H

#include "sluice-study.h"

#define SL_GRID_MAX 1000000u       /* texts of one grid */
#define SL_GRID_BYTES (256u << 20) /* their total length */
#define SL_GRID_BRACES 100u        /* in one text: each is a level of recursion */

struct sl_grid {
    char **text;
    size_t n, capacity, bytes;
};

/* Adds all texts that the text denotes: the text itself if it has no braces. Returns 0, SL_ENOMEM,
 * or SL_EUSAGE with a message that points at the error. */
int sl_grid_expand(struct sl_grid *grid, const char *text, struct sl_failure *f);

/* Adds a copy of a text without expanding it. Returns false if out of memory. */
bool sl_grid_add(struct sl_grid *grid, const char *text);

void sl_grid_free(struct sl_grid *grid);

#endif
