/* SPDX-License-Identifier: MIT */
/* What a sweep has found, by two measures: which points are on the front, none other being as good
 * in both and better in one; on the mean of the streams, and on the worst of them.
 *
 * Averages are of points that were wanted on every stream. Where results are missing, there are
 * none unless the reader says so. */
#ifndef SL_SWEEP_VIEW_H
#define SL_SWEEP_VIEW_H

#include "sluice-study.h"
#include "sweep_store.h"

struct sl_swept_point {
    uint64_t id;
    char *spec, *given, *machine;
    char *label;          /* `given` without what all have in common */
    size_t wanted, there; /* results */
    double x;             /* the largest of any stream; NAN: it has none */
    double mean, worst;   /* y; NAN likewise */
    double overhead;      /* the mean; NAN: it sends no messages */
    size_t worst_stream;
    bool front, worst_front;
    bool counts;  /* it can be compared with the others */
    bool begun;   /* while it is summed up */
    size_t place; /* before sorting */
};

struct sl_swept_result {
    size_t stream, point; /* places */
    bool done;
    double x, y, overhead;
};

struct sl_sweep_hole {
    size_t stream, points;
    char *why; /* NULL: nobody has tried, or ended */
};

struct sl_sweep_view {
    struct sl_swept_stream {
        uint64_t id;
        char *name;
    } * stream;
    size_t n_streams, streams_capacity;
    struct sl_swept_point *point; /* by x, then y */
    size_t n_points, points_capacity;
    struct sl_swept_result *result; /* those that are wanted */
    size_t n_results, results_capacity;
    struct sl_sweep_hole *hole; /* one for each stream and reason */
    size_t n_holes, holes_capacity;
    size_t missing; /* results */
    size_t partial; /* points that were wanted on some streams only */
    char *head;     /* what all have in front of their options; "" if they differ */
    char *common;   /* options that all have; "" if there are none */
    const char *x, *y;
    bool more_is_better; /* of y */
    bool averages;       /* there are some */
};

/* To be freed in any case. */
int sl_sweep_view(struct sl_sweep_view *view, struct sl_sweep_store *store,
                  const struct sl_sweep_report_config *config, struct sl_failure *f);
void sl_sweep_view_free(struct sl_sweep_view *view);

/* The best point on the mean, or on the worst stream, of those whose x is at most `under` (in
 * bytes, where x is storage; 0: any); NULL: there is none. */
const struct sl_swept_point *sl_sweep_best(const struct sl_sweep_view *view, uint64_t under,
                                           bool worst);

/* "error by interval": a measure's name, in words. */
const char *sl_swept_measure(const char *measure);

/* "4.0 KB", "1.23%", "512": values of a measure as people read them. */
#define SL_SWEPT_ROOM 40
const char *sl_swept_text(const char *measure, double value, char capacity[SL_SWEPT_ROOM]);

#endif
