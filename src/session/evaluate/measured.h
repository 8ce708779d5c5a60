/* SPDX-License-Identifier: MIT */
/* A table in use, and what was measured of it. */
#ifndef SL_MEASURED_H
#define SL_MEASURED_H

#include "curve.h"
#include "detector.h"
#include "figure.h"
#include "intervals.h"
#include "invariance.h"
#include "overlap.h"
#include "table.h"
#include "relative.h"

#define SL_MEASURED_ERRORS 12

struct sl_measured {
    const struct sl_table_kind *kind;
    const void *config;
    bool repetition; /* of another, with another seed: its figures are wanted, no details */
    bool comparable; /* with the exact profile of its events */
    enum sl_measure measure;
    bool by_instruction;           /* tuples are what instructions did: there is an invariance */
    struct sl_table *table;        /* NULL: not open */
    struct sl_intervals intervals; /* of a table that works by them */
    double seconds;                /* within the table, where it is measured */
    struct sl_curve curve;         /* its error as it evolved */
    struct {
        uint64_t sent;     /* messages, if it sends any */
        double invariance; /* if it is by instruction, whatever the measure is */
    } * beside;            /* each point of the curve */
    size_t room_beside;
    struct sl_invariance invariance; /* at the end */
    struct sl_overlap overlap;       /* likewise */
    struct sl_relative relative;
    bool judged;                                /* there is an error: */
    double headline;                            /* by the measure */
    bool windowed;                              /* it is judged by windows, too: */
    struct sl_overlaps overlaps;                /* of those that have ended */
    struct sl_figure error[SL_MEASURED_ERRORS]; /* what was measured, by name */
    size_t n_errors;
};

/* Makes the table; `host` but for whom it tells of intervals. */
int sl_measured_open(struct sl_measured *measured, const struct sl_table_host *host,
                     struct sl_failure *f);
void sl_measured_close(struct sl_measured *measured);

/* Gives the batch to the table, and measures how long that takes. */
void sl_measured_observe(struct sl_measured *measured, const struct sl_batch *batch);

/* The error by its measure, of what has been judged. */
void sl_measured_conclude(struct sl_measured *measured);

/* Another point of the curve: that error after so many events. False without memory. */
bool sl_measured_point(struct sl_measured *measured, uint64_t events);

/* Gives what was measured its names, at the end. */
void sl_measured_name_errors(struct sl_measured *measured);

/* What its table says of itself, and what the results of its intervals have to say. */
void sl_measured_status(const struct sl_measured *measured, struct sl_table_status *status);

/* The error of that name; NAN if it was not measured. */
double sl_measured_error(const struct sl_measured *measured, const char *name);

/* Gives every tuple with what the table says of it: what it holds, or for one that works by
 * intervals what these add up to. False without memory. */
bool sl_measured_each(const struct sl_measured *measured, const struct sl_names *names,
                      bool (*emit)(void *context, const struct sl_entry *entry), void *context);

#endif
