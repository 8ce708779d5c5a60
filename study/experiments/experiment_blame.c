/* SPDX-License-Identifier: MIT */
/* Experiment `blame` of `sluice lab`: hardware samplers attribute the cycles of a program to its
 * instructions by different rules, and the experiment measures the error of each rule on real
 * programs.
 *
 * Paper: Gottschall, Eeckhout, Jahre, "TIP: Time-Proportional Instruction Profiling", 2021; its
 * abstract has the published averages.
 *
 * A step is one pass over a program with one CPU model. Each rule is measured by instruction and by
 * function. Figures of a rule:
 *
 *     wrong      fraction of the sampled cycles that were attributed to the wrong instruction; each
 *                sample is compared with the correct instruction of its own cycle
 *     apart      1 - overlap with the oracle's profile, which has every cycle; includes sampling
 *                noise, and wrong samples may cancel each other
 *     samples    number of samples
 *     blamed     number of entries in the profile */
#include <math.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"
#include "session.h"
#include "evaluated_table.h"

#define ORACLES 2u /* by instruction, by function */

static int compare(const struct sl_session *s, size_t oracle, size_t which, const char *label,
                   struct sl_job_results *results, struct sl_failure *f)
{
    const struct sl_profile *profile = &s->profile[which];
    struct sl_profile_list exact = {0}, list = {0};
    struct sl_overlap overlap;
    bool done = sl_profile_list(&s->profile[oracle], &exact) && sl_profile_list(profile, &list) &&
                sl_overlap(&exact, &list, &overlap);
    if (done) {
        lab_add_figure(results, label, "apart", NAN, 1 - overlap.overlap);
        lab_add_figure(results, label, "wrong", NAN, sl_profile_statistic(profile, "wrong"));
        lab_add_figure(results, label, "samples", NAN, sl_profile_statistic(profile, "samples"));
        lab_add_figure(results, label, "blamed", NAN, (double)list.n);
    }
    sl_profile_list_free(&exact);
    sl_profile_list_free(&list);
    return done ? 0 : sl_out_of_memory(f);
}

/* The profiles are the two oracles, then for each rule one by instruction and one by function. */
static int compare_all(const struct lab_step *step, struct sl_session *session,
                       struct sl_job_results *results, struct sl_failure *f)
{
    int error = 0;
    lab_add_replay_figures(step, session, results);
    for (size_t i = ORACLES; i < step->n_profiles && error >= 0; i++)
        error = compare(session, i % ORACLES, i, step->profile[i].label, results, f);
    return error;
}

int lab_blame(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    return lab_run_session(step, false, compare_all, results, f);
}
