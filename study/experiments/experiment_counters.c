/* SPDX-License-Identifier: MIT */
/* Experiment `counters` of `sluice lab`: measures the errors of approximate event counters on
 * programs, and in trials with a random number generator.
 *
 * Paper: Xu, Kim, Nikolic, Shao, "Memory-Efficient Hardware Performance Counters with
 * Approximate-Counting Algorithms". The experiment measures the error of each event over many runs
 * of the paper's two programs, compiled for RISC-V as in the paper and for x86-64, and of three
 * real programs, on a model of the paper's processor. It compares other counters with the same
 * number of bits. Without a program, trials (counting_trial.h) measure how the shift register, the
 * readout, the base and the group size change bias and spread.
 *
 * Figures of a program, by profile:
 *
 *     off 3 (x: event)       signed relative error of the counter in run 3
 *     exact (x: event)       with the label "": number of events
 *     storage                bits
 *
 * Figures of trials, by counter. Trials come in batches with their own seeds, and the spread of the
 * batches' means gives confidence intervals:
 *
 *     bias square absolute (x: events)  means of the relative error, its square, its absolute value
 *     beyond (x: e)          fraction of trials with an error above e, over all numbers of events
 *     bits                   storage of a counter, or of a group of counters */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counting_trial.h"
#include "event_set.h"
#include "failure.h"
#include "lab_experiments.h"
#include "session.h"

/* ---- programs ---- */

static void add_error(const struct sl_reading *r, const char *label, struct sl_job_results *results)
{
    char event[64], measure[32];
    if (!r->exact)
        return;
    sl_event_set_name(r->event, event, sizeof event);
    snprintf(measure, sizeof measure, "off %llu", (unsigned long long)r->run + 1);
    lab_add_item_figure(results, label, measure, event, (double)r->count / (double)r->exact - 1);
}

static void add_exact_counts(const struct sl_readings *all, struct sl_job_results *results)
{
    for (size_t i = 0; i < all->n; i++) {
        char event[64];
        sl_event_set_name(all->reading[i].event, event, sizeof event);
        if (!all->reading[i].run && all->reading[i].exact)
            lab_add_item_figure(results, "", "exact", event, (double)all->reading[i].exact);
    }
}

static int add_errors_of_runs(const struct lab_step *step, struct sl_session *session,
                              struct sl_job_results *results, struct sl_failure *f)
{
    for (size_t i = 0; i < step->n_profiles; i++) {
        const char *label = step->profile[i].label;
        struct sl_readings all;
        const struct sl_profile *p = &session->profile[i];
        if (!sl_profile_readings(p, &all))
            return sl_out_of_memory(f);
        for (size_t k = 0; k < all.n; k++)
            add_error(&all.reading[k], label, results);
        if (!i)
            add_exact_counts(&all, results);
        lab_add_figure(results, label, "storage", NAN, (double)sl_profile_status(p).storage_bits);
        sl_readings_free(&all);
    }
    lab_add_figure(results, "", "instructions", NAN, (double)session->instructions);
    return 0;
}

/* A replay that evaluates each seeded table with as many seeds as the argument says. */
int lab_counters(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    struct lab_step runs = *step;
    runs.session_config.runs = strtoull(step->argument, NULL, 10);
    return lab_run_session(&runs, true, add_errors_of_runs, results, f);
}

/* ---- trials ---- */

/* The counters to try. Those with a base below 2 have enough bits to count 2^64 events. */
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

static const uint64_t event_counts[] = {100, 1000, 10000, 50000};
static const double limits[] = {0.25, 0.5, 0.75, 1, 1.5, 2};

#define N_EVENT_COUNTS (sizeof event_counts / sizeof *event_counts)
#define N_LIMITS (sizeof limits / sizeof *limits)

static int try_counter(struct counting_trials *trials, const char *label,
                       struct sl_job_results *results, struct sl_failure *f)
{
    double above[N_LIMITS] = {0};
    for (size_t i = 0; i < N_EVENT_COUNTS; i++) {
        double events = (double)event_counts[i];
        trials->events = event_counts[i];
        int error = counting_trials_run(trials, f);
        if (error < 0)
            return error;
        struct counting_moments m = counting_moments(trials->error, trials->n);
        lab_add_figure(results, label, "bias", events, m.bias);
        lab_add_figure(results, label, "square", events, m.square);
        lab_add_figure(results, label, "absolute", events, m.absolute);
        for (size_t k = 0; k < N_LIMITS; k++)
            above[k] += counting_error_tail(trials->error, trials->n, limits[k]) / N_EVENT_COUNTS;
    }
    for (size_t k = 0; k < N_LIMITS; k++)
        lab_add_figure(results, label, "beyond", limits[k], above[k]);
    lab_add_figure(results, label, "bits", NAN, (double)counting_bits(trials, f));
    return 0;
}

int lab_counter_trials(const struct lab_step *step, struct sl_job_results *results,
                       struct sl_failure *f)
{
    unsigned seed, n;
    int error = 0;
    if (sscanf(step->argument, "seed %u, %u trials", &seed, &n) != 2)
        return sl_fail(f, SL_EUSAGE, "invalid step argument '%s': write 'seed N, N trials'",
                       step->argument);
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
