/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "experiment_paths.h"
#include "failure.h"
#include "outcome.h"

#define HOTTEST 100u

static uint64_t count_in(const struct sl_profile_list *all, struct sl_tuple tuple)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->entry[i].tuple.pc == tuple.pc && all->entry[i].tuple.value == tuple.value)
            return all->entry[i].count;
    return 0;
}

/* Of all pairs of the first n that one model tells apart, those that the other has in the same
 * order. */
static double in_order(const struct sl_counted *one, const uint64_t *other, size_t n)
{
    double pairs = 0, same = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            pairs += one[i].count > one[j].count;
            same += one[i].count > one[j].count && other[i] > other[j];
        }
    return pairs > 0 ? same / pairs : (double)NAN;
}

/* Takes the order of `one`. */
static double ordered_alike(struct sl_profile_list *one, const struct sl_profile_list *other)
{
    uint64_t count[HOTTEST];
    size_t n = one->n < HOTTEST ? one->n : HOTTEST;
    qsort(one->entry, one->n, sizeof *one->entry, lab_heaviest_first);
    for (size_t i = 0; i < n; i++)
        count[i] = count_in(other, one->entry[i].tuple);
    return in_order(one->entry, count, n);
}

static int list(const struct lab_step *step, struct sl_session *session,
                struct sl_job_figures *results, struct sl_failure *f)
{
    const struct sl_profile *profile = sl_session_profile(session, 0);
    lab_tell(step, session, results);
    lab_figure(results, step->profile[0].label, "lost", NAN, sl_profile_figure(profile, "lost"));
    return sl_profile_exact_list(profile, step->context) ? 0 : sl_out_of_memory(f);
}

/* The exact profile of the step's paths on a machine; its figures go by the label. */
static int costs(const struct lab_step *step, char *machine, char *label,
                 struct sl_job_figures *results, struct sl_profile_list *all, struct sl_failure *f)
{
    struct lab_labelled profile = {label, step->profile[0].spec};
    struct lab_step on = *step;
    on.machine = machine;
    on.profile = &profile;
    on.n_profiles = 1;
    on.context = all;
    return lab_look_at(&on, true, list, results, f);
}

int lab_path_power(const struct lab_step *step, struct sl_job_figures *results,
                   struct sl_failure *f)
{
    struct sl_profile_list shared = {0}, apart = {0};
    struct sl_overlap overlap;
    int error = costs(step, step->machine, step->profile[0].label, results, &shared, f);
    if (error >= 0)
        error = costs(step, step->argument, "analytical", results, &apart, f);
    if (error >= 0 && !sl_overlap(&apart, &shared, &overlap))
        error = sl_out_of_memory(f);
    if (error >= 0) {
        lab_figure(results, "models", "alike", NAN, overlap.overlap);
        lab_figure(results, "models", "ordered", NAN, ordered_alike(&apart, &shared));
    }
    sl_profile_list_free(&shared);
    sl_profile_list_free(&apart);
    return error;
}
