/* SPDX-License-Identifier: MIT */
/* Samplers on made-up streams: figure 4 of the stream compressors' document, and what its
 * sections 3.1 to 3.3 say without one.
 *
 * The document's 2,500 trials at each length are done in batches, each a step with a seed of
 * its own: the spread of the batches' means gives the confidence intervals. */
#include <math.h>
#include <stdlib.h>

#include "failure.h"
#include "lab_experiments.h"
#include "sampling_trial.h"

/* Elements of the streams: multiples of one, up to the other. */
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

/* Under the sampler's notation, and for what is read by ratio where that differs. */
static void tell(struct sl_job_figures *results, const struct sampler_case *sampler,
                 const char *measure, size_t n, double by_sum, double by_ratio)
{
    char label[40];
    snprintf(label, sizeof label, "%s by ratio", sampler->notation);
    lab_figure(results, sampler->notation, measure, (double)n, by_sum);
    if (sampler->kind == SAMPLER_COUNTED)
        lab_figure(results, label, measure, (double)n, by_ratio);
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
        struct sampling_found found;
        int error = sampling_try(stream, samplers[k].notation, seed, &found, f);
        if (error < 0)
            return error;
        sums[k].by_sum += sampling_error(truth, found.sum);
        sums[k].by_ratio += sampling_error(truth, found.ratio);
    }
    return 0;
}

static int at_length(struct sampling_stream *stream, size_t n, const struct batch *batch,
                     struct sl_job_figures *results, struct sl_failure *f)
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
        tell(results, &samplers[k], "error", n, sums[k].by_sum / trials, sums[k].by_ratio / trials);
    return 0;
}

int lab_sampling(const struct lab_step *step, struct sl_job_figures *results, struct sl_failure *f)
{
    struct batch batch;
    struct sampling_stream stream;
    int error = 0;
    if (sscanf(step->argument, "batch %u of %u trials at %u lengths", &batch.number, &batch.trials,
               &batch.lengths) != 3)
        return sl_fail(f, SL_EUSAGE, "no batch: %s", step->argument);
    if (!sampling_open(&stream, LENGTH_MOST, batch.number))
        return sl_out_of_memory(f);
    for (unsigned i = 1; i <= batch.lengths && error >= 0; i++)
        error = at_length(&stream, LENGTH_MOST / batch.lengths * i, &batch, results, f);
    sampling_close(&stream);
    return error;
}

/* ---- theory (x: elements) ---- */

int lab_sampling_theory(const struct lab_step *step, struct sl_job_figures *results,
                        struct sl_failure *f)
{
    (void)step, (void)f;
    for (size_t k = 0; k < N_SAMPLERS; k++)
        for (size_t n = LENGTH_STEP; n <= LENGTH_MOST; n += LENGTH_STEP)
            tell(results, &samplers[k], "theory", n, sampling_theory(&samplers[k], false, n),
                 sampling_theory(&samplers[k], true, n));
    return 0;
}

/* ---- how many elements there were, by all messages: far off at most ---- */

#define COUNTED 1000u

int lab_sampling_counting(const struct lab_step *step, struct sl_job_figures *results,
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
            struct sampling_found found = {0};
            error = sampling_try(&stream, samplers[k].notation, i, &found, f);
            worst[k] = fmax(worst[k], fabs((double)stream.n - found.elements));
        }
    }
    for (size_t k = 0; k < N_SAMPLERS; k++)
        lab_figure(results, samplers[k].notation, "miscounted", NAN, worst[k]);
    sampling_close(&stream);
    return error;
}

/* ---- eight of each of two tuples: how often their ratio is found ---- */

#define EIGHT 8u

/* The other tuple; and a seed by which H tells the two apart, as in the document. */
#define OTHER 43u
#define TELLS_APART 1u

int lab_sampling_eights(const struct lab_step *step, struct sl_job_figures *results,
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
            struct sampling_found found;
            error = sampling_try(&stream, notations[k], TELLS_APART, &found, f);
            right[k] += error >= 0 && found.sum == EIGHT && found.elements == 2 * EIGHT;
        }
    }
    for (size_t k = 0; k < 2; k++)
        lab_figure(results, notations[k], "right", NAN, (double)right[k] / trials);
    sampling_close(&stream);
    return error;
}
