#include "comparison.h"

#define LIMIT_USUAL 0.05

double sl_comparisons_limit(const struct sl_comparisons *all)
{
    return all->limit > 0 ? all->limit : LIMIT_USUAL;
}

uint64_t sl_comparison_below(const struct sl_comparisons *all, const struct sl_comparison *row)
{
    return all->every ? sl_curve_below(row->curve, sl_comparisons_limit(all)) : UINT64_MAX;
}

int sl_comparisons_notes(const struct sl_comparisons *all, struct sl_notes *notes,
                         struct sl_failure *f)
{
    bool good = true;
    *notes = (struct sl_notes){0};
    if (all->warning && all->warning[0])
        good = sl_notes_add(notes, "%s", all->warning);
    for (size_t i = 0; i < all->n && good; i++) {
        const struct sl_comparison *row = &all->row[i];
        if (row->status.note[0])
            good = sl_notes_add(notes, "%s: %s", row->given ? row->given : row->spec,
                                row->status.note);
    }
    if (good)
        return 0;
    sl_notes_free(notes);
    return sl_report_no_memory(f);
}

double sl_comparison_speed(const struct sl_comparison *row)
{
    return row->seconds > 0 ? (double)row->status.events / row->seconds : (double)NAN;
}
