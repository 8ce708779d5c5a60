/* SPDX-License-Identifier: MIT */
/* Distribution of costs in the experiment `paths` of `sluice lab`: measures which fraction of each
 * metric is on the most expensive paths, and which fraction is on short paths. experiment_paths.h
 * lists the measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_paths.h"
#include "failure.h"
#include "path_descriptor.h"
#include "session.h"

int lab_compare_counts(const void *a, const void *b)
{
    const struct sl_counted *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

static void add_lengths(const struct sl_profile_list *all, double total, const char *metric,
                        struct sl_job_results *results)
{
    double of_length[SL_PATH_LENGTH_MAX + 1] = {0}, sum = 0;
    for (size_t i = 0; i < all->n; i++)
        of_length[sl_path_length(all->entry[i].tuple.value)] += (double)all->entry[i].count;
    for (unsigned length = 0; length <= SL_PATH_LENGTH_MAX; length++) {
        sum += of_length[length];
        lab_add_figure(results, metric, "length", length, sum / total);
    }
}

/* Adds the fraction of the top 1, 2, 5, 10, 20, 50, ... paths, and of all paths. */
static void add_top(struct sl_profile_list *all, double total, const char *metric,
                    struct sl_job_results *results)
{
    static const size_t steps[] = {1, 2, 5};
    double sum = 0;
    size_t step = 0, decade = 1;
    qsort(all->entry, all->n, sizeof *all->entry, lab_compare_counts);
    for (size_t i = 0; i < all->n; i++) {
        sum += (double)all->entry[i].count;
        bool at_step = i + 1 == steps[step] * decade;
        if (at_step || i + 1 == all->n)
            lab_add_figure(results, metric, "top", (double)(i + 1), sum / total);
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

/* Adds the figures of one metric's exact profile; `frequencies` is the first metric's. */
static bool add_shape(const struct sl_profile *p, struct sl_profile_list *frequencies,
                      struct sl_job_results *results)
{
    const char *metric = p->spec.detector[0].metric->name;
    struct sl_profile_list all = {0};
    struct sl_overlap overlap;
    bool done = sl_profile_exact_list(p, &all) && sl_overlap(frequencies, &all, &overlap);
    double total = total_of(&all);
    if (done && total > 0) {
        lab_add_figure(results, metric, "shared", NAN, overlap.overlap);
        add_lengths(&all, total, metric, results);
        add_top(&all, total, metric, results);
    }
    sl_profile_list_free(&all);
    return done;
}

static bool is_first_of_metric(const struct sl_session *s, const struct sl_profile *p, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (s->profile[i].spec.detector[0].metric == p->spec.detector[0].metric)
            return false;
    return true;
}

static int add_shapes(const struct lab_step *step, struct sl_session *s,
                      struct sl_job_results *results, struct sl_failure *f)
{
    struct sl_profile_list frequencies = {0};
    bool done = sl_profile_exact_list(&s->profile[0], &frequencies);
    lab_add_replay_figures(step, s, results);
    for (size_t i = 0; i < s->n_profiles && done; i++) {
        const struct sl_profile *p = &s->profile[i];
        if (is_first_of_metric(s, p, i))
            done = add_shape(p, &frequencies, results);
    }
    sl_profile_list_free(&frequencies);
    return done ? 0 : sl_out_of_memory(f);
}

int lab_path_shapes(const struct lab_step *step, struct sl_job_results *results,
                    struct sl_failure *f)
{
    return lab_run_session(step, true, add_shapes, results, f);
}
