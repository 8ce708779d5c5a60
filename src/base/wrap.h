/* SPDX-License-Identifier: MIT */
/* ASCII text in lines of at most 100 columns, for what `sluice list` prints. */
#ifndef SL_WRAP_H
#define SL_WRAP_H

#include <stdio.h>

/* `first`, then the text; further lines are indented to where the text began. Broken
 * at spaces; a longer word stays whole. */
void sl_wrap(const char *first, const char *text, FILE *out);

#endif
