/* SPDX-License-Identifier: MIT */
/* A database may come from anywhere. Before anything is read from it:
 *
 *  - what is in it besides data is compared with what we would have made: our tables are as we
 *    make them, so that no column is a computation and every search has its key; views, triggers
 *    and
 *    virtual tables, which are programs, are not there. Tables and indices that somebody has added
 *    for himself may stay.
 *  - SQLite checks cells against the page that they are on, trusts nothing in the schema, and maps
 *    no file into memory, which others could cut while it is read. No page is there twice
 *    (schema_check.h).
 *  - all reading together takes at most so many steps of SQLite for each byte of the file. What a
 *    report reads of an honest one is below a tenth of this. */
#include <limits.h>

#include "database.h"
#include "failure.h"
#include "saved_row.h"
#include "schema_check.h"

#define STEPS_AT_ONCE 1000
#define STEPS_FOR_ANY 200000000 /* some seconds */
#define STEPS_FOR_BYTE 1000
#define CELL_MAX (64 << 20)

/* Called each STEPS_AT_ONCE; other than 0 ends the query. */
static int count_work(void *context)
{
    struct sl_database *database = context;
    return database->work_left ? (database->work_left--, 0) : 1;
}

struct checking {
    struct sl_database *database;
    struct sl_failure *f;
};

static int check_one(void *context, sqlite3_stmt *row)
{
    const struct checking *checking = context;
    const char *name = sl_text_at(row, 1);
    const char *wrong = sl_schema_wrong_with(sl_database_schema, sl_text_at(row, 0), name,
                                             sl_text_at(row, 2), sqlite3_column_int64(row, 3) > 0);
    return !wrong ? 0
                  : sl_fail(checking->f, SL_EFORMAT,
                            "%s is refused: %.100s in it %s; sluice reads only what it has written",
                            sl_saved_name(checking->database), name ? name : "what", wrong);
}

static int check_pages(void *context, sqlite3_stmt *row)
{
    const struct checking *checking = context;
    const char *wrong = sl_pages_wrong_with(row);
    return wrong ? sl_fail(checking->f, SL_EFORMAT, "the database %s is damaged: %.200s",
                           sl_saved_name(checking->database), wrong)
                 : 0;
}

int sl_saved_check(struct sl_database *database, uint64_t bytes, struct sl_failure *f)
{
    struct checking checking = {.database = database, .f = f};
    sqlite3_db_config(database->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_exec(database->sql, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL,
                 NULL);
    /* A cell may be a whole database, of a process. */
    uint64_t longest = bytes < CELL_MAX ? CELL_MAX : bytes < INT_MAX ? bytes : INT_MAX;
    sqlite3_limit(database->sql, SQLITE_LIMIT_LENGTH, (int)longest);
    sqlite3_limit(database->sql, SQLITE_LIMIT_ATTACHED, 0);
    database->work_left = (STEPS_FOR_ANY + STEPS_FOR_BYTE * bytes) / STEPS_AT_ONCE;
    sqlite3_progress_handler(database->sql, STEPS_AT_ONCE, count_work, database);
    int error = sl_saved_rows(database, "SELECT type, name, sql, rootpage FROM sqlite_schema", NULL,
                              0, check_one, &checking, f);
    return error < 0 ? error
                     : sl_saved_rows(database, SL_CHECK_PAGES, NULL, 0, check_pages, &checking, f);
}
