/* SPDX-License-Identifier: MIT */
/* What a sampled tuple's true count is in 95 of 100 cases, by the number of its samples.
 *
 * Of a tuple with t elements S are selected, each with probability 1/r: S is binomial. (With P,
 * whose samples are evenly apart, or with RD, it varies less.) Only tuples with S > 0 are ever
 * listed, and most that are listed with one or two samples are rare ones that were lucky; of
 * those, t is far below S r. So bounds are those of S given that it is not 0:
 *
 *     low    the least t for which S or more samples have a chance above 2.5 %
 *     high   the largest t for which S or fewer do
 *
 * Then, whatever t is, it is between the bounds of what was seen in 95 of 100 of the cases in
 * which it is listed. With one sample, low is 1. From many samples on, where that S may be 0
 * makes no difference, the normal distribution serves: those t from which S r is not farther
 * than 1.96 standard deviations, the root of (r - 1) t. */
#ifndef SL_SAMPLING_BOUNDS_H
#define SL_SAMPLING_BOUNDS_H

#include <stdint.h>

#define SL_SAMPLING_FEW 64u /* up to these, distributions are added up */

struct sl_sampling_bounds {
    uint64_t rate;
    struct sl_bound_pair {
        uint64_t low, high;
    } of[SL_SAMPLING_FEW + 1]; /* by samples, from 1 */
};

/* For samples of one in `rate`, from 1 on. */
void sl_sampling_bounds_init(struct sl_sampling_bounds *bounds, uint64_t rate);

/* For so many samples, from 1 on. */
struct sl_bound_pair sl_sampling_bounds(const struct sl_sampling_bounds *bounds, uint64_t samples);

#endif
