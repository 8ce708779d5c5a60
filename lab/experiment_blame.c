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

/* Cycles a sample. Programs have some tens of millions of cycles: with fewer samples chance would
 * be larger than the error of the best rule. */
#define PERIOD 200

/* Behind as many: with these there are a hundred thousand samples or so. */
#define INSTRUCTIONS 20000000

static const char *const rules[] = {"interrupt", "dispatch", "last", "next", "proportional"};
static const char *const bys[] = {"instruction", "function"};

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
    return done ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
}

/* The oracles come first, then the rules by either, in turns. */
static int perform(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    size_t n_bys = sizeof bys / sizeof *bys;
    struct sl_session *session;
    int error = lab_session(step, false, &session, f);
    if (error < 0)
        return error;
    lab_tell(step, session, results);
    for (size_t i = n_bys; i < step->n_profiles && error >= 0; i++)
        error = judge(session, i % n_bys, i, step->profile[i].label, results, f);
    sl_session_close(session);
    return error;
}

static void add(struct lab_step *step, const char *rule)
{
    char label[64];
    for (size_t i = 0; i < sizeof bys / sizeof *bys; i++) {
        snprintf(label, sizeof label, "%s %s", rule, bys[i]);
        lab_profile(step, label, "blame(%s,by=%s,period=%d)", rule, bys[i], PERIOD);
    }
}

static void plan(struct lab *lab, const struct lab_program *program)
{
    static const char *const machines[] = {"ss4", "zen4"};
    for (size_t i = 0; i < (lab->size == LAB_TINY ? 1 : 2); i++) {
        struct lab_step *step = lab_step(lab, program, "%s %s", program->name, machines[i]);
        lab_machine(step, "%s", machines[i]);
        if (lab->size == LAB_FULL)
            step->skip = step->limit = INSTRUCTIONS;
        add(step, "oracle");
        for (size_t j = 0; j < sizeof rules / sizeof *rules; j++)
            add(step, rules[j]);
        lab_by(step, perform, "apart");
    }
}

const struct experiment experiment_blame = {
    .name = "blame",
    .summary = "samplers of time: whom hardware blames for cycles, and how wrong that is",
    .programs = LAB_REAL,
    .plan = plan,
};
