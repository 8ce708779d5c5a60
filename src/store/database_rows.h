/* SPDX-License-Identifier: MIT */
/* Many rows of one table at a time. SQLite fetches their columns itself, from a virtual table made
 * of them: that takes less than half of what binding and stepping row by row does (database_row.h,
 * for what has few). */
#ifndef SL_DATABASE_ROWS_H
#define SL_DATABASE_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_many_rows {
    const char *table; /* where they go */
    int columns;       /* all that it has */
    size_t n;
    /* One cell: a call of sl_cell_number, or of sqlite3_result_*. */
    void (*cell)(const void *context, size_t row, int column, sqlite3_context *out);
    const void *context;
};

/* Appends them in their order; returns SQLite's code. */
int sl_rows_insert(sqlite3 *database, const struct sl_many_rows *rows);

/* The number where it means something, NULL where it does not. */
void sl_cell_number(sqlite3_context *out, bool means, uint64_t value);

#endif
