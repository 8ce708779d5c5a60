/* SPDX-License-Identifier: MIT */
/* 95 % confidence bounds of the true count of a sampled tuple, from its number of samples.
 *
 * Of a tuple with t elements, S are selected, each with probability 1/r: S is binomial. (With P and
 * RD it varies less.) Only tuples with S > 0 are listed, and most tuples with one or two samples
 * are rare ones that were selected by chance: their t is far below S r. So the bounds are
 * conditional on S > 0:
 *
 *     low    the least t for which S or more samples have a probability above 2.5 %
 *     high   the largest t for which S or fewer do
 *
 * Then, for any t, the bounds contain t in 95 % of the cases in which the tuple is listed. With one
 * sample, low is 1. For many samples the condition makes no difference and the normal distribution
 * is used: all t for which S r is within 1.96 standard deviations, each sqrt((r - 1) t). */
#ifndef SL_SAMPLING_BOUNDS_H
#define SL_SAMPLING_BOUNDS_H

#include <stdint.h>

#define SL_SAMPLING_FEW 64u /* largest S for which the binomial distribution is used */

struct sl_sampling_bounds {
    uint64_t rate;
    struct sl_bound_pair {
        uint64_t low, high;
    } of[SL_SAMPLING_FEW + 1]; /* by samples, from 1 */
};

/* Prepares the bounds for a rate of 1 or more. */
void sl_sampling_bounds_init(struct sl_sampling_bounds *bounds, uint64_t rate);

/* The bounds for 1 or more samples. */
struct sl_bound_pair sl_sampling_bounds(const struct sl_sampling_bounds *bounds, uint64_t samples);

#endif
