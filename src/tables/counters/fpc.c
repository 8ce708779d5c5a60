/* SPDX-License-Identifier: MIT */
/* Floating-point counters (table `fpc`): approximate counts with a smaller error than `morris`
 * for the same number of bits.
 *
 * Paper: Csuros, "Approximate counting with a floating-point counter", 2010.
 *
 *     | exponent t | mantissa u (d bits) |      denotes (2^d + u) 2^t - 2^d events
 *
 * An event increments the whole number with probability 2^-t, so that an overflow of the mantissa
 * increments the exponent. Exact up to 2^d events; then the relative variance is at most
 * 3 / (8 2^d - 3). In 30 bits, those of a group of five of `morris` (32 %), that is a standard
 * deviation of 0.015 %; in 12 bits 7.7 %. */
#include "approximate.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_approximate_config, exponent, "6", 1, 6,
                "width of the exponent, in bits"),
    SL_UNSIGNED(struct sl_approximate_config, mantissa, "6", 1, 24,
                "width of the mantissa, in bits"),
    SL_CHOICE(struct sl_approximate_config, lfsr, "64", sl_lfsr_widths,
              "width of each counter's shift register, in bits"),
    SL_UNSIGNED(struct sl_approximate_config, counters, "29", 1, 65536,
                "number of tuples that can have a counter"),
    SL_UNSIGNED(struct sl_approximate_config, seed, "1", 0, UINT64_MAX,
                "seed of the shift registers"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    struct sl_approximate_config *c = config;
    (void)f;
    c->base = 2;
    c->group = 1;
    c->bits = c->exponent + c->mantissa;
    sl_approximate_limit(c);
    c->variance = 3 / (double)((UINT64_C(8) << c->mantissa) - 3);
    return 0;
}

const struct sl_table_kind sl_table_fpc = {
    .name = "fpc",
    .summary = "floating-point counters: approximate, more accurate than morris for the same bits",
    .storage = "counters x (exponent + mantissa) bits, without the shift registers",
    .options = options,
    SL_APPROXIMATE_KIND,
    .resolve = resolve,
};
