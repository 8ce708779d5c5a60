/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_paths.h"
#include "failure.h"
#include "path_descriptor.h"
#include "outcome.h"

int lab_heaviest_first(const void *a, const void *b)
{
    const struct sl_counted *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

static void tell_lengths(const struct sl_profile_list *all, double total, const char *metric,
                         struct sl_job_figures *results)
{
    double of_length[SL_PATH_LENGTH_MAX + 1] = {0}, sum = 0;
    for (size_t i = 0; i < all->n; i++)
        of_length[sl_path_length(all->entry[i].tuple.value)] += (double)all->entry[i].count;
    for (unsigned length = 0; length <= SL_PATH_LENGTH_MAX; length++) {
        sum += of_length[length];
        lab_figure(results, metric, "length", length, sum / total);
    }
}

/* At 1, 2, 5, 10, 20, 50, ... paths, and at all of them. */
static void tell_top(struct sl_profile_list *all, double total, const char *metric,
                     struct sl_job_figures *results)
{
    static const size_t steps[] = {1, 2, 5};
    double sum = 0;
    size_t step = 0, decade = 1;
    qsort(all->entry, all->n, sizeof *all->entry, lab_heaviest_first);
    for (size_t i = 0; i < all->n; i++) {
        sum += (double)all->entry[i].count;
        bool at_step = i + 1 == steps[step] * decade;
        if (at_step || i + 1 == all->n)
            lab_figure(results, metric, "top", (double)(i + 1), sum / total);
        if (at_step && ++step == sizeof steps / sizeof *steps) {
            step = 0;
            decade *= 10;
        }
    }
}

static double total_of(const struct sl_profile_list *all)
{
    double total = 0;
    for (size_t i = 0; i < all->n; i++)
        total += (double)all->entry[i].count;
    return total;
}

/* One metric's exact profile beside that of frequencies, which is the first. */
static bool tell_shape(const struct sl_profile *p, struct sl_profile_list *often,
                       struct sl_job_figures *results)
{
    const char *metric = sl_profile_asked(p)->detector[0].metric->name;
    struct sl_profile_list all = {0};
    struct sl_overlap overlap;
    bool done = sl_profile_exact_list(p, &all) && sl_overlap(often, &all, &overlap);
    double total = total_of(&all);
    if (done && total > 0) {
        lab_figure(results, metric, "shared", NAN, overlap.overlap);
        tell_lengths(&all, total, metric, results);
        tell_top(&all, total, metric, results);
    }
    sl_profile_list_free(&all);
    return done;
}

static bool is_first_of_metric(const struct sl_session *s, const struct sl_profile *p, size_t place)
{
    for (size_t i = 0; i < place; i++)
        if (sl_profile_asked(sl_session_profile(s, i))->detector[0].metric ==
            sl_profile_asked(p)->detector[0].metric)
            return false;
    return true;
}

static int tell_shapes(const struct lab_step *step, struct sl_session *s,
                       struct sl_job_figures *results, struct sl_failure *f)
{
    struct sl_profile_list often = {0};
    bool done = sl_profile_exact_list(sl_session_profile(s, 0), &often);
    lab_tell(step, s, results);
    for (size_t i = 0; i < sl_session_profiles(s) && done; i++) {
        const struct sl_profile *p = sl_session_profile(s, i);
        if (is_first_of_metric(s, p, i))
            done = tell_shape(p, &often, results);
    }
    sl_profile_list_free(&often);
    return done ? 0 : sl_out_of_memory(f);
}

int lab_path_shapes(const struct lab_step *step, struct sl_job_figures *results,
                    struct sl_failure *f)
{
    return lab_look_at(step, true, tell_shapes, results, f);
}
