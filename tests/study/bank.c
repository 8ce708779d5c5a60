/* SPDX-License-Identifier: MIT */
/* Unit tests of the library that simulates many tables at once, a bank of tables, for sweeps
 * (study/gpu/). The tests use a build of the library for the CPU. On random streams, a multi-hash
 * profiler in the bank reports the same candidates with the same counts in every interval as the
 * same profiler outside of the bank. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bank_shard.h"
#include "random.h"
#include "support/placed_table.h"
#include "tap.h"

#define EVENTS 20000u
#define NAMES 50u

static uint32_t tuple_id[EVENTS];
static uint64_t value[EVENTS], pc[NAMES];

/* What a table is held against while it reports. */
struct held {
    const struct sl_bank_reports *reports;
    const struct sl_bank_stream *stream;
    bool same;
};

static void compare(void *context, const struct sl_interval *interval)
{
    struct held *h = context;
    const struct sl_bank_report *r = &h->reports->report[interval->number];
    h->same &= interval->number < h->reports->n && r->n == interval->n_entries &&
               r->drops == interval->drops;
    for (size_t i = 0; h->same && i < interval->n_entries; i++) {
        const struct sl_bank_found *found = &h->reports->found[r->first + i];
        const struct sl_entry *entry = &interval->entry[i];
        h->same = found->event < h->stream->n && found->count == entry->count &&
                  pc[tuple_id[found->event]] == entry->tuple.pc &&
                  value[found->event] == entry->tuple.value;
    }
}

/* Few tuples or many, some of them frequent. */
static void make_stream(uint64_t *seed)
{
    uint64_t spread = 1 + sl_random_below(seed, 3000);
    for (size_t i = 0; i < NAMES; i++)
        pc[i] = 0x400000 + 4 * sl_random_below(seed, 1000) * NAMES + 4 * i;
    for (size_t i = 0; i < EVENTS; i++) {
        bool frequent = sl_random_below(seed, 3);
        tuple_id[i] = (uint32_t)sl_random_below(seed, frequent ? 5 : NAMES);
        value[i] = sl_random_below(seed, frequent ? 4 : spread) << 8 * sl_random_below(seed, 2);
    }
}

static bool run(const struct sl_bank *bank, uint64_t *seed, char *text, size_t capacity)
{
    static const unsigned lengths[] = {100, 999, 5000, EVENTS, 3 * EVENTS};
    unsigned tables = 1u << sl_random_below(seed, 5);
    snprintf(text, capacity,
             "value@multihash(tables=%u,counters=%u,interval=%u,threshold=%u%%,conservative=%u,"
             "reset=%u,retain=%u,bits=%u,accumulator=%u,seed=%u)",
             tables, tables << sl_random_below(seed, 8), lengths[sl_random_below(seed, 5)],
             1 + (unsigned)sl_random_below(seed, 4), (unsigned)sl_random_below(seed, 2),
             (unsigned)sl_random_below(seed, 2), (unsigned)sl_random_below(seed, 2),
             12 + (unsigned)sl_random_below(seed, 8), (unsigned)sl_random_below(seed, 40),
             (unsigned)sl_random_below(seed, 9));
    struct sl_bank_stream stream = {EVENTS, NAMES, tuple_id, value, pc, NULL};
    struct sl_bank_reports reports;
    struct sl_bank_config wanted;
    struct sl_profile_spec spec;
    struct sl_failure f = {0};
    char why[200] = "";
    make_stream(seed);
    if (sl_profile_spec_parse(&spec, text, &f) < 0 || sl_bank_plan(&spec, NULL, &wanted, &f) < 0 ||
        bank->run(&stream, &wanted, 1, &reports, why, sizeof why)) {
        printf("# %s: %s%s\n", text, f.text, why);
        return false;
    }
    struct held held = {&reports, &stream, true};
    struct sl_table_host host = {.interval = compare, .context = &held};
    struct sl_tuple_names names = {pc, NULL, NAMES};
    struct sl_batch batch = {.n = EVENTS, .tuple_id = tuple_id, .value = value, .names = &names};
    struct placed table = place(strchr(text, '@') + 1, &host);
    sl_table_observe(table.table, &batch);
    sl_table_finish(table.table);
    unplace(&table);
    sl_profile_spec_free(&spec);
    free(reports.report);
    free(reports.found);
    return held.same;
}

int main(void)
{
    const char *build = getenv("BUILD");
    char path[4096], text[400];
    snprintf(path, sizeof path, "%s/tests/libsluice-lanes.so", build ? build : "build");
    void *library = dlopen(path, RTLD_NOW);
    const struct sl_bank *bank = library ? dlsym(library, "sl_bank") : NULL;
    if (!bank) {
        printf("1..0 # skip there is no %s\n", path);
        return 0;
    }
    uint64_t seed = 1;
    unsigned right = 0, n = 150;
    for (unsigned i = 0; i < n; i++) {
        bool same = run(bank, &seed, text, sizeof text);
        right += same;
        if (!same)
            printf("# %s reports something else\n", text);
    }
    ok(right == n, "%u of %u tables report the same as in a bank", right, n);
    return done_testing();
}
