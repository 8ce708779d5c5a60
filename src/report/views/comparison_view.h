/* SPDX-License-Identifier: MIT */
/* What follows from profiles side by side, in text and JSON alike. */
#ifndef SL_COMPARISON_VIEW_H
#define SL_COMPARISON_VIEW_H

#include "comparison.h"
#include "overhead.h"
#include "wording.h"

struct sl_comparison_view {
    const struct sl_comparisons *all;
    double limit;                   /* the error to get below */
    struct sl_overhead_whole whole; /* that overheads are shares of */
    struct sl_notes notes;          /* to be read before the figures: of the stream, of tables */
};

/* What errors are by, in a word. */
extern const char *const sl_comparison_measures[SL_MEASURES];

/* To be closed; not after an error. */
int sl_comparison_view_open(struct sl_comparison_view *view, const struct sl_comparisons *all,
                            const struct sl_compare_config *config, struct sl_failure *f);
void sl_comparison_view_close(struct sl_comparison_view *view);

/* Since how many events a row's error is below the limit, UINT64_MAX if it is not, or if there
 * is no curve; events a second, NAN if that was not measured. */
uint64_t sl_comparison_below(const struct sl_comparison_view *view,
                             const struct sl_comparison *row);
double sl_comparison_speed(const struct sl_comparison *row);

#endif
