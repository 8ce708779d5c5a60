/* SPDX-License-Identifier: MIT */
/* Morris's approximate counter in groups, as the document of the event counters has it.
 *
 * A counter of base a holds X in a few bits. On each event it is incremented with probability
 * a^-X, and stays at the end of its range. The document reads it as a^X; the mean of
 * (a^X - 1) / (a - 1) is the true count exactly, so that this is the usual reading here. The
 * relative variance of a counter is (a-1)/2, of a group of g that over g. The document's:
 * a = 2, 6 bits, groups of 5: 30 bits for what would take 64, with a standard deviation of
 * 32 % and a mean absolute error of 24 to 25 %.
 *
 *     | X (6) | X (6) | X (6) | X (6) | X (6) |   one group; an event's count is their mean
 *
 * The document does not say how far a counter's register moves for each event. If all its
 * bits are fresh, or the X that are looked at, draws are independent; with one step, the
 * cheapest, successes come in bunches: the mean stays right, but the variance becomes ten
 * times as large, which leaves of a group of five less than a single counter has
 * (tests/unit/morris.c measures it). Widths: a counter of base 2 ends at the width of its
 * register, and after 2^width steps a register repeats itself. With a base below 2 chances are
 * whole parts of 2^-width, so that within some powers of two of the end they are coarse: the
 * mean of 2^63 events is 0.4 % too low with base 1.2.
 *
 * Nor does the document say whether each group has registers of its own. Where they are shared or
 * run with the clock, groups draw from the same bits: each by itself stays as it is, but their
 * errors go together.
 *
 * With the plain reading a counter that has counted nothing would stand for one event; it is
 * not reported. */
#include "approximate.h"
#include "draws.h"
#include "failure.h"

static const char *const readings[] = {"unbiased", "plain", NULL};
static const char *const registers[] = {"own", "shared", "clock", NULL};
static const char *const steps[] = {"all", "x", "1", NULL};

static const struct sl_option options[] = {
    SL_REAL(struct sl_approximate_config, base, "2", 1.0001, 2,
            "increments with probability base^-X"),
    SL_UNSIGNED(struct sl_approximate_config, bits, "6", 1, 16, "of each counter"),
    SL_UNSIGNED(struct sl_approximate_config, group, "5", 1, SL_APPROXIMATE_GROUP_MAX,
                "counters of one event, read as their mean"),
    SL_CHOICE(struct sl_approximate_config, reading, "unbiased", readings,
              "(base^X-1)/(base-1), or base^X"),
    SL_CHOICE(struct sl_approximate_config, lfsr, "64", sl_lfsr_widths,
              "bits of each counter's shift register"),
    SL_CHOICE(struct sl_approximate_config, steps, "all", steps,
              "that it moves for each event: all its bits fresh, X of them, or one"),
    SL_CHOICE(struct sl_approximate_config, registers, "own", registers,
              "of each counter, for the same one of all groups, or those by the clock"),
    SL_UNSIGNED(struct sl_approximate_config, counters, "29", 1, 65536, "events that it can hold"),
    SL_UNSIGNED(struct sl_approximate_config, seed, "1", 0, UINT64_MAX, "of the registers"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_approximate_config *c = config;
    if (c->steps == SL_STEPS_X && c->base < 2)
        return sl_fail(f, SL_EUSAGE,
                       "morris: with a base below 2 a draw looks at the whole "
                       "register, so that there is no steps=x; use steps=all");
    if (c->steps == SL_STEPS_X && c->registers)
        return sl_fail(f, SL_EUSAGE,
                       "morris: counters that share a register are at different X, so "
                       "that there is no steps=x; use steps=all or steps=1");
    sl_approximate_limit(c, (UINT64_C(1) << c->bits) - 1);
    c->variance = (c->base - 1) / 2 / (double)c->group;
    return 0;
}

static bool timed(const void *config)
{
    return ((const struct sl_approximate_config *)config)->registers == SL_REGISTERS_CLOCK;
}

static uint64_t storage_bits(const void *config)
{
    const struct sl_approximate_config *c = config;
    return c->counters * c->group * c->bits;
}

const struct sl_table_kind sl_table_morris = {
    .name = "morris",
    .adds = SL_ADDS_LISTED,
    .summary = "counts of events within a known error, in groups of a few bits",
    .storage = "counters x group x bits; the shift registers are not counted",
    .options = options,
    .config_size = sizeof(struct sl_approximate_config),
    .input = {.by_number = true, .holds = "counters"},
    .resolve = resolve,
    .storage_bits = storage_bits,
    .size = sl_approximate_size,
    .init = sl_approximate_init,
    .step = sl_approximate_step,
    .observe = sl_approximate_observe,
    .drain = sl_approximate_drain,
    .status = sl_approximate_status,
    .totals = &(const struct sl_table_totals){.sums_up_to = sl_approximate_sums_up_to},
    .timing = &(const struct sl_table_timing){.timed = timed},
};
