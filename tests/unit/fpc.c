/* SPDX-License-Identifier: MIT */
/* Unit tests of the floating-point counters (fpc), compared with theory. Small counts are exact.
 * Larger counts are unbiased, with a relative variance of at most 3 / (8 * 2^mantissa - 3). The
 * errors of fpc are compared with those of Morris counters with equal storage. */
#include "support/counter_trials.h"
#include "tap.h"

#define TRIALS 4000u

static struct trials run(const char *spec, uint64_t n)
{
    char all[100];
    snprintf(all, sizeof all, "%scounters=%u)", spec, TRIALS);
    struct trials t = trials_open(all);
    trials_add_slowly(&t, n);
    return t;
}

/* The variance rises and falls between two powers of two: 5/6 of the most, to all of it. */
static void moments(unsigned mantissa, uint64_t n)
{
    char spec[60];
    snprintf(spec, sizeof spec, "fpc(mantissa=%u,", mantissa);
    struct trials t = run(spec, n);
    struct verdict v = trials_judge(&t, (double)n);
    double most = 3 / (8 * ldexp(1, (int)mantissa) - 3);
    printf("# mantissa %u, %llu events: bias %+.5f (+-%.5f), variance %.5f (at most %.5f), mean "
           "error %.4f, within bounds %.3f\n",
           mantissa, (unsigned long long)n, v.bias, v.error, v.variance, most, v.absolute,
           v.inside);
    ok(fabs(v.bias) <= 3 * v.error, "mantissa %u, %llu events: the mean is the true count",
       mantissa, (unsigned long long)n);
    ok(v.variance < 1.08 * most && v.variance > 0.7 * most,
       "mantissa %u, %llu events: the variance is below its limit, and near", mantissa,
       (unsigned long long)n);
    ok(v.inside > 0.92, "mantissa %u, %llu events: the true count is within the bounds (%.3f)",
       mantissa, (unsigned long long)n, v.inside);
    trials_close(&t);
}

static void exactness(void)
{
    struct trials t = run("fpc(mantissa=10,", 1000);
    struct verdict v = trials_judge(&t, 1000);
    ok(v.absolute == 0 && v.inside == 1, "1,000 events in a mantissa of 10 bits: exact");
    trials_add(&t, 24);
    v = trials_judge(&t, 1024);
    ok(v.absolute == 0, "and 1,024");
    trials_add(&t, 1000);
    v = trials_judge(&t, 2024);
    ok(v.absolute > 0 && v.absolute < 0.03, "but not 2,024");
    trials_close(&t);
}

static void compare_with_morris(void)
{
    struct trials fpc = trials_open("fpc(exponent=6,mantissa=24,counters=4)"),
                  small = run("fpc(exponent=6,mantissa=6,", 5000), group = run("morris(", 5000);
    for (unsigned i = 0; i < 288; i++) /* not skipped: that takes a number for each increment */
        trials_add(&fpc, 1u << 16);
    double tiny = trials_judge(&fpc, 288 << 16).absolute;
    double twelve = trials_judge(&small, 5000).absolute;
    double thirty = trials_judge(&group, 5000).absolute;
    ok(tiny > 0 && tiny < 0.0003 && twelve < thirty / 3,
       "mean errors: fpc of 30 bits %.5f, of 12 bits %.3f, morris of 30 bits %.3f", tiny, twelve,
       thirty);
    ok(sl_table_storage("fpc(counters=1,mantissa=24)", NULL) ==
           sl_table_storage("morris(counters=1)", NULL),
       "exponent and mantissa are its storage");
    trials_close(&fpc);
    trials_close(&small);
    trials_close(&group);
}

int main(void)
{
    moments(2, 3000);
    moments(3, 3000);
    moments(3, 4200);
    moments(6, 5000);
    moments(3, UINT64_C(1) << 63);
    exactness();
    compare_with_morris();
    return done_testing();
}
