/* The document's experiment on made-up streams (section 3.3, figure 4). One tuple is 30 %
 * of a shuffled stream of N elements, r = 10; how far from the truth is what the messages
 * say of it? 2,500 streams, the mean of the document's error |t - EST| / EST.
 *
 * The document does not say what the other 70 % are, nor how many substreams H has. Here
 * the others are all distinct, and H has 4: with these a hash leaves the tuple 63 % of its
 * substream, and theory puts the length for an error of 4 % at 4,400, near the document's
 * 4,600 (with 2 substreams at 6,500, with 8 at 2,700).
 *
 * Theory, for a tuple that comes t times, q its share of its substream. The mean of the
 * absolute value of a normal variable is 0.8 standard deviations, and the estimate has
 *
 *     R, H[R]              variance (r-1) t
 *     RD                   (r-1) t (1-q + q/3)
 *     P, H[P], CR by ratio (r-1) t (1-q)
 *     CR by sum            2 (r-1) t (1-q)
 *
 * The last line is where the document errs: it takes CR's estimate to be the sum of the
 * counts, and says that CR is as good as P. A gap of g elements is taken to be g times
 * the tuple at its end; the variance of that is g (g-1) q (1-q). For P g = r; for CR g
 * is geometric, the mean of g (g-1) is 2r (r-1), twice as much. Only the share of the
 * samples, which does not look at the gaps, is as good as P. */
#include <math.h>
#include <stdint.h>

#include "../support/placed_table.h"
#include "random.h"
#include "tap.h"

#define TRIALS 2500u
#define RATE 10.0
#define SHARE 0.3
#define STREAMS 4u
#define LONGEST 12000u

static const struct sl_tuple hot = {0x400000, 42};
static uint32_t number[LONGEST];
static uint64_t value[LONGEST];
static uint64_t seed = 2024;

static void shuffle(size_t n)
{
    size_t copies = (size_t)(SHARE * (double)n);
    for (size_t i = 0; i < n; i++) {
        bool is_hot = sl_random_below(&seed, n - i) < copies;
        copies -= is_hot;
        value[i] = is_hot ? hot.value : sl_random_next(&seed);
    }
}

/* ---- software that looks at one tuple --------------------------------------------- */

struct tally {
    uint64_t count, samples;     /* of the tuple */
    uint64_t of_stream[STREAMS][2];
    uint32_t stream;
};

static void tell(void *context, const struct sl_message *message, size_t n)
{
    struct tally *tally = context;
    for (size_t i = 0; i < n; i++) {
        tally->of_stream[message[i].stream][0] += message[i].count;
        tally->of_stream[message[i].stream][1] += message[i].samples;
        if (message[i].tuple.pc == hot.pc && message[i].tuple.value == hot.value) {
            tally->count += message[i].count;
            tally->samples += message[i].samples;
            tally->stream = message[i].stream;
        }
    }
}

static void feed(struct sl_table *table, size_t n)
{
    static const struct sl_names names = {&hot.pc, NULL, 1};
    struct sl_batch batch = {n, number, value, NULL, &names};
    sl_table_observe(table, &batch);
    sl_table_finish(table);
}

static struct tally run(const char *notation, unsigned trial, size_t n)
{
    char spec[60];
    struct tally tally = {0};
    struct sl_table_host host = {.names = 1, .deliver = tell, .context = &tally};
    snprintf(spec, sizeof spec, "%s(seed=%u)", notation, trial + 1);
    struct placed p = place(spec, &host);
    feed(p.table, n);
    unplace(&p);
    return tally;
}

/* ---- errors ------------------------------------------------------------------------ */

struct row {
    const char *notation;
    bool split;
    double error[2]; /* mean, by sum and by ratio */
};

enum { R, HR, RD, P, CR, HP, HCR, N_ROWS };
static struct row row[N_ROWS] = {
    [R] = {.notation = "R10"},      [HR] = {.notation = "H[R10]4", .split = true},
    [RD] = {.notation = "RD10"},    [P] = {.notation = "P10"},
    [CR] = {.notation = "CR10"},    [HP] = {.notation = "H[P10]4", .split = true},
    [HCR] = {.notation = "H[CR10]4", .split = true},
};

static double error_of(double truth, double estimate)
{
    return fabs(truth - estimate) / estimate;
}

static void measure(size_t n)
{
    double truth = floor(SHARE * (double)n);
    for (size_t k = 0; k < N_ROWS; k++)
        row[k].error[0] = row[k].error[1] = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        shuffle(n);
        for (size_t k = 0; k < N_ROWS; k++) {
            struct tally t = run(row[k].notation, trial, n);
            const uint64_t *all = t.of_stream[t.stream];
            double share = (double)t.samples / (double)all[1] * (double)all[0];
            row[k].error[0] += error_of(truth, (double)t.count) / TRIALS;
            row[k].error[1] += error_of(truth, share) / TRIALS;
        }
    }
}

static double theory(size_t k, bool by_ratio, size_t n)
{
    double q = row[k].split ? SHARE / (SHARE + (1 - SHARE) / STREAMS) : SHARE;
    double factor = k == R || k == HR ? 1
                    : k == RD         ? 1 - q + q / 3
                                      : 1 - q;
    if ((k == CR || k == HCR) && !by_ratio)
        factor *= 2;
    return sqrt(2 / M_PI) * sqrt(factor * (RATE - 1) / (SHARE * (double)n));
}

static void print(size_t n)
{
    printf("# N = %zu        mean error by sum (theory)    by ratio (theory)\n", n);
    for (size_t k = 0; k < N_ROWS; k++)
        printf("# %-12s %10.2f %% (%5.2f %%)       %10.2f %% (%5.2f %%)\n", row[k].notation,
               100 * row[k].error[0], 100 * theory(k, false, n), 100 * row[k].error[1],
               100 * theory(k, true, n));
}

/* ---- what must hold ------------------------------------------------------------------ */

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
           "N = %zu: the error of %s is that of theory", n, row[k].notation);
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

/* The error falls with the root of the length. */
static void length_needed(size_t k, size_t n, double published)
{
    double needed = (double)n * pow(row[k].error[0] / 0.04, 2);
    ok(fabs(needed / published - 1) < 2 * NOISE,
       "%s needs about as many elements for an error of 4 %% as published (%.0f, %.0f)",
       row[k].notation, needed, published);
}

/* ---- bounds --------------------------------------------------------------------------- */

struct check {
    double truth;
    bool inside;
};

static bool check_entry(void *context, const struct sl_entry *entry)
{
    struct check *check = context;
    if (entry->tuple.value == hot.value)
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
        struct check check = {.truth = SHARE * (double)n};
        struct sl_table_host host = {.names = 1, .memory_bytes = 1 << 20};
        snprintf(spec, sizeof spec, "%s(estimate=%s,seed=%u)", notation, estimate, trial + 1);
        struct placed p = place(spec, &host);
        shuffle(n);
        feed(p.table, n);
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
    return done_testing();
}
