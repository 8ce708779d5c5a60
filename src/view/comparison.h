/* Profiles of one stream side by side, for `sluice compare`. */
#ifndef SL_COMPARISON_H
#define SL_COMPARISON_H

#include "curve.h"
#include "overhead.h"
#include "sluice.h"
#include "wording.h"

struct sl_comparison {
    const char *spec;  /* with every option, as resolved */
    const char *given; /* as the user wrote it, or NULL */
    struct sl_table_status status;
    double seconds; /* that the table took for its events */
    bool measured;  /* the error is known: there was something to compare */
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
    const struct sl_comparison *row;
    size_t n;
    uint64_t instructions; /* of the run; 0: a stream without any */
    uint64_t cycles;       /* of the machine; 0: none was modelled */
    uint64_t every;        /* events between two points of the curves; 0: only the last */
    double limit;          /* the error to get below; 0: 5 % */
    const char *warning;   /* "" or a sentence about the stream */
};

/* The limit in use; since how many events a row's error is below it, UINT64_MAX if it is
 * not, or if there is no curve; events a second, NAN if that was not measured. */
double sl_comparisons_limit(const struct sl_comparisons *all);
uint64_t sl_comparison_below(const struct sl_comparisons *all, const struct sl_comparison *row);
double sl_comparison_speed(const struct sl_comparison *row);

/* What is to be read before the figures: of the stream, of each table. To be freed;
 * nothing is after an error. */
int sl_comparisons_notes(const struct sl_comparisons *all, struct sl_notes *notes,
                         struct sl_failure *f);

int sl_comparisons_text(const struct sl_comparisons *all, FILE *out, struct sl_failure *f);
int sl_comparisons_json(const struct sl_comparisons *all, FILE *out, struct sl_failure *f);

#endif
