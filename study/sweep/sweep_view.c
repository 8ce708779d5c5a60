/* SPDX-License-Identifier: MIT */
/* Reads the results of a sweep and computes the values that all report formats print, for example
 * means over the streams (sweep_view.h). */
#include "sweep_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "format.h"

static const char *const more_is_better[] = {"overlap",          "coverage",  "overlap_dynamic",
                                             "coverage_dynamic", "predicted", NULL};
static const char *const shares[] = {"error",
                                     "interval",
                                     "overhead",
                                     "invariance",
                                     "relative",
                                     "false_positive",
                                     "false_negative",
                                     "neutral_positive",
                                     "neutral_negative",
                                     "false_positive_rate",
                                     "covered",
                                     NULL};

static bool among(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name))
        list++;
    return *list;
}

const char *sl_swept_measure(const char *measure)
{
    return strcmp(measure, "interval") ? measure : "error by interval";
}

const char *sl_swept_text(const char *measure, double value, char text[SL_SWEPT_CAPACITY])
{
    char formatted[SL_FORMAT_SIZE];
    bool fits = value >= 0 && value < 1e15; /* a damaged file may contain any value */
    if (isnan(value))
        snprintf(text, SL_SWEPT_CAPACITY, "-");
    else if (!strcmp(measure, "storage") && fits)
        snprintf(text, SL_SWEPT_CAPACITY, "%s", sl_format_storage((uint64_t)value, formatted));
    else if (!among(shares, measure) && !among(more_is_better, measure)) {
        if (fits && floor(value) >= value)
            snprintf(text, SL_SWEPT_CAPACITY, "%s", sl_format_number((uint64_t)value, formatted));
        else
            snprintf(text, SL_SWEPT_CAPACITY, "%.6g", value);
    } else if (value > 0 && value < 1e-4) /* two decimals would show 0.00% */
        snprintf(text, SL_SWEPT_CAPACITY, "%.1g%%", 100 * value);
    else
        snprintf(text, SL_SWEPT_CAPACITY, "%s", sl_format_percent(value, false, formatted));
    return text;
}

/* ---- reading ---- */

/* Default measures for y, in this order: the first one that every result has, otherwise the last
 * one. If all tables are interval profilers, their interval error is compared; if no tuple is
 * frequent enough for an error, there is still an overlap. */
static const char *const usual_y[] = {"interval", "error", "overlap"};
#define N_USUAL (sizeof usual_y / sizeof *usual_y)

/* Limit of distinct reasons: a damaged file may contain one per row. */
#define HOLES_MAX 1000u

/* State while the results are read. */
struct reading {
    struct sl_sweep_view *view;
    const struct sl_sweep_report_config *config;
    double (*usual)[N_USUAL]; /* by result */
    size_t at;                /* current result; measurements come in the order of results */
    struct sl_failure *f;
};

int sl_sweep_view_no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory for the report");
}

static int add_stream(void *context, uint64_t id, const char *name)
{
    struct reading *r = context;
    struct sl_sweep_view *v = r->view;
    if (!SL_GROW(v->stream, v->streams_capacity, v->n_streams + 1))
        return sl_sweep_view_no_memory(r->f);
    struct sl_swept_stream *s = &v->stream[v->n_streams++];
    *s = (struct sl_swept_stream){id, strdup(name)};
    return s->name ? 0 : sl_sweep_view_no_memory(r->f);
}

static int add_point(void *context, uint64_t id, const char *spec, const char *machine,
                     const char *given)
{
    struct reading *r = context;
    struct sl_sweep_view *v = r->view;
    if (!SL_GROW(v->point, v->points_capacity, v->n_points + 1))
        return sl_sweep_view_no_memory(r->f);
    struct sl_swept_point *p = &v->point[v->n_points++];
    *p = (struct sl_swept_point){.id = id,
                                 .spec = strdup(spec),
                                 .given = strdup(given),
                                 .machine = strdup(machine),
                                 .x = NAN,
                                 .mean = NAN,
                                 .worst = NAN,
                                 .overhead = NAN};
    return p->spec && p->given && p->machine ? 0 : sl_sweep_view_no_memory(r->f);
}

static int by_id(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

_Static_assert(!offsetof(struct sl_swept_stream, id) && !offsetof(struct sl_swept_point, id),
               "by_id compares these");

static int add_hole(struct reading *r, size_t stream, const char *why)
{
    struct sl_sweep_view *v = r->view;
    size_t i = 0;
    v->missing++;
    if (v->n_holes >= HOLES_MAX) {
        v->hole[HOLES_MAX - 1].points++;
        return 0;
    }
    while (i < v->n_holes && (v->hole[i].stream != stream || !v->hole[i].why != !why ||
                              (why && strcmp(v->hole[i].why, why))))
        i++;
    if (i == v->n_holes) {
        if (!SL_GROW(v->hole, v->holes_capacity, i + 1))
            return sl_sweep_view_no_memory(r->f);
        why = i == HOLES_MAX - 1
                  ? "more than 1000 different reasons; the other reasons are not listed"
                  : why;
        v->hole[v->n_holes++] = (struct sl_sweep_hole){stream, 0, why ? strdup(why) : NULL};
        if (why && !v->hole[i].why)
            return sl_sweep_view_no_memory(r->f);
    }
    v->hole[i].points++;
    return 0;
}

/* Ignores rows whose stream or point is not in the file. */
static int add_request(void *context, uint64_t stream, uint64_t point, bool done, const char *why)
{
    struct reading *r = context;
    struct sl_sweep_view *v = r->view;
    if (!v->n_streams || !v->n_points)
        return 0;
    const struct sl_swept_stream *s = bsearch(&stream, v->stream, v->n_streams, sizeof *s, by_id);
    struct sl_swept_point *p = bsearch(&point, v->point, v->n_points, sizeof *p, by_id);
    if (!s || !p)
        return 0;
    if (!SL_GROW(v->result, v->results_capacity, v->n_results + 1))
        return sl_sweep_view_no_memory(r->f);
    v->result[v->n_results++] = (struct sl_swept_result){
        (size_t)(s - v->stream), (size_t)(p - v->point), done, NAN, NAN, NAN};
    p->wanted++;
    p->there += done;
    return done ? 0 : add_hole(r, (size_t)(s - v->stream), why);
}

static int add_figure(void *context, uint64_t stream, uint64_t point, const char *measure,
                      double value)
{
    struct reading *r = context;
    const struct sl_sweep_view *v = r->view;
    struct sl_swept_result *at = NULL;
    for (; r->at < v->n_results; r->at++) {
        at = &v->result[r->at];
        uint64_t its_stream = v->stream[at->stream].id, its_point = v->point[at->point].id;
        if (its_stream > stream || (its_stream == stream && its_point >= point))
            break;
    }
    if (r->at == v->n_results || v->stream[at->stream].id != stream ||
        v->point[at->point].id != point)
        return 0;
    if (!isfinite(value)) /* sluice stores no such value: a damaged file */
        return 0;
    if (!strcmp(measure, v->x))
        at->x = value;
    if (r->config->y && !strcmp(measure, r->config->y))
        at->y = value;
    for (size_t i = 0; i < N_USUAL; i++)
        if (!strcmp(measure, usual_y[i]))
            r->usual[r->at][i] = value;
    if (!strcmp(measure, "overhead"))
        at->overhead = value;
    return 0;
}

/* ---- the view ---- */

static void choose_y(struct sl_sweep_view *v, const struct reading *r)
{
    size_t done = 0, has[N_USUAL] = {0}, which = 0;
    if (r->config->y)
        return;
    for (size_t i = 0; i < v->n_results; i++) {
        done += v->result[i].done;
        for (size_t k = 0; k < N_USUAL; k++)
            has[k] += v->result[i].done && !isnan(r->usual[i][k]);
    }
    while (which + 1 < N_USUAL && (has[which] < done || !has[which]))
        which++;
    v->y = usual_y[which];
    for (size_t i = 0; i < v->n_results; i++)
        v->result[i].y = r->usual[i][which];
}

/* Returns SL_EUSAGE if no result has the measure x, or none has y. */
static int check_measures(const struct sl_sweep_view *v, struct sl_failure *f)
{
    size_t with_x = 0, with_y = 0, done = 0;
    for (const struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++) {
        done += p->there > 0;
        with_x += !isnan(p->x);
        with_y += !isnan(p->mean);
    }
    if (done && (!with_x || !with_y))
        return sl_fail_setting(f, "by",
                               "no result has the measure '%s': use a column of -f csv, or a "
                               "numeric option of a table "
                               "or CPU model",
                               with_x ? v->y : v->x);
    return 0;
}

int sl_sweep_view(struct sl_sweep_view *v, struct sl_sweep_store *store,
                  const struct sl_sweep_report_config *config, struct sl_failure *f)
{
    struct reading r = {.view = v, .config = config, .f = f};
    *v = (struct sl_sweep_view){.x = config->x ? config->x : "storage", .y = config->y};
    int error = sl_sweep_store_streams(store, add_stream, &r, f);
    if (!error)
        error = sl_sweep_store_points(store, add_point, &r, f);
    if (!error)
        error = sl_sweep_store_requests(store, add_request, &r, f);
    if (!error && !(r.usual = malloc((v->n_results + 1) * sizeof *r.usual)))
        error = sl_sweep_view_no_memory(f);
    for (size_t i = 0; !error && i < v->n_results; i++)
        for (size_t k = 0; k < N_USUAL; k++)
            r.usual[i][k] = NAN;
    if (!error)
        error = sl_sweep_store_measurements(store, add_figure, &r, f);
    if (!error) {
        choose_y(v, &r);
        v->more_is_better = among(more_is_better, v->y);
        sl_sweep_average(v, config->holes);
        error = check_measures(v, f);
    }
    free(r.usual);
    if (!error)
        error = sl_sweep_label(v) ? sl_sweep_sort(v, f) : sl_sweep_view_no_memory(f);
    sl_sweep_find_fronts(v);
    return error;
}

void sl_sweep_view_free(struct sl_sweep_view *v)
{
    for (size_t i = 0; i < v->n_streams; i++)
        free(v->stream[i].name);
    for (size_t i = 0; i < v->n_points; i++) {
        free(v->point[i].spec);
        free(v->point[i].given);
        free(v->point[i].machine);
        free(v->point[i].label);
    }
    free(v->common);
    free(v->head);
    for (size_t i = 0; i < v->n_holes; i++)
        free(v->hole[i].why);
    free(v->stream);
    free(v->point);
    free(v->result);
    free(v->hole);
}
