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
#ifndef SL_INTERVAL_ERROR_H
#define SL_INTERVAL_ERROR_H

#include "profile_list.h"
#include "sluice.h"

enum sl_candidate_class {
    SL_FALSE_POSITIVE,
    SL_FALSE_NEGATIVE,
    SL_NEUTRAL_POSITIVE,
    SL_NEUTRAL_NEGATIVE,
    SL_CANDIDATE_CLASSES
};

struct sl_interval_error {
    uint64_t number, events;
    bool partial;
    uint64_t distinct;                 /* tuples of the exact profile */
    uint64_t candidates, reported;     /* of the exact profile; of the table */
    uint64_t others;                   /* tuples of either profile that are no exact candidates */
    double covered;                    /* weight of the exact candidates / weight of all tuples */
    double error;                      /* E */
    double part[SL_CANDIDATE_CLASSES]; /* contributions to E, which add up to it */
    uint64_t tuples[SL_CANDIDATE_CLASSES]; /* in each class */
    /* The fraction of the exact candidates of this and the previous interval that are candidates of
     * only one of them; 0 without candidates. The paper plots "% change" without a definition; this
     * one is symmetric and never above 1. */
    double change;
};

/* The intervals of one table in one run; zeroed before its first use. */
struct sl_interval_errors {
    struct sl_interval_error *interval;
    size_t n, capacity;
    struct sl_profile_list candidates; /* of the last interval; the next two: of the current one */
    struct sl_profile_list candidates_now, reported;
};

/* Appends the error of an interval. `exact` is the exact profile of its events and is sorted if
 * necessary; several tables can share it. Returns false if out of memory, here or in the list;
 * nothing is appended then. */
bool sl_interval_errors_add(struct sl_interval_errors *run, const struct sl_interval *interval,
                            struct sl_profile_list *exact);

struct sl_interval_mean {
    uint64_t full; /* intervals */
    double error, part[SL_CANDIDATE_CLASSES];
    double distinct, candidates, reported, covered;
    double false_positive_rate; /* all false positives / all others */
};

/* Means over the complete intervals; all 0 if there are none. */
void sl_interval_errors_mean(const struct sl_interval_errors *run, struct sl_interval_mean *mean);

void sl_interval_errors_free(struct sl_interval_errors *run);

/* The paper's bound on the probability that a tuple is a false positive, for n tables of
 * counters / n counters each: (100 n / (threshold_percent * counters))^n, at most 1.
 *
 * An event adds to at most one counter of a table, so that at most L / T <= 100 / t of its Z / n
 * counters reach T. The bound is the probability that one tuple falls on such a counter in each of
 * the n tables. It assumes uniform and independent hash functions (the modelled ones map tuples
 * that differ in one byte to the same index with probability 1/256), counters that are independent
 * (they are not with conservative update), and a tuple that adds nothing itself. For a tuple that
 * occurs f times, the same reasoning gives (n (L - f) / ((T - f) Z))^n: the bound is loose for rare
 * tuples and does not hold for tuples just below T.
 *
 * The measured counterpart is false positives / `others`; its expectation over the hash functions
 * is the mean of that probability over these tuples. Runs with different seeds are independent
 * trials, intervals of one run are not. */
double sl_false_positive_bound(unsigned tables, double threshold_percent, uint64_t counters);

/* ---- the exact profile of an interval ---- */

/* Exact counts of one interval: a hash table of (tuple id, value) that is emptied in constant time,
 * by a new epoch. Zeroed before its first use. */
struct sl_interval_exact {
    struct sl_interval_slot *slot;
    size_t n_slots; /* a power of two, or 0 */
    uint32_t *used; /* slots of this interval */
    size_t n_used, used_capacity;
    uint32_t epoch;
    struct sl_profile_list list;
    bool listed;
};

/* Counts a batch. Returns false if out of memory: some of its events are missing then. */
bool sl_interval_exact_observe(struct sl_interval_exact *exact, const struct sl_batch *batch);

/* The counts as a list, which is the same until sl_interval_exact_clear(), so that it is sorted
 * once for all tables. Sorting adds up equal tuples with several ids. If out of memory, the list
 * says so. */
struct sl_profile_list *sl_interval_exact_list(struct sl_interval_exact *exact,
                                               const struct sl_tuple_names *names);

void sl_interval_exact_clear(struct sl_interval_exact *exact);
void sl_interval_exact_free(struct sl_interval_exact *exact);

#endif
