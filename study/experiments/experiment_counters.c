/* SPDX-License-Identifier: MIT */
/* The approximate event counters' document redone: errors event by event over many runs of
 * its two programs, for RISC-V as there and for x86-64, and of three real ones, on a model of its
 * processor; rivals with as
 * many bits; and, without a program, what register, reading, base and group do to bias and
 * spread, by trials.
 *
 * Figures of a program, by profile:
 *
 *     off 3 (x: event)       relative error of the reading in run 3, with its sign
 *     exact (x: event)       under the label "": how often it happened
 *     storage                bits
 *
 * and of trials, which come in batches with seeds of their own, so that the spread of the
 * batches' means gives confidence intervals, by counter:
 *
 *     bias square absolute (x: events)  means of the relative error, of its square, of its size
 *     beyond (x: e)          share of trials with an error above e, whatever was counted
 *     bits                   of a counter, or of a group */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counting_trial.h"
#include "event_set.h"
#include "failure.h"
#include "lab_experiments.h"
#include "outcome.h"

/* ---- programs ---- */

static void tell_reading(const struct sl_reading *r, const char *label,
                         struct sl_job_figures *results)
{
    char event[64], measure[32];
    double truth = (double)r->exact;
    if (!r->exact)
        return;
    sl_event_set_name(r->event, event, sizeof event);
    snprintf(measure, sizeof measure, "off %llu", (unsigned long long)r->run + 1);
    lab_figure_of(results, label, measure, event, (double)r->count / truth - 1);
}

static void tell_exact(const struct sl_readings *all, struct sl_job_figures *results)
{
    for (size_t i = 0; i < all->n; i++) {
        char event[64];
        sl_event_set_name(all->reading[i].event, event, sizeof event);
        if (!all->reading[i].run && all->reading[i].exact)
            lab_figure_of(results, "", "exact", event, (double)all->reading[i].exact);
    }
}

static int tell_runs(const struct lab_step *step, struct sl_session *session,
                     struct sl_job_figures *results, struct sl_failure *f)
{
    for (size_t i = 0; i < step->n_profiles; i++) {
        const char *label = step->profile[i].label;
        struct sl_readings all;
        const struct sl_profile *p = sl_session_profile(session, i);
        if (!sl_profile_readings(p, &all))
            return sl_out_of_memory(f);
        for (size_t k = 0; k < all.n; k++)
            tell_reading(&all.reading[k], label, results);
        if (!i)
            tell_exact(&all, results);
        lab_figure(results, label, "storage", NAN, (double)sl_profile_status(p).storage_bits);
        sl_readings_free(&all);
    }
    lab_figure(results, "", "instructions", NAN, (double)sl_session_totals(session).instructions);
    return 0;
}

/* A replay in which tables that take a seed are there many times. */
int lab_counters(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    struct lab_step runs = *step;
    runs.with.runs = strtoull(step->argument, NULL, 10);
    return lab_look_at(&runs, true, tell_runs, results, f);
}

/* ---- trials ---- */

/* With a base below 2: as many bits as 2^64 events need. */
static const struct {
    const char *label, *table, *options;
} counters[] = {
    {"document", "morris", ""},
    {"X steps", "morris", "steps=x"},
    {"one step", "morris", "steps=1"},
    {"one step, 1", "morris", "steps=1,group=1"},
    {"group 1", "morris", "group=1"},
    {"group 2", "morris", "group=2"},
    {"group 10", "morris", "group=10"},
    {"group 20", "morris", "group=20"},
    {"plain 2", "morris", "reading=plain"},
    {"plain 1.5", "morris", "reading=plain,base=1.5,bits=7,group=4"},
    {"plain 1.1", "morris", "reading=plain,base=1.1,bits=9,group=3"},
    {"base 1.5, 1", "morris", "base=1.5,bits=7,group=1"},
    {"base 1.5, 4", "morris", "base=1.5,bits=7,group=4"},
    {"base 1.2, 1", "morris", "base=1.2,bits=8,group=1"},
    {"base 1.2, 3", "morris", "base=1.2,bits=8,group=3"},
    {"base 1.1, 1", "morris", "base=1.1,bits=9,group=1"},
    {"base 1.1, 3", "morris", "base=1.1,bits=9,group=3"},
    {"base 1.01, 1", "morris", "base=1.01,bits=12,group=1"},
    {"base 1.01, 2", "morris", "base=1.01,bits=12,group=2"},
    {"fpc 9", "fpc", "mantissa=3"},
    {"fpc 12", "fpc", "mantissa=6"},
    {"fpc 16", "fpc", "mantissa=10"},
};

static const uint64_t truths[] = {100, 1000, 10000, 50000};
static const double limits[] = {0.25, 0.5, 0.75, 1, 1.5, 2};

#define N_TRUTHS (sizeof truths / sizeof *truths)
#define N_LIMITS (sizeof limits / sizeof *limits)

static int try_counter(struct counting_trials *trials, const char *label,
                       struct sl_job_figures *results, struct sl_failure *f)
{
    double beyond[N_LIMITS] = {0};
    for (size_t i = 0; i < N_TRUTHS; i++) {
        double at = (double)truths[i];
        trials->events = truths[i];
        int error = counting_try(trials, f);
        if (error < 0)
            return error;
        struct counting_moments m = counting_moments(trials->error, trials->n);
        lab_figure(results, label, "bias", at, m.bias);
        lab_figure(results, label, "square", at, m.square);
        lab_figure(results, label, "absolute", at, m.absolute);
        for (size_t k = 0; k < N_LIMITS; k++)
            beyond[k] += counting_beyond(trials->error, trials->n, limits[k]) / N_TRUTHS;
    }
    for (size_t k = 0; k < N_LIMITS; k++)
        lab_figure(results, label, "beyond", limits[k], beyond[k]);
    lab_figure(results, label, "bits", NAN, (double)counting_bits(trials, f));
    return 0;
}

int lab_counter_trials(const struct lab_step *step, struct sl_job_figures *results,
                       struct sl_failure *f)
{
    unsigned seed, n;
    int error = 0;
    if (sscanf(step->argument, "seed %u, %u trials", &seed, &n) != 2)
        return sl_fail(f, SL_EUSAGE, "no trials: %s", step->argument);
    double *errors = calloc(n, sizeof *errors);
    if (!errors)
        return sl_out_of_memory(f);
    for (size_t i = 0; i < sizeof counters / sizeof *counters && error >= 0; i++) {
        struct counting_trials trials = {.table = counters[i].table,
                                         .options = counters[i].options,
                                         .n = n,
                                         .seed = seed,
                                         .error = errors};
        error = try_counter(&trials, counters[i].label, results, f);
    }
    free(errors);
    return error;
}
