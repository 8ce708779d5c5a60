/* A profile's table in use: its memory, what it was measured to do, and the
 * heaviest of what it holds. */
#ifndef SL_KEEP_H
#define SL_KEEP_H

#include "curve.h"
#include "intervals.h"
#include "invariance.h"
#include "overlap.h"
#include "result.h"
#include "spec.h"

#define SL_KEEP_ERRORS 12

struct sl_keep {
    const struct sl_profile_spec *spec;
    uint64_t run;           /* 0: the profile; r: a repetition, its seed r higher */
    struct sl_keep *repeat; /* those of a profile, in order */
    size_t n_repeats;
    struct sl_table *table;
    void *memory;
    size_t bytes;
    struct sl_intervals intervals; /* of a table that works by them */
    double seconds;         /* within the table, where it is measured */
    struct sl_curve curve;  /* its error as it evolved */
    uint64_t *sent;         /* messages by each point of the curve, if it sends any */
    size_t room_sent;
    struct sl_invariance invariance; /* at the end */
    struct sl_overlap overlap;       /* likewise */
    bool windowed;                   /* it is judged by windows, too: */
    struct sl_overlaps overlaps;     /* of those that have ended */
    struct sl_figure error[SL_KEEP_ERRORS]; /* what was measured, by name */
    size_t n_errors;
};

/* Makes the table in memory of its own. */
int sl_keep_open(struct sl_keep *keep, const struct sl_table_kind *kind, const void *config,
                 const struct sl_table_host *host, struct sl_failure *f);
void sl_keep_close(struct sl_keep *keep);

/* Gives the batch to the table, and measures how long that takes. */
void sl_keep_observe(struct sl_keep *keep, const struct sl_batch *batch);

/* The error of that name; NAN if it was not measured. */
double sl_keep_error(const struct sl_keep *keep, const char *name);

/* Gives every tuple with what the profile says of it: what the table holds, or for
 * one that works by intervals what these add up to. */
void sl_keep_each(const struct sl_keep *keep, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context);

/* The heaviest entries in order. */
struct sl_heaviest {
    size_t wanted;
    bool tagged;   /* only those with this tag, and without it */
    uint64_t tag;
    struct sl_entry *entry; /* to be freed */
    uint64_t *intervals;    /* in how many each was a candidate, or NULL; to be freed */
    size_t n;
    uint64_t distinct; /* how many there are, with those left out */
};

int sl_keep_heaviest(const struct sl_keep *keep, const struct sl_names *names,
                     struct sl_heaviest *heaviest, struct sl_failure *f);

#endif
