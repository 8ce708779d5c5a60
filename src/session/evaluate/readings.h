/* SPDX-License-Identifier: MIT */
/* What tables said of each event in each of their runs, beside how often it happened, and what
 * was measured of a run as a whole. Run 0 is the profile's own; in run r the seed is r higher. */
#ifndef SL_READINGS_H
#define SL_READINGS_H

#include "measured.h"

struct sl_reading {
    uint64_t run, number; /* number: in the order of the detector */
    uint64_t event;       /* its set: event_set.h */
    uint64_t count, exact;
};

/* A measured figure of a run. */
struct sl_run_error {
    uint64_t run;
    struct sl_figure error;
};

/* All zero before its first use; to be freed. */
struct sl_readings {
    struct sl_reading *reading; /* by run and number */
    size_t n, room;
    struct sl_run_error *error; /* by run */
    size_t n_errors, room_errors;
};

/* Adds the next run's readings, of the events that `names` are. False when memory ran out. */
bool sl_readings_add(struct sl_readings *readings, uint64_t run, const struct sl_measured *table,
                     const struct sl_table *exact, const struct sl_names *names);

/* Adds its errors, likewise. */
bool sl_readings_add_errors(struct sl_readings *readings, uint64_t run,
                            const struct sl_measured *table);

void sl_readings_free(struct sl_readings *readings);

#endif
