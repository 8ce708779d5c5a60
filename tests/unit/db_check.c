/* SPDX-License-Identifier: MIT */
/* Unit tests of the checks when a database is opened. Tables with wrong columns are refused, and so
 * is a database whose tables claim more rows than fit in the file. A query is stopped if its work
 * is out of proportion to the size of the file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "db_row.h"
#include "support/repeated_page.h"
#include "tap.h"

/* ---- what is not as we make it ---- */

static char name[64][32];
static size_t n_names;

static void execute(const char *path, const char *sql)
{
    sqlite3 *database;
    char *why = NULL;
    if (sqlite3_open(path, &database) || sqlite3_exec(database, sql, NULL, NULL, &why))
        printf("# gives up: %s: %s\n", sql, why ? why : "it cannot be opened");
    sqlite3_free(why);
    sqlite3_close(database);
}

/* Whether it is refused after the statement, and read after what undoes that. */
static bool refused_by(const char *path, const char *sql, const char *undo)
{
    struct sl_database *database;
    struct sl_failure f;
    execute(path, sql);
    bool refused = sl_database_open(&database, path, &f) == SL_EFORMAT &&
                   strstr(f.text, "differs from the table that sluice creates");
    sl_database_close(database);
    execute(path, undo);
    bool read = !sl_database_open(&database, path, &f);
    sl_database_close(database);
    return refused && read;
}

static void changed_tables(const char *path)
{
    struct sl_database *database;
    struct sl_failure f;
    bool all = !sl_database_open(&database, path, &f);
    struct sl_rows rows = sl_rows_query(
        database, "SELECT name FROM sqlite_schema WHERE type = 'table'", NULL, 0);
    while (sl_rows_next(&rows, NULL))
        snprintf(name[n_names++ % 64], sizeof *name, "%s", sl_column_text(rows.row, 0));
    all = all && !sl_rows_end(&rows, &f) && n_names == SL_DB_TABLES;
    sl_database_close(database);
    for (size_t i = 0; i < n_names && all; i++) {
        char sql[256], undo[256];
        snprintf(sql, sizeof sql, "ALTER TABLE \"%s\" ADD COLUMN more INTEGER", name[i]);
        snprintf(undo, sizeof undo, "ALTER TABLE \"%s\" DROP COLUMN more", name[i]);
        all = refused_by(path, sql, undo);
        if (!all)
            printf("# %s\n", name[i]);
    }
    ok(all, "each of %zu tables is refused with another column, and read without it", n_names);
    char named[2][256];
    for (unsigned i = 0; i < 2; i++) {
        const char *from = i ? "Program" : "program", *to = i ? "program" : "Program";
        snprintf(named[i], sizeof named[i],
                 "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = "
                 "'%s', tbl_name = '%s', sql = replace(sql, '%s', '%s') WHERE name = '%s'",
                 to, to, from, to, from);
    }
    ok(refused_by(path, named[0], named[1]), "names in other letters are the same names");
    execute(path, "CREATE TABLE programs (path TEXT); CREATE INDEX location_2 ON location (line)");
    ok(!sl_database_open(&database, path, &f), "tables that a user added are accepted");
    sl_database_close(database);
}

/* ---- pages that are there more than once ---- */

static void repeated_pages(const char *path)
{
    char other[4096];
    struct sl_database *database;
    struct sl_failure f = {.text = ""};
    snprintf(other, sizeof other, "%.4000s-repeated", path);
    execute(path, "INSERT INTO source_file VALUES (1, 'a.c')");
    repeat_pages(path, other, "source_file");
    ok(sl_database_open(&database, other, &f) == SL_EFORMAT && strstr(f.text, "is damaged"),
       "a page that is there 400^4 times is refused: %s", f.text);
    unlink(other);
    unlink(path);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char path[4096];
    struct sl_database *database;
    struct sl_failure f = {.text = ""};
    sqlite3 *sql;
    uint64_t n = 0;
    snprintf(path, sizeof path, "%s/saved_check.XXXXXX", parent ? parent : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) || sqlite3_open(path, &sql) || sl_database_begin(sql) ||
        sqlite3_exec(
            sql,
            "INSERT INTO program (argv, arch, exec, forks, threads, dropped_blocks, dropped_loads,"
            " instructions, blocks, loads, marked, skip, default_profiles)"
            " VALUES ('[]', 'none', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);"
            "COMMIT",
            NULL, NULL, NULL))
        return 1;
    sqlite3_close(sql);

    ok(!sl_database_open(&database, path, &f), "what we make is read %s", f.text);
    ok(!sl_rows_number(database,
                       "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
                       " WHERE x < 1000000) SELECT count(*) FROM c",
                       NULL, 0, &n, &f) &&
           n == 1000000,
       "some work is done");
    ok(sl_rows_number(database,
                      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
                      " SELECT count(*) FROM c",
                      NULL, 0, &n, &f) == SL_EFORMAT &&
           strstr(f.text, "too many steps"),
       "work without end is ended: %s", f.text);
    ok(sl_rows_number(database,
                      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
                      " WHERE x < 10000) SELECT count(*) FROM c",
                      NULL, 0, &n, &f) == SL_EFORMAT,
       "and then there is none left");
    sl_database_close(database);
    changed_tables(path);
    repeated_pages(path);
    unlink(path);
    return done_testing();
}
