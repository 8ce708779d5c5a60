/* SPDX-License-Identifier: MIT */
/* Unit tests of the writer of database rows. Rows that are inserted in bulk from an array equal
 * rows that are inserted one by one, for 64-bit numbers, NULL and empty tables. If a write
 * fails, its error is reported, and nothing is written after it. */
#include "database_row.h"

#include <math.h>
#include <string.h>

#include "random.h"
#include "tap.h"

enum { ROWS = 500 };

struct record {
    uint64_t number, optional;
    bool present;
};

/* clang-format off */
static const struct sl_sql_table tables[] = {
    {.name = "single", .column = {SL_COLUMN("number", "INTEGER NOT NULL", ""),
                                  SL_COLUMN("optional", "INTEGER", "")}},
    {.name = "bulk", .column = {SL_COLUMN("number", "INTEGER NOT NULL", ""),
                                SL_COLUMN("optional", "INTEGER", "")}},
    {.name = "mixed", .column = {SL_COLUMN("real", "REAL", ""), SL_COLUMN("text", "TEXT", ""),
                                 SL_COLUMN("bytes", "BLOB", "")}},
};
/* clang-format on */
static const struct sl_sql_table *const single = &tables[0], *const bulk = &tables[1],
                                        *const mixed = &tables[2];

static struct record record[ROWS];

static void record_cell(const void *context, size_t row, int column, sqlite3_context *out)
{
    const struct record *r = (const struct record *)context + row;
    sl_cell_number(out, !column || r->present, column ? r->optional : r->number);
}

static int count(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *row;
    int n = -1;
    if (sqlite3_prepare_v2(database, sql, -1, &row, NULL) == SQLITE_OK &&
        sqlite3_step(row) == SQLITE_ROW)
        n = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    return n;
}

static void test_bulk(sqlite3 *database, size_t n)
{
    sqlite3_exec(database, "DELETE FROM single; DELETE FROM bulk", NULL, NULL, NULL);
    struct sl_row row = sl_row_prepare(database, single);
    for (size_t i = 0; i < n; i++) {
        sl_row_add_uint(&row, record[i].number);
        sl_row_add_uint_if(&row, record[i].present, record[i].optional);
        sl_row_insert(&row);
    }
    int rc = sl_row_finish(&row);
    ok(rc == SQLITE_OK &&
           !sl_bulk_insert(database, &(struct sl_bulk_rows){bulk, n, record_cell, record}) &&
           count(database, "SELECT count(*) FROM bulk") == (int)n &&
           !count(database,
                  "SELECT count(*) FROM single s JOIN bulk b ON s.rowid = b.rowid WHERE NOT "
                  "(s.number = b.number AND s.optional IS b.optional)"),
       "%zu rows in bulk equal rows that are inserted one by one", n);
}

static void test_values(sqlite3 *database)
{
    struct sl_row row = sl_row_prepare(database, mixed);
    sl_row_add_real(&row, NAN);
    sl_row_add_text(&row, NULL);
    sl_row_add_bytes(&row, NULL, 0);
    sl_row_insert(&row);
    sl_row_add_real(&row, 0.5);
    sl_row_add_text(&row, "");
    sl_row_add_bytes(&row, "a\0b", 3);
    sl_row_insert(&row);
    ok(sl_row_finish(&row) == SQLITE_OK &&
           count(database, "SELECT count(*) FROM mixed WHERE real IS NULL AND text IS NULL AND "
                           "bytes IS NULL") == 1 &&
           count(database, "SELECT count(*) FROM mixed WHERE real = 0.5 AND text = '' AND "
                           "bytes = x'610062'") == 1,
       "NAN and NULL are written as NULL, empty texts and bytes with NUL as they are");
}

static void test_error(sqlite3 *database)
{
    struct sl_row row = sl_row_prepare(database, bulk);
    int before = count(database, "SELECT count(*) FROM bulk");
    sl_row_add_uint_if(&row, false, 1); /* NOT NULL */
    sl_row_add_uint(&row, 1);
    sl_row_insert(&row);
    SL_ROW_ADD_UINTS(&row, 1, 2);
    sl_row_insert(&row);
    ok(sl_row_finish(&row) == SQLITE_CONSTRAINT_NOTNULL &&
           count(database, "SELECT count(*) FROM bulk") == before,
       "the first error is kept, and nothing is written after it");
}

int main(void)
{
    uint64_t random = 1;
    sqlite3 *database;
    for (size_t i = 0; i < ROWS; i++)
        record[i] = (struct record){sl_random_next(&random), sl_random_next(&random),
                                    sl_random_below(&random, 2)};
    bool opened = !sqlite3_open(":memory:", &database) && !sl_sql_create_all(database, tables, 3);
    if (!ok(opened, "the tables are created"))
        return done_testing();
    test_bulk(database, 0);
    test_bulk(database, 1);
    test_bulk(database, ROWS);
    test_values(database);
    test_error(database);
    sqlite3_close(database);
    return done_testing();
}
