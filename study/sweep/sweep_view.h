/* SPDX-License-Identifier: MIT */
/* The results of a sweep by two measures, x and y, for all report formats. A point is on the
 * Pareto front if no other point is at least as good in both measures and better in one. There are
 * two fronts: one for the mean of y over the streams, and one for the y of the worst stream.
 *
 * Only points that were requested on every stream are averaged. A point with missing results is
 * averaged only if the report allows it (sl_sweep_report_config.holes). */
#ifndef SL_SWEEP_VIEW_H
#define SL_SWEEP_VIEW_H

#include "sluice-study.h"
#include "sweep_store.h"

struct sl_swept_point {
    uint64_t id;
    char *spec, *given, *machine; /* the spec with all options, as written; the CPU model, or "" */
    char *label;                  /* `given` without the parts that all points have in common */
    size_t wanted, there;         /* results: requested, present */
    double x;                     /* the largest of any stream; NAN: not measured */
    double mean, worst;           /* y; NAN: not measured */
    double overhead;              /* mean over the streams; NAN: the table sends no messages */
    size_t worst_stream;
    bool front, worst_front; /* on the Pareto front of the means, of the worst streams */
    bool counts;             /* it can be compared with the others */
    bool begun;              /* sl_sweep_average() has added a result */
    size_t index_before;     /* before sorting */
};

struct sl_swept_result {
    size_t stream, point; /* indices */
    bool done;
    double x, y, overhead;
};

/* Missing results of one stream that have the same reason. */
struct sl_sweep_hole {
    size_t stream, points;
    char *why; /* NULL: not run, or not finished */
};

struct sl_sweep_view {
    struct sl_swept_stream {
        uint64_t id;
        char *name;
    } * stream;
    size_t n_streams, streams_capacity;
    struct sl_swept_point *point; /* sorted by x, then y */
    size_t n_points, points_capacity;
    struct sl_swept_result *result; /* all requested ones */
    size_t n_results, results_capacity;
    struct sl_sweep_hole *hole; /* one for each stream and reason */
    size_t n_holes, holes_capacity;
    size_t missing;      /* results */
    size_t partial;      /* points that were requested on some streams only */
    char *head;          /* the specs up to their options, if all are equal; else "" */
    char *common;        /* options that all specs have; "" if there are none */
    const char *x, *y;   /* names of the measures */
    bool more_is_better; /* a larger y is better */
    bool averages;       /* the means can be reported */
};

/* Reads the sweep and fills the view. Returns 0, SL_ENOMEM, an error of the store, or SL_EUSAGE if
 * no result has a requested measure. Call sl_sweep_view_free() in any case. */
int sl_sweep_view(struct sl_sweep_view *view, struct sl_sweep_store *store,
                  const struct sl_sweep_report_config *config, struct sl_failure *f);
void sl_sweep_view_free(struct sl_sweep_view *view);

/* Returns the point with the best mean, or with the best worst stream, whose x is at most `under`
 * (in bytes if x is storage; 0: no limit); NULL if there is none. */
const struct sl_swept_point *sl_sweep_best(const struct sl_sweep_view *view, uint64_t under,
                                           bool worst);

/* Title of a measure: "error by interval" for "interval", otherwise its name. */
const char *sl_swept_measure(const char *measure);

/* Formats a value with the unit of its measure: "4.0 KB", "1.23%", "512". Returns `text`. */
#define SL_SWEPT_CAPACITY 40
const char *sl_swept_text(const char *measure, double value, char text[SL_SWEPT_CAPACITY]);

/* ---- steps of sl_sweep_view(), in this order ---- */

/* Computes x, mean, worst and overhead of each point, and which points count. With `holes`, points
 * with missing results count, too. */
void sl_sweep_average(struct sl_sweep_view *view, bool holes);

/* Sets label, head and common. Returns false if out of memory. */
bool sl_sweep_label(struct sl_sweep_view *view);

/* Sorts the points by x and updates the results. Returns 0 or SL_ENOMEM. */
int sl_sweep_sort(struct sl_sweep_view *view, struct sl_failure *f);

/* Sets front and worst_front of all points, which must be sorted. */
void sl_sweep_find_fronts(struct sl_sweep_view *view);

/* Returns SL_ENOMEM and sets the message. */
int sl_sweep_view_no_memory(struct sl_failure *f);

#endif
