/* SPDX-License-Identifier: MIT */
#include "sweep_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "options.h"
#include "format.h"

static const char *const more_is_better[] = {"overlap",          "coverage", "overlap_dynamic",
                                             "coverage_dynamic", "foretold", NULL};
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

const char *sl_swept_text(const char *measure, double value, char capacity[SL_SWEPT_ROOM])
{
    char text[SL_WORDING_ROOM];
    bool fits = value >= 0 && value < 1e15; /* a file may say anything */
    if (isnan(value))
        snprintf(capacity, SL_SWEPT_ROOM, "-");
    else if (!strcmp(measure, "storage") && fits)
        snprintf(capacity, SL_SWEPT_ROOM, "%s", sl_format_storage((uint64_t)value, text));
    else if (!among(shares, measure) && !among(more_is_better, measure)) {
        if (fits && floor(value) >= value)
            snprintf(capacity, SL_SWEPT_ROOM, "%s", sl_format_number((uint64_t)value, text));
        else
            snprintf(capacity, SL_SWEPT_ROOM, "%.6g", value);
    } else if (value > 0 && value < 1e-4) /* fronts are about such */
        snprintf(capacity, SL_SWEPT_ROOM, "%.1g%%", 100 * value);
    else
        snprintf(capacity, SL_SWEPT_ROOM, "%s", sl_format_percent(value, false, text));
    return capacity;
}

/* ---- reading ---- */

/* What y is if nobody says: the first that every result has, or else the last that one has. Tables
 * that work by intervals are judged by these, if all are such; where no tuple is frequent enough
 * for an error, there is still an overlap. */
static const char *const usual_y[] = {"interval", "error", "overlap"};
#define N_USUAL (sizeof usual_y / sizeof *usual_y)

/* Reasons that are told apart: a file may hold as many as it has rows. */
#define HOLES_MAX 1000u

/* The figures of a result that are asked for. */
struct reading {
    struct sl_sweep_view *view;
    const struct sl_sweep_report_config *config;
    double (*usual)[N_USUAL]; /* by result */
    size_t at;                /* results come in the order of figures */
    struct sl_failure *f;
};

static int no_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "there is not enough memory for the report");
}

static int add_stream(void *context, uint64_t id, const char *name)
{
    struct reading *r = context;
    struct sl_sweep_view *v = r->view;
    if (!SL_GROW(v->stream, v->streams_capacity, v->n_streams + 1))
        return no_memory(r->f);
    struct sl_swept_stream *s = &v->stream[v->n_streams++];
    *s = (struct sl_swept_stream){id, strdup(name)};
    return s->name ? 0 : no_memory(r->f);
}

static int add_point(void *context, uint64_t id, const char *spec, const char *machine,
                     const char *given)
{
    struct reading *r = context;
    struct sl_sweep_view *v = r->view;
    if (!SL_GROW(v->point, v->points_capacity, v->n_points + 1))
        return no_memory(r->f);
    struct sl_swept_point *p = &v->point[v->n_points++];
    *p = (struct sl_swept_point){.id = id,
                                 .spec = strdup(spec),
                                 .given = strdup(given),
                                 .machine = strdup(machine),
                                 .x = NAN,
                                 .mean = NAN,
                                 .worst = NAN,
                                 .overhead = NAN};
    return p->spec && p->given && p->machine ? 0 : no_memory(r->f);
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
            return no_memory(r->f);
        why = i == HOLES_MAX - 1 ? "these and others, for further reasons" : why;
        v->hole[v->n_holes++] = (struct sl_sweep_hole){stream, 0, why ? strdup(why) : NULL};
        if (why && !v->hole[i].why)
            return no_memory(r->f);
    }
    v->hole[i].points++;
    return 0;
}

/* Rows about streams or points that are not there are not ours, and are passed over. */
static int add_wanted(void *context, uint64_t stream, uint64_t point, bool done, const char *why)
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
        return no_memory(r->f);
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
    if (!isfinite(value)) /* of somebody else's making */
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

/* ---- options as measures ---- */

/* "counters=1024" of a spec, "l2.size=2M" of a machine; NAN: it does not say. */
static double option_in(const char *text, const char *name, uint64_t kilo)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        const char *value = at + length + 1;
        uint64_t number;
        if (at == text || !strchr("(,", at[-1]) || at[length] != '=')
            continue;
        if (sl_number_unsigned(value, strcspn(value, ",)"), kilo, &number))
            return (double)number;
    }
    return NAN;
}

static double option_of(const struct sl_swept_point *p, const char *name)
{
    double value = option_in(p->spec, name, 1000);
    return isnan(value) ? option_in(p->machine, name, 1024) : value;
}

/* ---- fronts ---- */

static double goodness(const struct sl_sweep_view *v, double y)
{
    return v->more_is_better ? -y : y;
}

/* Sums of the streams, in their order. A y that is none stays none in all. */
static void gather(struct sl_sweep_view *v)
{
    for (size_t i = 0; i < v->n_results; i++) {
        const struct sl_swept_result *r = &v->result[i];
        struct sl_swept_point *p = &v->point[r->point];
        if (!r->done)
            continue;
        double x = isnan(r->x) ? option_of(p, v->x) : r->x;
        p->x = isnan(p->x) || x > p->x ? x : p->x;
        p->mean = (p->begun ? p->mean : 0) + r->y;
        p->begun = true;
        if (!isnan(r->overhead))
            p->overhead = (isnan(p->overhead) ? 0 : p->overhead) + r->overhead;
        if (isnan(p->worst) || goodness(v, r->y) > goodness(v, p->worst)) {
            p->worst = r->y;
            p->worst_stream = r->stream;
        }
    }
}

static void average(struct sl_sweep_view *v, const struct sl_sweep_report_config *config)
{
    gather(v);
    v->averages = v->n_streams == 1 || !v->missing || config->holes;
    for (struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++) {
        bool everywhere = p->wanted == v->n_streams;
        p->mean /= (double)p->there;
        p->overhead /= (double)p->there;
        v->partial += p->wanted && !everywhere;
        p->counts = everywhere && p->there && (p->there == p->wanted || config->holes) &&
                    !isnan(p->x) && !isnan(p->mean) && !isnan(p->worst);
    }
}

static int order(double a, double b)
{
    return isnan(a) || isnan(b) ? (isnan(a) != 0) - (isnan(b) != 0) : a < b ? -1 : a > b;
}

static int by_x(const void *left, const void *right)
{
    const struct sl_swept_point *a = left, *b = right;
    int by = order(a->x, b->x);
    if (!by)
        by = order(a->mean, b->mean);
    return by ? by : a->id < b->id ? -1 : a->id > b->id;
}

/* By x; results still know which is theirs. */
static int sort(struct sl_sweep_view *v, struct sl_failure *f)
{
    size_t *now = malloc((v->n_points + 1) * sizeof *now);
    if (!now)
        return no_memory(f);
    for (size_t i = 0; i < v->n_points; i++)
        v->point[i].place = i;
    if (v->n_points)
        qsort(v->point, v->n_points, sizeof *v->point, by_x);
    for (size_t i = 0; i < v->n_points; i++)
        now[v->point[i].place] = i;
    for (size_t i = 0; i < v->n_results; i++)
        v->result[i].point = now[v->result[i].point];
    free(now);
    return 0;
}

/* Points come by x; those of one x are looked at together. */
static void find_front(struct sl_sweep_view *v, bool worst)
{
    double best = INFINITY;
    for (size_t first = 0, end; first < v->n_points; first = end) {
        double here = INFINITY;
        for (end = first; end < v->n_points && !order(v->point[end].x, v->point[first].x); end++)
            if (v->point[end].counts)
                here = fmin(here, goodness(v, worst ? v->point[end].worst : v->point[end].mean));
        for (size_t i = first; i < end; i++) {
            struct sl_swept_point *p = &v->point[i];
            bool on = p->counts && here < best && goodness(v, worst ? p->worst : p->mean) <= here;
            if (worst)
                p->worst_front = on;
            else
                p->front = on;
        }
        best = fmin(best, here);
    }
}

const struct sl_swept_point *sl_sweep_best(const struct sl_sweep_view *v, uint64_t under,
                                           bool worst)
{
    double most = !under ? INFINITY : strcmp(v->x, "storage") ? (double)under : 8 * (double)under;
    const struct sl_swept_point *best = NULL;
    for (const struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++)
        if (p->counts && p->x <= most &&
            (!best || goodness(v, worst ? p->worst : p->mean) <
                          goodness(v, worst ? best->worst : best->mean)))
            best = p;
    return best;
}

/* ---- labels ---- */

/* Where the options of the table are in a spec, "x@y(here)": behind the last parenthesis that opens
 * on the outside; at the end of the text without any. */
static const char *options_of(const char *given)
{
    size_t length = strlen(given), depth = 0;
    const char *at = given + length;
    if (!length || at[-1] != ')')
        return at;
    do {
        at--;
        depth += *at == ')';
        depth -= *at == '(';
    } while (at > given && depth);
    return at + 1;
}

/* The end of the option that begins here. */
static size_t option_length(const char *at)
{
    size_t depth = 0, n = 0;
    for (; at[n] && (depth || (at[n] != ',' && at[n] != ')')); n++) {
        depth += at[n] == '(' || at[n] == '[';
        depth -= depth && (at[n] == ')' || at[n] == ']');
    }
    return n;
}

static bool has_option(const char *list, const char *option, size_t length)
{
    for (size_t n; (n = option_length(list)); list += n + (list[n] == ','))
        if (n == length && !strncmp(list, option, n))
            return true;
    return false;
}

/* Copies the options of `given` that are in the list, or those that are not. */
static void copy_options(FILE *out, const char *given, const char *list, bool in)
{
    bool any = false;
    for (size_t n; (n = option_length(given)); given += n + (given[n] == ',')) {
        if (has_option(list, given, n) != in)
            continue;
        fprintf(out, "%s%.*s", any ? "," : in ? "" : "(", (int)n, given);
        any = true;
    }
    if (any && !in)
        putc(')', out);
}

/* What the list has in common with the options of a point. */
static char *in_common(char *list, const char *given)
{
    char *common = NULL;
    size_t size;
    FILE *out = list ? open_memstream(&common, &size) : NULL;
    if (out) {
        copy_options(out, list, options_of(given), true);
        common = fclose(out) ? (free(common), NULL) : common;
    }
    free(list);
    return common;
}

/* In front of the options, without their parenthesis. */
static size_t head_length(const char *given)
{
    const char *options = options_of(given);
    return (size_t)(options - given) - (*options != 0);
}

static bool same_head(const struct sl_sweep_view *v)
{
    size_t n = v->n_points > 1 ? head_length(v->point[0].given) : 0, i = 1;
    while (n && i < v->n_points && head_length(v->point[i].given) == n &&
           !strncmp(v->point[i].given, v->point[0].given, n) && v->point[i].given[n])
        i++;
    return n && i == v->n_points && v->point[0].given[n];
}

static bool label(struct sl_sweep_view *v)
{
    size_t size;
    bool same = same_head(v);
    v->head = strndup(v->n_points ? v->point[0].given : "",
                      same ? head_length(v->point[0].given) : 0);
    v->common = strdup(v->n_points > 1 ? options_of(v->point[0].given) : "");
    for (size_t i = 0; v->n_points > 1 && i < v->n_points; i++)
        v->common = in_common(v->common, v->point[i].given);
    for (size_t i = 0; v->common && i < v->n_points; i++) {
        struct sl_swept_point *p = &v->point[i];
        const char *options = options_of(p->given);
        FILE *out = open_memstream(&p->label, &size);
        if (!out)
            return false;
        if (!same)
            fprintf(out, "%.*s", (int)head_length(p->given), p->given);
        copy_options(out, options, v->common, false);
        if (fclose(out))
            return false;
    }
    return v->common && v->head;
}

/* ---- all of it ---- */

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

static int has_some(const struct sl_sweep_view *v, struct sl_failure *f)
{
    size_t with_x = 0, with_y = 0, done = 0;
    for (const struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++) {
        done += p->there > 0;
        with_x += !isnan(p->x);
        with_y += !isnan(p->mean);
    }
    if (done && (!with_x || !with_y))
        return sl_fail_setting(
            f, "by",
            "nothing here has a %s; measures are what the columns of csv are "
            "called, and options of tables and keys of machines that are numbers",
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
        error = sl_sweep_store_wanted(store, add_wanted, &r, f);
    if (!error && !(r.usual = malloc((v->n_results + 1) * sizeof *r.usual)))
        error = no_memory(f);
    for (size_t i = 0; !error && i < v->n_results; i++)
        for (size_t k = 0; k < N_USUAL; k++)
            r.usual[i][k] = NAN;
    if (!error)
        error = sl_sweep_store_figures(store, add_figure, &r, f);
    if (!error) {
        choose_y(v, &r);
        v->more_is_better = among(more_is_better, v->y);
        average(v, config);
        error = has_some(v, f);
    }
    free(r.usual);
    if (!error)
        error = label(v) ? sort(v, f) : no_memory(f);
    find_front(v, false);
    find_front(v, true);
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
