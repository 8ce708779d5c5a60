/* SPDX-License-Identifier: MIT */
/* A difference of two databases as a page: the same one, with other data. */
#ifndef SL_PAGE_DIFFERENCE_H
#define SL_PAGE_DIFFERENCE_H

#include "difference.h"
#include "sluice.h"

/* `n` rows of each part at most; 0: 300. */
int sl_page_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f);

#endif
