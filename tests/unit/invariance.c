/* SPDX-License-Identifier: MIT */
/* Unit tests of the invariance error, the difference between the measured and the true invariance
 * of instructions. It is compared with a plain implementation, which searches the whole profile for
 * every tuple. The tests also cover error curves and the sorting of tuples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluated_table.h"
#include "random.h"
#include "tap.h"

static void add(struct sl_profile_list *list, uint64_t pc, uint64_t value, uint64_t count)
{
    struct sl_entry entry = {.tuple = {pc, value}, .count = count};
    if (!sl_profile_list_add(list, &entry))
        abort();
}

/* ---- lists ---- */

static int by_tuple(const void *left, const void *right)
{
    return sl_tuple_order(((const struct sl_counted *)left)->tuple,
                          ((const struct sl_counted *)right)->tuple);
}

/* qsort and a loop in place of sl_profile_list_sort. */
static struct sl_profile_list plainly_sorted(const struct sl_profile_list *list)
{
    struct sl_profile_list out = {.entry = calloc(list->n + 1, sizeof *out.entry)};
    struct sl_counted *all = calloc(list->n + 1, sizeof *all);
    if (!out.entry || !all)
        abort();
    for (size_t i = 0; i < list->n; i++)
        all[i] = list->entry[i];
    qsort(all, list->n, sizeof *all, by_tuple);
    for (size_t i = 0; i < list->n; i++) {
        if (!out.n || by_tuple(&out.entry[out.n - 1], &all[i]))
            out.entry[out.n++] = (struct sl_counted){all[i].tuple, 0};
        out.entry[out.n - 1].count += all[i].count;
    }
    free(all);
    return out;
}

static bool sorts_as_plainly(struct sl_profile_list *list)
{
    struct sl_profile_list want = plainly_sorted(list);
    sl_profile_list_sort(list);
    bool same = list->n == want.n &&
                (!want.n || !memcmp(list->entry, want.entry, want.n * sizeof *want.entry));
    sl_profile_list_free(&want);
    return same;
}

static void sorting(void)
{
    /* Which bits of a word differ: none, low, high, both, all. */
    static const uint64_t mask[] = {0, 0xff, UINT64_C(0xc000000000000001), 0x7ffff000, UINT64_MAX};
    struct sl_profile_list list = {0};
    uint64_t seed = 3;
    bool same = true;
    for (size_t n = 0; n < 20000; n = n * 3 + 1)
        for (size_t p = 0; p < 5; p++)
            for (size_t v = 0; v < 5; v++) {
                sl_profile_list_clear(&list);
                for (size_t i = 0; i < n; i++)
                    add(&list, sl_random_next(&seed) & mask[p], sl_random_next(&seed) & mask[v],
                        1 + sl_random_below(&seed, 9));
                same &= sorts_as_plainly(&list);
            }
    ok(same, "sorting: lists of 0 to 10,000 tuples, equal ones among them, are as by qsort");

    struct sl_counted first = list.entry[0];
    list.entry[0] = list.entry[1];
    list.entry[1] = first;
    sl_profile_list_sort(&list);
    ok(!memcmp(&list.entry[1], &first, sizeof first), "a list that is sorted is not sorted again");
    add(&list, 0, 0, 7);
    sl_profile_list_sort(&list);
    ok(by_tuple(&list.entry[0], &list.entry[1]) < 0, "a list that was added to is sorted again");
    sl_profile_list_free(&list);
}

static void adding(void)
{
    struct sl_entry entry = {.tuple = {1, 2}, .count = 10, .resident = 4};
    struct sl_profile_list all = {0};
    sl_profile_list_add(&all, &entry);
    ok(all.n == 1 && all.entry[0].count == 10, "a count has in it what is resident");
    entry.count = entry.resident = 0;
    ok(sl_profile_list_add(&all, &entry) && all.n == 1, "a tuple that counts nothing is left out");

    struct sl_invariance_ideal ideal = {0};
    struct sl_invariance result = {.error = 1};
    struct sl_invariance_limits limits = SL_INVARIANCE_PAPER;
    entry.count = 1;
    /* More than there can be: growing is refused before memory is touched. */
    struct sl_profile_list full = {.n = SIZE_MAX / 2 + 1, .capacity = SIZE_MAX / 2 + 1};
    ok(!sl_profile_list_add(&full, &entry) && full.out_of_memory &&
           !sl_profile_list_add(&full, &entry),
       "out of memory: adding fails, and from then on");
    ok(!sl_invariance_prepare(&ideal, &full, &limits) && !ideal.n,
       "an exact list that ran out of memory is not prepared");
    ok(sl_invariance_prepare(&ideal, &all, &limits) &&
           !sl_invariance_measure(&ideal, &full, &result) && result.error == 0,
       "a profile that ran out of memory is not evaluated");
    free(ideal.kept);
    sl_profile_list_free(&all);
}

/* ---- the definition ---- */

/* Limits as fractions, so that the definition needs no rounding. */
struct plain_limits {
    uint64_t executions, share_of_100, covered_of_100;
};

/* Sum of the entries of this pc, and of this value if `value` is not NULL. */
static uint64_t count_of(const struct sl_profile_list *list, uint64_t pc, const uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->entry[i].tuple.pc == pc && (!value || list->entry[i].tuple.value == *value))
            sum += list->entry[i].count;
    return sum;
}

static bool frequent(const struct sl_profile_list *exact, struct sl_tuple t,
                     const struct plain_limits *limits)
{
    return 100 * count_of(exact, t.pc, &t.value) >=
           limits->share_of_100 * count_of(exact, t.pc, NULL);
}

static bool is_kept(const struct sl_profile_list *exact, struct sl_tuple t,
                    const struct plain_limits *limits)
{
    uint64_t executions = count_of(exact, t.pc, NULL), covered = 0;
    for (size_t i = 0; i < exact->n; i++)
        if (exact->entry[i].tuple.pc == t.pc && frequent(exact, exact->entry[i].tuple, limits))
            covered += exact->entry[i].count;
    return executions >= limits->executions && frequent(exact, t, limits) &&
           100 * covered >= limits->covered_of_100 * executions;
}

static double invariance_in(const struct sl_profile_list *list, struct sl_tuple t)
{
    uint64_t executions = count_of(list, t.pc, NULL);
    return executions ? (double)count_of(list, t.pc, &t.value) / (double)executions : 0;
}

static struct sl_invariance plainly(const struct sl_profile_list *exact,
                                    const struct sl_profile_list *profile,
                                    const struct plain_limits *limits)
{
    struct sl_invariance out = {0};
    uint64_t weight = 0;
    for (size_t i = 0; i < exact->n; i++) {
        struct sl_tuple t = exact->entry[i].tuple;
        bool seen_tuple = false;
        if (!is_kept(exact, t, limits))
            continue;
        for (size_t j = 0; j < i; j++)
            seen_tuple |= !sl_tuple_order(exact->entry[j].tuple, t);
        out.tuples += !seen_tuple;
        weight += exact->entry[i].count;
        /* An entry's own count: the entries of a tuple add up to f(v). */
        out.error += (double)exact->entry[i].count *
                     fabs(invariance_in(exact, t) - invariance_in(profile, t));
    }
    out.error = weight ? out.error / (double)weight : 0;
    return out;
}

static bool same(const struct sl_invariance *a, const struct sl_invariance *b)
{
    return fabs(a->error - b->error) < 1e-12 && a->tuples == b->tuples;
}

/* Few pcs and values, round counts: limits are met to the unit, entries repeat,
 * tuples are missing in either. */
static void fill(struct sl_profile_list *list, uint64_t *seed)
{
    size_t n = sl_random_below(seed, 40);
    uint64_t pcs = 1 + sl_random_below(seed, 6), values = 1 + sl_random_below(seed, 12);
    sl_profile_list_clear(list);
    for (size_t i = 0; i < n; i++)
        add(list, 0x400000 + 4 * sl_random_below(seed, pcs),
            sl_random_below(seed, values) * UINT64_C(0x1111111111111111),
            5 * (1 + sl_random_below(seed, 4)));
}

static void random_profiles(void)
{
    struct sl_profile_list exact = {0}, profile[3] = {{0}};
    struct sl_invariance_ideal ideal = {0};
    uint64_t seed = 1, kept = 0, nothing = 0, some_left_out = 0;
    bool evaluated = true;
    for (int trial = 0; trial < 600; trial++) {
        struct sl_invariance want[3], got;
        struct plain_limits plain = {20 * sl_random_below(&seed, 5), 5 * sl_random_below(&seed, 7),
                                     10 * sl_random_below(&seed, 11)};
        struct sl_invariance_limits limits = {plain.executions, (double)plain.share_of_100 / 100,
                                              (double)plain.covered_of_100 / 100};
        fill(&exact, &seed);
        for (int i = 0; i < 3; i++) {
            fill(&profile[i], &seed);
            want[i] = plainly(&exact, &profile[i], &plain);
        }
        size_t entries = exact.n;
        sl_invariance_prepare(&ideal, &exact, &limits);
        for (int i = 0; i < 3; i++) {
            sl_invariance_measure(&ideal, &profile[i], &got);
            evaluated &= same(&want[i], &got);
        }
        kept += got.tuples > 0;
        nothing += !got.tuples;
        some_left_out += got.tuples && got.tuples < exact.n && exact.n < entries;
    }
    ok(kept > 100 && nothing > 50 && some_left_out > 100,
       "random profiles: tuples are kept in %d, a part of them in %d, none in %d", (int)kept,
       (int)some_left_out, (int)nothing);
    ok(evaluated, "random profiles: prepared once, three are evaluated as the definition has it");
    free(ideal.kept);
    sl_profile_list_free(&exact);
    for (int i = 0; i < 3; i++)
        sl_profile_list_free(&profile[i]);
}

/* ---- by hand ---- */

static struct sl_invariance evaluate(struct sl_profile_list *exact, struct sl_profile_list *profile)
{
    struct sl_invariance_ideal ideal = {0};
    struct sl_invariance out;
    if (!sl_invariance_prepare(&ideal, exact, &SL_INVARIANCE_PAPER) ||
        !sl_invariance_measure(&ideal, profile, &out))
        abort();
    free(ideal.kept);
    return out;
}

static void by_hand(void)
{
    struct sl_profile_list exact = {0}, profile = {0};
    add(&exact, 0x10, 7, 100);
    add(&exact, 0x10, 5, 600);
    add(&exact, 0x10, 6, 300);
    add(&profile, 0x10, 8, 256);
    add(&profile, 0x10, 5, 512);
    add(&profile, 0x10, 6, 256);
    struct sl_invariance e = evaluate(&exact, &profile);
    /* 0.6 - 0.5 for 600, 0.3 - 0.25 for 300, 0.1 - 0 for 100. */
    ok(fabs(e.error - 0.085) < 1e-12 && e.tuples == 3,
       "by hand: 60 %%, 30 %% and 10 %% known as 50 %%, 25 %% and not at all: 8.5 %%");
    add(&exact, 0x14, 5, 999);
    add(&profile, 0x14, 6, 999);
    e = evaluate(&exact, &profile);
    ok(e.tuples == 3, "999 executions are not enough");
    add(&exact, 0x14, 5, 1);
    e = evaluate(&exact, &profile);
    /* The new one is wrong by 1 with half of the weight. */
    ok(e.tuples == 4 && fabs(e.error - 0.5425) < 1e-12, "1,000 are, and the error is 54.25 %%");
    sl_profile_list_clear(&exact);
    for (uint64_t i = 0; i < 8; i++)
        add(&exact, 0x10, 100 + i, 75);
    add(&exact, 0x10, 5, 399);
    add(&exact, 0x10, 6, 1);
    ok(evaluate(&exact, &profile).tuples == 0, "39.9 %% in frequent tuples are not enough");
    sl_profile_list_clear(&exact);
    for (uint64_t i = 0; i < 8; i++)
        add(&exact, 0x10, 100 + i, 75);
    add(&exact, 0x10, 5, 400);
    e = evaluate(&exact, &profile);
    ok(e.tuples == 1 && fabs(e.error - 0.1) < 1e-12,
       "40 %% are; known as 50 %%, an error of 10 %%");
    ok(evaluate(&exact, &exact).error == 0, "the exact profile has no error");
    sl_profile_list_clear(&profile);
    ok(evaluate(&exact, &profile).error == 0.4, "an empty profile is wrong by the invariance");
    e = evaluate(&profile, &exact);
    ok(e.error == 0 && !e.tuples, "an empty exact profile keeps nothing: no error");
    sl_profile_list_free(&exact);
    sl_profile_list_free(&profile);
}

static void curves(void)
{
    static const double error[] = {0.01, 0.2, 0.05, 0.06, 0.05, 0.02, 0.03};
    struct sl_curve curve = {0};
    ok(sl_curve_below(&curve, 1) == UINT64_MAX, "a curve of no points is below nothing");
    for (size_t i = 0; i < 7; i++)
        sl_curve_add(&curve, 100 * (i + 1), error[i]);
    ok(sl_curve_below(&curve, 0.05) == 500,
       "below the limit until the end: from the last time it came down, at the limit");
    ok(sl_curve_below(&curve, 0.3) == 100, "a curve that is never above: from its first point");
    ok(sl_curve_below(&curve, 0.02) == UINT64_MAX, "a curve that ends above: never");
    sl_curve_add(&curve, 700, 0.01);
    ok(curve.n == 7 && sl_curve_below(&curve, 0.02) == 600,
       "a point that is measured again replaces the one that was there");
    free(curve.point);
    curve = (struct sl_curve){.n = SIZE_MAX / 2 + 1, .capacity = SIZE_MAX / 2 + 1};
    ok(!sl_curve_add(&curve, 1, 1), "out of memory: a point is not added");
}

int main(void)
{
    sorting();
    adding();
    random_profiles();
    by_hand();
    curves();
    return done_testing();
}
