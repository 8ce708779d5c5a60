/* SPDX-License-Identifier: MIT */
/* Comparison of the profiles of a session, for `sluice compare`. */
#ifndef SL_COMPARISON_H
#define SL_COMPARISON_H

#include "curve.h"
#include "detector.h"
#include "sluice.h"

struct sl_comparison {
    const char *spec;  /* with all options */
    const char *given; /* as the user wrote it, or NULL */
    struct sl_table_status status;
    double seconds;          /* CPU time of the table */
    bool measured;           /* `error` is defined */
    enum sl_measure measure; /* of `error` */
    double error;
    bool waited_for; /* it stalls the CPU model (profiler.h): */
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

#endif
