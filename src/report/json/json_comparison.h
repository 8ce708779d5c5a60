/* SPDX-License-Identifier: MIT */
/* Profiles side by side as JSON. */
#ifndef SL_JSON_COMPARISON_H
#define SL_JSON_COMPARISON_H

#include "comparison_view.h"

int sl_json_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f);

#endif
