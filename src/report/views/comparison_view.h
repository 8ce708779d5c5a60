/* SPDX-License-Identifier: MIT */
/* Statistics derived from a comparison of profiles (`compare`), for text and JSON. */
#ifndef SL_COMPARISON_VIEW_H
#define SL_COMPARISON_VIEW_H

#include "comparison.h"
#include "delivery.h"
#include "format.h"

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

/* The number of events from which on a row's error is below the limit; UINT64_MAX if it is not, or
 * if there is no curve. Events per second; NAN if that was not measured. */
uint64_t sl_comparison_below(const struct sl_comparison_view *view,
                             const struct sl_comparison *row);
double sl_comparison_speed(const struct sl_comparison *row);

#endif
