/* The adaptive length: against the oracle's own words for the rule, on streams that keep changing
 * their mind, in every form; and at the rule's edges, one event on either side. */
#include "interval_table.h"
#include "random.h"
#include "support/interval_oracle.h"
#include "tap.h"

#define N_EVENTS 30000u
#define TRIALS 120u

static uint64_t seed = 11;
static const uint64_t pc[] = {0x1000};
static const struct sl_names names = {pc, NULL, 1};
static uint32_t number[N_EVENTS];
static uint64_t value[N_EVENTS];

static uint64_t below(uint64_t n)
{
    return sl_random_below(&seed, n);
}

static struct sl_interval_table *open_table(const char *spec, struct interval_log *log)
{
    const struct sl_table_kind *kind;
    struct sl_failure f;
    void *config;
    size_t end;
    if (sl_table_parse(&kind, &config, spec, 0, &end, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    struct sl_table_host host = {.names = 1, .interval = log_interval, .context = log};
    size_t size = (kind->size(config, &host) + 63) & ~(size_t)63;
    struct sl_interval_table *t = memset(aligned_alloc(64, size), 0, size);
    kind->init(t, config, &host, &f);
    free(config);
    return t;
}

static void observe(struct sl_interval_table *t, size_t n)
{
    for (size_t at = 0, some; at < n; at += some) {
        some = 1 + at % 700 < n - at ? 1 + at % 700 : n - at;
        struct sl_batch batch = {some, number + at, value + at, NULL, &names, NULL, 0, NULL};
        sl_interval_observe(t, &batch);
    }
}

/* ---- against the oracle ------------------------------------------------------ */

/* Few values at a time, so that intervals are often exactly three quarters or a half alike. */
static void make_stream(void)
{
    uint64_t first = 0, kinds = 1;
    for (size_t i = 0, next = 0; i < N_EVENTS; i++) {
        if (i == next) {
            first = below(3) ? below(6) : 100 * i;
            kinds = below(4) ? 1 + below(5) : N_EVENTS;
            next = i + 1 + below(below(3) ? 300 : 6000);
        }
        value[i] = first + (below(2) ? i % kinds : below(kinds));
    }
}

static bool same_log(const struct interval_log *a, const struct interval_log *b)
{
    bool same = a->n == b->n && a->n_entries == b->n_entries;
    for (size_t i = 0; same && i < a->n; i++)
        same = same_interval(&a->interval[i], &b->interval[i]);
    for (size_t i = 0; same && i < a->n_entries; i++)
        same = a->entry[i].tuple.value == b->entry[i].tuple.value &&
               a->entry[i].count == b->entry[i].count;
    return same;
}

struct tally {
    size_t same, trials, longer, shorter, longest, shortest;
};

static void trial(struct tally *tally)
{
    static const uint64_t shares[] = {50000, 25000, 10000, 3000}; /* 0.001 % */
    char spec[300];
    struct oracle o = {.tables = 1 + (unsigned)below(4), .index_bits = 4 + (unsigned)below(5),
                       .counter_bits = 24, .seed = below(9), .conservative = true,
                       .reset = below(2), .retain = true, .adapt = true,
                       .interval = 16 + below(100), .share = shares[below(4)],
                       .capacity = 1 + below(20)};
    o.length = o.interval;
    o.threshold = (o.length * o.share + 99999) / 100000;
    sprintf(spec, "multihash(tables=%u,counters=%u,interval=%llu,threshold=%llu%%,reset=%d,adapt=1,"
            "accumulator=%zu,seed=%llu)", o.tables, o.tables << o.index_bits,
            (unsigned long long)o.interval, (unsigned long long)o.share / 1000, o.reset, o.capacity,
            (unsigned long long)o.seed);
    make_stream();
    oracle_open(&o);
    for (size_t i = 0; i < N_EVENTS; i++)
        oracle_event(&o, (struct sl_tuple){pc[0], value[i]}, 1);
    for (unsigned form = 0; form < SL_INTERVAL_FORMS; form++) {
        struct interval_log log = {0};
        struct sl_interval_table *t = open_table(spec, &log);
        if (sl_interval_force_form(t, (enum sl_interval_form)form)) {
            observe(t, N_EVENTS);
            bool same = same_log(&log, &o.log);
            tally->trials++;
            tally->same += same;
            if (!same)
                printf("# %s, form %u: %zu intervals, wanted %zu\n", spec, form, log.n, o.log.n);
        }
        log_free(&log);
        free(t);
    }
    for (size_t i = 1; i < o.log.n; i++) {
        uint64_t before = o.log.interval[i - 1].events, now = o.log.interval[i].events;
        tally->longer += now > before;
        tally->shorter += now < before;
        tally->longest += now == 16 * o.interval;
        tally->shortest += now == o.interval / 16;
    }
    oracle_close(&o);
}

/* ---- the edges of the rule --------------------------------------------------- */

/* Intervals of 1,024 events, in which one value comes so often and the others once. Returns the
 * length after the last, over 1,024. */
static double length_after(const uint64_t *often, size_t n)
{
    struct interval_log log = {0};
    struct sl_interval_table *t =
        open_table("multihash(tables=4,reset=0,counters=16Ki,interval=1024,threshold=10%,adapt)", &log);
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < 1024; k++, at++)
            value[at] = k < often[i] ? 7 : UINT64_C(0x9e3779b97f4a7c15) * (at + 1);
    observe(t, at);
    double length = (double)t->length / 1024;
    free(t);
    log_free(&log);
    return length;
}

#define AFTER(...) \
    length_after((const uint64_t[]){__VA_ARGS__}, sizeof (uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void edges(void)
{
    ok(AFTER(800, 800, 800, 800) == 1 && AFTER(800, 800, 800, 800, 800) == 2,
       "four intervals in a row like the one before make the length double, three do not");
    ok(AFTER(800, 600, 800, 600, 800) == 2, "three quarters alike is like the one before");
    ok(AFTER(800, 599, 800, 599, 800) == 1, "less is not");
    ok(AFTER(800, 800, 800, 500, 500, 500, 500) == 1 &&
           AFTER(800, 800, 800, 500, 500, 500, 500, 500) == 2, "one that is not starts the count again");
    ok(AFTER(800, 400) == 1, "one half alike leaves the length as it is");
    ok(AFTER(800, 399) == 0.5 && AFTER(399, 800) == 0.5, "less halves it, whichever has more");
    ok(AFTER(800, 0) == 0.5, "an interval without candidates halves it");
    ok(AFTER(0) == 1 && AFTER(800) == 1, "the first has none to be compared with");
    ok(AFTER(800, 800, 800, 800, 399) == 0.5, "it halves after three that were alike, too");
}

static void bounds(void)
{
    struct interval_log log = {0};
    struct sl_interval_table *t = open_table("multihash(interval=64,threshold=50%,adapt)", &log);
    memset(value, 0, sizeof value);
    observe(t, N_EVENTS);
    uint64_t longest = t->length;
    for (size_t i = 0; i < N_EVENTS; i++)
        value[i] = i;
    observe(t, N_EVENTS);
    ok(longest == 1024 && t->length == 4, "it ends at 16 times and at a 16th of the interval");
    log_free(&log);
    free(t);
}

int main(void)
{
    struct tally tally = {0};
    for (unsigned i = 0; i < TRIALS; i++)
        trial(&tally);
    ok(tally.same == tally.trials, "intervals, lengths and candidates are the oracle's (%zu of %zu)",
       tally.same, tally.trials);
    ok(tally.longer > 500 && tally.shorter > 500 && tally.longest > 50 && tally.shortest > 500,
       "they became longer %zu times and shorter %zu, were longest %zu and shortest %zu times",
       tally.longer, tally.shorter, tally.longest, tally.shortest);
    edges();
    bounds();
    return done_testing();
}
