/* SPDX-License-Identifier: MIT */
/* The programs that the program has started, in the JSON report. */
#ifndef SL_JSON_PROCESSES_H
#define SL_JSON_PROCESSES_H

#include "saved.h"

/* Writes `, "processes": [...]` if there are some. */
int sl_json_processes(struct sl_database *database, FILE *out, struct sl_failure *f);

#endif
