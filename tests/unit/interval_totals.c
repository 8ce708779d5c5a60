/* SPDX-License-Identifier: MIT */
/* Unit tests of the totals of a tuple over all intervals that reported it (interval_totals.h). The
 * total count is the sum over these intervals, and the true count is within the reported bounds,
 * also if a tuple was reported in only some intervals or in none. */
#include "interval_totals.h"

#include <string.h>

#include "random.h"
#include "tap.h"

#define TUPLES 40u
#define INTERVALS 30u

static struct sl_entry got[TUPLES];
static unsigned n_got;

static bool take(void *context, const struct sl_entry *entry)
{
    (void)context;
    got[entry->tuple.pc] = *entry;
    return ++n_got < TUPLES + 1;
}

/* Random counts per tuple; a table reports those above a limit, some of them too low. */
static uint64_t true_count[TUPLES], sum[TUPLES], limit_sum;

static void make_interval(struct sl_interval *interval, struct sl_entry *entry, uint64_t *seed)
{
    uint64_t limit = 20 + sl_random_below(seed, 30);
    *interval = (struct sl_interval){.entry = entry, .unlisted_high = limit};
    limit_sum += limit;
    for (uint64_t i = 0; i < TUPLES; i++) {
        uint64_t count = sl_random_below(seed, 4 * i + 1), error = sl_random_below(seed, 5);
        true_count[i] += count;
        if (count <= limit)
            continue;
        sum[i] += count - error;
        entry[interval->n_entries++] = (struct sl_entry){
            .tuple = {i, 0}, .count = count - error, .low = count - error, .high = count + error};
    }
}

static void drain_all(struct sl_interval_totals *totals, const struct sl_interval *under_way)
{
    struct sl_interval_totals_drain drain = {totals, take, NULL, false};
    memset(got, 0, sizeof got);
    n_got = 0;
    for (size_t i = 0; i < under_way->n_entries; i++)
        sl_interval_totals_in_progress(&drain, &under_way->entry[i]);
    sl_interval_totals_emit(&drain);
}

int main(void)
{
    struct sl_interval_totals totals = {.memory_bytes = 1 << 20};
    struct sl_interval interval;
    struct sl_entry entry[TUPLES];
    uint64_t seed = 9;
    unsigned n_reported = 0;
    bool sums = true, bounds = true;
    for (unsigned i = 0; i < INTERVALS; i++) {
        make_interval(&interval, entry, &seed);
        sl_interval_totals_add(&totals, &interval);
    }
    drain_all(&totals, &(struct sl_interval){0});
    for (unsigned i = 0; i < TUPLES; i++) {
        n_reported += sum[i] != 0;
        sums &= got[i].count == sum[i];
        bounds &= !sum[i] || (got[i].low <= true_count[i] && got[i].high >= true_count[i]);
    }
    ok(n_reported > 5 && n_reported < TUPLES && n_got == n_reported && sums,
       "each reported tuple is emitted once, with the sum of its counts");
    ok(bounds, "its true count is between the bounds");
    /* An interval in progress is not yet among the totals, and its limit is not known. */
    uint64_t before = true_count[TUPLES - 1];
    entry[0] = (struct sl_entry){.tuple = {TUPLES - 1, 0}, .count = 5, .low = 5, .high = 5};
    entry[1] = (struct sl_entry){.tuple = {0, 0}, .count = 3, .low = 3, .high = 3};
    interval = (struct sl_interval){.entry = entry, .n_entries = 2};
    drain_all(&totals, &interval);
    ok(got[TUPLES - 1].count == sum[TUPLES - 1] + 5 && got[TUPLES - 1].high >= before + 5 &&
           got[0].count == 3 && got[0].high == 3 + limit_sum && n_got == n_reported + 1,
       "the interval in progress is added, also for tuples without a total");
    drain_all(&totals, &(struct sl_interval){0});
    ok(got[TUPLES - 1].count == sum[TUPLES - 1] && !got[0].count, "and is not kept");
    sl_interval_totals_free(&totals);
    totals = (struct sl_interval_totals){.memory_bytes = 1000};
    uint64_t weight = 0, kept = 0;
    for (uint64_t i = 0; i < TUPLES; i++) {
        entry[i] = (struct sl_entry){.tuple = {i, 0}, .count = i + 1};
        weight += i + 1;
    }
    sl_interval_totals_add(&totals, &(struct sl_interval){.entry = entry, .n_entries = TUPLES});
    drain_all(&totals, &(struct sl_interval){0});
    for (unsigned i = 0; i < TUPLES; i++)
        kept += got[i].count;
    ok(n_got && n_got + totals.lost == TUPLES && kept + totals.lost_weight == weight,
       "if memory_bytes is used up, other tuples are counted as lost");
    sl_interval_totals_free(&totals);
    return done_testing();
}
