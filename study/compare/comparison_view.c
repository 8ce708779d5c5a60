/* SPDX-License-Identifier: MIT */
/* Values that both the text output and the JSON output of `sluice compare` print: the warnings, the
 * speed of a table, the name of an error measure, and the number of events after which a profile's
 * error stays below a limit (--below). */
#include "comparison.h"

#include <math.h>

#define LIMIT_USUAL 0.05

const char *const sl_comparison_measures[SL_MEASURES] = {
    [SL_MEASURE_INVARIANCE] = "invariance",
    [SL_MEASURE_OVERLAP] = "overlap",
    [SL_MEASURE_RELATIVE] = "relative",
};

int sl_comparison_view_open(struct sl_comparison_view *view, const struct sl_comparisons *all,
                            const struct sl_compare_config *config, struct sl_failure *f)
{
    struct sl_warnings *notes = &view->notes;
    bool good = true;
    *view = (struct sl_comparison_view){
        .all = all,
        .limit = config->below > 0 ? config->below : LIMIT_USUAL,
        .whole = sl_overhead_whole(all->instructions, all->cycles),
    };
    if (all->warning && all->warning[0])
        good = sl_warnings_add(notes, "%s", all->warning);
    for (size_t i = 0; i < all->n && good; i++) {
        const struct sl_comparison *row = &all->row[i];
        if (row->status.note[0])
            good = sl_warnings_add(notes, "%s: %s", row->given ? row->given : row->spec,
                                   row->status.note);
    }
    if (good)
        return 0;
    sl_comparison_view_close(view);
    return sl_report_no_memory(f);
}

void sl_comparison_view_close(struct sl_comparison_view *view)
{
    sl_warnings_free(&view->notes);
}

uint64_t sl_comparison_below(const struct sl_comparison_view *view, const struct sl_comparison *row)
{
    return view->all->every ? sl_curve_below(row->curve, view->limit) : UINT64_MAX;
}

double sl_comparison_speed(const struct sl_comparison *row)
{
    return row->seconds > 0 ? (double)row->status.events / row->seconds : (double)NAN;
}
