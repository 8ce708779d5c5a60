/* SPDX-License-Identifier: MIT */
/* Reads the counts and the errors of each run of a repeated profile. */
#ifndef SL_DB_RUNS_H
#define SL_DB_RUNS_H

#include "db.h"
#include "spread.h"

/* The values of an event or a measure in all runs. NAN: not defined. */
struct sl_db_sample {
    char *name;
    double *value;
    size_t n, capacity;
    uint64_t count, exact; /* of an event: the estimate of run 0, and the exact count */
};

struct sl_db_samples {
    struct sl_db_sample *sample;
    size_t n, capacity;
};

/* The value of an event is its relative error, negative if the count was too low. Both lists are
 * empty where nothing was stored; measures also for a single run. */
struct sl_db_runs {
    size_t n; /* number of runs; 0 where nothing was stored */
    struct sl_db_samples events, measures;
    uint64_t capacity; /* events that the table has storage for; 0: as many as there are */
};

/* Returns 0, SL_EFORMAT or SL_ENOMEM; nothing is to be freed after an error. */
int sl_db_runs(struct sl_database *database, const struct sl_db_profile *profile,
               struct sl_db_runs *runs, struct sl_failure *f);
void sl_db_runs_free(struct sl_db_runs *runs);

/* The distribution of absolute values, of one sample or, if `one` is NULL, of all samples together.
 * False: out of memory. */
bool sl_db_spread(const struct sl_db_samples *all, const struct sl_db_sample *one,
                  struct sl_spread *spread);

/* Storage of the profile's table in bits per event that it has storage for. */
double sl_db_event_bits(const struct sl_db_profile *profile, const struct sl_db_runs *runs);

#endif
