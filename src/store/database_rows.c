/* SPDX-License-Identifier: MIT */
/* Bulk insert of rows from an array: SQLite reads the array through a virtual table
 * (database_row.h). */
#include "database_row.h"

#include <stdlib.h>

#define MODULE "rows_in_memory"

struct table {
    sqlite3_vtab base;
    const struct sl_bulk_rows *rows;
};

struct cursor {
    sqlite3_vtab_cursor base;
    const struct sl_bulk_rows *rows;
    size_t at;
};

void sl_cell_number(sqlite3_context *out, bool present, uint64_t value)
{
    if (present) /* two's complement: SQLite has no unsigned integers */
        sqlite3_result_int64(out, (int64_t)value);
    else
        sqlite3_result_null(out);
}

static int connect_rows(sqlite3 *database, void *rows, int argc, const char *const *argv,
                        sqlite3_vtab **out, char **error)
{
    const struct sl_bulk_rows *of = rows;
    (void)argc, (void)argv, (void)error;
    sqlite3_str *sql = sqlite3_str_new(database);
    for (int i = 0; i < (int)sl_sql_columns(of->table); i++)
        sqlite3_str_appendf(sql, "%s c%d", i ? "," : "CREATE TABLE x (", i);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    struct table *table = text ? calloc(1, sizeof *table) : NULL;
    int rc = table ? sqlite3_declare_vtab(database, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (rc != SQLITE_OK) {
        free(table);
        return rc;
    }
    table->rows = of;
    *out = &table->base;
    return SQLITE_OK;
}

/* Reports the number of rows to SQLite's planner. A full scan is the only plan. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    info->estimatedRows = (sqlite3_int64)((struct table *)table)->rows->n;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    struct cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    cursor->rows = ((struct table *)table)->rows;
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int first(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
                 sqlite3_value **argv)
{
    (void)number, (void)text, (void)argc, (void)argv;
    ((struct cursor *)cursor)->at = 0;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
    ((struct cursor *)cursor)->at++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    const struct cursor *c = (struct cursor *)cursor;
    return c->at >= c->rows->n;
}

static int cell(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int column)
{
    const struct cursor *c = (struct cursor *)cursor;
    c->rows->cell(c->rows->context, c->at, column, out);
    return SQLITE_OK;
}

static int number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((struct cursor *)cursor)->at;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect_rows,
    .xBestIndex = plan,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = first,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = cell,
    .xRowid = number,
};

int sl_bulk_insert(sqlite3 *database, const struct sl_bulk_rows *rows)
{
    int rc = sqlite3_create_module(database, MODULE, &module, (void *)(uintptr_t)rows);
    char *sql = sqlite3_mprintf("INSERT INTO %s SELECT * FROM " MODULE, rows->table->name);
    if (rc == SQLITE_OK)
        rc = sql ? sqlite3_exec(database, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    if (rc == SQLITE_OK) /* after an error, keep SQLite's message */
        rc = sqlite3_create_module(database, MODULE, NULL, NULL);
    return rc;
}
