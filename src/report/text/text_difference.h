/* SPDX-License-Identifier: MIT */
/* What became dearer or cheaper, for people: the n rows of each part that explain most. */
#ifndef SL_TEXT_DIFFERENCE_H
#define SL_TEXT_DIFFERENCE_H

#include "difference.h"

int sl_text_difference(const struct sl_difference *difference, size_t n, size_t width, FILE *out,
                       struct sl_failure *f);

#endif
