/* An opened database takes no more of SQLite's work than its size explains. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "saved_row.h"
#include "tap.h"

static int take(void *context, sqlite3_stmt *row)
{
    *(uint64_t *)context = sl_number_at(row, 0);
    return 0;
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
    if (fd < 0 || close(fd) || sqlite3_open(path, &sql) ||
        sqlite3_exec(sql, sl_database_schema, NULL, NULL, NULL) ||
        sqlite3_exec(sql,
                     "INSERT INTO program (argv, arch, exec, forks, threads, dropped_blocks, dropped_mems,"
                     " instructions, blocks, loads, marked, skip)"
                     " VALUES ('[]', 'none', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);"
                     "COMMIT", NULL, NULL, NULL))
        return 1;
    sqlite3_close(sql);

    ok(!sl_database_open(&database, path, &f), "what we make is read %s", f.text);
    ok(!sl_saved_rows(database, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
                      " WHERE x < 1000000) SELECT count(*) FROM c", NULL, 0, take, &n, &f) &&
           n == 1000000, "some work is done");
    ok(sl_saved_rows(database, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
                     " SELECT count(*) FROM c", NULL, 0, take, &n, &f) == SL_EFORMAT &&
           strstr(f.text, "more work"), "work without end is ended: %s", f.text);
    ok(sl_saved_rows(database, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c"
                     " WHERE x < 10000) SELECT count(*) FROM c", NULL, 0, take, &n, &f) == SL_EFORMAT,
       "and then there is none left");
    sl_database_close(database);
    unlink(path);
    return done_testing();
}
