/* SPDX-License-Identifier: MIT */
/* The machine in the text report: how it fared with the whole run. */
#ifndef SL_TEXT_MACHINE_H
#define SL_TEXT_MACHINE_H

#include "saved.h"

/* Prints it, with an empty line in front, in lines of at most `width` characters;
 * nothing if none was modelled. Returns the number of lines, or an error. */
int sl_text_machine(const struct sl_saved_machine *machine, size_t width, FILE *out,
                    struct sl_failure *f);

/* All machines side by side, likewise; nothing if there are none beside the first. */
int sl_text_machines(const struct sl_database *database, size_t width, FILE *out,
                     struct sl_failure *f);

#endif
