/* SPDX-License-Identifier: MIT */
/* The database of a run: one SQLite file, written in one step.
 * What is in it: docs/database.md. */
#ifndef SL_DATABASE_H
#define SL_DATABASE_H

#include <sqlite3.h>

#include "result.h"

#define SL_DATABASE_ID 0x534c5543 /* application_id: "SLUC" */
#define SL_DATABASE_VERSION 15    /* user_version: of the tables */

extern const char sl_database_schema[]; /* statements that make its tables */

/* Fails with SL_EFORMAT where there is what SQLite would look for beside a database before it reads
 * it. We leave none: something else has changed the file, or pretends so. */
int sl_database_alone(const char *path, struct sl_failure *f);

/* Whether there may be a database at `path`: nothing is there, or one of ours, alone. */
int sl_database_replaceable(const char *path, struct sl_failure *f);

/* Writes `results` to a new file that takes the place of `path` in one step (replacement.h).
 *
 * SL_EUSAGE  there is a file of this name that is not one of our databases
 *            (and not empty): it is left alone
 * SL_EIO     the system refused to write, or the disk is full
 * SL_ENOMEM
 * In each case nothing is left behind and what was there is as it was. */
int sl_database_write(const char *path, const struct sl_results *results, struct sl_failure *f);

/* The same of whatever `fill` puts into an empty database; it returns SQLITE_OK, or an error. */
int sl_database_write_by(const char *path, int (*fill)(sqlite3 *database, void *context),
                         void *context, struct sl_failure *f);

struct sl_symbols;

/* Makes and fills the tables of an empty database (database_fill.c): in particular
 * those about profiles (database_profiles.c) and their sequences (database_sequence.c), and
 * those about code addresses (database_code.h) and the lines of `saved` blocks
 * (database_lines.c). Each returns SQLITE_OK or the error of SQLite. */
int sl_database_fill(sqlite3 *database, const struct sl_results *results);
int sl_database_fill_profiles(sqlite3 *database, const struct sl_results *results);
int sl_database_fill_sequences(sqlite3 *database, const struct sl_results *results);
int sl_database_fill_processes(sqlite3 *database, const struct sl_results *results);
int sl_database_fill_beside(sqlite3 *database, const struct sl_result_machine *machine, size_t n);
int sl_database_fill_lines(sqlite3 *database, const struct sl_results *results,
                           struct sl_symbols *symbols, const bool *saved);

/* NULL, "certain", "95%": the column profile.bounds. */
extern const char *const sl_bounds_names[];

#endif
