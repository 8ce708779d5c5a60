/* SPDX-License-Identifier: MIT */
/* The result file of `sluice sweep` or `sluice lab`: an SQLite database that collects measurements.
 *
 *     step ────┬── figure        measurement, by label and measure, at a position x or of an item
 *              ├── requested     requested result
 *     point ───┤── result        complete result: all its measurements are stored
 *              └── failure       why the last attempt failed
 *
 * Measurements belong to steps. The steps of a lab are the parts of its experiments; their labels
 * are words, and only labs use the tables `program` and `claim`. The steps of a sweep are its
 * streams, in the experiment "sweep"; their labels are ids of points.
 *
 * Unlike the database of a run, this file grows: each shard of a sweep and each step of a lab is
 * added in one transaction, by any number of processes. A file is checked before it is read: it
 * must have our tables as sluice creates them, and nothing that is executed when it is read. A
 * file of another version is refused. docs/database.md describes the tables.
 *
 * Functions that return int return 0 unless their contract says otherwise, or SL_ENOMEM, SL_EIO,
 * or SL_EFORMAT for a damaged file. */
#ifndef SL_SWEEP_STORE_H
#define SL_SWEEP_STORE_H

#include "schema.h"
#include "sluice.h"

#define SL_SWEEP_STORE_ID 0x534c5357 /* application_id: "SLSW" */
#define SL_SWEEP_STORE_VERSION 3     /* user_version */

#define SL_SWEEP_TABLES 8
extern const struct sl_sql_table sl_sweep_tables[SL_SWEEP_TABLES];

struct sl_sweep_store;

/* Opens the file for writing and creates it if necessary. SL_EUSAGE: it is another kind of file. */
int sl_sweep_store_open(struct sl_sweep_store **store, const char *path, struct sl_failure *f);

/* Opens the file for reading only. */
int sl_sweep_store_read(struct sl_sweep_store **store, const char *path, struct sl_failure *f);

void sl_sweep_store_close(struct sl_sweep_store *store);

/* For queries. Use the functions below to change the file. */
struct sqlite3 *sl_sweep_store_sql(struct sl_sweep_store *store);

/* A transaction: all changes up to the commit are stored, or none. After an error, abandon it. */
int sl_sweep_store_begin(struct sl_sweep_store *store, struct sl_failure *f);
int sl_sweep_store_commit(struct sl_sweep_store *store, struct sl_failure *f);
void sl_sweep_store_abandon(struct sl_sweep_store *store);

/* Finds or adds a stream or a point. `machine`, as given, and `described`, its description, are ""
 * without a CPU model. */
int sl_sweep_store_stream(struct sl_sweep_store *store, const char *name, const char *what,
                          uint64_t *id, struct sl_failure *f);
int sl_sweep_store_point(struct sl_sweep_store *store, const char *spec, const char *machine,
                         const char *described, const char *given, uint64_t *id,
                         struct sl_failure *f);
int sl_sweep_store_request(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                           struct sl_failure *f);

/* Returns 1 if the result is complete, 0 if not. */
int sl_sweep_store_has(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                       struct sl_failure *f);

/* A step of a lab. `program` and `machine` may be NULL. */
struct sl_sweep_step {
    const char *experiment, *name, *program, *machine;
    const char *what; /* everything that determines its measurements */
};

/* Returns 1 if the step was done with the same `what`, 0 if not. */
int sl_sweep_store_has_step(struct sl_sweep_store *store, const struct sl_sweep_step *step,
                            struct sl_failure *f);

/* Adds a step; removes an older one with the same name and its measurements. */
int sl_sweep_store_step(struct sl_sweep_store *store, const struct sl_sweep_step *step,
                        uint64_t *id, struct sl_failure *f);

/* Adds a measurement at position x (NAN: of the whole step), or of an item (NULL: none). */
int sl_sweep_store_measurement(struct sl_sweep_store *store, uint64_t step, const char *label,
                               const char *measure, const char *item, double x, double value,
                               struct sl_failure *f);

/* Adds CPU time in seconds, and the useful part of it; sets the version that measured the step. */
int sl_sweep_store_seconds(struct sl_sweep_store *store, uint64_t step, double seconds,
                           double useful, const char *built, struct sl_failure *f);

/* Marks a result as complete, after its measurements; or as failed, with the reason. */
int sl_sweep_store_done(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                        struct sl_failure *f);
int sl_sweep_store_failed(struct sl_sweep_store *store, uint64_t stream, uint64_t point,
                          const char *why, struct sl_failure *f);

/* ---- reading ---- */

/* Each function calls `each` for every row until that returns a value other than 0, and returns
 * this value. Texts are valid only during the call. */
int sl_sweep_store_streams(struct sl_sweep_store *store,
                           int (*each)(void *context, uint64_t id, const char *name), void *context,
                           struct sl_failure *f);
int sl_sweep_store_points(struct sl_sweep_store *store,
                          int (*each)(void *context, uint64_t id, const char *spec,
                                      const char *machine, const char *given),
                          void *context, struct sl_failure *f);
/* Requested results: whether each is complete, and if not, why (NULL: not attempted, or not
 * finished). */
int sl_sweep_store_requests(struct sl_sweep_store *store,
                            int (*each)(void *context, uint64_t stream, uint64_t point, bool done,
                                        const char *why),
                            void *context, struct sl_failure *f);
int sl_sweep_store_measurements(struct sl_sweep_store *store,
                                int (*each)(void *context, uint64_t stream, uint64_t point,
                                            const char *measure, double value),
                                void *context, struct sl_failure *f);

#endif
