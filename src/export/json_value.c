#include "json_value.h"

#include <inttypes.h>
#include <stdlib.h>

#include "failure.h"
#include "utf8.h"
#include "wording.h"

#define DUMP_FLAGS (JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY)

json_t *sl_json_text(const char *text)
{
    char *clean = text ? sl_utf8_clean(text) : NULL;
    json_t *value = text ? json_string(clean ? clean : "") : json_null();
    if (text && !clean) {
        json_decref(value);
        value = NULL;
    }
    free(clean);
    return value;
}

json_t *sl_json_own_text(char *text)
{
    json_t *value = sl_json_text(text);
    free(text);
    return value;
}

json_t *sl_json_number(uint64_t number)
{
    return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

json_t *sl_json_number_if(bool means, uint64_t number)
{
    return means ? sl_json_number(number) : json_null();
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

int sl_json_set_messages(json_t *object, const char *count, const struct sl_table_status *status,
                         struct sl_overhead_whole whole)
{
    bool sends = status->sends, gaps = sl_has_gaps(status);
    json_t *of = sends ? json_string(whole.of) : json_null();
    int error = json_object_set_new(object, count, sl_json_number_if(sends, status->messages));
    error |= json_object_set_new(object, "interrupts",
                                 sl_json_number_if(sends, status->interrupts));
    error |= json_object_set_new(object, "cycles",
                                 sl_json_number_if(sends, sl_overhead_cycles(status)));
    error |= json_object_set_new(object, "overhead", sl_json_real(sl_overhead(status, whole)));
    error |= json_object_set_new(object, "overhead_of", of);
    error |= json_object_set_new(object, "residue", sl_json_number_if(sends, status->residue));
    error |= json_object_set_new(object, "gap_min", sl_json_number_if(gaps, status->gap_min));
    error |= json_object_set_new(object, "gap_median", sl_json_number_if(gaps, status->gap_median));
    return error;
}

int sl_json_dump_notes(const struct sl_notes *notes, FILE *out, struct sl_failure *f)
{
    json_t *array = json_array();
    int error = 0;
    for (size_t i = 0; i < notes->n; i++)
        error |= json_array_append_new(array, sl_json_text(notes->note[i]));
    return sl_json_dump(array, error, out, f);
}

int sl_json_dump(json_t *value, int error, FILE *out, struct sl_failure *f)
{
    int result = 0;
    if (error || !value)
        result = sl_report_no_memory(f);
    else if (json_dumpf(value, out, DUMP_FLAGS))
        result = sl_fail_errno(f, SL_EIO, "cannot write the report");
    json_decref(value);
    return result;
}
