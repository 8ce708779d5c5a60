/* SPDX-License-Identifier: MIT */
/* Results of `sluice compare`: for each profile of a session, the error compared with the exact
 * profile, the storage and the overhead. The results are printed as text or as JSON. */
#ifndef SL_COMPARISON_H
#define SL_COMPARISON_H

#include "evaluated_table.h"
#include "detector.h"
#include "format.h"
#include "delivery.h"
#include "sluice-study.h"

struct sl_comparison {
    const char *spec;  /* with all options */
    const char *given; /* as the user wrote it, or NULL */
    struct sl_table_status status;
    double seconds;          /* CPU time of the table */
    bool measured;           /* `error` is defined */
    enum sl_measure measure; /* of `error` */
    double error;
    bool waited_for; /* it stalls the CPU model (profiler.c): */
    double profiler_overhead;
    /* Of the whole run; the mean over windows, and their number (0: the run is shorter than one).
     * NAN: not measured. */
    double overlap, overlap_dynamic, windows;
    double interval_error; /* mean over its intervals; NAN: no interval table */
    const struct sl_curve *curve;
};

struct sl_comparisons {
    struct sl_comparison *row;
    size_t n;
    uint64_t instructions; /* of the run; 0: a stream without instructions */
    uint64_t cycles;       /* of the CPU model; 0: none */
    uint64_t every;        /* events between two points of the curves; 0: only the last */
    const char *warning;   /* of the run, or "" */
};

/* Statistics derived from the rows, for text and JSON. */
struct sl_comparison_view {
    const struct sl_comparisons *all;
    double limit;                   /* target error (--below) */
    struct sl_overhead_whole whole; /* denominator of overheads */
    struct sl_warnings notes;       /* warnings about the stream and the tables */
};

/* Name of each error measure. */
extern const char *const sl_comparison_measures[SL_MEASURES];

/* Collects the warnings. Returns 0 or SL_ENOMEM. Call sl_comparison_view_close() only after
 * success. */
int sl_comparison_view_open(struct sl_comparison_view *view, const struct sl_comparisons *all,
                            const struct sl_compare_config *config, struct sl_failure *f);
void sl_comparison_view_close(struct sl_comparison_view *view);

/* Number of events from which on a row's error stays below the limit; UINT64_MAX if it does not, or
 * if there is no curve. */
uint64_t sl_comparison_below(const struct sl_comparison_view *view,
                             const struct sl_comparison *row);

/* Events per second of CPU time of the row's table; NAN if that was not measured. */
double sl_comparison_speed(const struct sl_comparison *row);

/* Print the comparison. Return 0, SL_ENOMEM, or SL_EIO if `out` cannot be written. */
int sl_text_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f);
int sl_json_comparison(const struct sl_comparison_view *view, FILE *out, struct sl_failure *f);

#endif
