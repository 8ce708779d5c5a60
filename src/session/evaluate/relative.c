/* SPDX-License-Identifier: MIT */
#include "relative.h"

#include <math.h>

void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out)
{
    size_t at = 0;
    double sum = 0;
    sl_profile_list_sort(exact);
    sl_profile_list_sort(profile);
    for (size_t i = 0; i < exact->n; i++) {
        const struct sl_counted *e = &exact->entry[i];
        while (at < profile->n && sl_tuple_order(profile->entry[at].tuple, e->tuple) < 0)
            at++;
        bool there = at < profile->n && !sl_tuple_order(profile->entry[at].tuple, e->tuple);
        double said = there ? (double)profile->entry[at].count : 0;
        sum += fabs(said - (double)e->count) / (double)e->count;
    }
    *out = (struct sl_relative){.error = exact->n ? sum / (double)exact->n : 0, .tuples = exact->n};
}
