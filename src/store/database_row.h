/* SPDX-License-Identifier: MIT */
/* A row of a database's table while it is written: columns from left to right. The
 * first error stays, and nothing is done after it. */
#ifndef SL_DATABASE_ROW_H
#define SL_DATABASE_ROW_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_row {
    sqlite3_stmt *statement;
    int column;
    int rc; /* SQLITE_OK, or the first error */
};

/* For as many rows as are put: "INSERT INTO x VALUES (?,?)". */
struct sl_row sl_row_prepare(sqlite3 *database, const char *sql);

/* One column each. Text and bytes must stay until the row is put; text that is NULL
 * gives NULL, and so does a real that is none (NAN). */
void sl_row_number(struct sl_row *row, uint64_t value);
void sl_row_real(struct sl_row *row, double value);
void sl_row_text(struct sl_row *row, const char *value);
void sl_row_bytes(struct sl_row *row, const void *bytes, size_t n);
void sl_row_null(struct sl_row *row);

/* The number where it means something, NULL where it does not. */
void sl_row_number_if(struct sl_row *row, bool means, uint64_t value);

void sl_row_put(struct sl_row *row);

/* Returns sl_row.rc. */
int sl_row_finish(struct sl_row *row);

#endif
