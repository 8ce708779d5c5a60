/* SPDX-License-Identifier: MIT */
/* Reads the rows of a query, and reports damaged databases and out-of-memory errors (db_row.h). */
#include "db_row.h"

#include <math.h>

#include "failure.h"

int sl_db_fail_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory while reading the database");
}

const char *sl_db_name(const struct sl_database *database)
{
    const char *file = sqlite3_db_filename(database->sql, "main");
    return file && *file ? file : "the database of a process";
}

int sl_db_fail_content(struct sl_database *database, const char *what, struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the database %s is damaged: %s", sl_db_name(database), what);
}

const char *sl_column_text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

uint64_t sl_column_uint(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

bool sl_is_null(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL;
}

void sl_location_at(sqlite3_stmt *row, int column, uint64_t address, struct sl_db_location *place)
{
    *place = (struct sl_db_location){
        .address = address,
        .function = sl_column_text(row, column),
        .function_start = sl_column_uint(row, column + 1),
        .object = sl_column_text(row, column + 2),
        .object_address = sl_column_uint(row, column + 3),
        .file = sl_column_text(row, column + 4),
        .line = sqlite3_column_int(row, column + 5),
    };
}

void sl_tuple_at(sqlite3_stmt *row, int column, uint64_t pc, struct sl_db_entry *entry)
{
    sl_location_at(row, column, pc, &entry->at);
    sl_location_at(row, column + SL_LOCATION_WIDTH, entry->value, &entry->to);
}

static struct sl_rows begin(struct sl_rows rows, const int64_t *bound, int n_bound)
{
    for (int i = 0; i < n_bound && rows.rc == SQLITE_OK; i++)
        rows.rc = sqlite3_bind_int64(rows.row, i + 1, bound[i]);
    return rows;
}

struct sl_rows sl_rows_query(struct sl_database *database, const char *sql, const int64_t *bound,
                             int n_bound)
{
    struct sl_rows rows = {.database = database};
    rows.rc = sqlite3_prepare_v2(database->sql, sql, -1, &rows.row, NULL);
    return begin(rows, bound, n_bound);
}

struct sl_rows sl_rows_select(struct sl_database *database, enum sl_db_table table,
                              const char *tail, const int64_t *bound, int n_bound)
{
    struct sl_rows rows = {.database = database, .table = &sl_db_tables[table]};
    rows.rc = sl_sql_prepare_select(database->sql, rows.table, tail, &rows.row);
    return begin(rows, bound, n_bound);
}

struct sl_rows sl_rows_of_profile(struct sl_database *database, enum sl_db_table table,
                                  const struct sl_db_profile *profile, const char *order)
{
    char tail[100];
    snprintf(tail, sizeof tail, "WHERE profile = ?1 %s", order);
    return sl_rows_select(database, table, tail, &profile->id, 1);
}

bool sl_rows_next(struct sl_rows *rows, void *to)
{
    if (rows->result || (rows->rc != SQLITE_OK && rows->rc != SQLITE_ROW))
        return false;
    rows->rc = sqlite3_step(rows->row);
    if (rows->rc == SQLITE_ROW && to)
        sl_sql_read(rows->table, rows->row, to);
    return rows->rc == SQLITE_ROW;
}

int sl_rows_end(struct sl_rows *rows, struct sl_failure *f)
{
    struct sl_database *database = rows->database;
    int rc = rows->rc & 0xff, result = rows->result;
    if (!result && rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE)
        result = rc == SQLITE_NOMEM ? sl_db_fail_memory(f)
                 : rc == SQLITE_INTERRUPT
                     ? sl_db_fail_content(
                           database, "queries need too many steps for a database of this size", f)
                     : sl_db_fail_content(database, sqlite3_errmsg(database->sql), f);
    sqlite3_finalize(rows->row);
    return result;
}

int sl_rows_number(struct sl_database *database, const char *sql, const int64_t *bound, int n_bound,
                   uint64_t *value, struct sl_failure *f)
{
    struct sl_rows rows = sl_rows_query(database, sql, bound, n_bound);
    if (sl_rows_next(&rows, NULL))
        *value = sl_column_uint(rows.row, 0);
    return sl_rows_end(&rows, f);
}
