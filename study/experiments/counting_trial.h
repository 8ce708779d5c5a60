/* SPDX-License-Identifier: MIT */
/* Approximate counters by the hundred, without a program: each counter of one table is a trial,
 * with random bits of its own, and all of them count the same number of events. */
#ifndef COUNTING_TRIAL_H
#define COUNTING_TRIAL_H

#include "sluice-study.h"

struct counting_trials {
    const char *table, *options; /* "morris", "base=1.5,bits=7": without counters and seed */
    size_t n;
    uint64_t seed, events;
    double *error; /* of n: relative, with its sign; -1 where nothing was counted */
};

/* Fills `error`. */
int counting_try(const struct counting_trials *trials, struct sl_failure *f);

/* Bits of one counter, or group; 0 with a failure if there is no such table. */
uint64_t counting_bits(const struct counting_trials *trials, struct sl_failure *f);

/* What they add up to. */
struct counting_moments {
    double bias, square, absolute; /* means of e, e^2 and |e| */
};

struct counting_moments counting_moments(const double *error, size_t n);

/* The share of errors above `limit`, too high or too low. */
double counting_beyond(const double *error, size_t n, double limit);

#endif
