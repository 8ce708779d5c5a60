/* SPDX-License-Identifier: MIT */
/* Machine descriptions as text, and back.
 *
 *     # A comment; so is everything behind a #.
 *     l1d.size = 32Ki
 *     bpred.kind = combined
 *
 * A line sets one key, `section.key`; values are written as in specs (options.h). A
 * section is a component's option table and the configuration it fills; what is known
 * here is only what the caller lists, so that no component has to be. What is not set
 * keeps the value it has. A list of overrides, `l2.size=2M,bpred.history=10`, is the
 * same on one line.
 *
 * Nothing here allocates memory or reads files; machine_preset.h does. */
#ifndef SL_MACHINE_TEXT_H
#define SL_MACHINE_TEXT_H

#include "options.h"

/* At most 32 of them with at most 64 options each, in an array that ends with
 * SL_MACHINE_SECTIONS_END. Neighbours may have one name: their keys are one section's
 * to the user. */
struct sl_machine_section {
    const char *name;
    const struct sl_option *options;
    void *config;
};

#define SL_MACHINE_SECTIONS_END \
    {                           \
        .name = NULL            \
    }

/* Every option of every section to its default. */
void sl_machine_defaults(const struct sl_machine_section *sections);

/* Reads the lines of a description. SL_EFORMAT with a sentence that begins with
 * `file` and the line's number, and says what is allowed: the line has no `=`, its key
 * no section, section or key do not exist, the value is not allowed, the key was set
 * by an earlier line. The configurations are then not to be used. */
int sl_machine_read_text(const struct sl_machine_section *sections, const char *text, size_t size,
                         const char *file, struct sl_failure *f);

/* Reads the overrides in `list` from its character `from` on. SL_EUSAGE, likewise,
 * with the character in `list` that is wrong. Commas in parentheses belong to values. */
int sl_machine_read_overrides(const struct sl_machine_section *sections, const char *list,
                              size_t from, struct sl_failure *f);

/* Writes every key with its value, one a line, such that reading it gives the
 * configurations again. As snprintf: returns the length it would have, and cuts at
 * `room`. */
size_t sl_machine_print(const struct sl_machine_section *sections, char *out, size_t room);

/* ---- named descriptions: machine_preset.c ---- */

/* Reads the argument of -m, for example `ss4`, `ss4,l2.size=2M` or `./mine.txt,bpred.kind=none`: up
 * to the first comma the name of a preset (machines/NAME.txt in the data directory) or, with a
 * slash in it, the path of a file; then overrides. Keys that neither sets get their defaults.
 * Returns 0, SL_EUSAGE if the machine does not exist or an override is wrong, SL_EFORMAT or SL_EIO
 * for the file, or SL_ENOMEM. */
int sl_machine_read(const struct sl_machine_section *sections, const char *spec,
                    struct sl_failure *f);

/* Prints one line for each preset: its name and the first line of its description. */
void sl_machine_list(FILE *out);

#endif
