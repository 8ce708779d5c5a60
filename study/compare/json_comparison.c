/* SPDX-License-Identifier: MIT */
/* Prints the results of `sluice compare` as JSON, with one line for each profile. */
#include "comparison.h"
#include "json.h"

static int write_row(const struct sl_comparison_view *view, const struct sl_comparison *row,
                     FILE *out, struct sl_failure *f)
{
    const struct sl_table_status *status = &row->status;
    uint64_t below = sl_comparison_below(view, row);
    json_t *object = sl_json_object("spec", sl_json_text(row->spec), "events",
                                    sl_json_number(status->events), "storage_bits",
                                    sl_json_number(status->storage_bits), NULL);
    sl_json_set_messages(&object, "messages", status, view->whole);
    sl_json_set(&object, "profiler_overhead",
                row->waited_for ? sl_json_real(row->profiler_overhead) : json_null());
    sl_json_set(&object, "error", row->measured ? sl_json_real(row->error) : json_null());
    sl_json_set(&object, "measure", sl_json_text(sl_comparison_measures[row->measure]));
    sl_json_set(&object, "overlap", sl_json_real(row->overlap));
    sl_json_set(&object, "overlap_dynamic", sl_json_real(row->overlap_dynamic));
    sl_json_set(&object, "windows", sl_json_real(row->windows));
    sl_json_set(&object, "interval_error", sl_json_real(row->interval_error));
    sl_json_set(&object, "events_per_second", sl_json_real(sl_comparison_speed(row)));
    sl_json_set(&object, "events_until_below", sl_json_number_if(below != UINT64_MAX, below));
    sl_json_set(&object, "error_curve", sl_json_curve(row->curve->point, row->curve->n));
    return sl_json_dump(object, out, f);
}

int sl_json_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f)
{
    int result = 0;
    fputs("{\"rows\": [", out);
    for (size_t i = 0; !result && i < view->all->n; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_row(view, &view->all->row[i], out, f);
    }
    result = sl_json_put(result, "],\n \"warnings\": ", sl_json_warnings(&view->notes), out, f);
    fputs("}\n", out);
    return result;
}
