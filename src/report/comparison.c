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

double sl_comparison_speed(const struct sl_comparison *row)
{
    return row->seconds > 0 ? (double)row->status.events / row->seconds : (double)NAN;
}
