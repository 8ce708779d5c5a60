/* SPDX-License-Identifier: MIT */
/* A difference for programs: docs/json.md. */
#ifndef SL_JSON_DIFFERENCE_H
#define SL_JSON_DIFFERENCE_H

#include "difference.h"

/* n rows of each part; 0: all. */
int sl_json_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f);

#endif
