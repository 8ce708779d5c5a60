/* SPDX-License-Identifier: MIT */
/* Error curve: a list of points (number of events, error), and the search for the first point after
 * which the error stays below a limit (curve.h). */
#include "curve.h"

#include <stdlib.h>

#include "grow.h"

bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error)
{
    if (!SL_GROW(curve->point, curve->capacity, curve->n + 1))
        return false;
    if (curve->n && curve->point[curve->n - 1].events == events)
        curve->n--;
    curve->point[curve->n++] = (struct sl_curve_point){events, error};
    return true;
}

uint64_t sl_curve_below(const struct sl_curve *curve, double limit)
{
    size_t from = curve->n;
    while (from > 0 && curve->point[from - 1].error <= limit)
        from--;
    return from < curve->n ? curve->point[from].events : UINT64_MAX;
}

void sl_curve_free(struct sl_curve *curve)
{
    free(curve->point);
    *curve = (struct sl_curve){0};
}
