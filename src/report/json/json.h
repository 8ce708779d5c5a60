/* SPDX-License-Identifier: MIT */
/* Writers of JSON reports, one file json_PART.c for each part of a report. docs/json.md documents
 * the keys.
 *
 * All functions write to the output and return 0 or a negative enum sl_error: SL_ENOMEM, SL_EIO if
 * it cannot be written, SL_EFORMAT for a damaged database. `n` is the number of rows; 0 means all.
 */
#ifndef SL_JSON_H
#define SL_JSON_H

#include "difference.h"
#include "json_value.h"
#include "partition.h"

/* Writes the value of "program": an object. */
int sl_json_program(const struct sl_db_program *program, FILE *out, struct sl_failure *f);

/* Writes `, "processes": [...]`; nothing if the program started no process. */
int sl_json_processes(const struct sl_output *o);

/* Writes the value of "machine": an object, or null without a CPU model. */
int sl_json_machine(const struct sl_db_machine *machine, FILE *out, struct sl_failure *f);

/* Writes `, "other_machines": [...]` with the second and further CPU models; nothing if there are
 * none. */
int sl_json_other_machines(const struct sl_output *o);

/* Write further keys of a profile's object, each after a comma, and only if the profile has the
 * data: "phases"; "sequence" with its top config->n subpaths; "readings", estimates of events with
 * their exact counts; and "runs", the spread of errors over runs with different seeds, as made by
 * the option --runs. */
int sl_json_phases(const struct sl_output *o, const struct sl_db_profile *profile);
int sl_json_sequence(const struct sl_output *o, const struct sl_db_profile *profile);
int sl_json_runs(const struct sl_output *o, const struct sl_db_profile *profile);

/* Write the complete reports of `diff` (n rows of each section) and `report --partition`. */
int sl_json_difference(const struct sl_difference *difference, size_t n, FILE *out,
                       struct sl_failure *f);
int sl_json_partition(const struct sl_output *o, const struct sl_partition *p);

#endif
