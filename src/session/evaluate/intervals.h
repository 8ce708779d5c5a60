/* SPDX-License-Identifier: MIT */
/* Results of an interval table over a whole run: one row per interval, the candidates (frequent
 * tuples) of each interval, and the total count of each candidate. With --exact, each row also has
 * the error of the interval (evaluator.h).
 *
 * Series and candidates grow with every interval, sums with every new candidate. Long lists are
 * stored on disk:
 *
 *     memory   sums of recent candidates, one per tuple
 *     disk     sums of other tuples, each up to the last interval in which it was a candidate
 *
 * When the number of sums on disk has doubled, those of the same tuple are added up. For that, and
 * when the sums are read, all of them are in memory for a moment.
 *
 * Memory and disk together are limited to `memory_bytes`. Beyond that, further intervals are not in
 * the series and have no error, and new candidates have no sum; both are counted. What was stored
 * is correct. */
#ifndef SL_INTERVALS_H
#define SL_INTERVALS_H

#include <sys/types.h>

#include "index_map.h"
#include "profile_list.h"

/* ---- errors of intervals (interval_error.c) ---- */

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

/* ---- records on disk ---- */

/* A spool: a list of records of one size that grows during a run and is read after it.
 *
 *     file      | records | records | ... |            unnamed; only appended to
 *     memory                              | records |  at most SL_SPOOL_BYTES
 *
 * A short list is in memory only. If no file can be made or written, the list grows in memory. A
 * forked process reads its parent's file and stores what it adds in memory. */
#define SL_SPOOL_BYTES ((size_t)1 << 20)

/* Zeroed, except for `directory`, before its first use. */
struct sl_spool {
    const char *directory; /* for the file; NULL: any (unnamed_file.h) */
    size_t n;              /* records */
    char *tail;            /* the last of them */
    size_t tail_bytes, capacity;
    uint64_t file_bytes;
    int file;     /* if it has any */
    pid_t owner;  /* of the file */
    bool refused; /* nothing more goes there */
};

/* Appends a record. Returns false if out of memory: the list is unchanged then. */
bool sl_spool_add(struct sl_spool *spool, const void *record, size_t size);

/* All records, in an array for free(3). NULL if out of memory, or if the file cannot be read. */
void *sl_spool_read(const struct sl_spool *spool);

void sl_spool_free(struct sl_spool *spool);

/* ---- intervals ---- */

/* One interval of the series. Errors are NAN if they were not measured. */
struct sl_interval_row {
    uint64_t number, first_event, events, weight, threshold;
    uint64_t candidates, entered, left; /* entered, left: since the previous interval */
    uint64_t drops;
    uint64_t partial; /* a bool; 64 bits, so that the row has no padding bytes on disk */
    double error, false_positive, false_negative, neutral_positive, neutral_negative;
};

/* A candidate of an interval. */
struct sl_interval_candidate {
    uint64_t interval;
    struct sl_entry entry;
};

/* At least this many sums stay in memory; tables rarely have more candidates in an interval. */
#define SL_SUMS_IN_MEMORY ((size_t)1 << 14)

struct sl_intervals {
    uint64_t memory_bytes;
    uint64_t n_intervals; /* including those that are not in the series */
    uint64_t rows_left_out, tuples_left_out, weight_left_out;
    uint64_t candidates_before; /* number of candidates of the previous interval */
    struct sl_index_map tuples; /* to an index of `sum` */
    struct sl_interval_sum {
        struct sl_entry entry;
        uint64_t intervals, last; /* number in which it was a candidate, and the last one */
        uint64_t listed;          /* sum of unlisted_high over these intervals */
    } * sum;
    size_t sums_capacity, flush_at; /* flush_at: number of sums in memory that starts a flush */
    struct sl_spool on_disk;        /* struct sl_interval_sum: the sums on disk */
    size_t add_up_at;               /* number of sums on disk at which they are added up */
    uint64_t left_out_high;     /* largest bound of a candidate of this interval without a sum */
    uint64_t unlisted_high;     /* sum over all intervals so far */
    struct sl_spool series;     /* struct sl_interval_row */
    struct sl_spool candidates; /* struct sl_interval_candidate: by interval, then count */
    size_t candidates_max;
    struct sl_interval_candidate *now; /* of the current interval, to be sorted */
    size_t n_now, now_capacity;
    uint64_t drops; /* of all intervals */
    struct {
        uint64_t events, entered; /* entered: candidates */
        uint64_t predicted;       /* weight of candidates that were candidates before, too */
    } later;                      /* totals without the first interval */
    /* Only with --exact: */
    const struct sl_tuple_names *names; /* of the current batch; NULL: errors are not measured */
    struct sl_interval_exact *exact;
    struct sl_interval_errors errors;
    bool out_of_memory;
    /* Gets each interval first (live.c); NULL: unused. */
    void (*on_interval)(void *context, const struct sl_interval *interval);
    void *on_interval_context;
};

/* Adds an interval; for sl_table_host.interval with a struct sl_intervals as its context. If out of
 * memory, sets out_of_memory. */
void sl_intervals_add(void *intervals, const struct sl_interval *interval);

/* Emits each candidate's sum over the intervals in which it was one, until emit() returns false.
 * The bounds are those of the whole run, since the tuple may have occurred in the other intervals,
 * too. Returns false if out of memory. */
bool sl_intervals_each(const struct sl_intervals *intervals,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* Writes a warning to `out` if something was left out for lack of memory; otherwise "". */
void sl_intervals_warning(const struct sl_intervals *intervals, char *out, size_t capacity);

/* All sums, ordered by tuple, for free(3). NULL if out of memory. */
struct sl_interval_sum *sl_intervals_sums(const struct sl_intervals *intervals, size_t *n);

/* The number of intervals in which the tuple was a candidate, from the result of
 * sl_intervals_sums(). */
uint64_t sl_intervals_of(const struct sl_interval_sum *sums, size_t n, struct sl_tuple tuple);

void sl_intervals_free(struct sl_intervals *intervals);

#endif
