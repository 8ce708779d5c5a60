/* SPDX-License-Identifier: MIT */
/* Samplers of time: how wrong the rules are by which hardware blames instructions for cycles, on
 * real programs, beside the published errors (Gottschall, Eeckhout and Jahre, "TIP:
 * Time-Proportional Instruction Profiling", 2021, Table of averages in its abstract).
 *
 * One pass a program and machine; each rule by instruction and by function. Figures of a rule:
 *
 *     wrong      of the cycles that were sampled, the share that is another's: each sample is
 *                judged by what is right in its own cycle
 *     apart      1 - overlap of its profile with the oracle's, which has every cycle: samples
 *                that are wrong may make up for each other, and chance is in it
 *     samples    how many there were */
#include <math.h>
#include <string.h>

#include "failure.h"
#include "lab_experiments.h"
#include "outcome.h"
#include "overlap.h"

#define BYS 2u /* by instruction, by function */

static int judge(const struct sl_session *s, size_t oracle, size_t which, const char *label,
                 struct sl_job_figures *results, struct sl_failure *f)
{
    const struct sl_profile *profile = sl_session_profile(s, which);
    struct sl_profile_list exact = {0}, list = {0};
    struct sl_overlap overlap;
    bool done = sl_profile_list(sl_session_profile(s, oracle), &exact) &&
                sl_profile_list(profile, &list) && sl_overlap(&exact, &list, &overlap);
    if (done) {
        lab_figure(results, label, "apart", NAN, 1 - overlap.overlap);
        lab_figure(results, label, "wrong", NAN, sl_profile_figure(profile, "wrong"));
        lab_figure(results, label, "samples", NAN, sl_profile_figure(profile, "samples"));
        lab_figure(results, label, "blamed", NAN, (double)list.n);
    }
    sl_profile_list_free(&exact);
    sl_profile_list_free(&list);
    return done ? 0 : sl_out_of_memory(f);
}

/* The oracles come first, then the rules by either, in turns. */
static int judge_all(const struct lab_step *step, struct sl_session *session,
                     struct sl_job_figures *results, struct sl_failure *f)
{
    int error = 0;
    lab_tell(step, session, results);
    for (size_t i = BYS; i < step->n_profiles && error >= 0; i++)
        error = judge(session, i % BYS, i, step->profile[i].label, results, f);
    return error;
}

int lab_blame(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    return lab_look_at(step, false, judge_all, results, f);
}
