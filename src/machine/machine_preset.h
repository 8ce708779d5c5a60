/* SPDX-License-Identifier: MIT */
/* Machines by name: `ss4`, `ss4,l2.size=2M`, `./mine.txt,bpred.kind=none`. */
#ifndef SL_MACHINE_PRESET_H
#define SL_MACHINE_PRESET_H

#include "machine_text.h"

/* Reads what -m was given: the name of a preset (machines/NAME.txt in the data
 * directory), or with a / in it the path of a file, up to the first comma; then
 * overrides. What neither sets has its default. SL_EUSAGE if there is no such machine
 * or an override is wrong, SL_EFORMAT or SL_EIO if the file is; SL_ENOMEM. */
int sl_machine_read(const struct sl_machine_section *sections, const char *spec,
                    struct sl_failure *f);

/* Prints one line for each preset: its name and the first line of its description. */
void sl_machine_list(FILE *out);

#endif
