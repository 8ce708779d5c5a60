/* SPDX-License-Identifier: MIT */
/* Morris counters in groups (table `morris`): approximate counts of events in a few bits.
 *
 * Paper: Xu, Kim, Nikolic, Shao, "Memory-Efficient Hardware Performance Counters with
 * Approximate-Counting Algorithms". A counter of base a holds X in a few bits. An event increments
 * it with probability a^-X; it stays at the end of its range. The relative variance of a counter is
 * (a-1)/2, that of a group of g is that over g. The paper's configuration, a = 2, 6 bits, groups of
 * 5, has 30 bits instead of 64, a standard deviation of 32 % and a mean absolute error of 24 to 25
 * %.
 *
 *     | X (6) | X (6) | X (6) | X (6) | X (6) |   one group; the count of an event is their mean
 *
 * Departures from the paper, and where it is silent
 *   1. Reading. The paper reads a counter as a^X. (a^X - 1) / (a - 1) is unbiased and the default
 *      here. With reading=plain, a counter at 0 would denote one event; it is not reported.
 *   2. Steps of the register per event. With all bits fresh, or the X that are compared, draws are
 *      independent. With one step, the cheapest, successes cluster: the mean is right, but the
 *      variance is ten times as large, so that a group of five is worse than one counter
 *      (tests/unit/morris.c).
 *   3. Width of the register. A counter of base 2 ends at the width, and a register repeats after
 *      2^width steps. With a base below 2, probabilities are multiples of 2^-width and coarse near
 *      the end: the mean of 2^63 events is 0.4 % too low with base 1.2.
 *   4. Sharing of registers. If groups share registers, or registers follow the clock, each group
 *      is as accurate as before, but the errors of groups are correlated. */
#include "approximate.h"
#include "failure.h"

static const char *const readings[] = {"unbiased", "plain", NULL};
static const char *const registers[] = {"own", "shared", "clock", NULL};
static const char *const steps[] = {"all", "x", "1", NULL};

static const struct sl_option options[] = {
    SL_REAL(struct sl_approximate_config, base, "2", 1.0001, 2,
            "increments with probability base^-X"),
    SL_UNSIGNED(struct sl_approximate_config, bits, "6", 1, 16, "width of each counter, in bits"),
    SL_UNSIGNED(struct sl_approximate_config, group, "5", 1, SL_APPROXIMATE_GROUP_MAX,
                "number of counters per tuple; their mean is the estimated count"),
    SL_CHOICE(struct sl_approximate_config, reading, "unbiased", readings,
              "estimate from a counter value X: (base^X-1)/(base-1) (unbiased), or base^X (plain)"),
    SL_CHOICE(struct sl_approximate_config, lfsr, "64", sl_lfsr_widths,
              "width of each counter's shift register, in bits"),
    SL_CHOICE(
        struct sl_approximate_config, steps, "all", steps,
        "steps of the shift register per event: its width (all), the counter value (x), or 1"),
    SL_CHOICE(struct sl_approximate_config, registers, "own", registers,
              "shift registers: one per counter (own), shared by all groups and moved by each "
              "event (shared), or shared and moved by each cycle (clock)"),
    SL_UNSIGNED(struct sl_approximate_config, counters, "29", 1, 65536,
                "number of tuples that can have counters"),
    SL_UNSIGNED(struct sl_approximate_config, seed, "1", 0, UINT64_MAX,
                "seed of the shift registers"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_approximate_config *c = config;
    if (c->steps == SL_STEPS_X && c->base < 2)
        return sl_fail(f, SL_EUSAGE,
                       "morris: steps=x needs base=2, because a draw with a smaller base reads the "
                       "whole register: use steps=all");
    if (c->steps == SL_STEPS_X && c->registers)
        return sl_fail(f, SL_EUSAGE,
                       "morris: steps=x needs registers=own, because counters that share a "
                       "register have different values X: use steps=all or steps=1");
    sl_approximate_limit(c);
    c->variance = (c->base - 1) / 2 / (double)c->group;
    return 0;
}

const struct sl_table_kind sl_table_morris = {
    .name = "morris",
    .summary = "Morris counters: approximate counts in a few bits, with a known error",
    .storage = "counters x group x bits, without the shift registers",
    .options = options,
    SL_APPROXIMATE_KIND,
    .resolve = resolve,
};
