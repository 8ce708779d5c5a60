/* SPDX-License-Identifier: MIT */
/* Reads the counts and the errors of each run of a repeated profile. */
#ifndef SL_SAVED_RUNS_H
#define SL_SAVED_RUNS_H

#include "saved.h"
#include "spread.h"

/* The values of an event or a measure in all runs. NAN: not defined. */
struct sl_saved_sample {
    char *name;
    double *value;
    size_t n, room;
    uint64_t count, exact; /* of an event: the estimate of run 0, and the exact count */
};

struct sl_saved_samples {
    struct sl_saved_sample *sample;
    size_t n, room;
};

/* The value of an event is its relative error, negative if the count was too low. Both lists are
 * empty where nothing was stored; measures also for a single run. */
struct sl_saved_runs {
    size_t n; /* number of runs; 0 where nothing was stored */
    struct sl_saved_samples events, measures;
    uint64_t room; /* events that the table has storage for; 0: as many as there are */
};

/* Returns 0, SL_EFORMAT or SL_ENOMEM; nothing is to be freed after an error. */
int sl_saved_runs(struct sl_database *database, const struct sl_saved_profile *profile,
                  struct sl_saved_runs *runs, struct sl_failure *f);
void sl_saved_runs_free(struct sl_saved_runs *runs);

/* The distribution of absolute values, of one sample or, if `one` is NULL, of all samples together.
 * False: out of memory. */
bool sl_saved_spread(const struct sl_saved_samples *all, const struct sl_saved_sample *one,
                     struct sl_spread *spread);

/* Storage of the profile's table in bits per event that it has storage for. */
double sl_saved_event_bits(const struct sl_saved_profile *profile,
                           const struct sl_saved_runs *runs);

#endif
