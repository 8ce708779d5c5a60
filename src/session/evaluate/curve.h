/* SPDX-License-Identifier: MIT */
/* An error as it evolves with the number of events, and when it is small for good. */
#ifndef SL_CURVE_H
#define SL_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_curve {
    struct sl_curve_point {
        uint64_t events;
        double error;
    } * point;
    size_t n, room;
};

/* Points come in the order of their events; a second one of as many events takes the
 * place of the first. An error of nothing (sl_invariance.tuples is 0: no instruction was
 * executed often enough yet) is no point of the curve, or it would be below any limit
 * from its start. Out of memory: false, nothing added. */
bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error);

/* The first point's `events` from which on every point is at most `limit`;
 * UINT64_MAX if the last is not, or there is none. */
uint64_t sl_curve_below(const struct sl_curve *curve, double limit);

void sl_curve_free(struct sl_curve *curve);

#endif
