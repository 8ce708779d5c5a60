/* SPDX-License-Identifier: MIT */
/* Power models in the experiment `paths` of `sluice lab`: compares the energy of a program's paths
 * according to two CPU models, with an exact profile for each model. experiment_paths.h lists the
 * measurements. */
#include <math.h>
#include <stdlib.h>

#include "experiment_paths.h"
#include "failure.h"
#include "session.h"

#define HOTTEST 100u

static uint64_t count_in(const struct sl_profile_list *all, struct sl_tuple tuple)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->entry[i].tuple.pc == tuple.pc && all->entry[i].tuple.value == tuple.value)
            return all->entry[i].count;
    return 0;
}

/* Returns the fraction of the pairs among the first n entries with different counts in one model
 * that the other model puts in the same order. `one` is sorted by count. */
static double same_order(const struct sl_counted *one, const uint64_t *other, size_t n)
{
    double pairs = 0, same = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            pairs += one[i].count > one[j].count;
            same += one[i].count > one[j].count && other[i] > other[j];
        }
    return pairs > 0 ? same / pairs : (double)NAN;
}

/* Sorts `one` by count and compares the order of its first entries with that in `other`. */
static double compare_order(struct sl_profile_list *one, const struct sl_profile_list *other)
{
    uint64_t count[HOTTEST];
    size_t n = one->n < HOTTEST ? one->n : HOTTEST;
    qsort(one->entry, one->n, sizeof *one->entry, lab_compare_counts);
    for (size_t i = 0; i < n; i++)
        count[i] = count_in(other, one->entry[i].tuple);
    return same_order(one->entry, count, n);
}

/* Adds the figures of a replay and copies the exact profile to the step's context. */
static int read_profile(const struct lab_step *step, struct sl_session *session,
                        struct sl_job_results *results, struct sl_failure *f)
{
    const struct sl_profile *profile = &session->profile[0];
    lab_add_replay_figures(step, session, results);
    lab_add_figure(results, step->profile[0].label, "lost", NAN,
                   sl_profile_statistic(profile, "lost"));
    return sl_profile_exact_list(profile, step->context) ? 0 : sl_out_of_memory(f);
}

/* Replays the step's profile on a CPU model, with `label` for its figures. `all` receives the exact
 * profile. */
static int run_on(const struct lab_step *step, char *machine, char *label,
                  struct sl_job_results *results, struct sl_profile_list *all, struct sl_failure *f)
{
    struct lab_labelled profile = {label, step->profile[0].spec};
    struct lab_step on = *step;
    on.machine = machine;
    on.profile = &profile;
    on.n_profiles = 1;
    on.context = all;
    return lab_run_session(&on, true, read_profile, results, f);
}

int lab_path_power(const struct lab_step *step, struct sl_job_results *results,
                   struct sl_failure *f)
{
    struct sl_profile_list first = {0}, second = {0};
    struct sl_overlap overlap;
    int error = run_on(step, step->machine, step->profile[0].label, results, &first, f);
    if (error >= 0)
        error = run_on(step, step->argument, "analytical", results, &second, f);
    if (error >= 0 && !sl_overlap(&second, &first, &overlap))
        error = sl_out_of_memory(f);
    if (error >= 0) {
        lab_add_figure(results, "models", "alike", NAN, overlap.overlap);
        lab_add_figure(results, "models", "ordered", NAN, compare_order(&second, &first));
    }
    sl_profile_list_free(&first);
    sl_profile_list_free(&second);
    return error;
}
