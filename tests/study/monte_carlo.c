/* SPDX-License-Identifier: MIT */
/* Unit tests of sampling tables on synthetic streams. The errors are compared with theory and with
 * figure 4 of the stratified sampling paper (study/experiments/sampling_trial.h). */
#include <math.h>
#include <stdint.h>

#include "support/placed_table.h"
#include "sampling_trial.h"
#include "tap.h"

#define TRIALS 2500u
#define LONGEST 12000u

static struct sampling_stream stream;

/* ---- errors ---- */

enum { R, HR, RD, P, CR, HP, HCR, N_ROWS };
static const struct sampler_case samplers[N_ROWS] = {
    [R] = {"R10", SAMPLER_INDEPENDENT, 1},    [HR] = {"H[R10]4", SAMPLER_INDEPENDENT, 4},
    [RD] = {"RD10", SAMPLER_COUNTDOWN, 1},    [P] = {"P10", SAMPLER_PERIODIC, 1},
    [CR] = {"CR10", SAMPLER_COUNTED, 1},      [HP] = {"H[P10]4", SAMPLER_PERIODIC, 4},
    [HCR] = {"H[CR10]4", SAMPLER_COUNTED, 4},
};
static struct row {
    double error[2]; /* mean, by sum and by ratio */
} row[N_ROWS];

static struct sampling_estimate run(const char *notation, unsigned trial)
{
    struct sl_failure f;
    struct sampling_estimate found = {0};
    if (sampling_trial_run(&stream, notation, trial + 1, &found, &f) < 0) {
        printf("# %s: %s\n", notation, f.text);
        abort();
    }
    return found;
}

static void measure(size_t n)
{
    double truth = floor(SAMPLING_SHARE * (double)n);
    for (size_t k = 0; k < N_ROWS; k++)
        row[k].error[0] = row[k].error[1] = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        sampling_shuffle(&stream, n, SAMPLING_SHARE);
        for (size_t k = 0; k < N_ROWS; k++) {
            struct sampling_estimate found = run(samplers[k].notation, trial);
            row[k].error[0] += sampling_error(truth, found.sum) / TRIALS;
            row[k].error[1] += sampling_error(truth, found.ratio) / TRIALS;
        }
    }
}

static double theory(size_t k, bool by_ratio, size_t n)
{
    return sampling_theory(&samplers[k], by_ratio, n);
}

static void print(size_t n)
{
    printf("# N = %zu        mean error by sum (theory)    by ratio (theory)\n", n);
    for (size_t k = 0; k < N_ROWS; k++)
        printf("# %-12s %10.2f %% (%5.2f %%)       %10.2f %% (%5.2f %%)\n", samplers[k].notation,
               100 * row[k].error[0], 100 * theory(k, false, n), 100 * row[k].error[1],
               100 * theory(k, true, n));
}

/* ---- what must hold ---- */

/* The mean of 2,500 errors varies by 0.75 / sqrt(2500) = 1.5 % of itself; five times that,
 * and one percent for what is left in the counters and for EST in the place of t. */
#define NOISE 0.085

static bool within(double measured, double expected)
{
    return fabs(measured / expected - 1) < NOISE;
}

static void formulas(size_t n)
{
    for (size_t k = 0; k < N_ROWS; k++)
        ok(within(row[k].error[0], theory(k, false, n)),
           "N = %zu: the error of %s is that of theory", n, samplers[k].notation);
    ok(within(row[CR].error[1], theory(CR, true, n)) &&
           within(row[HCR].error[1], theory(HCR, true, n)),
       "N = %zu: so is that of CR and H[CR] by ratio", n);
}

static void order(size_t n)
{
    ok(within(row[R].error[0], row[HR].error[0]) && within(row[P].error[0], row[CR].error[1]) &&
           within(row[HP].error[0], row[HCR].error[1]),
       "N = %zu: {R, H[R]}, {P, CR by ratio} and {H[P], H[CR] by ratio} are as good as each other",
       n);
    double worst[] = {fmin(row[R].error[0], row[HR].error[0]),
                      fmin(row[P].error[0], row[CR].error[1])};
    double next[] = {fmax(row[P].error[0], row[CR].error[1]),
                     fmax(row[HP].error[0], row[HCR].error[1])};
    ok(worst[0] > next[0] && worst[1] > next[1], "N = %zu: and in this order, the last the best",
       n);
    double twice = pow(row[CR].error[0] / row[P].error[0], 2);
    double split = pow(row[HCR].error[0] / row[HP].error[0], 2);
    ok(fabs(twice - 2) < 4 * NOISE && fabs(split - 2) < 4 * NOISE,
       "N = %zu: CR by sum has twice the variance of P (%.2f times; in H %.2f)", n, twice, split);
}

/* P counts what it is given; R can only guess it. */
static void elements(void)
{
    double worst[2] = {0, 0};
    for (unsigned trial = 0; trial < 100; trial++) {
        sampling_shuffle(&stream, 1234, SAMPLING_SHARE);
        worst[0] = fmax(worst[0], 1234 - run("P10", trial).elements);
        worst[1] = fmax(worst[1], fabs(1234 - run("R10", trial).elements));
    }
    ok(worst[0] == 4, "messages of P10 account for all but a remainder of 1,234 elements");
    ok(worst[1] > 10, "those of R10 do not (%.0f)", worst[1]);
}

/* The error falls with the root of the length. */
static void length_needed(size_t k, size_t n, double published)
{
    double needed = (double)n * pow(row[k].error[0] / 0.04, 2);
    ok(fabs(needed / published - 1) < 2 * NOISE,
       "%s needs about as many elements for an error of 4 %% as published (%.0f, %.0f)",
       samplers[k].notation, needed, published);
}

/* ---- bounds ---- */

struct check {
    double truth;
    bool inside;
};

static bool check_entry(void *context, const struct sl_entry *entry)
{
    struct check *check = context;
    if (entry->tuple.value == sampling_tuple.value)
        check->inside = (double)entry->low <= check->truth && check->truth <= (double)entry->high;
    return true;
}

/* The variance that the bounds are reckoned with is R's, an upper limit for the others. */
static void bounds(const char *notation, const char *estimate, double most)
{
    const size_t n = 1000;
    unsigned inside = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        char spec[60];
        struct check check = {.truth = SAMPLING_SHARE * (double)n};
        struct sl_table_host host = {.names = 1, .memory_bytes = 1 << 20};
        snprintf(spec, sizeof spec, "%s(estimate=%s,seed=%u)", notation, estimate, trial + 1);
        struct placed p = place(spec, &host);
        sampling_shuffle(&stream, n, SAMPLING_SHARE);
        sampling_observe(&stream, p.table);
        sl_table_drain(p.table, NULL, check_entry, &check);
        inside += check.inside;
        unplace(&p);
    }
    double share = (double)inside / TRIALS, sigma = sqrt(0.95 * 0.05 / TRIALS);
    ok(share > 0.95 - 5 * sigma && share < most + 5 * sigma,
       "%s by %s: the true count is within the bounds in at least 95 of 100 cases (%.1f)", notation,
       estimate, 100 * share);
}

int main(void)
{
    if (!sampling_open(&stream, LONGEST, 2024))
        abort();
    measure(4600);
    print(4600);
    formulas(4600);
    order(4600);
    length_needed(HP, 4600, 4600);
    measure(12000);
    print(12000);
    formulas(12000);
    order(12000);
    length_needed(R, 12000, 12000);
    bounds("R10", "sum", 0.95);
    bounds("RD10", "sum", 1);
    bounds("P10", "sum", 1);
    bounds("CR10", "sum", 1);
    bounds("CR10", "ratio", 1);
    bounds("H[P10]4+A16", "sum", 1);
    elements();
    sampling_close(&stream);
    return done_testing();
}
