/* SPDX-License-Identifier: MIT */
/* Unit tests of interval profilers with approximate counters. After each event, their state equals
 * that of a simple model. Their counts are correct on average, with the variance that theory
 * predicts. If the base of the counters is near 1, the results are close to those of exact
 * counters. */
#include "hash.h"
#include "interval_table.h"
#include "random.h"
#include "support/interval_oracle.h"
#include "tap.h"
#include "support/random_unit.h"

#define N_NAMES 60u

static uint64_t pc[N_NAMES], zero[N_NAMES];

struct tried {
    const struct sl_table_kind *kind;
    void *config, *state;
    struct interval_log log;
};

static void open_table(struct tried *t, const char *spec)
{
    struct sl_table_host host = {.names = N_NAMES, .interval = log_interval, .context = &t->log};
    struct sl_failure f;
    size_t end;
    *t = (struct tried){0};
    if (sl_table_parse(&t->kind, &t->config, spec, 0, &end, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    size_t size = (t->kind->size(t->config, &host) + 63) & ~(size_t)63;
    t->state = memset(aligned_alloc(64, size), 0, size);
    t->kind->init(t->state, t->config, &host, &f);
}

static void close_table(struct tried *t)
{
    free(t->config);
    free(t->state);
    log_free(&t->log);
}

static void give(struct tried *t, uint32_t tuple_id, uint64_t weight)
{
    struct sl_event event = {tuple_id, {pc[tuple_id], 0}, weight, NULL, 0, 0};
    t->kind->step(t->state, &event);
}

/* ---- the definition ---- */

static bool same_log(const struct interval_log *a, const struct interval_log *b)
{
    bool same = a->n == b->n && a->n_entries == b->n_entries;
    for (size_t i = 0; same && i < a->n; i++)
        same = same_interval(&a->interval[i], &b->interval[i]);
    for (size_t i = 0; same && i < a->n_entries; i++)
        same = a->entry[i].tuple.pc == b->entry[i].tuple.pc &&
               a->entry[i].count == b->entry[i].count;
    return same;
}

/* Few often, many rarely; some events by themselves, the others in batches. */
static void definition(double base, unsigned bits, unsigned tables, unsigned switches)
{
    struct oracle o = {.tables = tables,
                       .index_bits = 3,
                       .counter_bits = bits,
                       .seed = switches,
                       .length = 600,
                       .threshold = 24,
                       .capacity = 9,
                       .base = base,
                       .conservative = switches & 1,
                       .reset = switches & 2,
                       .retain = switches & 4,
                       .random = sl_mix(switches + 1)};
    struct tried t;
    char spec[300];
    uint64_t random = 77 + switches;
    snprintf(spec, sizeof spec,
             "multihash(tables=%u,counters=%u,bits=%u,base=%g,interval=600,"
             "threshold=4%%,conservative=%d,reset=%d,retain=%d,accumulator=9,seed=%u)",
             tables, tables * 8, bits, base, o.conservative, o.reset, o.retain, switches);
    open_table(&t, spec);
    oracle_open(&o);
    for (unsigned round = 0; round < 300; round++) {
        uint32_t tuple_id[40];
        struct sl_tuple_names names = {pc, zero, N_NAMES};
        struct sl_batch batch = {40, tuple_id, NULL, NULL, &names, NULL, 0, NULL};
        for (unsigned i = 0; i < 40; i++) {
            double u = random_unit(&random);
            tuple_id[i] = (uint32_t)(u * u * u * N_NAMES);
            oracle_event(&o, (struct sl_tuple){pc[tuple_id[i]], 0}, 1);
            if (round % 2)
                give(&t, tuple_id[i], 1);
        }
        if (round % 2 == 0)
            t.kind->observe(t.state, &batch);
    }
    ok(o.log.n == 20 && o.log.n_entries > 60 && same_log(&o.log, &t.log),
       "%s: as by definition (%zu candidates)", spec, t.log.n_entries);
    oracle_close(&o);
    close_table(&t);
}

/* ---- means ---- */

struct moments {
    double mean, error, variance;
};

/* A tuple that is alone and happens n times, in weights of w, over many seeds: what it is
 * reported with, as a part of n. */
static struct moments alone(const char *options, uint64_t n, uint64_t w, unsigned trials)
{
    struct moments m = {0};
    char spec[200];
    for (unsigned i = 0; i < trials; i++) {
        struct tried t;
        snprintf(spec, sizeof spec, "multihash(interval=%llu,seed=%u,%s)", (unsigned long long)n, i,
                 options);
        open_table(&t, spec);
        for (uint64_t done = 0; done < n; done += w)
            give(&t, 0, w);
        double off = (double)t.log.entry[0].count / (double)n - 1;
        m.mean += off / trials;
        m.variance += off * off / trials;
        close_table(&t);
    }
    m.error = sqrt(m.variance / trials);
    return m;
}

/* Of a variance over trials: sums of geometric numbers have long tails, those of base 2 the
 * longest. */
#define VARIANCE_NOISE 0.25

/* The tuple is promoted at T = n / 10: what its count is off by is what it was off by then,
 * of relative variance (a-1)/(a+1) less what rounding up to a whole X takes. */
static void means(double base, unsigned bits, unsigned switches, uint64_t w)
{
    char options[120];
    const uint64_t n = 20000;
    double threshold = (double)n / 10;
    snprintf(options, sizeof options,
             "bits=%u,base=%g,threshold=10%%,conservative=%d,tables=%u,"
             "counters=64",
             bits, base, switches & 1, switches & 2 ? 1 : 4);
    struct moments m = alone(options, n, w, 1200);
    double reached = 0;
    for (double power = 1; reached < threshold; power *= base)
        reached += power;
    double variance = (base - 1) / (base + 1) * reached * reached / ((double)n * (double)n);
    printf("# %s, weight %llu: mean %+.5f (+-%.5f), variance %.6f (%.6f)\n", options,
           (unsigned long long)w, m.mean, m.error, m.variance, variance);
    ok(fabs(m.mean) < 3 * m.error, "%s, events of weight %llu: counts are right on average",
       options, (unsigned long long)w);
    ok(w > 1 || fabs(m.variance / variance - 1) < VARIANCE_NOISE, "%s: as far off as theory has it",
       options);
}

/* ---- near to exact ---- */

/* The sum of differences of candidates' counts, as a part of them. */
static double difference(const char *one, const char *other)
{
    struct tried a, b;
    double sum = 0, all = 0;
    uint64_t random = 9;
    open_table(&a, one);
    open_table(&b, other);
    for (unsigned i = 0; i < 400000; i++) {
        double u = random_unit(&random);
        uint32_t tuple_id = (uint32_t)(u * u * u * N_NAMES);
        give(&a, tuple_id, 1);
        give(&b, tuple_id, 1);
    }
    for (size_t i = 0; i < a.log.n_entries; i++) {
        uint64_t found = 0;
        size_t in = 0;
        while (in + 1 < a.log.n && a.log.first[in + 1] <= i)
            in++;
        size_t from = b.log.first[in], end = from + b.log.interval[in].n_entries;
        for (size_t k = from; k < end; k++)
            if (b.log.entry[k].tuple.pc == a.log.entry[i].tuple.pc)
                found = b.log.entry[k].count;
        sum += fabs((double)found - (double)a.log.entry[i].count);
        all += (double)a.log.entry[i].count;
    }
    close_table(&a);
    close_table(&b);
    return sum / all;
}

#define STREAM "interval=40K,threshold=1%,counters=256,retain=0"

static void near(void)
{
    double exact = difference("multihash(" STREAM ")", "multihash(" STREAM ",bits=9)");
    double finest = difference("multihash(" STREAM ")",
                               "multihash(" STREAM ",bits=16,base=1.0001)");
    double eight = difference("multihash(" STREAM ")", "multihash(" STREAM ",bits=8,base=1.02)");
    double four = difference("multihash(" STREAM ")", "multihash(" STREAM ",bits=4,base=2)");
    double again = difference("multihash(" STREAM ",bits=8,base=1.02)",
                              "multihash(" STREAM ",bits=8,base=1.02)");
    printf("# off by %.5f (16 bits, base 1.0001), %.5f (8 bits, 1.02), %.5f (4 bits, 2)\n", finest,
           eight, four);
    ok(exact == 0, "exact counters of 9 bits, which T needs, differ in nothing from those of 24");
    ok(finest > 0 && finest < 0.003 && eight < 0.06 && four < 0.3,
       "a base near 1 is near to exact counters");
    ok(finest < eight && eight < four, "the nearer the better");
    ok(again == 0, "the same seed gives the same");
    ok(difference("multihash(" STREAM ",bits=8,base=1.02)",
                  "multihash(" STREAM ",bits=8,base=1.02,seed=2)") > 0,
       "another seed does not");
}

/* ---- the table ---- */

static void says(const char *spec, const char *what)
{
    struct sl_failure f = {0};
    uint64_t bits = sl_table_storage(spec, &f);
    ok(!bits && f.code == SL_EUSAGE && strstr(f.text, what), "%s: refused (%s)", spec, f.text);
}

static void table(void)
{
    struct sl_table_status status;
    struct tried t;
    ok(sl_table_storage("multihash(bits=8,base=1.02)", NULL) ==
           sl_table_storage("multihash", NULL) - 2048 * 16,
       "16 bits of each counter are saved");
    open_table(&t, "singlehash(bits=8,base=1.1,interval=1000,threshold=10%)");
    for (unsigned i = 0; i < 1500; i++)
        give(&t, i % 3, 2);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(status.bounds == SL_BOUNDS_NONE && t.log.n == 3 && t.log.interval[0].n_entries == 3,
       "single-hash takes it too; there are no bounds");
    ok(!sl_interval_force_form(t.state, SL_INTERVAL_PORTABLE) &&
           sl_interval_force_form(t.state, SL_INTERVAL_PLAIN),
       "it is done plainly");
    close_table(&t);
    says("multihash(base=1.1)", "at most 16 bits");
    says("multihash(bits=7,base=1.01)", "counts only to 254");
    says("multihash(bits=8,base=1.00005)", "at least 1.0001");
    says("multihash(bits=4,base=1.5)", "counts only to 874");
}

int main(void)
{
    for (unsigned i = 0; i < N_NAMES; i++)
        pc[i] = 0x401000 + 4 * i;
    for (unsigned switches = 0; switches < 8; switches++) {
        definition(1.1, 6, 4, switches);
        definition(2, 4, 1 + switches % 3, switches);
    }
    means(1.1, 7, 1, 1);
    means(1.1, 7, 0, 1);
    means(1.3, 5, 1, 1);
    means(2, 5, 2, 1);
    means(1.1, 7, 1, 100);
    means(1.1, 7, 0, 50);
    near();
    table();
    return done_testing();
}
