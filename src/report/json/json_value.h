/* SPDX-License-Identifier: MIT */
/* Values of the JSON reports. NULL denotes a value that is missing because memory ran out; an
 * object or list that it is put into becomes NULL, too, and sl_json_dump() then returns
 * SL_ENOMEM. */
#ifndef SL_JSON_VALUE_H
#define SL_JSON_VALUE_H

#include <jansson.h>

#include "curve.h"
#include "entry_view.h"
#include "sluice.h"
#include "format.h"

/* A string; bytes that are not valid UTF-8 are replaced. NULL becomes null. */
json_t *sl_json_text(const char *text);

json_t *sl_json_number(uint64_t number);

/* Null unless `means`. */
json_t *sl_json_number_if(bool means, uint64_t number);

/* NAN and infinities become null. */
json_t *sl_json_real(double number);

/* "0x1c", a string: not every JSON reader has 64-bit integers. */
json_t *sl_json_hex(uint64_t number);

/* Take the value. If it is NULL, or if out of memory, the object or list is freed and set to
 * NULL. */
void sl_json_set(json_t **object, const char *key, json_t *value);
void sl_json_append(json_t **list, json_t *value);

/* An object from names and values in turn; the last argument is NULL. */
json_t *sl_json_object(const char *key, ...);

/* Sets all keys of an entry that the view has looked at, as sl_json_set() does. */
void sl_json_set_tuple(json_t **object, const struct sl_entry_view *view,
                       const struct sl_db_entry *entry);

/* Sets the statistics of a table's messages, with their number under the key `count`; all are null
 * for a table that sends none. */
void sl_json_set_messages(json_t **object, const char *count, const struct sl_table_status *status,
                          struct sl_overhead_whole whole);

/* A list of pairs [events, error]; a list of warnings. */
json_t *sl_json_curve(const struct sl_curve_point *point, size_t n);
json_t *sl_json_notes(const struct sl_warnings *notes);

/* Writes and frees a value. Returns 0; SL_ENOMEM if it is NULL; SL_EIO if it cannot be written. */
int sl_json_dump(json_t *value, FILE *out, struct sl_failure *f);

/* Writes `before`, and then the value as sl_json_dump() does, unless an earlier `result` is an
 * error, which it returns. Frees the value in either case. */
int sl_json_put(int result, const char *before, json_t *value, FILE *out, struct sl_failure *f);

#endif
