/* SPDX-License-Identifier: MIT */
/* Unit tests of the writer of database rows: 64-bit numbers, reals, texts, bytes and NULL are read
 * back. If several writes fail, the first error is reported. */
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
    {.name = "numbers", .column = {SL_COLUMN("number", "INTEGER NOT NULL", ""),
                                   SL_COLUMN("optional", "INTEGER", "")}},
    {.name = "mixed", .column = {SL_COLUMN("real", "REAL", ""), SL_COLUMN("text", "TEXT", ""),
                                 SL_COLUMN("bytes", "BLOB", "")}},
};
/* clang-format on */
static const struct sl_sql_table *const numbers = &tables[0], *const mixed = &tables[1];

static struct record record[ROWS];

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

static void test_numbers(sqlite3 *database)
{
    struct sl_row row = sl_row_prepare(database, numbers);
    for (size_t i = 0; i < ROWS; i++) {
        sl_row_add_uint(&row, record[i].number);
        sl_row_add_uint_if(&row, record[i].present, record[i].optional);
        sl_row_insert(&row);
    }
    bool good = sl_row_finish(&row) == SQLITE_OK;
    sqlite3_stmt *read = NULL;
    good = good && sl_sql_prepare_select(database, numbers, "ORDER BY rowid", &read) == SQLITE_OK;
    for (size_t i = 0; good && i < ROWS; i++)
        good = sqlite3_step(read) == SQLITE_ROW &&
               (uint64_t)sqlite3_column_int64(read, 0) == record[i].number &&
               (sqlite3_column_type(read, 1) != SQLITE_NULL) == record[i].present &&
               (!record[i].present ||
                (uint64_t)sqlite3_column_int64(read, 1) == record[i].optional);
    ok(good && sqlite3_step(read) == SQLITE_DONE, "numbers of 64 bits and NULL are read back");
    sqlite3_finalize(read);
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
    struct sl_row row = sl_row_prepare(database, numbers);
    int before = count(database, "SELECT count(*) FROM numbers");
    sl_row_add_uint_if(&row, false, 1); /* NOT NULL */
    sl_row_add_uint(&row, 1);
    sl_row_insert(&row);
    SL_ROW_ADD_UINTS(&row, 1, 2);
    sl_row_insert(&row);
    ok(sl_row_finish(&row) == SQLITE_CONSTRAINT_NOTNULL &&
           count(database, "SELECT count(*) FROM numbers") == before,
       "the first error is kept, and nothing is written after it");
}

int main(void)
{
    uint64_t random = 1;
    sqlite3 *database;
    for (size_t i = 0; i < ROWS; i++)
        record[i] = (struct record){sl_random_next(&random), sl_random_next(&random),
                                    sl_random_below(&random, 2)};
    bool opened = !sqlite3_open(":memory:", &database) && !sl_sql_create_all(database, tables, 2);
    if (!ok(opened, "the tables are created"))
        return done_testing();
    test_numbers(database);
    test_values(database);
    test_error(database);
    sqlite3_close(database);
    return done_testing();
}
