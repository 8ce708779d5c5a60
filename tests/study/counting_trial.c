/* SPDX-License-Identifier: MIT */
/* Unit tests of the Monte Carlo trials of approximate counters (counting_trial.h): the mean errors
 * of a short list equal those computed by hand, and the errors of Morris counters have the variance
 * that theory predicts. */
#include "counting_trial.h"

#include <math.h>

#include "tap.h"

#define N 400u

static double error[N];

static int try(const char *table, const char *options, uint64_t seed, uint64_t events)
{
    struct counting_trials t = {table, options, N, seed, events, error};
    struct sl_failure f;
    for (size_t i = 0; i < N; i++)
        error[i] = NAN;
    return counting_trials_run(&t, &f);
}

static void known(void)
{
    static const double errors[] = {-1, 0.5, 0, 0.5};
    struct counting_moments m = counting_moments(errors, 4);
    ok(m.bias == 0 && m.square == 0.375 && m.absolute == 0.5, "moments are means");
    ok(counting_error_tail(errors, 4, 0.25) == 0.75 &&
           counting_error_tail(errors, 4, 0.5) == 0.25 && counting_error_tail(errors, 4, 1) == 0,
       "errors above a limit are counted, too high and too low");
}

/* Far more than one event can denote. */
static void exact(void)
{
    int result = try("fpc", "mantissa=24", 1, 200001);
    struct counting_moments m = counting_moments(error, N);
    ok(result >= 0 && m.square == 0, "every counter is given all of the events");
}

static void spread(void)
{
    struct counting_moments first, other;
    int result = try("morris", "", 1, 3000);
    first = counting_moments(error, N);
    result |= try("morris", "", 2, 3000);
    other = counting_moments(error, N);
    ok(!result && fabs(first.bias) < 5 * sqrt(0.1 / N) && fabs(first.square / 0.1 - 1) < 0.4,
       "trials are spread as theory has it (%.3f, 0.1)", first.square);
    ok(first.square != other.square, "another seed, other trials");
}

static void bits(void)
{
    struct counting_trials t = {.table = "morris", .options = "base=1.5,bits=7,group=4", .n = N};
    struct sl_failure f;
    ok(counting_bits(&t, &f) == 28, "the number of bits of one counter");
    ok(try("morris", "base=7", 1, 10) < 0, "an option that cannot be is a failure");
}

int main(void)
{
    known();
    exact();
    spread();
    bits();
    return done_testing();
}
