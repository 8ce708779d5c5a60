/* SPDX-License-Identifier: MIT */
/* What was read and measured in each run of a profile, read back. */
#ifndef SL_SAVED_RUNS_H
#define SL_SAVED_RUNS_H

#include "saved.h"
#include "spread.h"

/* An event, or a measure: what each run had. NAN: nothing could be said. */
struct sl_saved_sample {
    char *name;
    double *value;
    size_t n, room;
    uint64_t count, exact; /* of an event: in run 0, and how often it happened */
};

struct sl_saved_samples {
    struct sl_saved_sample *sample;
    size_t n, room;
};

/* Of an event, a value is how far the count was off: a part of `exact`, below 0 where it was
 * too low. Both are empty where nothing was saved; measures, too, with a single run. */
struct sl_saved_runs {
    size_t n; /* runs; 0 where nothing was saved of any */
    struct sl_saved_samples events, measures;
    uint64_t room; /* events that the table's storage is for; 0: those that there are */
};

/* 0, SL_EFORMAT or SL_ENOMEM; nothing is to be freed after an error. */
int sl_saved_runs(struct sl_database *database, const struct sl_saved_profile *profile,
                  struct sl_saved_runs *runs, struct sl_failure *f);
void sl_saved_runs_free(struct sl_saved_runs *runs);

/* How the values are spread, without their signs; of all samples together, where `one` is
 * NULL. False when memory ran out. */
bool sl_saved_spread(const struct sl_saved_samples *all, const struct sl_saved_sample *one,
                     struct sl_spread *spread);

/* Bits of the profile's table for each event that it has room for, given or not. */
double sl_saved_event_bits(const struct sl_saved_profile *profile,
                           const struct sl_saved_runs *runs);

#endif
