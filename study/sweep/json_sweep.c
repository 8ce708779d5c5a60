/* SPDX-License-Identifier: MIT */
/* Writes the results of a sweep as JSON, with one line for each point of the grid. */
#include "json_sweep.h"

#include <math.h>

#include "json.h"

/* Arrays of y for each point, one element per stream; null if the result is missing. */
static json_t **by_stream(const struct sl_sweep_view *v)
{
    json_t **list = calloc(v->n_points + 1, sizeof *list);
    for (size_t i = 0; list && i < v->n_points; i++) {
        list[i] = json_array();
        for (size_t k = 0; k < v->n_streams; k++)
            sl_json_append(&list[i], json_null());
    }
    for (size_t i = 0; list && i < v->n_results; i++) {
        const struct sl_swept_result *r = &v->result[i];
        if (r->done && list[r->point])
            json_array_set_new(list[r->point], r->stream, sl_json_real(r->y));
    }
    return list;
}

static json_t *point(const struct sl_sweep_view *v, const struct sl_swept_point *p, json_t *values)
{
    bool means = v->averages && p->counts;
    double mean = means ? p->mean : (double)NAN, worst = means ? p->worst : (double)NAN;
    json_t *machine = *p->machine ? sl_json_text(p->machine) : json_null();
    return sl_json_object("spec", sl_json_text(p->spec), "given_spec", sl_json_text(p->given),
                          "machine", machine, "x", sl_json_real(p->x), "mean", sl_json_real(mean),
                          "worst", sl_json_real(worst), "worst_stream",
                          sl_json_number_if(means, p->worst_stream), "overhead",
                          sl_json_real(means ? p->overhead : (double)NAN), "front",
                          json_boolean(v->averages && p->front), "worst_front",
                          json_boolean(v->averages && p->worst_front), "y", values, NULL);
}

static json_t *streams(const struct sl_sweep_view *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n_streams; i++)
        sl_json_append(&list, sl_json_text(v->stream[i].name));
    return list;
}

static json_t *holes(const struct sl_sweep_view *v)
{
    json_t *list = json_array();
    for (size_t i = 0; i < v->n_holes; i++)
        sl_json_append(&list, sl_json_object("stream", sl_json_number(v->hole[i].stream), "results",
                                             sl_json_number(v->hole[i].points), "reason",
                                             sl_json_text(v->hole[i].why), NULL));
    return list;
}

int sl_json_sweep(const struct sl_sweep_view *v, FILE *out, struct sl_failure *f)
{
    json_t **values = by_stream(v);
    int error = values ? 0 : sl_report_no_memory(f);
    fputs("{\"x\": ", out);
    if (!error)
        error = sl_json_dump(sl_json_text(v->x), out, f);
    fputs(", \"y\": ", out);
    if (!error)
        error = sl_json_dump(sl_json_text(v->y), out, f);
    fputs(",\n \"streams\": ", out);
    if (!error)
        error = sl_json_dump(streams(v), out, f);
    fputs(",\n \"missing\": ", out);
    if (!error)
        error = sl_json_dump(holes(v), out, f);
    fputs(",\n \"points\": [", out);
    for (size_t i = 0; values && i < v->n_points; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        if (!error)
            error = sl_json_dump(point(v, &v->point[i], values[i]), out, f);
        else
            json_decref(values[i]);
    }
    fputs("]}\n", out);
    free(values);
    return error;
}
