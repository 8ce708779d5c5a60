/* SPDX-License-Identifier: MIT */
/* Unit tests of the properties of interval profilers: counts are exact if no tuples share a
 * counter, counts are never too low, no frequent tuple is missed, and entries that are retained for
 * the next interval count exactly. Also tested are the options, the storage and the use by a
 * program that embeds the library. */
#include "interval_table.h"
#include "random.h"
#include "support/interval_log.h"
#include "tap.h"
#include "support/random_unit.h"

#define N_EVENTS 60000u
#define N_NAMES 400u

static uint64_t seed = 7;
static uint64_t pc[N_NAMES];
static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static const struct sl_tuple_names names = {pc, NULL, N_NAMES};

struct table {
    const struct sl_table_kind *kind;
    struct sl_interval_table *state;
    struct interval_log log;
};

static struct table open_table(const char *spec, bool listens)
{
    struct table t = {0};
    static struct interval_log silent;
    struct sl_failure f;
    void *config;
    size_t end;
    if (sl_table_parse(&t.kind, &config, spec, 0, &end, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    struct sl_table_host host = {
        .names = N_NAMES, .interval = listens ? log_interval : NULL, .context = &silent};
    size_t size = (t.kind->size(config, &host) + 63) & ~(size_t)63;
    t.state = aligned_alloc(64, size);
    memset(t.state, 0, size);
    t.kind->init(t.state, config, &host, &f);
    free(config);
    return t;
}

static void feed(struct table *t, size_t from, size_t n, bool weights)
{
    t->state->host.context = &t->log;
    for (size_t at = from, some; at < from + n; at += some) {
        some = 1 + at % 500 < from + n - at ? 1 + at % 500 : from + n - at;
        struct sl_batch batch = {some,   tuple_id + at, value + at, weights ? weight + at : NULL,
                                 &names, NULL,          0,          NULL};
        t->kind->observe(t->state, &batch);
    }
}

static void close_table(struct table *t)
{
    log_free(&t->log);
    free(t->state);
}

/* `distinct` tuples, the lower the more often; the weights small. */
static void make_stream(uint64_t distinct)
{
    for (size_t i = 0; i < N_EVENTS; i++) {
        double draw = random_unit(&seed);
        uint64_t tuple = (uint64_t)(draw * draw * draw * (double)distinct);
        tuple_id[i] = (uint32_t)(tuple % N_NAMES);
        value[i] = tuple / N_NAMES;
        weight[i] = sl_random_below(&seed, 4);
    }
}

/* ---- the exact profile of some events ---- */

struct exact {
    struct sl_entry entry[N_EVENTS];
    size_t n;
};
static struct exact exact;

static int by_tuple(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct sl_tuple));
}

static void count_exactly(size_t from, size_t n, bool weights)
{
    for (size_t i = 0; i < n; i++)
        exact.entry[i] = (struct sl_entry){.tuple = {pc[tuple_id[from + i]], value[from + i]},
                                           .count = weights ? weight[from + i] : 1};
    qsort(exact.entry, n, sizeof *exact.entry, by_tuple);
    exact.n = 0;
    for (size_t i = 0; i < n; i++)
        if (exact.n && !by_tuple(&exact.entry[exact.n - 1], &exact.entry[i]))
            exact.entry[exact.n - 1].count += exact.entry[i].count;
        else
            exact.entry[exact.n++] = exact.entry[i];
}

static const struct sl_entry *exactly(struct sl_tuple tuple)
{
    return bsearch(&tuple, exact.entry, exact.n, sizeof *exact.entry, by_tuple);
}

static const struct sl_entry *reported(const struct interval_log *log, size_t interval,
                                       struct sl_tuple tuple)
{
    for (size_t j = 0; j < log->interval[interval].n_entries; j++)
        if (!by_tuple(&log->entry[log->first[interval] + j], &tuple))
            return &log->entry[log->first[interval] + j];
    return NULL;
}

/* ---- properties ---- */

struct findings {
    size_t candidates, false_negatives, false_positives, wrong_counts;
    size_t retained, retained_unsure, too_many;
};

/* Every interval against the exact profile of the same events. */
static struct findings evaluate(const struct table *t, bool weights, size_t most)
{
    struct findings f = {0};
    for (size_t i = 0; i < t->log.n; i++) {
        const struct sl_interval *interval = &t->log.interval[i];
        size_t here = 0;
        count_exactly((size_t)interval->first_event, (size_t)interval->events, weights);
        for (size_t j = 0; j < exact.n; j++) {
            const struct sl_entry *e = &exact.entry[j];
            here += e->count >= interval->threshold;
            f.false_negatives += e->count >= interval->threshold && !reported(&t->log, i, e->tuple);
        }
        f.candidates += here;
        f.too_many += here > most;
        for (size_t j = 0; j < interval->n_entries; j++) {
            const struct sl_entry *e = &t->log.entry[t->log.first[i] + j];
            uint64_t count = exactly(e->tuple)->count;
            bool was = i && reported(&t->log, i - 1, e->tuple);
            f.false_positives += count < interval->threshold;
            f.wrong_counts += count != e->count;
            f.retained += was;
            f.retained_unsure += was && (e->low != count || e->high != count || e->count != count);
        }
    }
    return f;
}

/* Whether two of the stream's tuples share a counter in any table. */
static bool aliased(unsigned tables, unsigned bits, uint64_t hash_seed)
{
    static uint8_t used[1 << 15];
    uint8_t table[256];
    count_exactly(0, N_EVENTS, false);
    for (unsigned k = 0; k < tables; k++) {
        memset(used, 0, sizeof used);
        sl_byte_table(table, hash_seed, k);
        for (size_t i = 0; i < exact.n; i++) {
            struct sl_tuple tuple = exact.entry[i].tuple;
            if (used[sl_byte_hash(table, bits, tuple.pc, tuple.value)]++)
                return true;
        }
    }
    return false;
}

static void without_aliasing(void)
{
    size_t wrong = 0, too_many = 0, candidates = 0, drops = 0;
    uint64_t hash_seed = 1;
    make_stream(150);
    /* The hash replaces bytes by random ones, so tuples that differ in one byte often share
     * all counters. These differ in all. */
    for (size_t i = 0; i < N_EVENTS; i++)
        value[i] = tuple_id[i] * UINT64_C(0x9e3779b97f4a7c15);
    while (hash_seed < 100 && aliased(2, 15, hash_seed))
        hash_seed++;
    for (unsigned switches = 0; switches < 8; switches++) {
        char spec[200];
        sprintf(spec,
                "multihash(tables=2,counters=64Ki,interval=5000,threshold=0.7%%,"
                "conservative=%u,reset=%u,retain=%u,seed=%llu)",
                switches & 1, switches >> 1 & 1, switches >> 2, (unsigned long long)hash_seed);
        struct table t = open_table(spec, true);
        struct sl_table_status status;
        feed(&t, 0, N_EVENTS, false);
        sl_table_status_kind(t.kind, t.state, &status);
        struct findings f = evaluate(&t, false, 142);
        wrong += f.false_negatives + f.false_positives + f.wrong_counts;
        too_many += f.too_many;
        candidates += f.candidates;
        drops += status.drops;
        close_table(&t);
    }
    ok(candidates > 500 && !wrong, "without aliasing every candidate and every count is exact");
    ok(!too_many && !drops, "there are never more than floor(100/t) candidates, nor a drop then");
}

/* Counters too few by far, the accumulator large enough. */
static void never_missed(bool conservative, bool weights, bool retain)
{
    char spec[200];
    sprintf(spec,
            "multihash(tables=4,counters=128,interval=6000,threshold=0.2%%,conservative=%d,"
            "reset=0,retain=%d,accumulator=5000)",
            conservative, retain);
    struct table t = open_table(spec, true);
    struct sl_table_status status;
    make_stream(4000);
    feed(&t, 0, N_EVENTS, weights);
    sl_table_status_kind(t.kind, t.state, &status);
    struct findings f = evaluate(&t, weights, SIZE_MAX);
    ok(f.candidates > 50 && !f.false_negatives && !status.drops,
       "C%d R0 P%d, %s: with space in the accumulator no candidate is missed", conservative, retain,
       weights ? "weights" : "units");
    if (retain)
        ok(f.retained > 20 && !f.retained_unsure,
           "C%d R0 P1, %s: the count of a retained tuple is exact, and said to be", conservative,
           weights ? "weights" : "units");
    close_table(&t);
}

static void never_under_counted(bool weights)
{
    struct table t = open_table("multihash(tables=4,counters=256,bits=32,interval=1G,reset=0)",
                                true);
    size_t under = 0, outside = 0;
    make_stream(3000);
    feed(&t, 0, 20000, weights);
    count_exactly(0, 20000, weights);
    for (size_t i = 0; i < exact.n; i++) {
        struct sl_tuple tuple = exact.entry[i].tuple;
        uint64_t smallest = UINT64_MAX;
        for (unsigned k = 0; k < 4; k++) {
            uint32_t at = sl_byte_hash(t.state->byte_table[k], 6, tuple.pc, tuple.value);
            uint32_t counter = t.state->counter[64 * k + at];
            smallest = counter < smallest ? counter : smallest;
        }
        outside++;
        under += smallest < exact.entry[i].count;
    }
    ok(outside > 1000 && !under, "C1 R0, %s: no tuple's smallest counter is below its count",
       weights ? "weights" : "units");
    close_table(&t);
}

/* Most events weigh nothing, as accesses that do not miss. The counters of a tuple that has
 * only such ones are raised by others. */
static void nothing_is_not_reported(const char *options)
{
    char spec[200];
    sprintf(spec, "multihash(counters=64,interval=1000,threshold=1%%,%s)", options);
    make_stream(4000);
    for (size_t i = 0; i < N_EVENTS; i++)
        weight[i] = tuple_id[i] % 4 ? 0 : weight[i];
    for (unsigned form = 0; form < SL_INTERVAL_FORMS; form++) {
        struct table t = open_table(spec, true);
        if (sl_interval_force_form(t.state, (enum sl_interval_form)form)) {
            feed(&t, 0, N_EVENTS, true);
            size_t nothing = 0;
            for (size_t i = 0; i < t.log.n_entries; i++)
                nothing += (t.log.entry[i].tuple.pc - pc[0]) / 4 % 4 != 0;
            ok(t.log.n_entries > 100 && !nothing,
               "%s, form %u: no reported tuple has an exact weight of 0 (%zu of %zu)", options,
               form, nothing, t.log.n_entries);
        }
        close_table(&t);
    }
}

/* ---- options and storage ---- */

static void refuses(const char *spec, const char *why)
{
    const struct sl_table_kind *kind;
    struct sl_failure f = {0};
    void *config;
    size_t end;
    int error = sl_table_parse(&kind, &config, spec, 0, &end, &f);
    if (!ok(error == SL_EUSAGE && strstr(f.text, why), "%s is refused: ... %s ...", spec, why))
        printf("# %d: %s\n", error, f.text);
    free(config);
}

static void options(void)
{
    refuses("multihash(tables=3)", "for example counters=1536");
    refuses("multihash(counters=1000)", "for example counters=512");
    refuses("singlehash(counters=3)", "for example counters=2");
    refuses("multihash(tables=16,counters=8)", "for example counters=16");
    refuses("multihash(bits=9)", "use bits=10");
    refuses("multihash(interval=1000G,threshold=100%)", "use a shorter interval");
    refuses("multihash(threshold=0.001%)", "100000 candidates");
    refuses("multihash(threshold=0.1)", "threshold");
    refuses("multihash(counters=64,accumulator=100,ways=2)", "64 sets");
    refuses("singlehash(tables=2)", "has no option");
    refuses("singlehash(conservative=1)", "has no option");
}

static uint64_t storage(const char *spec)
{
    struct table t = open_table(spec, true);
    struct sl_table_status status;
    sl_table_status_kind(t.kind, t.state, &status);
    close_table(&t);
    return status.storage_bits;
}

static void configuration(void)
{
    struct table multi = open_table("multihash", true), single = open_table("singlehash", true);
    const struct sl_interval_config *m = &multi.state->config, *s = &single.state->config;
    char text[400];
    ok(m->tables == 2 && m->counters == 2048 && m->bits == 24 && m->conservative && m->reset &&
           m->retain && m->accumulator == 1000 && multi.state->threshold == 1000,
       "multihash is what was measured to be best for 1M events and 0.1 %%");
    ok(s->tables == 1 && s->counters == 2048 && s->reset && s->retain,
       "singlehash is the document's best single-hash");
    sl_table_print(multi.kind, m, text, sizeof text);
    struct table again = open_table(text, true);
    ok(!memcmp(&again.state->config, m, sizeof *m), "%s says all of it", text);
    close_table(&multi);
    close_table(&single);
    close_table(&again);
    ok(storage("multihash") == 6 * 8192 + 80000,
       "6 KB of counters and 10 KB of accumulator at 0.1 %%");
    ok(storage("multihash(threshold=1%)") == 6 * 8192 + 8000, "and 1 KB of accumulator at 1 %%");
    struct table odd = open_table("multihash(interval=10000,threshold=0.07%)", true);
    ok(odd.state->threshold == 7 && odd.state->config.accumulator == 1429,
       "0.07 %% of 10000 are 7 events, not 8");
    close_table(&odd);
}

/* ---- embedding ---- */

struct drained {
    uint64_t n, sum, at_most;
};

static bool collect(void *context, const struct sl_entry *entry)
{
    struct drained *d = context;
    d->sum += entry->count;
    return ++d->n < d->at_most;
}

static void embedding(void)
{
    struct table t = open_table("multihash(interval=1000,threshold=1%)", false);
    struct sl_table_status status;
    struct drained all = {.at_most = UINT64_MAX}, some = {.at_most = 3};
    make_stream(100);
    feed(&t, 0, 900, false);
    sl_table_status_kind(t.kind, t.state, &status);
    ok(!status.note[0] && status.distinct,
       "within the first interval nothing is lost, nor said to be");
    feed(&t, 900, 700, false);
    sl_table_status_kind(t.kind, t.state, &status);
    sl_table_drain_kind(t.kind, t.state, &names, collect, &all);
    sl_table_drain_kind(t.kind, t.state, &names, collect, &some);
    ok(strstr(status.note, "1 intervals ended") != NULL,
       "without a receiver of reports, the status says so");
    ok(all.n == status.distinct && all.sum && all.sum < 600 + 600,
       "to drain gives the interval in progress");
    ok(some.n == 3, "draining stops when it is requested to");
    ok(status.events == 1600 && status.weight == 1600 && status.bounds == SL_BOUNDS_CERTAIN,
       "events of all intervals are counted");
    close_table(&t);

    t = open_table("multihash(interval=1000,threshold=1%)", true);
    feed(&t, 0, 1600, false);
    t.kind->finish(t.state);
    ok(t.log.n == 2 && !t.log.interval[0].partial && t.log.interval[1].partial &&
           t.log.interval[1].events == 600 && t.log.interval[1].threshold == 10,
       "the last interval is reported, as partial");
    close_table(&t);
    t = open_table("multihash(interval=1000,threshold=1%)", true);
    feed(&t, 0, 2000, false);
    t.kind->finish(t.state);
    ok(t.log.n == 2 && !t.log.interval[1].partial, "there is no empty last interval");
    close_table(&t);
}

/* Tables too large for a packed hash have the plain form only. */
static void large_tables(void)
{
    struct table t = open_table("multihash(tables=2,counters=4Mi,interval=5000,threshold=1%)",
                                true);
    bool fast = sl_interval_force_form(t.state, SL_INTERVAL_PORTABLE);
    make_stream(2000);
    feed(&t, 0, N_EVENTS, false);
    struct findings f = evaluate(&t, false, 100);
    ok(!fast && f.candidates > 50 && !f.false_negatives && !f.false_positives && !f.wrong_counts,
       "2 * 2^21 counters: every candidate and every count is exact");
    close_table(&t);
}

int main(void)
{
    for (size_t i = 0; i < N_NAMES; i++)
        pc[i] = 0x400000 + 4 * i;
    without_aliasing();
    for (unsigned i = 0; i < 8; i++)
        never_missed(i & 1, i & 2, i & 4);
    never_under_counted(false);
    never_under_counted(true);
    nothing_is_not_reported("conservative=1");
    nothing_is_not_reported("conservative=0,reset=1");
    nothing_is_not_reported("bits=8,base=1.05");
    large_tables();
    options();
    configuration();
    embedding();
    return done_testing();
}
