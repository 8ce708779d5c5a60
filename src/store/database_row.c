/* SPDX-License-Identifier: MIT */
/* Writer of database rows (database_row.h): binds the columns of an INSERT statement from left to
 * right. */
#include "database_row.h"

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
