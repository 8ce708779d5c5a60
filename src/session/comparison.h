/* SPDX-License-Identifier: MIT */
/* Profiles of one stream side by side, for `sluice compare`: what a session found of them. */
#ifndef SL_COMPARISON_H
#define SL_COMPARISON_H

#include "curve.h"
#include "detector.h"
#include "sluice.h"

struct sl_comparison {
    const char *spec;  /* with every option, as resolved */
    const char *given; /* as the user wrote it, or NULL */
    struct sl_table_status status;
    double seconds;          /* that the table took for its events */
    bool measured;           /* the error is known: there was something to compare */
    enum sl_measure measure; /* that says best how good it is, and by that: */
    double error;
    bool waited_for; /* by the machine, as the one profiler with a branch queue: */
    double profiler_overhead;
    /* Of the whole profile, and the mean over so many windows (0: the run is not one whole
     * window). NAN where not measured. */
    double overlap, overlap_dynamic, windows;
    double interval_error; /* the mean over its intervals; NAN for a table without */
    const struct sl_curve *curve;
};

struct sl_comparisons {
    struct sl_comparison *row;
    size_t n;
    uint64_t instructions; /* of the run; 0: a stream without any */
    uint64_t cycles;       /* of the machine; 0: none was modelled */
    uint64_t every;        /* events between two points of the curves; 0: only the last */
    const char *warning;   /* "" or a sentence about the stream */
};

#endif
