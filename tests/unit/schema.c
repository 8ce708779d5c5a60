/* SPDX-License-Identifier: MIT */
/* Descriptions of SQL tables: statements, conversion of rows, merge rules, the check of a schema,
 * and the reference in docs/database.md. */
#include "schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "random.h"
#include "support/checkout_data.h"
#include "sweep_store.h"
#include "tap.h"

/* ---- every table of the two kinds of files ---- */

static int count_rows(sqlite3 *database, const char *table)
{
    char sql[200];
    sqlite3_stmt *row;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    sqlite3_prepare_v2(database, sql, -1, &row, NULL);
    int n = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int(row, 0) : -1;
    sqlite3_finalize(row);
    return n;
}

/* Whether the table can be created, has the described columns by SQLite's account, and takes a row
 * that the SELECT then gives. */
static bool works(const struct sl_sql_table *table)
{
    sqlite3 *database;
    sqlite3_stmt *insert, *select, *info;
    char sql[200];
    size_t n = 0, columns = sl_sql_columns(table);
    sqlite3_open(":memory:", &database);
    bool good = sl_sql_create_all(database, &table, 1) == SQLITE_OK;
    snprintf(sql, sizeof sql, "PRAGMA table_info(%s)", table->name);
    sqlite3_prepare_v2(database, sql, -1, &info, NULL);
    for (; sqlite3_step(info) == SQLITE_ROW; n++) {
        const char *name = (const char *)sqlite3_column_text(info, 1);
        const char *described = table->column[n].name;
        good = good && n < columns && !strncmp(described + (*described == '"'), name, strlen(name));
    }
    sqlite3_finalize(info);
    good = good && n == columns &&
           sl_sql_prepare_insert(database, table, "INSERT INTO", &insert) == SQLITE_OK &&
           sl_sql_prepare_select(database, table, "", &select) == SQLITE_OK;
    for (int i = 0; good && i < (int)columns; i++)
        sqlite3_bind_int(insert, i + 1, 7 * i + 1);
    good = good && sqlite3_step(insert) == SQLITE_DONE && count_rows(database, table->name) == 1 &&
           sqlite3_step(select) == SQLITE_ROW;
    for (int i = 0; good && i < (int)columns; i++)
        good = sqlite3_column_int(select, i) == 7 * i + 1;
    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    sqlite3_close(database);
    return good;
}

static void test_tables(const struct sl_sql_table *const *table, size_t n, const char *what)
{
    bool all = true;
    for (size_t i = 0; i < n; i++)
        if (!works(table[i])) {
            printf("# %s\n", table[i]->name);
            all = false;
        }
    ok(all, "%zu tables of %s are created, written and read with all columns in order", n, what);
}

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
         SL_FIELD_FLAGGED(SL_FIELD_UINT_SETS_FLAG, struct record, flagged, flag)},
        {.name = "again",
         .type = "INTEGER",
         .merge = SL_MERGE_SUM,
         SL_FIELD_FLAGGED(SL_FIELD_UINT_IF, struct record, again, flag)},
        {.name = "signed",
         .type = "INTEGER",
         .merge = SL_MERGE_SAME,
         SL_FIELD_FLAGGED(SL_FIELD_INT_SETS_FLAG, struct record, signed_number, has_signed)},
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
    sl_sql_create_all(database, &table, 1);
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
           !accepted_after("ALTER TABLE gap RENAME COLUMN low TO lower"),
       "views, triggers and changed tables are refused");
}

/* ---- the document ---- */

static void print(FILE *out, const struct sl_sql_table *table)
{
    fprintf(out, "### %s\n\n%s\n\n| column | type | meaning |\n| --- | --- | --- |\n", table->name,
            table->meaning);
    for (const struct sl_column *c = table->column; c->name; c++)
        fprintf(out, "| %s | %s | %s |\n", c->name, c->type, c->meaning);
    fputc('\n', out);
}

static void test_document(const char *text, const struct sl_sql_table *const *table, size_t n,
                          const char *what)
{
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        char *section = NULL;
        size_t size;
        FILE *out = open_memstream(&section, &size);
        print(out, table[i]);
        fclose(out);
        if (!strstr(text, section)) {
            printf("# docs/database.md should have:\n");
            for (char *line = strtok(section, "\n"); line; line = strtok(NULL, "\n"))
                printf("# %s\n", line);
            all = false;
        }
        free(section);
    }
    ok(all, "docs/database.md describes the %zu tables of %s", n, what);
}

int main(void)
{
    test_tables(sl_db_tables, SL_DB_TABLES, "a run");
    test_tables(sl_sweep_tables, SL_SWEEP_TABLES, "a sweep");
    test_round_trip();
    test_merge();
    test_check();
    static char text[1 << 20];
    char path[4200];
    use_checkout_data();
    snprintf(path, sizeof path, "%s/../docs/database.md", getenv("SLUICE_DATA"));
    FILE *file = fopen(path, "r");
    if (!file || !fread(text, 1, sizeof text - 1, file))
        return 1;
    fclose(file);
    test_document(text, sl_db_tables, SL_DB_TABLES, "a run");
    test_document(text, sl_sweep_tables, SL_SWEEP_TABLES, "a sweep");
    return done_testing();
}
