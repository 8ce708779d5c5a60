/* SPDX-License-Identifier: MIT */
/* Writes the results of a sweep as CSV. Each line is one result: its stream, CPU model and profile,
 * and one column per measure, which is empty if the result does not have this measure. Numbers have
 * 17 digits, so that they can be read back exactly. */
#include "csv_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "format.h"

#define MEASURES_MAX 1000u

struct table {
    const struct sl_sweep_view *view;
    FILE *out;
    char **measure;
    size_t n, capacity;
    double *value;          /* of the current line */
    uint64_t stream, point; /* the result of the current line */
    size_t at;              /* index among the results, which have the same order */
    bool begun, no_memory;
};

static size_t index_of(const struct table *t, const char *measure)
{
    size_t i = 0;
    while (i < t->n && strcmp(t->measure[i], measure))
        i++;
    return i;
}

static int note_measure(void *context, uint64_t stream, uint64_t point, const char *measure,
                        double value)
{
    struct table *t = context;
    (void)stream, (void)point, (void)value;
    if (t->n == MEASURES_MAX || index_of(t, measure) < t->n)
        return 0;
    char *name = SL_GROW(t->measure, t->capacity, t->n + 1) ? strdup(measure) : NULL;
    t->no_memory = !name;
    if (name)
        t->measure[t->n++] = name;
    return !name;
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    putc('"', out);
}

static void end_line(struct table *t)
{
    const struct sl_sweep_view *v = t->view;
    const struct sl_swept_result *r = v->result, *end = v->result + v->n_results;
    for (r += t->at; r < end; r++, t->at++)
        if (v->stream[r->stream].id > t->stream ||
            (v->stream[r->stream].id == t->stream && v->point[r->point].id >= t->point))
            break;
    if (!t->begun || r == end || v->stream[r->stream].id != t->stream ||
        v->point[r->point].id != t->point)
        return;
    const struct sl_swept_point *p = &v->point[r->point];
    put_text(t->out, v->stream[r->stream].name);
    putc(',', t->out);
    put_text(t->out, p->machine);
    putc(',', t->out);
    put_text(t->out, p->given);
    for (size_t i = 0; i < t->n; i++)
        if (isnan(t->value[i]))
            putc(',', t->out);
        else
            fprintf(t->out, ",%.17g", t->value[i]);
    putc('\n', t->out);
}

static int add_value(void *context, uint64_t stream, uint64_t point, const char *measure,
                     double value)
{
    struct table *t = context;
    if (!t->begun || t->stream != stream || t->point != point) {
        end_line(t);
        for (size_t i = 0; i < t->n; i++)
            t->value[i] = NAN;
        t->begun = true;
        t->stream = stream;
        t->point = point;
    }
    size_t at = index_of(t, measure);
    if (at < t->n)
        t->value[at] = value;
    return 0;
}

int sl_csv_sweep(const struct sl_sweep_view *v, struct sl_sweep_store *store, FILE *out,
                 struct sl_failure *f)
{
    struct table t = {.view = v, .out = out};
    int error = sl_sweep_store_measurements(store, note_measure, &t, f);
    if (!error)
        t.value = calloc(t.n + 1, sizeof *t.value);
    if (t.no_memory || (!error && !t.value))
        error = sl_report_no_memory(f);
    if (!error) {
        fputs("stream,machine,given_spec", out);
        for (size_t i = 0; i < t.n; i++) {
            putc(',', out);
            put_text(out, t.measure[i]);
        }
        putc('\n', out);
        error = sl_sweep_store_measurements(store, add_value, &t, f);
        end_line(&t);
    }
    for (size_t i = 0; i < t.n; i++)
        free(t.measure[i]);
    free(t.measure);
    free(t.value);
    return error;
}
