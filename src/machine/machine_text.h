/* SPDX-License-Identifier: MIT */
/* Text format of CPU model descriptions, and its parser and printer.
 *
 *     # A comment begins with # and ends with the line.
 *     l1d.size = 32Ki
 *     bpred.kind = combined
 *
 * A line sets one key, `section.key`; values are written as in specs (options.h). A section is a
 * component's option table and the configuration that it fills; the caller lists the sections. Keys
 * that are not set keep their values. A list of overrides, `l2.size=2M,bpred.history=10`, is the
 * same on one line.
 *
 * Only the functions of machine_preset.c allocate memory or read files. */
#ifndef SL_MACHINE_TEXT_H
#define SL_MACHINE_TEXT_H

#include "options.h"

/* At most 32 sections with at most 64 options each, in an array that ends with the name NULL.
 * Adjacent sections may have the same name; to the user they are one. */
struct sl_machine_section {
    const char *name;
    const struct sl_option *options;
    void *config;
};

/* Sets every option of every section to its default. */
void sl_machine_defaults(const struct sl_machine_section *sections);

/* Reads a description. Returns 0 or SL_EFORMAT, with a message that begins with `file` and the line
 * number and names what is allowed: a line without `=`, a key without section, an unknown section
 * or key, a wrong value, a key that an earlier line sets. After an error the configurations are
 * undefined. */
int sl_machine_read_text(const struct sl_machine_section *sections, const char *text, size_t size,
                         const char *file, struct sl_failure *f);

/* Reads the overrides in `list` from index `from` on. Returns 0 or SL_EUSAGE, with a message that
 * names the position of the error. Commas in parentheses belong to values. */
int sl_machine_read_overrides(const struct sl_machine_section *sections, const char *list,
                              size_t from, struct sl_failure *f);

/* Writes every key with its value, one per line, in a form that reads back to the same
 * configurations. As snprintf: returns the full length, and cuts at `capacity`. */
size_t sl_machine_print(const struct sl_machine_section *sections, char *out, size_t capacity);

/* ---- named descriptions: machine_preset.c ---- */

/* Reads the argument of -m, for example `ss4`, `ss4,l2.size=2M` or `./mine.txt,bpred.kind=none`: up
 * to the first comma the name of a preset (machines/NAME.txt in the data directory) or, with a
 * slash in it, the path of a file; then overrides. Keys that neither sets get their defaults.
 * Returns 0, SL_EUSAGE if the CPU model does not exist or an override is wrong, SL_EFORMAT or
 * SL_EIO for the file, or SL_ENOMEM. */
int sl_machine_read(const struct sl_machine_section *sections, const char *spec,
                    struct sl_failure *f);

/* Prints one line for each preset: its name and the first line of its description. */
void sl_machine_list(FILE *out);

#endif
