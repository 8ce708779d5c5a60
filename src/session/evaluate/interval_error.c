/* SPDX-License-Identifier: MIT */
/* Error of interval tables: how well a table finds the candidates (the frequent tuples) of each
 * interval. The error measure is that of Narayanasamy et al., "Catching Accurate Profiles in
 * Hardware", 2003.
 *
 * T is the interval's threshold, at least 1. Over all tuples that are candidates in either profile
 * (exact count fp >= T, or reported by the table, with the count fh):
 *
 *     E = sum |fp - fh| / sum fp        fh = 0 where not reported
 *
 *                        reported                       not reported
 *     fp >= T   neutral positive  (fh > fp)            false negative
 *               neutral negative  (fh < fp)
 *               correct, no error (fh = fp)
 *     fp <  T   false positive                          no candidate
 *
 * fp of a false positive is below T, but is part of the sum. A sum of 0 is replaced by 1: without
 * candidates in either profile the error is 0; tuples that were reported but never occurred (no
 * table here does that) count as if they had occurred once together. E may exceed 1.
 *
 * The error of a run is the mean over its complete intervals; a partial one is in the series, but
 * in no mean.
 *
 * If events have weights, counts are sums of weights. Numbers of tuples, for example `distinct`,
 * are not weighted. */
#include "intervals.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "grow.h"

struct sums {
    uint64_t exact, difference[SL_CANDIDATE_CLASSES];
};

/* Classifies a candidate of either profile. */
static void classify(struct sl_interval_error *error, struct sums *sums, uint64_t threshold,
                     uint64_t fp, uint64_t fh)
{
    sums->exact += fp;
    enum sl_candidate_class class;
    if (fp < threshold)
        class = SL_FALSE_POSITIVE;
    else if (!fh)
        class = SL_FALSE_NEGATIVE;
    else if (fh != fp)
        class = fh > fp ? SL_NEUTRAL_POSITIVE : SL_NEUTRAL_NEGATIVE;
    else
        return;
    error->tuples[class]++;
    sums->difference[class] += fh > fp ? fh - fp : fp - fh;
}

/* Merges the exact and the reported profile, both sorted, and collects the exact candidates. */
static bool compare(struct sl_interval_error *error, struct sums *sums, uint64_t threshold,
                    const struct sl_profile_list *exact, const struct sl_profile_list *reported,
                    struct sl_profile_list *candidates)
{
    for (struct sl_profile_pair p = {.a = exact, .b = reported}; sl_profile_pair_next(&p);) {
        bool candidate = p.count_a >= threshold;
        struct sl_entry entry = {.tuple = p.tuple, .count = p.count_a};
        error->others += !candidate;
        if (candidate || p.count_b)
            classify(error, sums, threshold, p.count_a, p.count_b);
        if (candidate && !sl_profile_list_add(candidates, &entry))
            return false;
    }
    sl_profile_list_sort(candidates);
    return true;
}

/* The fraction of the candidates of two intervals that are candidates of only one of them. */
static double change(const struct sl_profile_list *before, const struct sl_profile_list *now)
{
    uint64_t changed = 0, all = 0;
    for (struct sl_profile_pair p = {.a = before, .b = now}; sl_profile_pair_next(&p); all++)
        changed += !p.count_a || !p.count_b;
    return all ? (double)changed / (double)all : 0;
}

static bool collect(struct sl_profile_list *list, const struct sl_interval *interval)
{
    sl_profile_list_clear(list);
    for (size_t i = 0; i < interval->n_entries; i++)
        if (!sl_profile_list_add(list, &interval->entry[i]))
            return false;
    sl_profile_list_sort(list);
    return true;
}

bool sl_interval_errors_add(struct sl_interval_errors *run, const struct sl_interval *interval,
                            struct sl_profile_list *exact)
{
    struct sl_profile_list *candidates = &run->candidates_now, *reported = &run->reported;
    struct sums sums = {0};
    struct sl_interval_error error = {
        .number = interval->number, .events = interval->events, .partial = interval->partial};
    assert(interval->threshold > 0);
    if (exact->out_of_memory || !SL_GROW(run->interval, run->capacity, run->n + 1))
        return false;
    sl_profile_list_sort(exact);
    sl_profile_list_clear(candidates);
    if (!collect(reported, interval) ||
        !compare(&error, &sums, interval->threshold, exact, reported, candidates))
        return false;
    error.distinct = exact->n;
    error.candidates = candidates->n;
    error.reported = reported->n;
    error.change = change(&run->candidates, candidates);
    error.covered = exact->sum ? (double)candidates->sum / (double)exact->sum : 0;
    uint64_t difference = 0;
    double of = sums.exact ? (double)sums.exact : 1;
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++) {
        error.part[i] = (double)sums.difference[i] / of;
        difference += sums.difference[i];
    }
    error.error = (double)difference / of;
    struct sl_profile_list before = run->candidates;
    run->candidates = *candidates;
    *candidates = before;
    run->interval[run->n++] = error;
    return true;
}

void sl_interval_errors_mean(const struct sl_interval_errors *run, struct sl_interval_mean *mean)
{
    uint64_t false_positives = 0, others = 0;
    *mean = (struct sl_interval_mean){0};
    for (size_t i = 0; i < run->n; i++) {
        const struct sl_interval_error *e = &run->interval[i];
        if (e->partial)
            continue;
        mean->full++;
        mean->error += e->error;
        for (size_t c = 0; c < SL_CANDIDATE_CLASSES; c++)
            mean->part[c] += e->part[c];
        mean->distinct += (double)e->distinct;
        mean->candidates += (double)e->candidates;
        mean->reported += (double)e->reported;
        mean->covered += e->covered;
        false_positives += e->tuples[SL_FALSE_POSITIVE];
        others += e->others;
    }
    double full = mean->full ? (double)mean->full : 1;
    mean->error /= full;
    for (size_t c = 0; c < SL_CANDIDATE_CLASSES; c++)
        mean->part[c] /= full;
    mean->distinct /= full;
    mean->candidates /= full;
    mean->reported /= full;
    mean->covered /= full;
    mean->false_positive_rate = others ? (double)false_positives / (double)others : 0;
}

void sl_interval_errors_free(struct sl_interval_errors *run)
{
    free(run->interval);
    sl_profile_list_free(&run->candidates);
    sl_profile_list_free(&run->reported);
    sl_profile_list_free(&run->candidates_now);
    *run = (struct sl_interval_errors){0};
}

double sl_false_positive_bound(unsigned tables, double threshold_percent, uint64_t counters)
{
    double one = 100.0 * tables / (threshold_percent * (double)counters);
    return fmin(pow(one, tables), 1);
}
