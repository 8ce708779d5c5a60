/* SPDX-License-Identifier: MIT */
/* Approximate counters for the interval profilers (option `base`). They are our addition: the
 * paper on interval profilers has only exact counters.
 *
 * Counters only have to distinguish T events from fewer; their full precision is not needed. With a
 * base a > 1, they are Morris counters (approximate.h): a counter holds X in `bits` bits and
 * estimates (a^X - 1) / (a - 1) events, rounded. An event increments it with probability a^-X.
 * Counts in interval_table.h then mean estimates. Since they grow with X, the smallest counter is
 * the smallest X. The accumulator stays exact: only the initial count of a promoted tuple is an
 * estimate, unbiased as long as no other tuple shares its counters, with relative variance
 * (a-1)/(a+1).
 *
 * One random number per event serves all counters of its tuple, compared with the probability of
 * each. A draw that succeeds at X succeeds at all smaller values, so that counters that have seen
 * the same events are equal. With one draw per counter, the smallest would be biased low.
 *
 *     conservative   the draw is for the smallest; counters equal to it are incremented
 *     otherwise      each counter for which the draw succeeds is incremented
 *
 * An event of weight w is w draws. Draws that fail for the smallest counter fail for all and are
 * skipped (draws.h). Draws come from a generator, which is equivalent to a shift register of 64
 * bits that moves by all its bits.
 *
 * Storage: an exact counter needs log2 T bits, 10 for the usual T of 1,000; the paper has 24 for
 * any interval. With 8 bits and base 1.02 the standard deviation of the initial count is 10 %, with
 * 6 bits and 1.1 it is 22 %. There are no certain bounds. A floating-point counter with d
 * bits of mantissa is about the same as base 2^(2^-d). */
#include "interval_table.h"
#include "random.h"

/* ---- making ---- */

/* Without registers: x steps, which keep nothing for jumps. */
static struct sl_draws_config draws_config(const struct sl_interval_config *c)
{
    return (struct sl_draws_config){.lfsr = &sl_lfsrs[SL_LFSR_LONGEST],
                                    .base = c->base,
                                    .levels = sl_interval_approximate_top(c) + 1,
                                    .steps = SL_STEPS_X,
                                    .seed = sl_mix(c->seed + 1)};
}

uint32_t sl_interval_approximate_top(const struct sl_interval_config *c)
{
    uint32_t levels = sl_draws_levels_max(&sl_lfsrs[SL_LFSR_LONGEST], c->base);
    uint32_t most = (UINT32_C(1) << c->bits) - 1;
    return most < levels ? most : levels;
}

size_t sl_interval_approximate_bytes(const struct sl_interval_config *c)
{
    struct sl_draws_config draws = draws_config(c);
    return draws.levels * sizeof(uint64_t) + sl_draws_bytes(&draws);
}

/* Added up, not by pow(3): the same on every machine. */
uint64_t sl_interval_estimates(const struct sl_interval_config *c, uint64_t *estimates)
{
    uint64_t events = 0;
    double sum = 0, power = 1;
    uint32_t top = sl_interval_approximate_top(c);
    for (uint32_t value = 0; value <= top; value++) {
        events = sum < 0x1p60 ? (uint64_t)(sum + 0.5) : UINT64_C(1) << 60;
        if (estimates)
            estimates[value] = events;
        sum += power;
        power *= c->base;
    }
    return events;
}

void sl_interval_approximate_init(struct sl_interval_table *t)
{
    struct sl_interval_approximate *a = &t->approximate;
    struct sl_draws_config draws = draws_config(&t->config);
    a->top = sl_interval_approximate_top(&t->config);
    sl_interval_estimates(&t->config, a->estimates);
    sl_draws_init(&a->draws, &draws, a->estimates + a->top + 1);
    for (a->threshold = 0; a->estimates[a->threshold] < t->threshold;)
        a->threshold++;
}

/* ---- counting ---- */

static uint32_t smallest_of(const struct sl_interval_table *t, const uint32_t *at)
{
    uint32_t smallest = UINT32_MAX;
    for (unsigned k = 0; k < t->config.tables; k++)
        smallest = t->counter[at[k]] < smallest ? t->counter[at[k]] : smallest;
    return smallest;
}

/* Of the events that are left, the first that counts for the smallest: how many it takes to
 * have it, and its draw; 0 if there is none among them. */
static uint64_t next_success(struct sl_draws *d, uint32_t smallest, uint64_t left, uint64_t *draw)
{
    if (left == 1 || !smallest) {
        *draw = sl_random_next(&d->random);
        return !smallest || *draw < d->chance[smallest];
    }
    uint64_t gap = sl_draws_gap(d, smallest);
    if (gap > left)
        return 0;
    *draw = sl_random_below(&d->random, d->chance[smallest]);
    return gap;
}

uint32_t sl_interval_approximate_raise(struct sl_interval_table *t, const uint32_t *at,
                                       uint64_t weight)
{
    struct sl_interval_approximate *a = &t->approximate;
    uint32_t smallest = smallest_of(t, at);
    uint64_t draw, n;
    for (; weight && smallest < a->top; weight -= n, smallest = smallest_of(t, at)) {
        if (!(n = next_success(&a->draws, smallest, weight, &draw)))
            break;
        for (unsigned k = 0; k < t->config.tables; k++) {
            uint32_t *counter = &t->counter[at[k]];
            bool counts = t->config.conservative ? *counter == smallest
                                                 : !*counter || draw < a->draws.chance[*counter];
            *counter += counts && *counter < a->top;
        }
    }
    return smallest;
}
