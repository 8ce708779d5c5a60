/* SPDX-License-Identifier: MIT */
/* Reader of repeated profiles (--runs): counts and errors of each run; and their distribution, as a
 * five-number summary (minimum, quartiles, maximum) and as a box plot. */
#ifndef SL_DB_RUNS_H
#define SL_DB_RUNS_H

#include "db.h"

/* Values of one event or measure in all runs. NAN: not defined. */
struct sl_db_sample {
    char *name;
    double *value;
    size_t n, capacity;
    uint64_t count, exact; /* for events: the estimate of run 0, and the exact count */
};

struct sl_db_samples {
    struct sl_db_sample *sample;
    size_t n, capacity;
};

/* All runs of a profile. The value of an event is its relative error, which is negative if the
 * count was too low. Both lists may be empty; a single run has no measures. */
struct sl_db_runs {
    size_t n; /* number of runs; 0 if none were stored */
    struct sl_db_samples events, measures;
    uint64_t capacity; /* number of events for which the table has storage; 0: events.n */
};

/* Reads all runs. Returns 0, SL_EFORMAT or SL_ENOMEM; after an error there is nothing to free. */
int sl_db_runs(struct sl_database *database, const struct sl_db_profile *profile,
               struct sl_db_runs *runs, struct sl_failure *f);
void sl_db_runs_free(struct sl_db_runs *runs);

struct sl_spread {
    size_t n; /* size of the sample; if 0, the rest is NAN */
    double min, lower_quartile, median, upper_quartile, max, mean;
};

/* Summarizes n numbers without NANs. Sorts them, NANs last. Quartiles are interpolated linearly
 * between two numbers (R's type 7). */
struct sl_spread sl_spread_of(double *number, size_t n);

/* Draws it on a scale from 0 to `top` with `width` characters and a NUL:
 *
 *         |--[===+=====]--------|        whiskers to min and max, box between the quartiles, median
 */
void sl_spread_draw(const struct sl_spread *spread, double top, char *out, size_t width);

/* Computes the distribution of the absolute values of one sample or, if `one` is NULL, of all
 * samples together. Returns false if out of memory. */
bool sl_db_spread(const struct sl_db_samples *all, const struct sl_db_sample *one,
                  struct sl_spread *spread);

/* Returns the storage of the profile's table in bits per event. */
double sl_db_event_bits(const struct sl_db_profile *profile, const struct sl_db_runs *runs);

#endif
