/* SPDX-License-Identifier: MIT */
/* Computes the confidence bounds of sampled counts. compressor.h defines them. */
#include "compressor.h"

#include <math.h>

#define TAIL 0.025  /* probability on either side */
#define NORMAL 1.96 /* the same in standard deviations */

/* Probability of 1 to `samples` samples of t elements, given that there is at least one. */
static double at_most(double t, unsigned samples, double p)
{
    double none = exp(t * log1p(-p)), term = none, sum = 0;
    for (unsigned i = 1; i <= samples && i <= t; i++) {
        term *= (t - i + 1) / i * p / (1 - p);
        sum += term;
    }
    return sum / -expm1(t * log1p(-p));
}

/* The smallest t >= from for which `samples` or fewer have a probability of at most `limit`. The
 * probability falls with t. */
static uint64_t least(uint64_t from, unsigned samples, double p, double limit)
{
    uint64_t low = from, high = from;
    while (at_most((double)high, samples, p) > limit) {
        low = high + 1;
        high *= 2;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (at_most((double)middle, samples, p) > limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sl_sampling_bounds_init(struct sl_sampling_bounds *b, uint64_t rate)
{
    double p = 1 / (double)rate;
    b->rate = rate;
    for (unsigned n = 1; n <= SL_SAMPLING_FEW && rate > 1; n++) {
        b->of[n].low = n == 1 ? 1 : least(n, n - 1, p, 1 - TAIL);
        b->of[n].high = least(n, n, p, TAIL);
    }
}

struct sl_bound_pair sl_sampling_bounds(const struct sl_sampling_bounds *b, uint64_t samples)
{
    if (b->rate == 1)
        return (struct sl_bound_pair){samples, samples};
    if (samples <= SL_SAMPLING_FEW)
        return b->of[samples];
    double k = (double)(b->rate - 1), count = (double)samples * (double)b->rate;
    double middle = NORMAL * NORMAL * k / 2;
    double around = NORMAL * sqrt(k * count + NORMAL * NORMAL * k * k / 4);
    double low = fmax(count - (around - middle), (double)samples);
    return (struct sl_bound_pair){(uint64_t)low, (uint64_t)ceil(count + middle + around)};
}
