/* Values of the JSON reports. Each gives NULL when memory ran out, which jansson's
 * setters take for a failure: their results are or-ed together, and sl_json_dump
 * is told. */
#ifndef SL_JSON_VALUE_H
#define SL_JSON_VALUE_H

#include <jansson.h>

#include "sluice.h"
#include "wording.h"

/* Any bytes; NULL is null. The second frees its text. */
json_t *sl_json_text(const char *text);
json_t *sl_json_own_text(char *text);

json_t *sl_json_number(uint64_t number);

/* Null where the number means nothing. */
json_t *sl_json_number_if(bool means, uint64_t number);

/* NAN is null. */
json_t *sl_json_real(double number);

/* "0x1c", as text: not every reader of JSON has 64-bit integers. */
json_t *sl_json_hex(uint64_t number);

/* Sets what is said of a table's messages, their number under the name `count`; all
 * of it null for a table that sends none. */
int sl_json_set_messages(json_t *object, const char *count, const struct sl_table_status *status,
                         struct sl_overhead_whole whole);

/* Writes and frees; `error`: the value is not whole, memory ran out. */
int sl_json_dump(json_t *value, int error, FILE *out, struct sl_failure *f);

/* A list of sentences. */
int sl_json_dump_notes(const struct sl_notes *notes, FILE *out, struct sl_failure *f);

#endif
