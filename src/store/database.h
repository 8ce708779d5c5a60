/* SPDX-License-Identifier: MIT */
/* Writer of a run's database, which is one SQLite file. docs/database.md describes its tables. */
#ifndef SL_DATABASE_H
#define SL_DATABASE_H

#include "db.h"
#include "schema.h"

#define SL_DATABASE_ID 0x534c5543 /* application_id: "SLUC" */
#define SL_DATABASE_VERSION 16    /* user_version: version of the tables */

/* ---- tables ---- */

/* In the order of the file. */
/* clang-format off */
enum sl_db_table {
    SL_DB_PROGRAM, SL_DB_MACHINE, SL_DB_PROFILER, SL_DB_MACHINE_EVENT, SL_DB_OTHER_MACHINE,
    SL_DB_OTHER_MACHINE_EVENT, SL_DB_OBJECT, SL_DB_PROFILE, SL_DB_MESSAGE_GAP, SL_DB_MESSAGE_DELIVERY,
    SL_DB_OPTION, SL_DB_ERROR, SL_DB_ERROR_CURVE, SL_DB_INTERVAL, SL_DB_ENTRY, SL_DB_CANDIDATE,
    SL_DB_SEQUENCE, SL_DB_GRAMMAR, SL_DB_GRAMMAR_SYMBOL, SL_DB_SUBPATH, SL_DB_SUBPATH_EVENT, SL_DB_PHASE,
    SL_DB_PHASE_ENTRY, SL_DB_PARAMETER, SL_DB_READING, SL_DB_RUN_ERROR, SL_DB_LOCATION,
    SL_DB_SOURCE_FILE, SL_DB_FUNCTION, SL_DB_INLINED, SL_DB_SPAN, SL_DB_INLINED_AT, SL_DB_BLOCK,
    SL_DB_PROCESS, SL_DB_TABLES
};
/* clang-format on */

extern const struct sl_sql_table sl_db_tables[SL_DB_TABLES]; /* schema_tables.c */

/* A row of `profile`: the struct for reports, and the texts that its pointers and enums denote. */
struct sl_profile_row {
    struct sl_db_profile is;
    const char *detector, *metric, *value_type;
    const char *bounds, *gap_unit; /* NULL: none */
    bool has_gaps;                 /* gap_min and gap_median are valid */
};

extern const char *const sl_bounds_names[]; /* column `bounds` by enum sl_bounds */

/* ---- the file ---- */

/* Returns SL_EFORMAT if there is a journal or a write-ahead log next to a database, otherwise 0.
 * sluice leaves none, and SQLite would apply it before it reads the file. */
int sl_database_check_journal(const char *path, struct sl_failure *f);

/* Returns 0 if a database may be written to `path`: there is no file, or a database of sluice
 * without a journal. */
int sl_database_replaceable(const char *path, struct sl_failure *f);

/* Writes `results` to a new file that replaces `path` atomically (replacement.h).
 *
 * SL_EUSAGE  there is another kind of file, which is not empty
 * SL_EIO     the system refused to write, or the disk is full
 * SL_ENOMEM
 * After an error the file at `path` is unchanged, and no other file is left. */
int sl_database_write(const char *path, const struct sl_results *results, struct sl_failure *f);

/* The same for rows that the callback `fill` writes to an empty database. `fill` returns SQLITE_OK
 * or an error of SQLite. */
int sl_database_write_by(const char *path, int (*fill)(sqlite3 *database, void *context),
                         void *context, struct sl_failure *f);

/* Returns 0 if rc is SQLITE_OK, otherwise the error of a write to the database at `path`. */
int sl_database_check_write(sqlite3 *database, const char *path, int rc, struct sl_failure *f);

/* ---- the content ---- */

/* All these functions return SQLITE_OK or an error of SQLite. */

/* Creates the tables of an empty database and begins the transaction that fills them. */
int sl_database_begin(sqlite3 *database);

/* Write the profiles; the sequences. */
int sl_database_fill_profiles(sqlite3 *database, const struct sl_results *results);
int sl_database_fill_sequences(sqlite3 *database, const struct sl_results *results);

/* Writes the row of `program`; `argv` is the JSON array. */
int sl_database_put_program(sqlite3 *database, const struct sl_db_program *program,
                            const char *argv);

/* Writes the CPU models with their machine events: the first one, which has no name if there is
 * none, with its profiler, and the others. */
int sl_database_put_machines(sqlite3 *database, const struct sl_db_machine *first,
                             const struct sl_db_machine *other, size_t n_others);

/* Names and blocks of the code addresses in entries, candidates, hot subpaths and phases, and of
 * the blocks on paths. A thread looks them up while the entries are written; no other thread may
 * use the symbols until sl_database_fill_code() returns. NULL: out of memory. */
struct sl_named_code *sl_named_code_find(const struct sl_results *results);

/* Waits for the thread and writes the names, lines and blocks that it found. */
int sl_database_fill_code(sqlite3 *database, struct sl_named_code *code);
void sl_named_code_free(struct sl_named_code *code); /* NULL is allowed */

/* Writes source lines and inlined calls of the blocks b with stored[b]. */
int sl_database_fill_lines(sqlite3 *database, const struct sl_results *results, const bool *stored);

#endif
