/* SPDX-License-Identifier: MIT */
/* Unit tests of the bounds of sampled counts. For about 95 % of the listed tuples, including rare
 * tuples that were sampled by chance, the true count is within the bounds. The tests compute this
 * percentage from the binomial distribution of the number of samples, and measure it with tables
 * that sample random streams. The lower bound is never below the number of samples. */
#include "compressor.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"
#include "support/placed_table.h"
#include "table.h"
#include "support/random_unit.h"
#include "tap.h"

#define N_EVENTS 2000000u
#define N_TUPLES 200000u

/* ---- the distribution ---- */

/* Of the samples of a tuple with t elements, given that there is one, the chance that t is
 * between their bounds. */
static double coverage(const struct sl_sampling_bounds *b, double t)
{
    double p = 1 / (double)b->rate, term = exp(t * log1p(-p)), inside = 0;
    for (unsigned s = 1; s <= 4 * SL_SAMPLING_FEW && s <= t; s++) {
        struct sl_bound_pair pair = sl_sampling_bounds(b, s);
        term *= (t - s + 1) / s * p / (1 - p);
        if ((double)pair.low <= t && t <= (double)pair.high)
            inside += term;
    }
    return inside / -expm1(t * log1p(-p));
}

static void by_distribution(uint64_t rate)
{
    struct sl_sampling_bounds b;
    double least = 1, at = 0;
    bool rising = true, above = true;
    sl_sampling_bounds_init(&b, rate);
    for (double t = 1; t < 100 * (double)rate; t = floor(t * 1.02) + 1) {
        double now = coverage(&b, t);
        at = now < least ? t : at;
        least = now < least ? now : least;
    }
    for (uint64_t s = 1; s < 300; s++) {
        struct sl_bound_pair pair = sl_sampling_bounds(&b, s), next = sl_sampling_bounds(&b, s + 1);
        rising &= pair.low <= next.low && pair.high <= next.high && pair.low <= pair.high;
        above &= pair.low >= s;
    }
    /* The normal distribution, from 65 samples on, is not quite what it denotes. */
    ok(least >= 0.942, "1 in %llu: the least coverage is %.4f, of %.0f elements",
       (unsigned long long)rate, least, at);
    ok(rising && above, "1 in %llu: bounds rise with samples, and low is never below them",
       (unsigned long long)rate);
}

/* ---- tables ---- */

static uint32_t tuple_id[N_EVENTS];
static uint64_t pc[N_TUPLES], second[N_TUPLES], weight[N_EVENTS], truly[N_TUPLES];

static void make_stream(double exponent, bool weighed)
{
    uint64_t seed = 3;
    memset(truly, 0, sizeof truly);
    for (uint32_t i = 0; i < N_TUPLES; i++) {
        pc[i] = 0x400000 + 4 * (i % 5000);
        second[i] = i / 5000;
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        double u = random_unit(&seed);
        tuple_id[i] = (uint32_t)(pow(u, exponent) * N_TUPLES);
        weight[i] = weighed ? sl_random_below(&seed, 20) : 1;
        truly[tuple_id[i]] += weight[i];
    }
}

struct covered {
    size_t listed, inside, low, high, below;
};

static bool look(void *context, const struct sl_entry *entry)
{
    struct covered *c = context;
    uint64_t i = (entry->tuple.pc - 0x400000) / 4 + 5000 * entry->tuple.value, t = truly[i];
    c->listed++;
    c->inside += entry->low <= t && t <= entry->high;
    c->low += t < entry->low;
    c->high += t > entry->high;
    c->below += entry->low > entry->count || entry->high < entry->count;
    return true;
}

static void by_table(const char *spec, const char *stream)
{
    struct sl_tuple_names names = {pc, second, N_TUPLES};
    struct sl_table_host host = {.memory_bytes = 1 << 30};
    struct placed p = place(spec, &host);
    struct sl_batch batch = {N_EVENTS, tuple_id, NULL, weight, &names, NULL, 0, NULL};
    struct covered c = {0};
    sl_table_observe(p.table, &batch);
    sl_table_finish(p.table);
    sl_table_drain(p.table, &names, look, &c);
    double share = (double)c.inside / (double)c.listed;
    ok(c.listed > 1000 && share >= 0.95 && !c.below,
       "%s, %s: %.2f%% of %zu listed (below %zu, above %zu)", spec, stream, 100 * share, c.listed,
       c.low, c.high);
    unplace(&p);
}

int main(void)
{
    static const uint64_t rates[] = {2, 3, 10, 256, 4096};
    static const char *const specs[] = {
        "R256",      "P256",        "RD256",       "CR256",        "CR256(estimate=ratio)",
        "R16",       "H[P256]2048", "H[R256]2048", "H[CR256]2048", "H[P256]2048+A16",
        "H[P16]256", "R256+A64"};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        by_distribution(rates[i]);
    for (unsigned kind = 0; kind < 3; kind++) {
        static const char *const stream[] = {"few often, many rarely", "many", "with weights"};
        make_stream(kind == 1 ? 1.5 : 6, kind == 2);
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
            by_table(specs[i], stream[kind]);
    }
    return done_testing();
}
