/* SPDX-License-Identifier: MIT */
/* Computes the error of an interval table (interval_error.h). In each interval, the error includes
 * candidates (frequent tuples) that the table missed or counted wrongly, and tuples that it
 * reported although they are not candidates. The errors of all complete intervals of a run are
 * averaged. */
#include "interval_error.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "grow.h"

struct sums {
    uint64_t exact, difference[SL_CANDIDATE_CLASSES];
    uint64_t all, of_candidates; /* exact counts */
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

/* Merges the exact and the reported candidates, both sorted, and collects the former. Other tuples
 * are most of the profile; only their number is needed. */
static bool compare(struct sl_interval_error *error, struct sums *sums, uint64_t threshold,
                    const struct sl_profile_list *exact, const struct sl_profile_list *reported,
                    struct sl_profile_list *candidates)
{
    for (size_t i = 0, j = 0, from = 0; i < exact->n_heavy || j < reported->n;) {
        if (i < exact->n_heavy && exact->heavy[i].count < threshold) {
            i++;
            continue;
        }
        int order = i == exact->n_heavy ? 1
                    : j == reported->n
                        ? -1
                        : sl_tuple_order(exact->heavy[i].tuple, reported->entry[j].tuple);
        const struct sl_counted *p = order <= 0 ? &exact->heavy[i++] : NULL;
        const struct sl_counted *h = order >= 0 ? &reported->entry[j++] : NULL;
        uint64_t fp = p ? p->count : sl_profile_list_count(exact, h->tuple, &from);
        error->others += !fp;
        classify(error, sums, threshold, fp, h ? h->count : 0);
        struct sl_entry candidate = {.tuple = p ? p->tuple : h->tuple, .count = p ? fp : 0};
        sums->of_candidates += candidate.count;
        if (!sl_profile_list_add(candidates, &candidate))
            return false;
    }
    sums->all = exact->sum;
    error->others += exact->n - candidates->n;
    sl_profile_list_sort(candidates);
    return true;
}

static struct sl_candidate_change change(const struct sl_profile_list *before,
                                         const struct sl_profile_list *now)
{
    uint64_t kept = 0;
    for (size_t i = 0, j = 0; i < before->n && j < now->n;) {
        int order = sl_tuple_order(before->entry[i].tuple, now->entry[j].tuple);
        kept += !order;
        i += order <= 0;
        j += order >= 0;
    }
    return (struct sl_candidate_change){now->n - kept, before->n - kept, kept};
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

static void exchange(struct sl_profile_list *a, struct sl_profile_list *b)
{
    struct sl_profile_list moved = *a;
    *a = *b;
    *b = moved;
}

bool sl_interval_errors_add(struct sl_interval_errors *run, const struct sl_interval *interval,
                            struct sl_profile_list *exact)
{
    struct sl_profile_list *candidates = &run->candidates_now, *reported = &run->reported_now;
    struct sums sums = {0};
    struct sl_interval_error error = {
        .number = interval->number, .events = interval->events, .partial = interval->partial};
    assert(interval->threshold > 0);
    if (exact->out_of_memory || !SL_GROW(run->interval, run->capacity, run->n + 1) ||
        !sl_profile_list_heavy(exact, interval->threshold))
        return false;
    sl_profile_list_clear(candidates);
    if (!collect(reported, interval) ||
        !compare(&error, &sums, interval->threshold, exact, reported, candidates))
        return false;
    error.distinct = exact->n;
    error.candidates = candidates->n;
    error.reported = reported->n;
    error.exact_change = change(&run->candidates, candidates);
    error.reported_change = change(&run->reported, reported);
    error.covered = sums.all ? (double)sums.of_candidates / (double)sums.all : 0;
    uint64_t difference = 0;
    double of = sums.exact ? (double)sums.exact : 1;
    for (size_t i = 0; i < SL_CANDIDATE_CLASSES; i++) {
        error.part[i] = (double)sums.difference[i] / of;
        difference += sums.difference[i];
    }
    error.error = (double)difference / of;
    exchange(&run->candidates, candidates);
    exchange(&run->reported, reported);
    run->interval[run->n++] = error;
    return true;
}

void sl_interval_errors_mean(const struct sl_interval_errors *run, struct sl_interval_mean *mean)
{
    uint64_t false_positives = 0, others = 0, changes = 0;
    *mean = (struct sl_interval_mean){0};
    for (size_t i = 0; i < run->n; i++) {
        const struct sl_interval_error *e = &run->interval[i];
        if (e->partial) {
            mean->partial++;
            continue;
        }
        mean->full++;
        mean->error += e->error;
        for (size_t c = 0; c < SL_CANDIDATE_CLASSES; c++)
            mean->part[c] += e->part[c];
        mean->distinct += (double)e->distinct;
        mean->candidates += (double)e->candidates;
        mean->reported += (double)e->reported;
        mean->covered += e->covered;
        if (i > 0) {
            changes++;
            mean->exact_change += sl_candidates_changed(&e->exact_change);
            mean->reported_change += sl_candidates_changed(&e->reported_change);
        }
        false_positives += e->tuples[SL_FALSE_POSITIVE];
        others += e->others;
    }
    double full = mean->full ? (double)mean->full : 1, changed = changes ? (double)changes : 1;
    mean->error /= full;
    for (size_t c = 0; c < SL_CANDIDATE_CLASSES; c++)
        mean->part[c] /= full;
    mean->distinct /= full;
    mean->candidates /= full;
    mean->reported /= full;
    mean->covered /= full;
    mean->exact_change /= changed;
    mean->reported_change /= changed;
    mean->false_positive_rate = others ? (double)false_positives / (double)others : 0;
}

void sl_interval_errors_free(struct sl_interval_errors *run)
{
    free(run->interval);
    sl_profile_list_free(&run->candidates);
    sl_profile_list_free(&run->reported);
    sl_profile_list_free(&run->candidates_now);
    sl_profile_list_free(&run->reported_now);
    *run = (struct sl_interval_errors){0};
}

double sl_false_positive_bound(unsigned tables, double threshold_percent, uint64_t counters)
{
    double one = 100.0 * tables / (threshold_percent * (double)counters);
    return fmin(pow(one, tables), 1);
}
