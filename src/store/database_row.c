/* SPDX-License-Identifier: MIT */
/* Writer of database rows (database_row.h): binds the columns of an INSERT statement from left to
 * right, or inserts an array in bulk through a virtual table that SQLite reads. */
#include "database_row.h"

#include <stdlib.h>

struct sl_row sl_row_prepare(sqlite3 *database, const struct sl_sql_table *table)
{
    return sl_row_prepare_as(database, table, "INSERT INTO");
}

struct sl_row sl_row_prepare_as(sqlite3 *database, const struct sl_sql_table *table,
                                const char *verb)
{
    struct sl_row row = {.table = table};
    row.rc = sl_sql_prepare_insert(database, table, verb, &row.statement);
    return row;
}

void sl_row_add_uint(struct sl_row *row, uint64_t value)
{
    if (row->rc == SQLITE_OK) /* two's complement: SQLite has no unsigned integers */
        row->rc = sqlite3_bind_int64(row->statement, ++row->column, (int64_t)value);
}

void sl_row_add_uints(struct sl_row *row, const uint64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sl_row_add_uint(row, value[i]);
}

/* SQLite itself converts NAN to NULL. */
void sl_row_add_real(struct sl_row *row, double value)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_double(row->statement, ++row->column, value);
}

void sl_row_add_text(struct sl_row *row, const char *value)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_text(row->statement, ++row->column, value, -1, SQLITE_STATIC);
}

void sl_row_add_bytes(struct sl_row *row, const void *bytes, size_t n)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_blob64(row->statement, ++row->column, bytes, n, SQLITE_STATIC);
}

void sl_row_add_value(struct sl_row *row, sqlite3_value *value)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_value(row->statement, ++row->column, value);
}

void sl_row_add_uint_if(struct sl_row *row, bool present, uint64_t value)
{
    if (present)
        sl_row_add_uint(row, value);
    else
        sl_row_add_bytes(row, NULL, 0);
}

void sl_row_insert(struct sl_row *row)
{
    if (row->rc == SQLITE_OK && sqlite3_step(row->statement) != SQLITE_DONE)
        row->rc = sqlite3_extended_errcode(sqlite3_db_handle(row->statement));
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_reset(row->statement);
    row->column = 0;
}

void sl_row_put_fields(struct sl_row *row, const void *from)
{
    if (row->rc == SQLITE_OK)
        row->rc = sl_sql_bind(row->table, row->statement, from);
    sl_row_insert(row);
}

int sl_row_finish(struct sl_row *row)
{
    sqlite3_finalize(row->statement);
    return row->rc;
}

/* ---- bulk insert ---- */

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
