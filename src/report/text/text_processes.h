/* SPDX-License-Identifier: MIT */
/* The programs that the program has started, and what all of them did. */
#ifndef SL_TEXT_PROCESSES_H
#define SL_TEXT_PROCESSES_H

#include "saved.h"

/* Prints nothing if there are none. */
int sl_text_processes(struct sl_database *database, const struct sl_report_config *config,
                      FILE *out, struct sl_failure *f);

#endif
