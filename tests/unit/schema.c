/* SPDX-License-Identifier: MIT */
/* Unit tests of the descriptions of SQL tables: generated SQL statements, conversion of rows, rules
 * for merging databases, the check of a database's schema, and the reference in
 * docs/database.md. */
#include "schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "random.h"
#include "support/schema_checks.h"
#include "tap.h"

/* ---- rows and structs ---- */

struct record {
    uint64_t number, zero, flagged, again;
    int signed_number;
    bool flag, has_signed, is;
    double real;
    const char *text, *name;
};

static const struct sl_sql_table records = {
    .name = "record",
    .column = {
        {.name = "key", .type = "INTEGER"},
        {.name = "number",
         .type = "INTEGER",
         .merge = SL_MERGE_SUM,
         SL_FIELD(struct record, number)},
        {.name = "zero",
         .type = "INTEGER",
         SL_FIELD_AT(SL_FIELD_UINT_OR_NULL, struct record, zero)},
        {.name = "flagged",
         .type = "INTEGER",
         .merge = SL_MERGE_SUM,
         SL_FIELD_FLAGGED(SL_FIELD_UINT_IF, struct record, flagged, flag)},
        {.name = "again",
         .type = "INTEGER",
         .merge = SL_MERGE_SUM,
         SL_FIELD_FLAGGED(SL_FIELD_UINT_IF, struct record, again, flag)},
        {.name = "signed",
         .type = "INTEGER",
         .merge = SL_MERGE_SAME,
         SL_FIELD_FLAGGED(SL_FIELD_INT_IF, struct record, signed_number, has_signed)},
        {.name = "\"is\"", .type = "INTEGER", .merge = SL_MERGE_OR, SL_FIELD(struct record, is)},
        {.name = "real", .type = "REAL", SL_FIELD(struct record, real)},
        {.name = "text", .type = "TEXT", .merge = SL_MERGE_SAME, SL_FIELD(struct record, text)},
        {.name = "name",
         .type = "TEXT",
         .merge = SL_MERGE_FIRST_OF_ANY,
         SL_FIELD(struct record, name)},
    }};

static bool same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static struct record random_record(uint64_t *seed)
{
    static const char *const texts[] = {NULL, "", "a", "it's \"quoted\"", "\xff\xfe"};
    struct record r = {
        .number = sl_random_next(seed),
        .zero = sl_random_below(seed, 3),
        .flag = sl_random_below(seed, 2),
        .has_signed = sl_random_below(seed, 2),
        .is = sl_random_below(seed, 2),
        .real = sl_random_below(seed, 4) ? (double)sl_random_next(seed) / 3 : (double)NAN,
        .text = texts[sl_random_below(seed, 5)],
        .name = texts[sl_random_below(seed, 5)],
    };
    r.flagged = r.flag ? sl_random_next(seed) : 0;
    r.again = r.flag ? sl_random_next(seed) : 0;
    r.signed_number = r.has_signed ? (int)sl_random_next(seed) : 0;
    return r;
}

static bool equal(const struct record *a, const struct record *b)
{
    return a->number == b->number && a->zero == b->zero && a->flag == b->flag &&
           a->flagged == b->flagged && a->again == b->again && a->has_signed == b->has_signed &&
           a->signed_number == b->signed_number && a->is == b->is &&
           (a->real == b->real || (isnan(a->real) && isnan(b->real))) &&
           same_text(a->text, b->text) && same_text(a->name, b->name);
}

static void test_round_trip(void)
{
    sqlite3 *database;
    sqlite3_stmt *insert, *select;
    const struct sl_sql_table *const table = &records;
    uint64_t seed = 1, n_nulls = 0;
    bool all = true;
    sqlite3_open(":memory:", &database);
    sl_sql_create_all(database, table, 1);
    sl_sql_prepare_insert(database, table, "INSERT INTO", &insert);
    sl_sql_prepare_select(database, table, "WHERE key = ?1", &select);
    for (int i = 0; i < 2000 && all; i++) {
        struct record from = random_record(&seed), to = {0};
        sqlite3_bind_int(insert, 1, i);
        all = sl_sql_bind(table, insert, &from) == SQLITE_OK &&
              sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
        sqlite3_bind_int(select, 1, i);
        all = all && sqlite3_step(select) == SQLITE_ROW;
        if (all) {
            sl_sql_read(table, select, &to);
            bool nulls = (sqlite3_column_type(select, 3) == SQLITE_NULL) == !from.flag &&
                         (sqlite3_column_type(select, 4) == SQLITE_NULL) == !from.flag &&
                         (sqlite3_column_type(select, 2) == SQLITE_NULL) == !from.zero;
            n_nulls += !from.flag;
            all = nulls && sl_sql_copy_texts(table, &to);
            sqlite3_reset(select);
            all = all && equal(&from, &to);
            sl_sql_free_texts(table, &to);
            all = all && !to.text && !to.name;
        }
    }
    ok(all && n_nulls > 500, "2000 random structs are the same after they were written and read");
    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    sqlite3_close(database);
}

static void test_merge(void)
{
    uint64_t seed = 2;
    bool all = true;
    for (int i = 0; i < 2000 && all; i++) {
        const struct record a = random_record(&seed), b = random_record(&seed);
        struct record sum = a;
        sl_sql_merge(&records, &sum, &b);
        bool same_signed = a.has_signed && b.has_signed && a.signed_number == b.signed_number;
        all = sum.number == a.number + b.number && sum.flagged == a.flagged + b.flagged &&
              sum.is == (a.is || b.is) && sum.zero == a.zero && sum.has_signed == same_signed &&
              same_text(sum.name, a.name ? a.name : b.name) &&
              (same_text(a.text, b.text) ? same_text(sum.text, a.text) : !sum.text || !*sum.text);
    }
    ok(all, "rows are merged by the rules of their columns");
}

/* ---- the check ---- */

/* Whether a database of our tables is accepted after a statement. */
static bool accepted_after(const char *sql)
{
    struct sl_failure f;
    sqlite3 *database;
    int rc;
    sqlite3_open(":memory:", &database);
    bool good = sl_sql_create_all(database, sl_db_tables, SL_DB_TABLES) == SQLITE_OK &&
                sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    int result = sl_schema_check(database, sl_db_tables, SL_DB_TABLES, "x", "", &rc, &f);
    sqlite3_close(database);
    return good && !result && rc == SQLITE_DONE;
}

static void test_check(void)
{
    ok(accepted_after("SELECT 1") &&
           accepted_after("CREATE TABLE own (a); CREATE INDEX i ON own(a)"),
       "our tables are accepted, and so are others");
    ok(!accepted_after("CREATE VIEW x AS SELECT 1") &&
           !accepted_after("CREATE TRIGGER x AFTER INSERT ON entry BEGIN SELECT 1; END") &&
           !accepted_after("DROP TABLE entry; CREATE TABLE ENTRY (a)") &&
           !accepted_after("ALTER TABLE message_gap RENAME COLUMN low TO lower"),
       "views, triggers and changed tables are refused");
}

int main(void)
{
    test_tables(sl_db_tables, SL_DB_TABLES, "a run");
    test_round_trip();
    test_merge();
    test_check();
    if (!test_database_document(sl_db_tables, SL_DB_TABLES, "a run"))
        return 1;
    return done_testing();
}
