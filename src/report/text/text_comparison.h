/* SPDX-License-Identifier: MIT */
/* Profiles side by side as text. */
#ifndef SL_TEXT_COMPARISON_H
#define SL_TEXT_COMPARISON_H

#include "comparison_view.h"

int sl_text_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f);

#endif
