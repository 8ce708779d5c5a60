/* SPDX-License-Identifier: MIT */
/* Averages the results of a sweep over its streams, and computes two Pareto fronts: one for the
 * mean over the streams, and one for the worst stream of each point (sweep_view.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sweep_view.h"

/* ---- options as measures ---- */

/* Value of an option in a spec ("counters=1024") or in a CPU model ("l2.size=2M"); NAN if the text
 * does not set it. */
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

/* ---- averages ---- */

/* y with the sign that makes smaller better. */
static double badness(const struct sl_sweep_view *v, double y)
{
    return v->more_is_better ? -y : y;
}

/* Sums y over the streams, in their order. A NAN in one stream makes the sum NAN. */
static void add_results(struct sl_sweep_view *v)
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
        if (isnan(p->worst) || badness(v, r->y) > badness(v, p->worst)) {
            p->worst = r->y;
            p->worst_stream = r->stream;
        }
    }
}

void sl_sweep_average(struct sl_sweep_view *v, bool holes)
{
    add_results(v);
    v->averages = v->n_streams == 1 || !v->missing || holes;
    for (struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++) {
        bool everywhere = p->wanted == v->n_streams;
        p->mean /= (double)p->there;
        p->overhead /= (double)p->there;
        v->partial += p->wanted && !everywhere;
        p->counts = everywhere && p->there && (p->there == p->wanted || holes) && !isnan(p->x) &&
                    !isnan(p->mean) && !isnan(p->worst);
    }
}

/* ---- Pareto fronts ---- */

/* Order for qsort, with NAN last. */
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

int sl_sweep_sort(struct sl_sweep_view *v, struct sl_failure *f)
{
    size_t *new_index = malloc((v->n_points + 1) * sizeof *new_index);
    if (!new_index)
        return sl_sweep_view_no_memory(f);
    for (size_t i = 0; i < v->n_points; i++)
        v->point[i].index_before = i;
    if (v->n_points)
        qsort(v->point, v->n_points, sizeof *v->point, by_x);
    for (size_t i = 0; i < v->n_points; i++)
        new_index[v->point[i].index_before] = i;
    for (size_t i = 0; i < v->n_results; i++)
        v->result[i].point = new_index[v->result[i].point];
    free(new_index);
    return 0;
}

/* Marks the points of the Pareto front. Points are sorted by x; those with equal x are compared
 * with each other first. */
static void find_front(struct sl_sweep_view *v, bool worst)
{
    double best = INFINITY;
    for (size_t first = 0, end; first < v->n_points; first = end) {
        double best_here = INFINITY;
        for (end = first; end < v->n_points && !order(v->point[end].x, v->point[first].x); end++)
            if (v->point[end].counts)
                best_here = fmin(best_here,
                                 badness(v, worst ? v->point[end].worst : v->point[end].mean));
        for (size_t i = first; i < end; i++) {
            struct sl_swept_point *p = &v->point[i];
            bool on = p->counts && best_here < best &&
                      badness(v, worst ? p->worst : p->mean) <= best_here;
            if (worst)
                p->worst_front = on;
            else
                p->front = on;
        }
        best = fmin(best, best_here);
    }
}

void sl_sweep_find_fronts(struct sl_sweep_view *v)
{
    find_front(v, false);
    find_front(v, true);
}

const struct sl_swept_point *sl_sweep_best(const struct sl_sweep_view *v, uint64_t under,
                                           bool worst)
{
    double most = !under ? INFINITY : strcmp(v->x, "storage") ? (double)under : 8 * (double)under;
    const struct sl_swept_point *best = NULL;
    for (const struct sl_swept_point *p = v->point; p < v->point + v->n_points; p++)
        if (p->counts && p->x <= most &&
            (!best ||
             badness(v, worst ? p->worst : p->mean) < badness(v, worst ? best->worst : best->mean)))
            best = p;
    return best;
}
