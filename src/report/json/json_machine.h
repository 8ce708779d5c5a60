/* SPDX-License-Identifier: MIT */
/* The machine in the JSON report. */
#ifndef SL_JSON_MACHINE_H
#define SL_JSON_MACHINE_H

#include "saved.h"

/* Writes an object, or null if none was modelled. */
int sl_json_machine(const struct sl_saved_machine *machine, FILE *out, struct sl_failure *f);

/* The key `beside` with those that ran beside it, if there are any, and a comma in front. */
int sl_json_beside(const struct sl_database *database, FILE *out, struct sl_failure *f);

#endif
