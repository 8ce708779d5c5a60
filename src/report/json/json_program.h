/* SPDX-License-Identifier: MIT */
/* What ran, in the JSON report and on the page. */
#ifndef SL_JSON_PROGRAM_H
#define SL_JSON_PROGRAM_H

#include <stdio.h>

#include "saved.h"

int sl_json_program(const struct sl_saved_program *program, FILE *out, struct sl_failure *f);

#endif
