/* SPDX-License-Identifier: MIT */
/* Counter storage: what the function profilers keep, a counter for each function, in
 * words of `bits` bits. Two ways to do with narrow ones:
 *
 *     shift=0   A counter that is full stays full. That is seen, and what it lost is known
 *               to the model.
 *     shift=1   When one would overflow, all are shifted right by one, and from then on
 *               each unit stands for twice as much. What is less than a unit stays in the
 *               data counter, and goes to the function that is charged next; the bits
 *               shifted out are lost. So ratios hold, and no certain bounds.
 *
 * The document has words of 32 and 64 bits, and names detection and shifting as work to
 * be done, after a loop detector whose counters are halved when one is full. That one goes
 * on to count by ones, so that old events fade; here they keep their weight.
 *
 * Sum of the counts + what is lost = what was added. Not modelled: the N cycles that
 * shifting takes. Assumed: all that is added is less than 2^63. */
#ifndef SL_COUNTER_STORAGE_H
#define SL_COUNTER_STORAGE_H

#include "options.h"

struct sl_counter_config {
    uint64_t bits;
    bool shift;
    uint64_t capacity; /* functions, or ranges, that there are counters for; 0: all */
};

/* The options of a table whose configuration is a struct sl_counter_config. */
#define SL_COUNTER_OPTIONS                                                                    \
    SL_UNSIGNED(struct sl_counter_config, bits, "32", 1, 64, "of a counter"),                 \
        SL_BOOL(struct sl_counter_config, shift, "0", "halve all counters when one is full"), \
        SL_UNSIGNED(struct sl_counter_config, capacity, "0", 0, 1 << 20,                      \
                    "counters that there are; 0: as many as are needed")

struct sl_counter_storage {
    uint64_t *count; /* the caller's */
    size_t n;
    uint64_t max;
    bool shift;
    unsigned exponent;  /* a unit is 1 << exponent */
    uint64_t carry;     /* less than a unit: what the data counter has kept */
    uint64_t overflows; /* additions that lost something */
    uint64_t lost;      /* in full counters, and shifted out */
};

void sl_counters_init(struct sl_counter_storage *s, const struct sl_counter_config *config,
                      uint64_t *count, size_t n);

/* An addition for which there is no room. */
void sl_counters_overflow(struct sl_counter_storage *s, size_t i, uint64_t units);

static inline void sl_counters_add(struct sl_counter_storage *s, size_t i, uint64_t weight)
{
    uint64_t sum = s->carry + weight, units = sum >> s->exponent;
    s->carry = sum - (units << s->exponent);
    if (__builtin_expect(units > s->max - s->count[i], 0))
        sl_counters_overflow(s, i, units);
    else
        s->count[i] += units;
}

/* What counter i says. */
static inline uint64_t sl_counters_get(const struct sl_counter_storage *s, size_t i)
{
    return s->count[i] << s->exponent;
}

#endif
