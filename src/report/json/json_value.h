/* SPDX-License-Identifier: MIT */
/* JSON values of reports, built with the Jansson library. Only sl_json_dump() and sl_json_put()
 * return errors. A value that cannot be allocated is NULL, an object or list to which NULL is added
 * becomes NULL, and writing NULL returns SL_ENOMEM. */
#ifndef SL_JSON_VALUE_H
#define SL_JSON_VALUE_H

#include <jansson.h>

#include "evaluated_table.h"
#include "format.h"

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

/* Writes and frees a value. Returns 0, SL_ENOMEM if it is NULL, or SL_EIO if it cannot be written.
 */
int sl_json_dump(json_t *value, FILE *out, struct sl_failure *f);

/* Writes `before`, and then the value as sl_json_dump() does. If `result`, which an earlier call
 * returned, is an error, returns this error without writing the value. Frees the value in any
 * case. */
int sl_json_put(int result, const char *before, json_t *value, FILE *out, struct sl_failure *f);

#endif
