/* SPDX-License-Identifier: MIT */
/* How well a table finds the candidates of each interval: the error measure of the
 * interval profilers' document.
 *
 * T is the interval's threshold, at least 1. Over all tuples that are candidates in either
 * profile (exact count fp >= T, or reported by the table, with the count fh):
 *
 *     E = sum |fp - fh| / sum fp        fh = 0 where not reported
 *
 *                        reported                       not reported
 *     fp >= T   neutral positive  (fh > fp)            false negative
 *               neutral negative  (fh < fp)
 *               right, no error   (fh = fp)
 *     fp <  T   false positive                          no candidate
 *
 * fp of a false positive is below T but in the sum like any other. Where the sum is
 * 0 it is taken for 1: no candidate in either profile is an error of 0; tuples that
 * were reported and never came (no table here does that, one fed with something
 * else might) are as wrong as if they had come once between them. E may exceed 1.
 *
 * The error of a run is the plain mean over its full intervals; a partial one is in
 * the series and in no mean.
 *
 * Weighted events: counts are sums of weights, `distinct` and the like are not. */
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

/* Of the candidates, from the interval before to this one. */
struct sl_candidate_change {
    uint64_t entered, left, kept;
};

/* The share of the candidates of two intervals that are candidates of one only; 0 if
 * neither has any. The document draws "% change" and does not say of what; this is
 * the reading that is the same in both directions and never above 1. */
static inline double sl_candidates_changed(const struct sl_candidate_change *change)
{
    uint64_t changed = change->entered + change->left, all = changed + change->kept;
    return all ? (double)changed / (double)all : 0;
}

struct sl_interval_error {
    uint64_t number, events;
    bool partial;
    uint64_t distinct;                     /* tuples of the exact profile */
    uint64_t candidates, reported;         /* of the exact profile; of the table */
    uint64_t others;                       /* tuples that are in either and no exact candidates */
    double covered;                        /* by the exact candidates, of all that was counted */
    double error;                          /* E */
    double part[SL_CANDIDATE_CLASSES];     /* of E: they add up to it */
    uint64_t tuples[SL_CANDIDATE_CLASSES]; /* in each class */
    struct sl_candidate_change exact_change, reported_change; /* the first: all entered */
};

/* The intervals of one table in one run; all zero before its first use. */
struct sl_interval_errors {
    struct sl_interval_error *interval;
    size_t n, room;
    struct sl_profile_list candidates, reported; /* of the last interval */
    struct sl_profile_list candidates_now, reported_now;
};

/* Judges an interval by the exact profile of the same events, which is sorted unless
 * it is sorted: several tables can be judged by one list. Out of memory, here or in
 * the list: false, and the interval is as if it had not been. */
bool sl_interval_errors_add(struct sl_interval_errors *run, const struct sl_interval *interval,
                            struct sl_profile_list *exact);

struct sl_interval_mean {
    uint64_t full, partial; /* intervals */
    double error, part[SL_CANDIDATE_CLASSES];
    double distinct, candidates, reported, covered;
    double exact_change, reported_change; /* of sl_candidates_changed, without the first */
    double false_positive_rate;           /* all false positives / all others */
};

/* Means over the full intervals; all 0 without any. */
void sl_interval_errors_mean(const struct sl_interval_errors *run, struct sl_interval_mean *mean);

void sl_interval_errors_free(struct sl_interval_errors *run);

/* The document's bound on the probability of a false positive for n tables of
 * counters / n counters each: (100 n / (threshold_percent * counters))^n, at most 1.
 *
 * The probability is that of one tuple, over the choice of the hash functions: that
 * in each of the n tables it falls on a counter that reaches T. An event adds to at
 * most one counter of a table, so that at most L / T <= 100 / t of the Z / n counters
 * reach T. It assumes hash functions that spread evenly and are independent of each
 * other (the modelled ones map tuples that differ in one byte to the same index with
 * probability 1/256, however large the table), counters of one table that do not
 * depend on another's (they do with conservative update), and that the tuple itself
 * adds nothing. That last one matters: a tuple that comes f times needs only T - f
 * from others, and for it the same reasoning gives (n (L - f) / ((T - f) Z))^n. For
 * rare tuples the bound holds and is loose (most come before a counter is at T, and
 * candidates are shielded); close below T it is none.
 *
 * What is measured beside it: false positives / `others`, the share of the distinct
 * tuples below T that were reported. Its expectation over the hash functions is the
 * mean of that probability over these tuples; one run is one choice of functions, so
 * intervals of a run are not independent trials, runs with other seeds are. */
double sl_false_positive_bound(unsigned tables, double threshold_percent, uint64_t counters);

/* ---- the exact profile of an interval ---- */

/* Exact counts of one interval: a hash table of (number, value) that is emptied in constant time,
 * by a new epoch. Zeroed before its first use. */
struct sl_interval_exact {
    struct sl_interval_slot *slot;
    size_t n_slots; /* a power of two, or 0 */
    uint32_t *used; /* slots of this interval */
    size_t n_used, room_used;
    uint32_t epoch;
    struct sl_profile_list list;
    bool listed;
};

/* Counts a batch. Returns false if out of memory: some of its events are missing then. */
bool sl_interval_exact_observe(struct sl_interval_exact *exact, const struct sl_batch *batch);

/* The counts as a list, which is the same until sl_interval_exact_clear(), so that it is sorted
 * once for all tables. Sorting adds up equal tuples of several numbers. If out of memory, the list
 * says so. */
struct sl_profile_list *sl_interval_exact_list(struct sl_interval_exact *exact,
                                               const struct sl_names *names);

void sl_interval_exact_clear(struct sl_interval_exact *exact);
void sl_interval_exact_free(struct sl_interval_exact *exact);

#endif
