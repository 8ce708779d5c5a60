/* SPDX-License-Identifier: MIT */
/* The file of a sweep, and of a lab: one SQLite database of its own kind, in which figures gather.
 *
 *     step ────┬── figure        by label and measure, at a place x or of an item; or of the whole
 *              ├── wanted        what was asked for
 *     point ───┤── result        what is done: all its figures are there
 *              └── failure       why the last attempt left nothing
 *
 * A step is what figures are of. Those of a lab are pieces of its experiments, done as a whole;
 * their labels are words, and `program` and `claim` are the lab's besides. Those of a sweep are its
 * streams, in the experiment "sweep", done point by point; their labels are numbers of points.
 *
 * Unlike the database of a run, this one grows: each share of a sweep, each step of a lab is put
 * into it in one transaction, by any number of processes at once. Who reads it checks first that it
 * holds our tables, as we make them, and nothing that would do something when it is read. A lab's
 * file of before version 2, which had these tables of its own, becomes one when it is opened to be
 * written. What is in it: docs/database.md. */
#ifndef SL_SWEEP_STORE_H
#define SL_SWEEP_STORE_H

#include "schema.h"
#include "sluice.h"

#define SL_SWEEP_STORE_ID 0x534c5357 /* application_id: "SLSW" */
#define SL_SWEEP_STORE_VERSION 2     /* user_version */

#define SL_SWEEP_TABLES 8
extern const struct sl_sql_table *const sl_sweep_tables[SL_SWEEP_TABLES];

struct sl_sweep_store;

/* To be written: made if it is not there. SL_EUSAGE if something else is there. */
int sl_sweep_store_open(struct sl_sweep_store **store, const char *path, struct sl_failure *f);

/* To be read; nothing is changed. */
int sl_sweep_store_read(struct sl_sweep_store **store, const char *path, struct sl_failure *f);

void sl_sweep_store_close(struct sl_sweep_store *store);

/* For queries: whoever changes something does it through what is below. */
struct sqlite3 *sl_sweep_store_sql(struct sl_sweep_store *store);

/* Between these everything is done at once, or nothing. An error before ends it all. */
int sl_sweep_store_begin(struct sl_sweep_store *store, struct sl_failure *f);
int sl_sweep_store_commit(struct sl_sweep_store *store, struct sl_failure *f);
void sl_sweep_store_abandon(struct sl_sweep_store *store);

/* The number of the stream or the point, new or known. `machine` is "" where there is none, and so
 * is `described`, what it is known by. */
int sl_sweep_store_stream(struct sl_sweep_store *store, const char *name, const char *what,
                          uint64_t *id, struct sl_failure *f);
int sl_sweep_store_point(struct sl_sweep_store *store, const char *spec, const char *machine,
                         const char *described, const char *given, uint64_t *id,
                         struct sl_failure *f);
int sl_sweep_store_want(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                        struct sl_failure *f);

/* 1 if the result is there, 0 if not. */
int sl_sweep_store_has(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                       struct sl_failure *f);

/* A step of a lab. `program` and `machine` may be NULL. */
struct sl_step {
    const char *experiment, *name, *program, *machine;
    const char *what; /* all that decides its figures */
};

/* 1 if it was done, exactly as it is now; 0 if not. */
int sl_sweep_store_has_step(struct sl_sweep_store *store, const struct sl_step *step,
                            struct sl_failure *f);

/* The number of the step, new: what was there under its name is gone. */
int sl_sweep_store_step(struct sl_sweep_store *store, const struct sl_step *step, uint64_t *id,
                        struct sl_failure *f);

/* A figure: at a place (NAN: of the whole), or of an item (NULL: of none). */
int sl_sweep_store_figure(struct sl_sweep_store *store, uint64_t step, const char *label,
                          const char *measure, const char *item, double x, double value,
                          struct sl_failure *f);

/* Seconds of processors that it took, which add up, those that were useful, and what has measured
 * it. */
int sl_sweep_store_seconds(struct sl_sweep_store *store, uint64_t step, double seconds,
                           double useful, const char *built, struct sl_failure *f);

/* When a result has all its figures: that it is done. Or why there are none. */
int sl_sweep_store_done(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                        struct sl_failure *f);
int sl_sweep_store_failed(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                          const char *why, struct sl_failure *f);

/* ---- reading ---- */

/* Each calls `each` for every row, until that returns other than 0, and returns it. Texts are gone
 * afterwards. */
int sl_sweep_store_streams(struct sl_sweep_store *store,
                           int (*each)(void *context, uint64_t id, const char *name), void *context,
                           struct sl_failure *f);
int sl_sweep_store_points(struct sl_sweep_store *store,
                          int (*each)(void *context, uint64_t id, const char *spec,
                                      const char *machine, const char *given),
                          void *context, struct sl_failure *f);
/* What is wanted: whether it is there, and if it is not, why (NULL: nobody has tried, or ended). */
int sl_sweep_store_wanted(struct sl_sweep_store *store,
                          int (*each)(void *context, uint64_t stream, uint64_t point, bool done,
                                      const char *why),
                          void *context, struct sl_failure *f);
int sl_sweep_store_figures(struct sl_sweep_store *store,
                           int (*each)(void *context, uint64_t stream, uint64_t point,
                                       const char *measure, double value),
                           void *context, struct sl_failure *f);

#endif
