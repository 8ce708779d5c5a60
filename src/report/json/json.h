/* SPDX-License-Identifier: MIT */
/* Writers of JSON reports, one file json_PART.c for each part of a report. docs/json.md documents
 * the keys.
 *
 * All functions write to the output and return 0 or a negative enum sl_error: SL_ENOMEM, SL_EIO if
 * it cannot be written, SL_EFORMAT for a damaged database. `n` is the number of rows; 0: all. */
#ifndef SL_JSON_H
#define SL_JSON_H

#include <jansson.h>

#include "difference.h"
#include "partition.h"
#include "evaluated_table.h"

/* JSON values of reports, built with the Jansson library. Only sl_json_dump() and sl_json_put()
 * return errors. A value that cannot be allocated is NULL, an object or list to which NULL is added
 * becomes NULL, and writing NULL returns SL_ENOMEM. */

/* Returns a string, in which bytes that are not valid UTF-8 are replaced. NULL becomes null. */
json_t *sl_json_text(const char *text);

/* Returns an integer, limited to 2^63 - 1, the maximum of Jansson. */
json_t *sl_json_number(uint64_t number);

/* Returns the number if it is `valid`, otherwise null. */
json_t *sl_json_number_if(bool valid, uint64_t number);

/* Returns a real number. NAN and infinities become null. */
json_t *sl_json_real(double number);

/* Returns a string like "0x1c", because many JSON readers have no 64-bit integers. */
json_t *sl_json_hex(uint64_t number);

/* Add a value, which then belongs to the object or list. If the value is NULL, or if out of memory,
 * the object or list is freed and set to NULL. */
void sl_json_set(json_t **object, const char *key, json_t *value);
void sl_json_append(json_t **list, json_t *value);

/* Returns an object with the given keys and values, which alternate. The last argument is NULL. */
json_t *sl_json_object(const char *key, ...);

/* Sets the statistics of a table's messages. The number of messages gets the key `count`. For a
 * table that sends no messages, all values are null. */
void sl_json_set_messages(json_t **object, const char *count, const struct sl_table_status *status,
                          struct sl_overhead_whole whole);

/* Return a pair [events, error], a list of them, and a list of warnings. */
json_t *sl_json_point(const struct sl_curve_point *point);
json_t *sl_json_curve(const struct sl_curve_point *point, size_t n);
json_t *sl_json_warnings(const struct sl_warnings *warnings);

/* Writes and frees a value. Returns 0, SL_ENOMEM for NULL, or SL_EIO if it cannot be written. */
int sl_json_dump(json_t *value, FILE *out, struct sl_failure *f);

/* Writes `before`, and then the value as sl_json_dump() does. If `result`, which an earlier call
 * returned, is an error, returns this error without writing the value. Frees the value in any
 * case. */
int sl_json_put(int result, const char *before, json_t *value, FILE *out, struct sl_failure *f);

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
