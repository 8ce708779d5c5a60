/* SPDX-License-Identifier: MIT */
/* Test helpers that check the descriptions of SQL tables (schema.h): each table can be created,
 * written and read with all of its columns, and docs/database.md documents it. The tests of run
 * databases and of sweep databases use these helpers. */
#ifndef SL_TESTS_SCHEMA_CHECKS_H
#define SL_TESTS_SCHEMA_CHECKS_H

#include <stdlib.h>
#include <string.h>

#include "checkout_data.h"
#include "schema.h"
#include "tap.h"

static inline int count_rows(sqlite3 *database, const char *table)
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
static inline bool works(const struct sl_sql_table *table)
{
    sqlite3 *database;
    sqlite3_stmt *insert, *select, *info;
    char sql[200];
    size_t n = 0, columns = sl_sql_columns(table);
    sqlite3_open(":memory:", &database);
    bool good = sl_sql_create_all(database, table, 1) == SQLITE_OK;
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

static inline void test_tables(const struct sl_sql_table *table, size_t n, const char *what)
{
    bool all = true;
    for (size_t i = 0; i < n; i++)
        if (!works(&table[i])) {
            printf("# %s\n", table[i].name);
            all = false;
        }
    ok(all, "%zu tables of %s are created, written and read with all columns in order", n, what);
}

static inline void print(FILE *out, const struct sl_sql_table *table)
{
    fprintf(out, "### %s\n\n%s\n\n| column | type | meaning |\n| --- | --- | --- |\n", table->name,
            table->meaning);
    for (const struct sl_column *c = table->column; c->name; c++)
        fprintf(out, "| %s | %s | %s |\n", c->name, c->type, c->meaning);
    fputc('\n', out);
}

static inline void test_document(const char *text, const struct sl_sql_table *table, size_t n,
                                 const char *what)
{
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        char *section = NULL;
        size_t size;
        FILE *out = open_memstream(&section, &size);
        print(out, &table[i]);
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

/* Checks that docs/database.md describes these tables. */
static inline bool test_database_document(const struct sl_sql_table *table, size_t n,
                                          const char *what)
{
    static char text[1 << 20];
    char path[4200];
    use_checkout_data();
    snprintf(path, sizeof path, "%s/../docs/database.md", getenv("SLUICE_DATA"));
    FILE *file = fopen(path, "r");
    if (!file || !fread(text, 1, sizeof text - 1, file))
        return false;
    fclose(file);
    test_document(text, table, n, what);
    return true;
}

#endif
