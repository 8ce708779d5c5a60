/* SPDX-License-Identifier: MIT */
/* Unit tests of a table that is opened without a session, as in programs that embed sluice: the
 * counts of all intervals of an interval profiler add up to the total, and after a reset the table
 * equals a new one. */
#include "support/placed_table.h"
#include "tap.h"

#define N 50000u
#define VALUES 200u
#define SPEC "multihash(counters=512,interval=3000,threshold=1%)"

static struct sl_event event[N];
static uint64_t truth[VALUES];

static void make_events(void)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < N; i++) {
        /* A few values have most of the events, others in each part of the stream. */
        uint64_t few = sl_random_below(&seed, 8) + 10 * (i / 20000);
        uint64_t value = sl_random_below(&seed, 4) ? few : sl_random_below(&seed, VALUES);
        event[i] = (struct sl_event){.tuple = {1, value}, .weight = 1};
        truth[value]++;
    }
}

/* By value, what the candidates of all intervals counted. */
static void add_up(void *context, const struct sl_interval *interval)
{
    uint64_t *sum = context;
    for (size_t i = 0; i < interval->n_entries; i++)
        sum[interval->entry[i].tuple.value] += interval->entry[i].count;
}

static struct sl_table *opened(const char *spec, const struct sl_table_host *host)
{
    struct sl_table *table;
    struct sl_failure f;
    if (sl_table_open(&table, spec, host, &f) < 0) {
        printf("# %s: %s\n", spec, f.text);
        abort();
    }
    return table;
}

static void step_to(struct sl_table *table, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        sl_table_step(table, &event[i]);
}

static void test_totals(void)
{
    uint64_t sum[VALUES] = {0};
    struct sl_table_host host = {.interval = add_up, .context = sum};
    struct sl_table *reported = opened(SPEC, &host), *totals = opened(SPEC, NULL);
    struct sl_table_status status;
    step_to(reported, 0, N);
    step_to(totals, 0, N);
    struct entries early = drained(totals, NULL);
    sl_table_finish(reported);
    sl_table_finish(totals);
    struct entries all = drained(totals, NULL);
    sl_table_status(totals, &status);
    size_t n_sums = 0;
    bool same = true, bounded = true;
    for (size_t i = 0; i < VALUES; i++)
        n_sums += sum[i] != 0;
    for (size_t i = 0; i < all.n; i++) {
        const struct sl_entry *e = &all.entry[i];
        same = same && e->count == sum[e->tuple.value];
        bounded = bounded && e->low <= truth[e->tuple.value] && truth[e->tuple.value] <= e->high;
    }
    ok(n_sums > 20 && all.n == n_sums && same, "drained totals are the sums of all intervals");
    ok(bounded, "and true counts are between their bounds");
    ok(status.distinct == all.n && status.events == N && !status.note[0],
       "the status describes the totals");
    ok(early.n >= all.n && counted(&early) >= counted(&all),
       "before the end, the interval in progress is in them");
    bounded = true;
    for (size_t i = 0; i < early.n; i++)
        bounded = bounded && early.entry[i].low <= truth[early.entry[i].tuple.value] &&
                  truth[early.entry[i].tuple.value] <= early.entry[i].high;
    ok(bounded, "with bounds that hold");
    free(early.entry);
    free(all.entry);
    sl_table_close(reported);
    sl_table_close(totals);
}

static void test_memory(void)
{
    struct sl_table_host host = {.memory_bytes = 1000};
    struct sl_table *table = opened(SPEC, &host);
    struct sl_table_status status;
    step_to(table, 0, N);
    sl_table_finish(table);
    sl_table_status(table, &status);
    ok(strstr(status.note, "not included") != NULL,
       "totals that have no space are reported as missing");
    sl_table_close(table);
}

static void test_reset(const char *spec)
{
    struct sl_table *fresh = opened(spec, NULL), *again = opened(spec, NULL);
    struct sl_failure f;
    step_to(again, 0, N / 3);
    sl_table_finish(again);
    int error = sl_table_reset(again, &f);
    struct entries none = drained(again, NULL);
    step_to(fresh, N / 3, N);
    step_to(again, N / 3, N);
    sl_table_finish(fresh);
    sl_table_finish(again);
    uint64_t number = 1;
    struct sl_tuple_names names = {&number, NULL, 1};
    struct entries a = drained(fresh, &names), b = drained(again, &names);
    ok(!error && !none.n && a.n && same_entries(&a, &b), "%s: a reset table is a new one", spec);
    free(none.entry);
    free(a.entry);
    free(b.entry);
    sl_table_close(fresh);
    sl_table_close(again);
}

int main(void)
{
    static const char *const specs[] = {SPEC, "exact", "H[P16]64+A16", "R16", "T2/16x64w2", "hpt"};
    static _Alignas(64) unsigned char memory[1 << 20];
    struct sl_table_host host = {0};
    struct sl_table *table;
    struct sl_failure f;
    make_events();
    test_totals();
    test_memory();
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        test_reset(specs[i]);
    ok(sl_table_open(&table, "nothing", NULL, &f) == SL_EUSAGE && strstr(f.text, "nothing"),
       "what is no table is refused");
    ok(sl_table_place(&table, "P16", &host, memory + 8, &f) == SL_EUSAGE && strstr(f.text, "64"),
       "so is memory that is not aligned");
    return done_testing();
}
