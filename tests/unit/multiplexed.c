/* SPDX-License-Identifier: MIT */
/* Unit tests of multiplexed counters, where several machine events take turns in one counter and
 * their counts are extrapolated. The extrapolated counts are correct for events with a constant
 * rate, and wrong for events that occur only during certain turns. The order of the turns is
 * checked cycle by cycle. */
#include <math.h>

#include "random.h"
#include "support/placed_table.h"
#include "tap.h"

#define EVENTS 29u

static uint64_t pc[EVENTS + 1];
static const struct sl_tuple_names names = {pc, NULL, EVENTS + 1};
static const struct sl_table_host host = {.names = EVENTS};

static void give(struct sl_table *table, uint32_t tuple_id, uint64_t weight)
{
    struct sl_event event = {tuple_id, {pc[tuple_id], 0}, weight, NULL, 0, 0};
    sl_table_step(table, &event);
}

static uint64_t count_of(const struct sl_table *table, uint32_t tuple_id)
{
    struct entries all = drained(table, NULL);
    uint64_t count = 0;
    for (size_t i = 0; i < all.n; i++)
        if (all.entry[i].tuple.pc == pc[tuple_id])
            count = all.entry[i].count;
    free(all.entry);
    return count;
}

/* ---- even and uneven ---- */

static void spread(const char *spec)
{
    struct placed p = place(spec, &host);
    const uint64_t blocks = 100000;
    uint64_t random = 11;
    double even = 0, odd = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        give(p.table, 0, 10);
        for (uint32_t k = 1; k < EVENTS; k++)
            give(p.table, k, k % 2 ? sl_random_below(&random, 2 * k + 1) : k);
    }
    for (uint32_t k = 1; k < EVENTS; k++) {
        double off = fabs((double)count_of(p.table, k) / (double)(k * blocks) - 1);
        *(k % 2 ? &odd : &even) = fmax(k % 2 ? odd : even, off);
    }
    ok(count_of(p.table, 0) == 10 * blocks, "%s: the clock is exact", spec);
    ok(even < 0.002, "%s: what is the same in each block is extrapolated right (%.4f)", spec, even);
    ok(odd < 0.04, "%s: so is what is random, but for sampling (%.4f)", spec, odd);
    unplace(&p);
}

/* Each event in its turns, but the last, which happens in the others'. */
static void in_turns(void)
{
    struct placed p = place("multiplexed(counters=1,rotation=1000)", &host);
    struct sl_table_status status;
    for (unsigned i = 0; i < 28 * 5; i++)
        for (unsigned k = 0; k < 100; k++) {
            give(p.table, i % 28 == 27 ? 1 : 1 + i % 28, 1);
            if (i % 28 != 27)
                give(p.table, 28, 1);
            give(p.table, 0, 10);
        }
    ok(count_of(p.table, 2) == 28 * 500, "what happens in its turns only is taken 28 times");
    ok(count_of(p.table, 1) == 28 * 500, "and no other when it happens in one that is not its own");
    sl_table_status(p.table, &status);
    ok(!count_of(p.table, 28) && status.distinct == 28 &&
           strstr(status.note, "1 events were never counted"),
       "an event that occurs only in the turns of others is missing, and a warning reports that");
    ok(status.bounds == SL_BOUNDS_NONE && status.storage_bits == 128, "there is no bound");
    unplace(&p);
}

/* ---- turns ---- */

/* By the cycle: who is counted at time t. */
static void turns(uint64_t counters, uint64_t rotation, uint64_t longest)
{
    char spec[80];
    snprintf(spec, sizeof spec, "multiplexed(counters=%llu,rotation=%llu)",
             (unsigned long long)counters, (unsigned long long)rotation);
    struct placed p = place(spec, &host);
    uint64_t counted[EVENTS] = {0}, on[EVENTS] = {0}, time = 0, random = 5;
    bool same = true;
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t cycles = sl_random_below(&random, longest);
        give(p.table, 0, cycles);
        for (uint64_t t = 0; t < cycles; t++, time++)
            for (uint64_t k = 0; k < counters; k++)
                on[1 + (time / rotation * counters + k) % (EVENTS - 1)]++;
        uint32_t tuple_id = 1 + (uint32_t)sl_random_below(&random, EVENTS - 1);
        uint64_t weight = sl_random_below(&random, 5), at = time / rotation * counters;
        give(p.table, tuple_id, weight);
        if ((tuple_id - 1 + (EVENTS - 1) - at % (EVENTS - 1)) % (EVENTS - 1) < counters)
            counted[tuple_id] += weight;
        for (uint32_t k = 1; k < EVENTS && i % 100 == 99; k++) {
            uint64_t wanted = on[k] ? counted[k] * time / on[k] : 0;
            same &= count_of(p.table, k) == wanted;
        }
    }
    ok(same, "%s, blocks of up to %llu cycles: every event has its turns", spec,
       (unsigned long long)longest);
    unplace(&p);
}

static void all_at_once(void)
{
    struct placed p = place("multiplexed(counters=28,rotation=10)", &host);
    struct placed few = place("multiplexed(events=1)", &host);
    bool exact = true;
    for (uint32_t i = 0; i < 5000; i++) {
        give(p.table, i % 3 ? 0 : 1 + i % 28, i);
        give(few.table, 0, i);
    }
    for (uint32_t k = 1; k < EVENTS; k++) {
        uint64_t wanted = 0;
        for (uint32_t i = 0; i < 5000; i += 3)
            wanted += 1 + i % 28 == k ? i : 0;
        exact &= count_of(p.table, k) == wanted;
    }
    ok(exact, "as many counters as events: all are exact");
    ok(count_of(few.table, 0) == 5000 * 4999 / 2, "so is a single event");
    give(few.table, 1, 7);
    struct sl_table_status status;
    sl_table_status(few.table, &status);
    ok(status.drops == 1 && status.drops_weight == 7, "an event too many is dropped");
    unplace(&p);
    unplace(&few);
}

static void ends(void)
{
    struct placed p = place("multiplexed", &host);
    struct sl_table_status status;
    struct entries none = drained(p.table, NULL);
    ok(!none.n, "without events there is nothing");
    give(p.table, 0, 50);
    give(p.table, 28, 9);
    sl_table_status(p.table, &status);
    ok(status.distinct == 1 && strstr(status.note, "1 events were never counted"),
       "an event without a turn is missing, and a warning reports that");
    give(p.table, 0, UINT64_C(1) << 62);
    ok(count_of(p.table, 0) == (UINT64_C(1) << 62) + 50, "2^62 cycles do not take long");
    unplace(&p);
}

static void batches(void)
{
    enum { N = 4000 };
    static uint32_t tuple_id[N];
    static uint64_t weight[N];
    struct placed steps = place("multiplexed(rotation=100)", &host),
                  batch = place("multiplexed(rotation=100)", &host);
    uint64_t random = 8;
    for (unsigned i = 0; i < N; i++) {
        tuple_id[i] = i % 5 ? (uint32_t)sl_random_below(&random, EVENTS) : 0;
        weight[i] = sl_random_below(&random, 30);
        give(steps.table, tuple_id[i], weight[i]);
    }
    struct sl_batch all = {N, tuple_id, NULL, weight, &names, NULL, 0, NULL};
    sl_table_observe(batch.table, &all);
    struct entries one = drained(steps.table, NULL), other = drained(batch.table, NULL);
    ok(one.n > 20 && same_entries(&one, &other), "batches are steps");
    free(one.entry);
    free(other.entry);
    unplace(&steps);
    unplace(&batch);
}

int main(void)
{
    for (uint32_t i = 0; i <= EVENTS; i++)
        pc[i] = 100 + i;
    spread("multiplexed(rotation=1K)");
    spread("multiplexed(counters=9,rotation=1K)");
    in_turns();
    turns(4, 50, 30);
    turns(5, 7, 1000);
    turns(1, 1, 9);
    all_at_once();
    ends();
    batches();
    return done_testing();
}
