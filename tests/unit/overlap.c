/* SPDX-License-Identifier: MIT */
/* Unit tests of overlap and coverage, two measures of a profile's accuracy: examples computed by
 * hand, a comparison with a plain implementation on random profiles, and properties that hold for
 * every pair of profiles. */
#include "evaluated_table.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"
#include "tap.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

struct row {
    uint64_t value, exact, found; /* 0 where a tuple is not in a profile */
};

static void fill(const struct row *row, size_t n, struct sl_profile_list *exact,
                 struct sl_profile_list *found)
{
    for (size_t i = 0; i < n; i++) {
        struct sl_entry e = {.tuple = {1, row[i].value}, .count = row[i].exact};
        sl_profile_list_add(exact, &e);
        e.count = row[i].found;
        sl_profile_list_add(found, &e);
    }
}

static struct sl_overlap overlap_of(const struct row *row, size_t n)
{
    struct sl_profile_list exact = {0}, found = {0};
    struct sl_overlap o;
    fill(row, n, &exact, &found);
    if (!sl_overlap(&exact, &found, &o))
        abort();
    sl_profile_list_free(&exact);
    sl_profile_list_free(&found);
    return o;
}

#define OVERLAP(rows) overlap_of(rows, sizeof(rows) / sizeof *(rows))

static void by_hand(void)
{
    /* Shares of 100: 50 30 20 0; of 40: 10 24 0 6, that is 25 60 0 15 %. */
    static const struct row rows[] = {{4, 50, 10}, {3, 30, 24}, {2, 20, 0}, {1, 0, 6}};
    struct sl_overlap o = OVERLAP(rows);
    ok(near(o.overlap, 0.25 + 0.30), "by hand: the smaller shares are 0.25 and 0.30");
    ok(near(o.coverage, 0.10 + 0.24), "by hand: the smaller counts are 10 and 24 of 100");
    ok(o.exact_weight == 100, "by hand: the exact sum");

    static const struct row lost[] = {{1, 900, 9}, {2, 100, 1}};
    ok(OVERLAP(lost).overlap == 1 && near(OVERLAP(lost).coverage, 0.01),
       "right proportions overlap fully, coverage says that nearly all was lost");
    static const struct row too_much[] = {{1, 90, 900}, {2, 10, 100}};
    ok(OVERLAP(too_much).overlap == 1 && OVERLAP(too_much).coverage == 1,
       "what is counted too often covers no more than all");
    static const struct row apart[] = {{1, 5, 0}, {2, 0, 5}};
    ok(OVERLAP(apart).overlap == 0 && OVERLAP(apart).coverage == 0, "nothing in common: both 0");
    static const struct row none[] = {{1, 0, 0}}, only_exact[] = {{1, 5, 0}};
    static const struct row made_up[] = {{1, 0, 5}};
    ok(OVERLAP(none).overlap == 1 && OVERLAP(none).coverage == 1, "nothing, of nothing: both 1");
    ok(OVERLAP(only_exact).overlap == 0 && OVERLAP(only_exact).coverage == 0 &&
           OVERLAP(made_up).overlap == 0 && OVERLAP(made_up).coverage == 0,
       "nothing of something, something of nothing: both 0");
    static const struct row large[] = {{1, UINT64_C(1) << 62, UINT64_C(1) << 61},
                                       {2, UINT64_C(1) << 61, UINT64_C(1) << 61}};
    ok(near(OVERLAP(large).overlap, 1.0 / 2 + 1.0 / 3), "counts up to 2^62 do not overflow");
}

/* ---- random profiles ---- */

#define MOST 40u

static size_t draw(struct row *row, uint64_t *seed)
{
    size_t n = 1 + (size_t)sl_random_below(seed, MOST);
    for (size_t i = 0; i < n; i++) {
        uint64_t most = UINT64_C(1) << sl_random_below(seed, 30);
        row[i] = (struct row){sl_random_below(seed, MOST), 1 + sl_random_below(seed, most),
                              sl_random_below(seed, 3) ? 1 + sl_random_below(seed, most) : 0};
    }
    return n;
}

static void plainly(const struct row *row, size_t n, double *overlap, double *coverage)
{
    double exact[MOST] = {0}, found[MOST] = {0}, all_exact = 0, all_found = 0;
    for (size_t i = 0; i < n; i++) {
        exact[row[i].value] += (double)row[i].exact;
        found[row[i].value] += (double)row[i].found;
        all_exact += (double)row[i].exact;
        all_found += (double)row[i].found;
    }
    *overlap = *coverage = 0;
    for (size_t v = 0; v < MOST; v++) {
        *overlap += all_found > 0 ? fmin(exact[v] / all_exact, found[v] / all_found) : 0;
        *coverage += fmin(exact[v], found[v]) / all_exact;
    }
}

static void properties(void)
{
    unsigned plain = 0, symmetric = 0, bounded = 0, same = 0, tried = 2000;
    uint64_t seed = 3;
    for (unsigned t = 0; t < tried; t++) {
        struct row row[MOST], other[MOST], equal[MOST];
        size_t n = draw(row, &seed);
        double overlap, coverage;
        for (size_t i = 0; i < n; i++) {
            other[i] = (struct row){row[i].value, row[i].found, row[i].exact};
            equal[n - 1 - i] = (struct row){row[i].value, row[i].exact, row[i].exact};
        }
        plainly(row, n, &overlap, &coverage);
        struct sl_overlap a = overlap_of(row, n), b = overlap_of(other, n);
        struct sl_overlap c = overlap_of(equal, n);
        plain += near(a.overlap, overlap) && near(a.coverage, coverage);
        symmetric += a.overlap == b.overlap;
        bounded += a.overlap >= 0 && a.overlap <= 1 && a.coverage >= 0 && a.coverage <= 1;
        same += c.overlap == 1 && c.coverage == 1;
    }
    ok(plain == tried, "both are as defined, for lists in any order with tuples several times");
    ok(symmetric == tried, "overlap is the same in both directions, to the last digit");
    ok(bounded == tried, "both are from 0 to 1");
    ok(same == tried, "equal profiles overlap by exactly 1");
}

/* ---- windows ---- */

static bool add(struct sl_overlaps *run, const struct row *row, size_t n, bool partial)
{
    struct sl_profile_list exact = {0}, found = {0};
    fill(row, n, &exact, &found);
    bool added = sl_overlaps_add(run, &exact, &found, partial);
    sl_profile_list_free(&exact);
    sl_profile_list_free(&found);
    return added;
}

static void windows(void)
{
    static const struct row whole[] = {{1, 10, 10}}, half[] = {{1, 10, 5}, {2, 10, 0}};
    static const struct row nothing[] = {{1, 0, 0}};
    struct sl_overlaps run = {0};
    struct sl_overlap_mean mean;
    sl_overlaps_mean(&run, &mean);
    ok(mean.overlap == 0 && mean.coverage == 0 && !mean.windows, "no windows: means of 0");
    if (!add(&run, nothing, 1, false) || !add(&run, half, 2, true))
        abort();
    sl_overlaps_mean(&run, &mean);
    ok(!mean.windows && near(mean.overlap, 0.5) && near(mean.coverage, 0.25),
       "without a full window that counts, it is the partial one");
    run = (struct sl_overlaps){0};
    bool added = add(&run, whole, 1, false) && add(&run, half, 2, false) &&
                 add(&run, nothing, 1, false) && add(&run, whole, 1, true);
    sl_overlaps_mean(&run, &mean);
    ok(added && run.n == 4 && mean.windows == 2,
       "full windows, one of them empty, and a partial one");
    ok(near(mean.overlap, (1 + 0.5) / 2) && near(mean.coverage, (1 + 0.25) / 2),
       "the mean is over full windows with something in them");

    struct sl_profile_list missing = {.out_of_memory = true}, fine = {0};
    struct sl_overlap o;
    ok(!sl_overlaps_add(&run, &missing, &fine, false) &&
           !sl_overlaps_add(&run, &fine, &missing, false) && run.n == 4,
       "a list that ran out of memory evaluates nothing and is not evaluated");
    ok(!sl_overlap(&missing, &fine, &o) && o.overlap == 0 && o.coverage == 0, "and has no overlap");
}

int main(void)
{
    by_hand();
    properties();
    windows();
    return done_testing();
}
