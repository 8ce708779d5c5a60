/* SPDX-License-Identifier: MIT */
#include "saved_row.h"

#include <math.h>

#include "failure.h"

int sl_saved_fail_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "there is not enough memory to read the database");
}

int sl_saved_fail(struct sl_database *database, struct sl_failure *f)
{
    if (sqlite3_errcode(database->sql) == SQLITE_NOMEM)
        return sl_saved_fail_memory(f);
    if (sqlite3_errcode(database->sql) == SQLITE_INTERRUPT)
        return sl_saved_fail_content(database, "reading it takes more work than its size explains",
                                     f);
    return sl_saved_fail_content(database, sqlite3_errmsg(database->sql), f);
}

const char *sl_saved_name(const struct sl_database *database)
{
    const char *file = sqlite3_db_filename(database->sql, "main");
    return file && *file ? file : "the database of a process";
}

int sl_saved_fail_content(struct sl_database *database, const char *what, struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the database %s is damaged: %s", sl_saved_name(database), what);
}

const char *sl_text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

uint64_t sl_number_at(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

double sl_real_at(sqlite3_stmt *row, int column)
{
    bool none = sqlite3_column_type(row, column) == SQLITE_NULL;
    return none ? (double)NAN : sqlite3_column_double(row, column);
}

int sl_saved_rows(struct sl_database *database, const char *sql, const int64_t *bound, int n_bound,
                  int (*each)(void *context, sqlite3_stmt *row), void *context,
                  struct sl_failure *f)
{
    sqlite3_stmt *row;
    int rc = SQLITE_DONE, result = 0;
    if (sqlite3_prepare_v2(database->sql, sql, -1, &row, NULL) != SQLITE_OK)
        return sl_saved_fail(database, f);
    for (int i = 0; i < n_bound; i++)
        sqlite3_bind_int64(row, i + 1, bound[i]);
    while (!result && (rc = sqlite3_step(row)) == SQLITE_ROW)
        result = each(context, row);
    if (!result && rc != SQLITE_DONE)
        result = sl_saved_fail(database, f);
    sqlite3_finalize(row);
    return result;
}
