/* SPDX-License-Identifier: MIT */
/* Evaluated table: the table of a profile together with its results. If the table counts in
 * intervals, the results include those of each interval; with --exact, they include the measured
 * errors.
 *
 * Without --exact only `table` and `intervals` are used, and batches go to `table` directly;
 * the evaluator (evaluator.h) fills the rest. */
#ifndef SL_EVALUATED_TABLE_H
#define SL_EVALUATED_TABLE_H

#include "detector.h"
#include "intervals.h"
#include "table.h"

/* ---- invariance error (invariance.c) ---- */

struct sl_invariance_limits {
    uint64_t executions;   /* 1,000 in the paper */
    double share, covered; /* 0.10 and 0.40 in the paper; limits are inclusive */
};

#define SL_INVARIANCE_PAPER       \
    (struct sl_invariance_limits) \
    {                             \
        1000, 0.10, 0.40          \
    }

/* The kept tuples of an exact profile, sorted by tuple; zeroed before its first use. The caller
 * frees `kept`. */
struct sl_invariance_ideal {
    struct sl_invariance_kept {
        struct sl_tuple tuple;
        uint64_t count;    /* f(v) */
        double invariance; /* I_exact(v) */
    } * kept;
    size_t n, capacity;
    uint64_t weight; /* f */
};

/* Replaces the kept tuples by those of `exact`, which is sorted if necessary. Returns false if out
 * of memory, here or in the list; nothing is kept then. */
bool sl_invariance_prepare(struct sl_invariance_ideal *ideal, struct sl_profile_list *exact,
                           const struct sl_invariance_limits *limits);

struct sl_invariance {
    double error;
    uint64_t tuples; /* kept */
};

/* Computes the error of a profile, which is sorted if necessary. If nothing was kept, error and
 * `tuples` are 0. Returns false and a zeroed `out` if the list is incomplete for lack of memory. */
bool sl_invariance_measure(const struct sl_invariance_ideal *ideal, struct sl_profile_list *profile,
                           struct sl_invariance *out);

/* ---- overlap, coverage and relative error (overlap.c) ---- */

struct sl_overlap {
    double overlap, coverage;
    uint64_t exact_weight; /* E */
};

/* Sorts both lists if necessary. Returns false and a zeroed `out` if a list is incomplete for lack
 * of memory. Sums of counts are assumed to stay below 2^63. */
bool sl_overlap(struct sl_profile_list *exact, struct sl_profile_list *profile,
                struct sl_overlap *out);

struct sl_overlap_mean {
    double overlap, coverage; /* 0 if no window counts */
    uint64_t windows;         /* complete ones with events */
};

/* The windows of one table in one run; zeroed before its first use. */
struct sl_overlaps {
    size_t n;
    struct sl_overlap_mean full, partial; /* sums over the windows with events */
};

/* Adds the overlap of a window with the exact profile of the same events. Returns false if a list
 * is incomplete for lack of memory; nothing is added then. */
bool sl_overlaps_add(struct sl_overlaps *run, struct sl_profile_list *exact,
                     struct sl_profile_list *profile, bool partial);

void sl_overlaps_mean(const struct sl_overlaps *run, struct sl_overlap_mean *mean);

struct sl_relative {
    double error;
    uint64_t tuples; /* that it is the mean of; 0: undefined */
};

/* Sorts both lists if necessary. */
void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out);

/* ---- error curves ---- */

/* The error of a profile as a function of the number of events. */
struct sl_curve {
    struct sl_curve_point {
        uint64_t events;
        double error;
        uint64_t sent;     /* messages, of a table that sends them */
        double invariance; /* if by_instruction, whatever the measure is */
    } * point;
    size_t n, capacity;
};

/* Appends a point. Points come in order of their events; a second point with the same events
 * replaces the first. An undefined error (sl_invariance.tuples is 0: no instruction was executed
 * often enough yet) must not be added, or it would be below every limit. Returns false if out of
 * memory. */
bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error);

/* The `events` of the first point from which on all errors are at most `limit`; UINT64_MAX if the
 * last one is not, or there are no points. */
uint64_t sl_curve_below(const struct sl_curve *curve, double limit);

/* ---- evaluated tables ---- */

/* A measured value and its name, for example "invariance" = 0.031. */
struct sl_named_value {
    const char *name;
    double value;
};

#define SL_EVALUATED_ERRORS 12

struct sl_evaluated_table {
    const struct sl_table_kind *kind;
    const void *config;
    bool repetition; /* of another table, with another seed (--runs): no candidates are stored */
    bool comparable; /* with an exact profile of its events */
    enum sl_measure measure; /* of the headline error */
    bool by_instruction;    /* tuples describe single instructions, so that invariance is defined */
    struct sl_table *table; /* NULL: not open */
    struct sl_intervals intervals;   /* of an interval table */
    double seconds;                  /* CPU time within the table; 0 without --exact */
    struct sl_curve curve;           /* headline error over the number of events */
    struct sl_invariance invariance; /* this and the next two: of the last measurement */
    struct sl_overlap overlap;
    struct sl_relative relative;
    bool has_error;  /* there were tuples to compare, so that the headline error is defined: */
    double headline; /* error by `measure` */
    bool windowed;   /* also evaluated by window: */
    struct sl_table *second;     /* of the current window; NULL: in the first window, or not open */
    struct sl_overlaps overlaps; /* of the windows that have ended */
    struct sl_named_value error[SL_EVALUATED_ERRORS]; /* all errors by name, at the end */
    size_t n_errors;
};

/* Opens the table of `kind` and `config`. host->interval is replaced, so that intervals are
 * collected here. Returns 0, SL_ENOMEM or what the table's init returns. Call
 * sl_evaluated_table_close() in either case. */
int sl_evaluated_table_open(struct sl_evaluated_table *table, const struct sl_table_host *host,
                            struct sl_failure *f);
void sl_evaluated_table_close(struct sl_evaluated_table *table);

/* The error of that name; NAN if it was not measured. */
double sl_evaluated_table_error(const struct sl_evaluated_table *table, const char *name);

/* Emits every entry of the table, in any order, until emit() returns false: what the table holds,
 * or for an interval table the sums over all intervals. Returns false if out of memory. */
bool sl_evaluated_table_each(const struct sl_evaluated_table *table,
                             const struct sl_tuple_names *names,
                             bool (*emit)(void *context, const struct sl_entry *entry),
                             void *context);

/* ---- repeated runs (--runs) ---- */

/* The count of one machine event in one run. Run 0 is the profile's own; run r has a seed that is
 * higher by r. */
struct sl_reading {
    uint64_t run, number; /* number: position in the detector's list of events */
    uint64_t event;       /* its set: event_set.h */
    uint64_t count, exact;
};

/* One of the errors of a run. */
struct sl_run_error {
    uint64_t run;
    struct sl_named_value error;
};

/* Zeroed before its first use; free with sl_readings_free(). */
struct sl_readings {
    struct sl_reading *reading; /* ordered by run, then number */
    size_t n, capacity;
    struct sl_run_error *error; /* ordered by run */
    size_t n_errors, errors_capacity;
};

void sl_readings_free(struct sl_readings *readings);

#endif
