/* SPDX-License-Identifier: MIT */
/* Unit tests of the error of interval profilers: the error of each interval, and its mean and
 * variation over a run, equal those of a plain implementation. The theoretical bound is compared
 * with a simple multi-hash profiler that meets the assumptions of the bound. */
#include "intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "random.h"
#include "tap.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* ---- by hand ---- */

/* Tuples <1, value>: counts of an interval, 0 where a tuple is not in a profile. */
struct row {
    uint64_t value, exact, reported;
};

static bool add_rows(struct sl_interval_errors *run, const struct row *row, size_t n,
                     struct sl_interval interval)
{
    struct sl_profile_list exact = {0};
    struct sl_entry entry[16];
    for (size_t i = 0; i < n; i++) {
        struct sl_entry e = {.tuple = {1, row[i].value}, .count = row[i].exact};
        sl_profile_list_add(&exact, &e);
        e.count = row[i].reported;
        if (e.count)
            entry[interval.n_entries++] = e;
    }
    interval.entry = entry;
    bool added = sl_interval_errors_add(run, &interval, &exact);
    sl_profile_list_free(&exact);
    return added;
}

#define ADD(run, rows, ...)                            \
    add_rows(run, rows, sizeof(rows) / sizeof *(rows), \
             (struct sl_interval){.threshold = 10, .events = 1000, __VA_ARGS__})

static void by_hand(void)
{
    /* Every class; a candidate that is right; tuples below T that are not reported. */
    static const struct row first[] = {{9, 4, 12},  {8, 30, 0}, {7, 20, 25}, {6, 40, 34},
                                       {5, 10, 10}, {4, 9, 0},  {3, 1, 0}};
    struct sl_interval_errors run = {0};
    ADD(&run, first, .number = 3);
    const struct sl_interval_error *e = run.interval;
    ok(run.n == 1 && e->number == 3 && e->events == 1000 && !e->partial, "by hand: one interval");
    ok(near(e->error, 49.0 / 104), "by hand: E = (8 + 30 + 5 + 6) / (4 + 30 + 20 + 40 + 10)");
    ok(near(e->part[SL_FALSE_POSITIVE], 8.0 / 104) &&
           near(e->part[SL_FALSE_NEGATIVE], 30.0 / 104) &&
           near(e->part[SL_NEUTRAL_POSITIVE], 5.0 / 104) &&
           near(e->part[SL_NEUTRAL_NEGATIVE], 6.0 / 104),
       "by hand: every class has its part of it");
    ok(e->tuples[0] == 1 && e->tuples[1] == 1 && e->tuples[2] == 1 && e->tuples[3] == 1,
       "by hand: one tuple in each class, the one that is right in none");
    ok(e->distinct == 7 && e->candidates == 4 && e->reported == 4 && e->others == 3,
       "by hand: 7 distinct tuples, 4 candidates, 4 reported, 3 others");
    ok(near(e->covered, 100.0 / 114), "by hand: candidates are 100 of 114 events");
    ok(e->change == 1, "the first interval: all candidates entered");

    static const struct row second[] = {{8, 11, 11}, {7, 11, 11}, {2, 50, 50}};
    ADD(&run, second);
    e = &run.interval[1];
    ok(e->error == 0 && near(e->change, 3.0 / 5), "the next: 1 entered, 2 left and 2 stayed");

    static const struct row last[] = {{1, 0, 99}};
    ADD(&run, last, .partial = true);
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&run, &mean);
    ok(mean.full == 2 && near(mean.error, 49.0 / 208) &&
           near(mean.part[SL_FALSE_NEGATIVE], 30.0 / 208),
       "the mean is over full intervals alone");
    ok(near(mean.distinct, 5) && near(mean.candidates, 3.5) && near(mean.reported, 3.5) &&
           near(mean.covered, (100.0 / 114 + 1) / 2),
       "means of distinct tuples, candidates, reported ones and what candidates cover");
    ok(near(mean.false_positive_rate, 1.0 / 3), "one false positive among three others");
    sl_interval_errors_free(&run);
}

static void sums_of_nothing(void)
{
    static const struct row none[] = {{1, 9, 0}, {2, 9, 0}};
    static const struct row false_only[] = {{1, 8, 10}, {2, 2, 13}};
    static const struct row made_up[] = {{1, 0, 10}, {2, 3, 0}};
    struct sl_interval_errors run = {0};
    struct sl_interval_mean mean;
    sl_interval_errors_mean(&run, &mean);
    ok(mean.full == 0 && mean.error == 0 && mean.false_positive_rate == 0,
       "a run without intervals has means of 0");
    ADD(&run, none);
    ok(run.interval[0].error == 0 && run.interval[0].others == 2, "no candidates: no error");
    ADD(&run, false_only);
    ok(near(run.interval[1].error, 1.3), "false positives alone: against what they really counted");
    ADD(&run, made_up);
    ok(run.interval[2].error == 10 && run.interval[2].others == 2,
       "a tuple that never came: against one event");
    ADD(&run, none);
    ok(run.interval[3].change == 0, "no candidates, twice: nothing changed");
    sl_interval_errors_free(&run);
}

static void out_of_memory(void)
{
    static const struct row rows[] = {{1, 20, 20}};
    struct sl_interval_errors run = {0};
    struct sl_profile_list missing = {.out_of_memory = true};
    struct sl_interval interval = {.threshold = 10};
    ok(!sl_interval_errors_add(&run, &interval, &missing) && !run.n,
       "an exact profile that ran out of memory evaluates nothing");
    ADD(&run, rows);
    ok(!sl_interval_errors_add(&run, &interval, &missing) && ADD(&run, rows) && run.n == 2 &&
           run.interval[1].change == 0,
       "the next interval is compared with the last one that was added");
    /* More than there can be: growing is refused before memory is touched. */
    struct sl_interval_errors full = {.n = SIZE_MAX / 2 + 1, .capacity = SIZE_MAX / 2 + 1};
    ok(!ADD(&full, rows) && full.n == SIZE_MAX / 2 + 1, "out of memory: no interval is added");
    sl_interval_errors_free(&run);
}

/* ---- the definition ---- */

#define MOST 60

static uint64_t count_of(const struct sl_entry *entry, size_t n, struct sl_tuple t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += !sl_tuple_order(entry[i].tuple, t) ? entry[i].count : 0;
    return sum;
}

/* Tuples <pc, value> are all of a small square, so every one can be requested. */
static struct sl_interval_error plainly(const struct sl_entry *exact, size_t n,
                                        const struct sl_interval *interval)
{
    struct sl_interval_error e = {0};
    double sum = 0;
    for (uint64_t pc = 0; pc < 6; pc++)
        for (uint64_t value = 0; value < 6; value++) {
            uint64_t fp = count_of(exact, n, (struct sl_tuple){pc, value});
            uint64_t fh = count_of(interval->entry, interval->n_entries,
                                   (struct sl_tuple){pc, value});
            bool candidate = fp >= interval->threshold;
            e.distinct += fp > 0;
            e.candidates += candidate;
            e.reported += fh > 0;
            e.others += !candidate && fp + fh > 0;
            if (!candidate && !fh)
                continue;
            unsigned class = !candidate ? SL_FALSE_POSITIVE
                             : !fh      ? SL_FALSE_NEGATIVE
                             : fh > fp  ? SL_NEUTRAL_POSITIVE
                                        : SL_NEUTRAL_NEGATIVE;
            sum += (double)fp;
            e.part[class] += fabs((double)fp - (double)fh);
            e.tuples[class] += !candidate || fp != fh;
        }
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++) {
        e.part[i] /= sum > 0 ? sum : 1;
        e.error += e.part[i];
    }
    return e;
}

static double plain_change(const struct sl_entry *before, size_t n_before,
                           uint64_t threshold_before, const struct sl_entry *now, size_t n,
                           uint64_t threshold)
{
    double changed = 0, all = 0;
    for (uint64_t pc = 0; pc < 6; pc++)
        for (uint64_t value = 0; value < 6; value++) {
            struct sl_tuple t = {pc, value};
            bool was = count_of(before, n_before, t) >= threshold_before;
            bool is = count_of(now, n, t) >= threshold;
            changed += was != is;
            all += was || is;
        }
    return all > 0 ? changed / all : 0;
}

static size_t fill(struct sl_entry *entry, uint64_t *seed)
{
    size_t n = sl_random_below(seed, MOST);
    for (size_t i = 0; i < n; i++)
        entry[i] = (struct sl_entry){.tuple = {sl_random_below(seed, 6), sl_random_below(seed, 6)},
                                     .count = 1 + sl_random_below(seed, 6)};
    return n;
}

static bool same(const struct sl_interval_error *a, const struct sl_interval_error *b)
{
    bool equal = near(a->error, b->error) && a->distinct == b->distinct &&
                 a->candidates == b->candidates && a->reported == b->reported &&
                 a->others == b->others;
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++)
        equal &= near(a->part[i], b->part[i]) && a->tuples[i] == b->tuples[i];
    return equal;
}

static void random_intervals(void)
{
    struct sl_interval_errors run[2] = {{0}};
    struct sl_profile_list list = {0};
    uint64_t seed = 5, in_class[SL_CANDIDATE_CLASSES] = {0}, right = 0;
    bool equal = true, as_defined = true;
    struct sl_entry before[MOST];
    size_t n_before = 0;
    uint64_t threshold_before = 1;
    for (int trial = 0; trial < 1000; trial++) {
        struct sl_entry exact[MOST], reported[MOST];
        size_t n = fill(exact, &seed);
        sl_profile_list_clear(&list);
        for (size_t i = 0; i < n; i++)
            sl_profile_list_add(&list, &exact[i]);
        uint64_t threshold = 1 + sl_random_below(&seed, 8);
        double change = plain_change(before, n_before, threshold_before, exact, n, threshold);
        for (int t = 0; t < 2; t++) {
            struct sl_interval interval = {
                .threshold = threshold, .entry = reported, .n_entries = fill(reported, &seed)};
            sl_interval_errors_add(&run[t], &interval, &list);
            const struct sl_interval_error *e = &run[t].interval[run[t].n - 1];
            struct sl_interval_error want = plainly(exact, n, &interval);
            equal &= same(e, &want);
            uint64_t classed = 0;
            for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++) {
                in_class[i] += e->tuples[i];
                classed += e->tuples[i];
            }
            right += e->candidates + e->tuples[SL_FALSE_POSITIVE] - classed;
            as_defined &= near(e->change, change);
        }
        memcpy(before, exact, n * sizeof *exact);
        n_before = n;
        threshold_before = threshold;
    }
    ok(in_class[0] && in_class[1] && in_class[2] && in_class[3] && right,
       "random intervals: tuples of every class, and right ones");
    ok(equal, "random intervals: two tables, one exact list, as the definition has it");
    ok(as_defined, "random intervals: the change of the candidates, as the definition has it");
    for (int t = 0; t < 2; t++)
        sl_interval_errors_free(&run[t]);
    sl_profile_list_free(&list);
}

/* ---- the bound ---- */

#define LENGTH 10000u
#define THRESHOLD 100u
#define TABLES 4u
#define COUNTERS 1000u

/* A multi-hash (C0 R0 P0) whose functions spread evenly; `choice` is which they are.
 * True if the tuple's counters are all at the threshold. */
static bool count(uint64_t counter[TABLES][COUNTERS / TABLES], uint64_t tuple, uint64_t choice)
{
    bool all = true;
    for (uint64_t k = 0; k < TABLES; k++) {
        uint64_t index = sl_mix_pair(sl_mix_pair(tuple, k), choice) % (COUNTERS / TABLES);
        all &= ++counter[k][index] >= THRESHOLD;
    }
    return all;
}

/* An interval of `n` tuples that come `often` times, in turns, and as many others as
 * there is space for, once each; those come first or last. */
static void run_interval(struct sl_interval_errors *run, uint64_t choice, uint64_t n,
                         uint64_t often, bool others_first)
{
    static struct sl_entry tuple[LENGTH], promoted[LENGTH];
    static bool shielded[LENGTH];
    uint64_t counter[TABLES][COUNTERS / TABLES] = {{0}}, kinds = n + LENGTH - n * often;
    struct sl_profile_list exact = {0};
    struct sl_interval interval = {.threshold = THRESHOLD, .events = LENGTH, .entry = promoted};
    for (uint64_t i = 0; i < kinds; i++) {
        tuple[i] = (struct sl_entry){.tuple = {i, 0}};
        shielded[i] = false;
    }
    for (uint64_t event = 0; event < LENGTH; event++) {
        uint64_t at = others_first ? LENGTH - 1 - event : event;
        uint64_t i = at < n * often ? at % n : at - n * often + n;
        tuple[i].count++;
        if (!shielded[i] && count(counter, i, choice)) {
            shielded[i] = true;
            promoted[interval.n_entries] = tuple[i];
            promoted[interval.n_entries++].count = THRESHOLD;
        }
    }
    for (uint64_t i = 0; i < kinds; i++)
        sl_profile_list_add(&exact, &tuple[i]);
    if (!sl_interval_errors_add(run, &interval, &exact))
        abort();
    sl_profile_list_free(&exact);
}

/* The rate of false positives over many choices of the hash functions. */
static double measured(uint64_t n, uint64_t often, bool others_first)
{
    struct sl_interval_errors run = {0};
    struct sl_interval_mean mean;
    for (uint64_t choice = 0; choice < 200; choice++)
        run_interval(&run, choice, n, often, others_first);
    sl_interval_errors_mean(&run, &mean);
    sl_interval_errors_free(&run);
    return mean.false_positive_rate;
}

static void bound(void)
{
    unsigned lowest = 1;
    for (unsigned n = 2; n <= 16; n++)
        if (sl_false_positive_bound(n, 1, 1000) < sl_false_positive_bound(lowest, 1, 1000))
            lowest = n;
    ok(lowest == 4, "the bound at 1,000 counters and 1 %% is lowest with 4 tables");
    ok(near(sl_false_positive_bound(1, 1, 1000), 0.1) &&
           near(sl_false_positive_bound(4, 1, 1000), 0.0256) &&
           near(sl_false_positive_bound(2, 0.1, 4000), 0.25),
       "the bound, by hand");
    ok(sl_false_positive_bound(1, 0.1, 500) == 1 && sl_false_positive_bound(16, 1, 1000) == 1,
       "the bound is a probability: at most 1");
    /* 99 candidates fill the counters, then 100 tuples come once: each falls on 4 full
     * counters with probability (1 - (1 - 1/250)^99)^4 = 0.0115. */
    double rare = measured(99, 100, false), limit = sl_false_positive_bound(TABLES, 1, COUNTERS);
    ok(rare > 0.009 && rare < 0.014 && rare < limit,
       "rare tuples after all candidates: %.4f, below the bound of %.4f", rare, limit);
    /* 1,090 tuples come once, 4 a counter: enough for most of the 90 that come 99 times. */
    double almost = measured(90, 99, true);
    ok(almost > limit, "tuples that almost are candidates: %.4f, for them it is no bound", almost);
}

int main(void)
{
    by_hand();
    sums_of_nothing();
    out_of_memory();
    random_intervals();
    bound();
    return done_testing();
}
