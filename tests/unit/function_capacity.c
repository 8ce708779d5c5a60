/* SPDX-License-Identifier: MIT */
/* Unit tests of function profilers that have counters for only some of the program's functions, or
 * that count address ranges given by the user. They are compared with a linear search through all
 * ranges, and the weight of events outside of all ranges is reported. */
#include "function_counters.h"
#include "random.h"
#include "sluice.h"
#include "tap.h"

#include <string.h>

enum { FUNCTIONS = 40, EVENTS = 20000 };

static uint64_t start[FUNCTIONS];
static struct sl_function_piece piece[FUNCTIONS];
static const struct sl_function_list list = {start, FUNCTIONS, piece, FUNCTIONS, false};

static uint64_t at[EVENTS], weight[EVENTS];

static void make(void)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        start[i] = 0x401000 + 0x100 * i;
        piece[i] = (struct sl_function_piece){start[i], start[i] + 0xc0, i};
    }
    for (size_t i = 0; i < EVENTS; i++) {
        at[i] = 0x400f00 + sl_random_below(&seed, 0x100 * (FUNCTIONS + 2));
        weight[i] = sl_random_below(&seed, 9);
    }
}

struct reading {
    uint64_t sum;
    bool right; /* every entry is what the plain search has */
    const struct sl_function_piece *range;
    size_t n, n_entries;
    bool by_start;
};

static uint64_t plain(const struct reading *r, const struct sl_function_piece *range)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < EVENTS; i++)
        if (r->by_start ? (at[i] & ~UINT64_C(0xff)) == range->start
                        : at[i] >= range->start && at[i] < range->end)
            sum += weight[i];
    return sum;
}

static bool read_entry(void *context, const struct sl_entry *entry)
{
    struct reading *r = context;
    bool found = false;
    for (size_t i = 0; i < r->n; i++)
        if (r->range[i].start == entry->tuple.pc)
            found = entry->count == plain(r, &r->range[i]);
    r->right &= found;
    r->sum += entry->count;
    r->n_entries++;
    return true;
}

/* Fed with addresses, or with the starts of functions as the detector of functions does. */
static void counts(const char *spec, const struct sl_function_piece *range, size_t n, bool starts,
                   struct sl_table_status *status)
{
    struct sl_table_host host = {.functions = &list, .names = 10};
    struct reading r = {.right = true, .range = range, .n = n, .by_start = starts};
    struct sl_table *table;
    struct sl_failure f;
    if (sl_table_open(&table, spec, &host, &f) < 0) {
        ok(false, "%s: %s", spec, f.text);
        return;
    }
    uint64_t all = 0;
    for (size_t i = 0; i < EVENTS; i++) {
        struct sl_event e = {.tuple = {starts ? at[i] & ~UINT64_C(0xff) : at[i], 0},
                             .weight = weight[i]};
        sl_table_step(table, &e);
        all += weight[i];
    }
    sl_table_drain(table, NULL, read_entry, &r);
    sl_table_status(table, status);
    ok(r.right && r.n_entries == n, "%s: %zu counters have what is theirs", spec, r.n_entries);
    ok(r.sum + status->drops_weight == all, "%s: what is not in them is counted", spec);
    sl_table_close(table);
}

static void refuses(const char *text, const char *why)
{
    struct sl_address_ranges ranges;
    struct sl_failure f = {0};
    ok(sl_address_ranges_parse(&ranges, text, &f) == SL_EUSAGE && strstr(f.text, why), "%s: %s",
       text, f.text);
}

int main(void)
{
    static const struct sl_function_piece own[] = {
        {0x401010, 0x4012f0, 0}, {0x402000, 0x402010, 1}, {0x403000, 0x403400, 2}};
    struct sl_table_status all, some, status;
    make();
    counts("leap", piece, FUNCTIONS, true, &all);
    counts("leap(capacity=40)", piece, FUNCTIONS, true, &status);
    ok(!status.note[0] || !strstr(status.note, "have none"),
       "with a counter for each function, there is no warning");
    counts("leap(capacity=10)", piece, 10, true, &some);
    ok(strstr(some.note, "10 counters") && strstr(some.note, "30 functions or ranges have none"),
       "%s", some.note);
    counts("leap(capacity=256)", piece, FUNCTIONS, true, &status);
    ok(status.storage_bits == 256 * (32 + 8) + 34 * 8 + 47 + 32,
       "hardware for 256 functions is as large with 40 of them");
    ok(some.storage_bits < all.storage_bits, "hardware for fewer is smaller");
    counts("snoopp", piece, FUNCTIONS, false, &all);
    counts("snoopp(capacity=7)", piece, 7, false, &some);
    ok(some.storage_bits == 7 * (64 + 32) && all.storage_bits == FUNCTIONS * (64 + 32),
       "a range is two comparators and a counter");
    ok(strstr(some.note, "33 functions or ranges have none") != NULL, "%s", some.note);
    counts("snoopp(ranges=[0x403000-0x403400,401010-4012f0,402000-402010])", own, 3, false,
           &status);
    ok(status.storage_bits == 3 * (64 + 32), "ranges of the user's are all that there are");
    counts("snoopp(ranges=[403000-403400,401010-4012f0,402000-402010],capacity=2)", own, 2, false,
           &status);
    refuses("[401000-401000]", "is empty");
    refuses("[401000-400000]", "is empty");
    refuses("[401000-402000,401fff-403000]", "overlap");
    refuses("[401000]", "two hexadecimal addresses");
    refuses("[-401000]", "two hexadecimal addresses");
    refuses("[401000-402000", "[LO-HI");
    refuses("[]", "two hexadecimal addresses");
    refuses("[main-exit]", "two hexadecimal addresses");
    refuses("[0-fffffffffffffffff]", "two hexadecimal addresses");
    return done_testing();
}
