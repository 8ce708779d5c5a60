/* SPDX-License-Identifier: MIT */
/* Monte Carlo trials of approximate counters, on synthetic events. Many counters of one table count
 * the same number of events, each with its own random bits, and each counter is one trial. */
#ifndef COUNTING_TRIAL_H
#define COUNTING_TRIAL_H

#include "sluice-study.h"

struct counting_trials {
    const char *table, *options; /* "morris", "base=1.5,bits=7": without counters and seed */
    size_t n;                    /* number of trials */
    uint64_t seed, events;
    double *error; /* of each trial: count / events - 1; -1 if the counter is 0 */
};

/* Runs the trials and fills `error`. Returns 0, SL_ENOMEM, or an error of the table's spec. */
int counting_trials_run(const struct counting_trials *trials, struct sl_failure *f);

/* Returns the storage in bits of one counter, or of one group if counters share bits; 0 and a
 * failure for an invalid spec. */
uint64_t counting_bits(const struct counting_trials *trials, struct sl_failure *f);

/* Means over all trials of the error e, of e^2 and of |e|. */
struct counting_moments {
    double bias, square, absolute;
};

struct counting_moments counting_moments(const double *error, size_t n);

/* Returns the fraction of the n errors whose absolute value is above `limit`. */
double counting_error_tail(const double *error, size_t n, double limit);

#endif
