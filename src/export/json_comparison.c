/* The table of `sluice compare` for programs: docs/json.md. A row is a line. */
#include "comparison.h"
#include "json_value.h"
#include "wording.h"

static json_t *curve_value(const struct sl_curve *curve)
{
    json_t *list = json_array();
    int error = !list;
    for (size_t i = 0; i < curve->n; i++) {
        json_t *pair = json_array();
        error |= json_array_append_new(pair, sl_json_number(curve->point[i].events));
        error |= json_array_append_new(pair, sl_json_real(curve->point[i].error));
        error |= json_array_append_new(list, pair);
    }
    if (!error)
        return list;
    json_decref(list);
    return NULL;
}

static int write_row(const struct sl_comparisons *all, const struct sl_comparison *row, FILE *out,
                     struct sl_failure *f)
{
    const struct sl_table_status *status = &row->status;
    json_t *object = json_object();
    uint64_t below = sl_comparison_below(all, row);
    int error = json_object_set_new(object, "spec", sl_json_text(row->spec));
    error |= json_object_set_new(object, "events", sl_json_number(status->events));
    error |= json_object_set_new(object, "storage_bits", sl_json_number(status->storage_bits));
    error |= sl_json_set_messages(object, "messages", status,
                                  sl_overhead_whole(all->instructions, all->cycles));
    error |= json_object_set_new(object, "profiler_overhead",
                                 row->waited_for ? sl_json_real(row->profiler_overhead)
                                                 : json_null());
    error |= json_object_set_new(object, "error",
                                 row->measured ? sl_json_real(row->error) : json_null());
    error |= json_object_set_new(object, "overlap", sl_json_real(row->overlap));
    error |= json_object_set_new(object, "overlap_dynamic", sl_json_real(row->overlap_dynamic));
    error |= json_object_set_new(object, "windows", sl_json_real(row->windows));
    error |= json_object_set_new(object, "interval_error", sl_json_real(row->interval_error));
    error |= json_object_set_new(object, "events_per_second",
                                 sl_json_real(sl_comparison_speed(row)));
    error |= json_object_set_new(object, "below_limit_from",
                                 sl_json_number_if(below != UINT64_MAX, below));
    error |= json_object_set_new(object, "curve", curve_value(row->curve));
    return sl_json_dump(object, error, out, f);
}

static int write_notes(const struct sl_comparisons *all, FILE *out, struct sl_failure *f)
{
    struct sl_notes notes;
    int result = sl_comparisons_notes(all, &notes, f);
    if (result)
        return result;
    result = sl_json_dump_notes(&notes, out, f);
    sl_notes_free(&notes);
    return result;
}

int sl_comparisons_json(const struct sl_comparisons *all, FILE *out, struct sl_failure *f)
{
    int result = 0;
    fputs("{\"rows\": [", out);
    for (size_t i = 0; !result && i < all->n; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_row(all, &all->row[i], out, f);
    }
    fputs("],\n \"notes\": ", out);
    if (!result)
        result = write_notes(all, out, f);
    fputs("}\n", out);
    return result ? result : sl_report_written(out, f);
}
