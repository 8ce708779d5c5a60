/* SPDX-License-Identifier: MIT */
/* Experiment `sampling` of `sluice lab`: measures the errors of samplers on synthetic streams, and
 * compares them with the errors that theory predicts.
 *
 * Paper: Sastry, Bodik, Smith, "Rapid Profiling via Stratified Sampling", 2001, figure 4 and the
 * claims of sections 3.1 to 3.3 that have no figure. The 2,500 trials of each stream length are
 * divided into batches. Each batch is a step with its own seed, and the spread of the batches'
 * means gives the confidence intervals. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "lab_experiments.h"
#include "sampling_trial.h"

/* Lengths of the streams in elements: multiples of LENGTH_STEP up to LENGTH_MOST. */
#define LENGTH_STEP 1000u
#define LENGTH_MOST 20000u

static const struct sampler_case samplers[] = {
    {"R10", SAMPLER_INDEPENDENT, 1},  {"H[R10]4", SAMPLER_INDEPENDENT, 4},
    {"RD10", SAMPLER_COUNTDOWN, 1},   {"H[RD10]4", SAMPLER_COUNTDOWN, 4},
    {"P10", SAMPLER_PERIODIC, 1},     {"CR10", SAMPLER_COUNTED, 1},
    {"H[P10]2", SAMPLER_PERIODIC, 2}, {"H[P10]4", SAMPLER_PERIODIC, 4},
    {"H[P10]8", SAMPLER_PERIODIC, 8}, {"H[P10]16", SAMPLER_PERIODIC, 16},
    {"H[CR10]4", SAMPLER_COUNTED, 4},
};
#define N_SAMPLERS (sizeof samplers / sizeof *samplers)

/* Adds a figure with the sampler's notation as the label, and for CR also the estimate by ratio. */
static void add_figure(struct sl_job_results *results, const struct sampler_case *sampler,
                       const char *measure, size_t n, double by_sum, double by_ratio)
{
    char label[40];
    snprintf(label, sizeof label, "%s by ratio", sampler->notation);
    lab_add_figure(results, sampler->notation, measure, (double)n, by_sum);
    if (sampler->kind == SAMPLER_COUNTED)
        lab_add_figure(results, label, measure, (double)n, by_ratio);
}

/* ---- a batch of trials: error (x: elements) ---- */

struct batch {
    unsigned number, trials, lengths;
};

struct sums {
    double by_sum, by_ratio;
};

static int try_all(const struct sampling_stream *stream, uint64_t seed, struct sums *sums,
                   struct sl_failure *f)
{
    double truth = floor(SAMPLING_SHARE * (double)stream->n);
    for (size_t k = 0; k < N_SAMPLERS; k++) {
        struct sampling_estimate found;
        int error = sampling_trial_run(stream, samplers[k].notation, seed, &found, f);
        if (error < 0)
            return error;
        sums[k].by_sum += sampling_error(truth, found.sum);
        sums[k].by_ratio += sampling_error(truth, found.ratio);
    }
    return 0;
}

static int at_length(struct sampling_stream *stream, size_t n, const struct batch *batch,
                     struct sl_job_results *results, struct sl_failure *f)
{
    struct sums sums[N_SAMPLERS] = {{0}};
    double trials = batch->trials;
    for (unsigned i = 0; i < batch->trials; i++) {
        sampling_shuffle(stream, n, SAMPLING_SHARE);
        int error = try_all(stream, (uint64_t)batch->number * batch->trials + i, sums, f);
        if (error < 0)
            return error;
    }
    for (size_t k = 0; k < N_SAMPLERS; k++)
        add_figure(results, &samplers[k], "error", n, sums[k].by_sum / trials,
                   sums[k].by_ratio / trials);
    return 0;
}

int lab_sampling(const struct lab_step *step, struct sl_job_results *results, struct sl_failure *f)
{
    struct batch batch;
    struct sampling_stream stream;
    int error = 0;
    if (sscanf(step->argument, "batch %u of %u trials at %u lengths", &batch.number, &batch.trials,
               &batch.lengths) != 3)
        return sl_fail(f, SL_EUSAGE,
                       "invalid step argument '%s': write 'batch N of N trials at N lengths'",
                       step->argument);
    if (!sampling_open(&stream, LENGTH_MOST, batch.number))
        return sl_out_of_memory(f);
    for (unsigned i = 1; i <= batch.lengths && error >= 0; i++)
        error = at_length(&stream, LENGTH_MOST / batch.lengths * i, &batch, results, f);
    sampling_close(&stream);
    return error;
}

/* ---- theory (x: elements) ---- */

int lab_sampling_theory(const struct lab_step *step, struct sl_job_results *results,
                        struct sl_failure *f)
{
    (void)step, (void)f;
    for (size_t k = 0; k < N_SAMPLERS; k++)
        for (size_t n = LENGTH_STEP; n <= LENGTH_MOST; n += LENGTH_STEP)
            add_figure(results, &samplers[k], "theory", n, sampling_theory(&samplers[k], false, n),
                       sampling_theory(&samplers[k], true, n));
    return 0;
}

/* ---- the number of elements, estimated from all messages: largest error ---- */

#define COUNTED 1000u

int lab_sampling_counting(const struct lab_step *step, struct sl_job_results *results,
                          struct sl_failure *f)
{
    struct sampling_stream stream;
    unsigned trials = (unsigned)strtoul(step->argument, NULL, 10);
    double worst[N_SAMPLERS] = {0};
    int error = 0;
    if (!sampling_open(&stream, COUNTED + SAMPLING_RATE, 1))
        return sl_out_of_memory(f);
    for (unsigned i = 0; i < trials; i++) {
        sampling_shuffle(&stream, COUNTED + i % SAMPLING_RATE, SAMPLING_SHARE);
        for (size_t k = 0; k < N_SAMPLERS && error >= 0; k++) {
            struct sampling_estimate found = {0};
            error = sampling_trial_run(&stream, samplers[k].notation, i, &found, f);
            worst[k] = fmax(worst[k], fabs((double)stream.n - found.elements));
        }
    }
    for (size_t k = 0; k < N_SAMPLERS; k++)
        lab_add_figure(results, samplers[k].notation, "miscounted", NAN, worst[k]);
    sampling_close(&stream);
    return error;
}

/* ---- a stream of two tuples, eight times each: how often their ratio is estimated exactly ---- */

#define EIGHT 8u
#define OTHER 43u          /* value of the second tuple */
#define SEPARATING_SEED 1u /* with it, H puts the two tuples into different substreams */

int lab_sampling_eights(const struct lab_step *step, struct sl_job_results *results,
                        struct sl_failure *f)
{
    static const char *const notations[] = {"P8", "H[P8]2"};
    struct sampling_stream stream;
    unsigned trials = (unsigned)strtoul(step->argument, NULL, 10), right[2] = {0};
    int error = 0;
    if (!sampling_open(&stream, 2 * EIGHT, 1))
        return sl_out_of_memory(f);
    for (unsigned i = 0; i < trials && error >= 0; i++) {
        sampling_shuffle(&stream, 2 * EIGHT, 0.5);
        for (size_t j = 0; j < stream.n; j++)
            if (stream.value[j] != sampling_tuple.value)
                stream.value[j] = OTHER;
        for (size_t k = 0; k < 2 && error >= 0; k++) {
            struct sampling_estimate found;
            error = sampling_trial_run(&stream, notations[k], SEPARATING_SEED, &found, f);
            right[k] += error >= 0 && found.sum == EIGHT && found.elements == 2 * EIGHT;
        }
    }
    for (size_t k = 0; k < 2; k++)
        lab_add_figure(results, notations[k], "right", NAN, (double)right[k] / trials);
    sampling_close(&stream);
    return error;
}
