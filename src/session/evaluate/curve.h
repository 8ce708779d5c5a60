/* SPDX-License-Identifier: MIT */
/* Error curve: the error of a profile as a function of the number of events. */
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
    size_t n, capacity;
};

/* Appends a point. Points come in order of their events; a second point with the same events
 * replaces the first. An undefined error (sl_invariance.tuples is 0: no instruction was executed
 * often enough yet) must not be added, or it would be below every limit. Returns false if out of
 * memory. */
bool sl_curve_add(struct sl_curve *curve, uint64_t events, double error);

/* The `events` of the first point from which on all errors are at most `limit`; UINT64_MAX if the
 * last one is not, or there are no points. */
uint64_t sl_curve_below(const struct sl_curve *curve, double limit);

void sl_curve_free(struct sl_curve *curve);

#endif
