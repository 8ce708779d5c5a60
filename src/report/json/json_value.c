/* SPDX-License-Identifier: MIT */
/* JSON values of reports, built with the Jansson library (json.h). */
#include "json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "failure.h"
#include "utf8.h"

#define DUMP_FLAGS (JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY)

json_t *sl_json_text(const char *text)
{
    char *clean = text ? sl_utf8_clean(text) : NULL;
    json_t *value = text ? json_string(clean) : json_null(); /* NULL if `clean` is */
    free(clean);
    return value;
}

json_t *sl_json_number(uint64_t number)
{
    return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

json_t *sl_json_number_if(bool valid, uint64_t number)
{
    return valid ? sl_json_number(number) : json_null();
}

json_t *sl_json_real(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *sl_json_hex(uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, number);
    return json_string(text);
}

void sl_json_set(json_t **object, const char *key, json_t *value)
{
    if (!*object) {
        json_decref(value);
    } else if (json_object_set_new(*object, key, value)) {
        json_decref(*object);
        *object = NULL;
    }
}

void sl_json_append(json_t **list, json_t *value)
{
    if (!*list) {
        json_decref(value);
    } else if (json_array_append_new(*list, value)) {
        json_decref(*list);
        *list = NULL;
    }
}

json_t *sl_json_object(const char *key, ...)
{
    json_t *object = json_object();
    va_list arguments;
    va_start(arguments, key);
    for (; key; key = va_arg(arguments, const char *))
        sl_json_set(&object, key, va_arg(arguments, json_t *));
    va_end(arguments);
    return object;
}

void sl_json_set_messages(json_t **object, const char *count, const struct sl_table_status *status,
                          struct sl_overhead_whole whole)
{
    bool sends = status->sends, gaps = sl_has_gaps(status);
    sl_json_set(object, count, sl_json_number_if(sends, status->messages));
    sl_json_set(object, "interrupts", sl_json_number_if(sends, status->interrupts));
    sl_json_set(object, "cycles", sl_json_number_if(sends, sl_overhead_cycles(status)));
    sl_json_set(object, "overhead", sl_json_real(sl_overhead(status, whole)));
    sl_json_set(object, "overhead_of",
                sl_json_text(sends && !status->output.capacity ? whole.of : NULL));
    sl_json_set(object, "residue", sl_json_number_if(sends, status->residue));
    sl_json_set(object, "gap_min", sl_json_number_if(gaps, status->gap_min));
    sl_json_set(object, "gap_median", sl_json_number_if(gaps, status->gap_median));
    sl_json_set(object, "gap_unit", sl_json_text(gaps ? sl_time_unit(status) : NULL));
}

json_t *sl_json_point(const struct sl_curve_point *point)
{
    return json_pack("[o,o]", sl_json_number(point->events), sl_json_real(point->error));
}

json_t *sl_json_curve(const struct sl_curve_point *point, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        sl_json_append(&list, sl_json_point(&point[i]));
    return list;
}

json_t *sl_json_warnings(const struct sl_warnings *warnings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < warnings->n; i++)
        sl_json_append(&array, sl_json_text(warnings->text[i]));
    return array;
}

int sl_json_dump(json_t *value, FILE *out, struct sl_failure *f)
{
    int result = 0;
    if (!value)
        result = sl_report_no_memory(f);
    else if (json_dumpf(value, out, DUMP_FLAGS))
        result = sl_fail_errno(f, SL_EIO, "cannot write the report");
    json_decref(value);
    return result;
}

int sl_json_put(int result, const char *before, json_t *value, FILE *out, struct sl_failure *f)
{
    fputs(before, out);
    if (!result)
        return sl_json_dump(value, out, f);
    json_decref(value);
    return result;
}
