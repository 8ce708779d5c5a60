/* SPDX-License-Identifier: MIT */
/* Writing rows to a database. */
#ifndef SL_DATABASE_ROW_H
#define SL_DATABASE_ROW_H

#include "schema.h"

/* ---- row by row ---- */

/* An INSERT statement and the column to be set next, from left to right. The first error stays in
 * `rc`, and all functions do nothing after it. */
struct sl_row {
    sqlite3_stmt *statement;
    const struct sl_sql_table *table;
    int column;
    int rc; /* SQLITE_OK, or the first error */
};

/* Prepares an INSERT of all columns; the second form with another verb than "INSERT INTO". */
struct sl_row sl_row_prepare(sqlite3 *database, const struct sl_sql_table *table);
struct sl_row sl_row_prepare_as(sqlite3 *database, const struct sl_sql_table *table,
                                const char *verb);

/* Each sets one column. Text and bytes must stay valid until sl_row_insert(); a text that is NULL
 * and a real that is NAN are written as NULL. */
void sl_row_add_uint(struct sl_row *row, uint64_t value);
void sl_row_add_real(struct sl_row *row, double value);
void sl_row_add_text(struct sl_row *row, const char *value);
void sl_row_add_bytes(struct sl_row *row, const void *bytes, size_t n);
void sl_row_value(struct sl_row *row, sqlite3_value *value);
void sl_row_add_null(struct sl_row *row);

/* The number if `there`, otherwise NULL. */
void sl_row_add_uint_if(struct sl_row *row, bool there, uint64_t value);

/* Sets all columns that have a field, wherever the current column is (sl_sql_bind). */
void sl_row_fields(struct sl_row *row, const void *from);

/* Inserts the row; the next column is the first again. */
void sl_row_insert(struct sl_row *row);

/* Sets the fields and inserts the row. */
void sl_row_put_fields(struct sl_row *row, const void *from);

/* Frees the statement and returns sl_row.rc. */
int sl_row_finish(struct sl_row *row);

/* ---- many rows ---- */

/* Rows that SQLite reads itself, from a virtual table over the caller's arrays. That takes less
 * than half the time of binding and stepping row by row. */
struct sl_many_rows {
    const struct sl_sql_table *table;
    size_t n;
    /* Gives one cell by a call of sl_cell_number() or sqlite3_result_*(). */
    void (*cell)(const void *context, size_t row, int column, sqlite3_context *out);
    const void *context;
};

/* Appends them in their order. Returns SQLite's result code. */
int sl_many_rows_insert(sqlite3 *database, const struct sl_many_rows *rows);

/* The number if `there`, otherwise NULL. */
void sl_cell_number(sqlite3_context *out, bool there, uint64_t value);

#endif
