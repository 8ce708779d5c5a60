/* SPDX-License-Identifier: MIT */
/* Writer of database rows: one by one through an INSERT statement, or in bulk from an array. */
#ifndef SL_DATABASE_ROW_H
#define SL_DATABASE_ROW_H

#include "schema.h"

/* ---- row by row ---- */

/* An INSERT statement and the next column to be bound, from left to right. After the first error,
 * which stays in `rc`, all functions do nothing. */
struct sl_row {
    sqlite3_stmt *statement;
    const struct sl_sql_table *table;
    int column;
    int rc; /* SQLITE_OK, or the first error */
};

/* Prepares an INSERT of all columns. The second function takes a verb other than "INSERT INTO". */
struct sl_row sl_row_prepare(sqlite3 *database, const struct sl_sql_table *table);
struct sl_row sl_row_prepare_as(sqlite3 *database, const struct sl_sql_table *table,
                                const char *verb);

/* Each function binds one column. Text and bytes must stay valid until sl_row_insert(). The text
 * NULL, the bytes NULL and the real NAN are written as NULL. */
void sl_row_add_uint(struct sl_row *row, uint64_t value);
void sl_row_add_uints(struct sl_row *row, const uint64_t *value, size_t n);
void sl_row_add_real(struct sl_row *row, double value);
void sl_row_add_text(struct sl_row *row, const char *value);
void sl_row_add_bytes(struct sl_row *row, const void *bytes, size_t n);
void sl_row_add_value(struct sl_row *row, sqlite3_value *value);

/* Binds several consecutive columns to numbers. */
#define SL_ROW_ADD_UINTS(row, ...)                         \
    sl_row_add_uints(row, (const uint64_t[]){__VA_ARGS__}, \
                     sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

/* Binds the number if `present`, otherwise NULL. */
void sl_row_add_uint_if(struct sl_row *row, bool present, uint64_t value);

/* Inserts the row. The next column is then the first one. */
void sl_row_insert(struct sl_row *row);

/* Binds all columns that have a struct member, with the values in `from` (sl_sql_bind()), and
 * inserts the row. */
void sl_row_put_fields(struct sl_row *row, const void *from);

/* Frees the statement and returns sl_row.rc. */
int sl_row_finish(struct sl_row *row);

/* ---- bulk insert ---- */

/* Rows that SQLite reads itself, from a virtual table over the caller's arrays. Bulk inserts take
 * less than half the time of binding and stepping row by row. */
struct sl_bulk_rows {
    const struct sl_sql_table *table;
    size_t n;
    /* Sets the result of one cell with sl_cell_number() or sqlite3_result_*(). */
    void (*cell)(const void *context, size_t row, int column, sqlite3_context *out);
    const void *context;
};

/* Inserts the rows in their order. Returns SQLite's result code. */
int sl_bulk_insert(sqlite3 *database, const struct sl_bulk_rows *rows);

/* Sets the result of a cell to the number if `present`, otherwise to NULL. */
void sl_cell_number(sqlite3_context *out, bool present, uint64_t value);

#endif
