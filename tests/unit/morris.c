/* SPDX-License-Identifier: MIT */
/* Unit tests of Morris counters, compared with theory over thousands of trials: mean, variance,
 * mean absolute error, the published bound and the reported bounds. Counters that take their random
 * bits from one register are not correlated. The tests also measure by how much the variance grows
 * if the register advances only once per event.
 *
 * A counter of base a that has seen n events has the variance (a-1)/2 n(n-1). */
#include "support/counter_trials.h"
#include "tap.h"

#define TRIALS 4000u

static struct trials run(const char *options, uint64_t n)
{
    char spec[100];
    snprintf(spec, sizeof spec, "morris(counters=%u%s%s)", TRIALS, *options ? "," : "", options);
    struct trials t = trials_open(spec);
    trials_add_slowly(&t, n);
    return t;
}

static double theory(const struct trials *t, double n)
{
    return (t->config->base - 1) / 2 * (n - 1) / n / (double)t->config->group;
}

static void show(const char *options, uint64_t n, const struct verdict *v, double variance)
{
    printf("# morris(%s), %llu events: bias %+.4f (+-%.4f), variance %.4f (%.4f), "
           "mean error %.4f, within bounds %.3f\n",
           options, (unsigned long long)n, v->bias, v->error, v->variance, variance, v->absolute,
           v->inside);
}

/* The spread of a variance over trials: errors have a longer tail than a normal variable's,
 * whose would be sqrt(2 / TRIALS) = 2.2 %. */
#define VARIANCE_NOISE 0.1

static void moments(const char *options, uint64_t n)
{
    struct trials t = run(options, n);
    struct verdict v = trials_judge(&t, (double)n);
    double variance = theory(&t, (double)n);
    show(options, n, &v, variance);
    ok(fabs(v.bias) <= 3 * v.error, "morris(%s), %llu events: the mean is the true count", options,
       (unsigned long long)n);
    ok(fabs(v.variance / variance - 1) < VARIANCE_NOISE,
       "morris(%s), %llu events: the variance is that of theory", options, (unsigned long long)n);
    ok(v.inside > 0.92, "morris(%s), %llu events: the true count is within the bounds (%.3f)",
       options, (unsigned long long)n, v.inside);
    trials_close(&t);
}

/* ---- the document's counters ---- */

struct tail {
    double truth, limit[3];
    unsigned beyond[3];
};

static bool add_tail(void *context, const struct sl_entry *entry)
{
    struct tail *tail = context;
    for (unsigned i = 0; i < 3; i++)
        tail->beyond[i] += fabs((double)entry->count - tail->truth) > tail->limit[i] * tail->truth;
    return true;
}

static void document(void)
{
    static const uint64_t counts[] = {300, 1000, 3000, 5000};
    struct tail tail = {.limit = {0.5, 0.75, 1}};
    double absolute = 0, inside = 0;
    unsigned n = sizeof counts / sizeof *counts;
    bool bounded = true;
    for (unsigned i = 0; i < n; i++) {
        struct trials t = run("", counts[i]);
        struct verdict v = trials_judge(&t, (double)counts[i]);
        show("", counts[i], &v, theory(&t, (double)counts[i]));
        absolute += v.absolute / n;
        inside += v.inside / n;
        tail.truth = (double)counts[i];
        sl_table_drain_kind(t.kind, t.state, NULL, add_tail, &tail);
        trials_close(&t);
    }
    for (unsigned i = 0; i < 3; i++) {
        double share = tail.beyond[i] / (double)(n * TRIALS);
        double bound = 0.1 / tail.limit[i] / tail.limit[i];
        printf("# errors above %.0f %%: %.4f; bound %.4f\n", 100 * tail.limit[i], share, bound);
        bounded &= share < bound;
    }
    ok(absolute > 0.24 && absolute < 0.25,
       "base 2, groups of 5: the mean absolute error is 0.24 to 0.25 (%.4f)", absolute);
    ok(bounded, "errors above e are fewer than 1 / (2 e^2 g)");
    ok(fabs(inside - 0.95) < 0.015, "95 of 100 true counts are within the bounds (%.3f)", inside);
    ok(sl_table_storage("morris(counters=1)", NULL) == 30 &&
           sl_table_storage("morris", NULL) == 870,
       "30 bits an event");
}

/* ---- independence ---- */

static void independence(void)
{
    struct trials t = run("", 2000);
    double sum[5] = {0}, products[5][5] = {{0}}, worst = 0;
    for (uint32_t i = 0; i < t.n; i++) {
        uint32_t value[5];
        sl_approximate_values(t.state, i, value);
        for (unsigned a = 0; a < 5; a++) {
            sum[a] += value[a];
            for (unsigned b = 0; b <= a; b++)
                products[a][b] += (double)value[a] * value[b];
        }
    }
    for (unsigned a = 0; a < 5; a++)
        for (unsigned b = 0; b < a; b++) {
            double covariance = products[a][b] - sum[a] * sum[b] / t.n;
            double of_a = products[a][a] - sum[a] * sum[a] / t.n;
            double of_b = products[b][b] - sum[b] * sum[b] / t.n;
            double correlation = fabs(covariance / sqrt(of_a * of_b));
            worst = correlation > worst ? correlation : worst;
        }
    ok(worst < 4 / sqrt(t.n), "counters of one group are not correlated (at most %.4f, noise %.4f)",
       worst, 1 / sqrt(t.n));
    trials_close(&t);
}

static bool add_reading(void *context, const struct sl_entry *entry)
{
    double **to = context;
    *(*to)++ = (double)entry->count;
    return true;
}

/* Tables with neighbouring seeds, as several runs of a profile have them. */
static void seeds(void)
{
    static double reading[2][TRIALS];
    struct trials t[2] = {run("seed=41", 2000), run("seed=42", 2000)};
    double sum[2] = {0}, squares[2] = {0}, products = 0;
    for (unsigned k = 0; k < 2; k++) {
        double *to = reading[k];
        sl_table_drain_kind(t[k].kind, t[k].state, NULL, add_reading, &to);
        trials_close(&t[k]);
    }
    for (unsigned i = 0; i < TRIALS; i++) {
        for (unsigned k = 0; k < 2; k++) {
            sum[k] += reading[k][i] / TRIALS;
            squares[k] += reading[k][i] * reading[k][i] / TRIALS;
        }
        products += reading[0][i] * reading[1][i] / TRIALS;
    }
    double correlation = (products - sum[0] * sum[1]) /
                         sqrt((squares[0] - sum[0] * sum[0]) * (squares[1] - sum[1] * sum[1]));
    ok(fabs(correlation) < 4 / sqrt(TRIALS),
       "tables with neighbouring seeds are not correlated (%.4f, noise %.4f)", correlation,
       1 / sqrt(TRIALS));
}

static void one_step(uint64_t n)
{
    struct trials fresh = run("", n), one = run("steps=1", n);
    struct verdict f = trials_judge(&fresh, (double)n), o = trials_judge(&one, (double)n);
    show("steps=1", n, &o, theory(&one, (double)n));
    ok(fabs(o.bias) < 4 * o.error, "steps=1, %llu events: the mean stays the true count",
       (unsigned long long)n);
    ok(o.variance > 2 * f.variance && o.absolute > 1.3 * f.absolute,
       "steps=1, %llu events: the variance does not: %.1f times that of fresh bits",
       (unsigned long long)n, o.variance / f.variance);
    trials_close(&fresh);
    trials_close(&one);
}

/* ---- readings, and reading ---- */

static bool add_count(void *context, const struct sl_entry *entry)
{
    *(double *)context += (double)entry->count;
    return true;
}

static void readings(void)
{
    struct trials unbiased = run("", 50), plain = run("reading=plain", 50);
    double a = 0, b = 0;
    sl_table_drain_kind(unbiased.kind, unbiased.state, NULL, add_count, &a);
    sl_table_drain_kind(plain.kind, plain.state, NULL, add_count, &b);
    ok(b == a + TRIALS, "with base 2, the plain reading is one more than the unbiased one");
    trials_close(&unbiased);
    trials_close(&plain);
}

static void in_between(void)
{
    struct trials left_alone = run("", 100), read = run("", 100);
    double sum = 0, before = 0, alone = 0;
    for (unsigned i = 0; i < 5; i++) {
        sl_table_drain_kind(read.kind, read.state, NULL, add_count, i ? &sum : &before);
        trials_add(&left_alone, 30);
        trials_add(&read, 30);
    }
    sum = 0;
    sl_table_drain_kind(read.kind, read.state, NULL, add_count, &sum);
    sl_table_drain_kind(left_alone.kind, left_alone.state, NULL, add_count, &alone);
    ok(before > 0 && sum > 2 * before && sum == alone,
       "counters can be read at any time and go on as if they had not been");
    trials_close(&left_alone);
    trials_close(&read);
}

int main(void)
{
    document();
    moments("group=1", 2000);
    moments("group=16", 400);
    moments("lfsr=32", 3000);
    moments("steps=x", 3000);
    moments("base=1.2,bits=8", 3000);
    moments("base=1.05,bits=10,group=1", 1000);
    moments("", UINT64_C(1) << 59);
    moments("base=1.2,bits=9,group=1", UINT64_C(1) << 59);
    independence();
    seeds();
    one_step(1000);
    one_step(4000);
    readings();
    in_between();
    return done_testing();
}
