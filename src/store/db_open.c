/* SPDX-License-Identifier: MIT */
/* Opens the database of a run, or the database of a child process inside it (--follow), for
 * reading. The file may be hostile, so it is checked before rows are read:
 *
 *  - The schema: the tables must be as sluice creates them, so that no column is computed and all
 *    searches use keys. Views, triggers and virtual tables, which are programs, are refused. Other
 *    tables and indices are allowed.
 *  - The pages: SQLite checks cells against their page and does not trust the schema. It does not
 *    map the file into memory, where another process could truncate it. No page may be linked twice
 *    (schema.h).
 *  - The work: all queries together may execute a limited number of SQLite's virtual machine
 *    instructions per byte of the file. Reports of valid databases need less than a tenth of it. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"
#include "grow.h"
#include "db_row.h"

#define WORK_UNIT 1000     /* virtual machine instructions */
#define WORK_MIN 200000000 /* of any file: some seconds */
#define WORK_PER_BYTE 1000
#define CELL_MAX (64 << 20)

/* ---- checks ---- */

/* SQLite calls this function after each WORK_UNIT. A result other than 0 ends the query. */
static int count_work(void *context)
{
    struct sl_database *database = context;
    return database->work_left ? (database->work_left--, 0) : 1;
}

/* Checks that an opened file contains the tables of sluice and nothing that is executed when it is
 * read, and limits the work of all later queries by its size in bytes. */
static int check_content(struct sl_database *database, uint64_t bytes, struct sl_failure *f)
{
    sqlite3_db_config(database->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_exec(database->sql, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL,
                 NULL);
    /* A cell may be the whole database of a process. */
    uint64_t longest = bytes < CELL_MAX ? CELL_MAX : bytes < INT_MAX ? bytes : INT_MAX;
    sqlite3_limit(database->sql, SQLITE_LIMIT_LENGTH, (int)longest);
    sqlite3_limit(database->sql, SQLITE_LIMIT_ATTACHED, 0);
    database->work_left = (WORK_MIN + WORK_PER_BYTE * bytes) / WORK_UNIT;
    sqlite3_progress_handler(database->sql, WORK_UNIT, count_work, database);
    struct sl_rows rows = {.database = database};
    rows.result = sl_schema_check(database->sql, sl_db_tables, SL_DB_TABLES, sl_db_name(database),
                                  "the database ", &rows.rc, f);
    return sl_rows_end(&rows, f);
}

/* ---- opening ---- */

static int check(struct sl_database *database, const char *path, uint64_t bytes,
                 struct sl_failure *f)
{
    uint64_t id = 0, version = 0;
    if (sl_rows_number(database, "PRAGMA application_id", NULL, 0, &id, NULL) ||
        sl_rows_number(database, "PRAGMA user_version", NULL, 0, &version, NULL) ||
        id != SL_DATABASE_ID)
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    if (version != SL_DATABASE_VERSION)
        return sl_fail(f, SL_EFORMAT,
                       "%s was written by another version of sluice (database version %d, this one "
                       "reads %d): use that version, or profile again",
                       path, (int)version, SL_DATABASE_VERSION);
    return check_content(database, bytes, f);
}

/* Returns the URI with which SQLite opens a file as immutable, without locks and journals. NULL:
 * out of memory. */
static char *uri_of(const char *path)
{
    char *uri = malloc(3 * strlen(path) + 32), *to = uri;
    if (!uri)
        return NULL;
    to = stpcpy(to, *path == '/' ? "file://" : "file:");
    for (; *path; path++)
        to += isalnum((unsigned char)*path) || strchr("/._-", *path)
                  ? sprintf(to, "%c", *path)
                  : sprintf(to, "%%%02x", (unsigned char)*path);
    stpcpy(to, "?immutable=1");
    return uri;
}

static int open_checked(const char *path, struct sl_database *database, struct sl_failure *f)
{
    struct stat status;
    if (stat(path, &status))
        return sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    if (!S_ISREG(status.st_mode))
        return sl_fail(f, SL_EFORMAT, "%s is not a database of sluice", path);
    int result = sl_database_check_journal(path, f);
    char *uri = result ? NULL : uri_of(path);
    if (!result && !uri)
        result = sl_db_fail_memory(f);
    if (!result &&
        sqlite3_open_v2(uri, &database->sql,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL))
        result = sl_fail(f, SL_EIO, "cannot read %s: %s", path,
                         database->sql ? sqlite3_errmsg(database->sql) : "out of memory");
    free(uri);
    return result ? result : check(database, path, (uint64_t)status.st_size, f);
}

/* Opens a copy of the bytes of a cell. Its queries count as work of the database `within`. */
static int open_copy(struct sl_database *within, const void *bytes, size_t size,
                     struct sl_database *database, struct sl_failure *f)
{
    unsigned char *copy = sqlite3_malloc64(size);
    if (!copy || sqlite3_open(":memory:", &database->sql)) {
        sqlite3_free(copy);
        return sl_db_fail_memory(f);
    }
    memcpy(copy, bytes, size);
    if (sqlite3_deserialize(database->sql, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
        return sl_fail(
            f, SL_EFORMAT,
            "%s is damaged: the stored results of a child process are not a database of sluice",
            sl_db_name(within));
    int result = check(database, sl_db_name(within), size, f);
    database->work_left = within->work_left;
    return result;
}

static int read_head(struct sl_database **database, int result, struct sl_failure *f)
{
    if (!result)
        result = sl_db_program(*database, f);
    if (!result)
        result = sl_db_machine(*database, f);
    if (!result)
        result = sl_db_profiles(*database, f);
    if (!result)
        result = sl_rows_number(*database, "SELECT count(*) FROM process", NULL, 0,
                                &(*database)->n_processes, f);
    if (result) {
        sl_database_close(*database);
        *database = NULL;
    }
    return result;
}

int sl_database_open(struct sl_database **database, const char *path, struct sl_failure *f)
{
    *database = calloc(1, sizeof **database);
    int result = *database ? open_checked(path, *database, f) : sl_db_fail_memory(f);
    return read_head(database, result, f);
}

int sl_db_open_cell(struct sl_database **database, struct sl_database *within, sqlite3_stmt *row,
                    int column, struct sl_failure *f)
{
    const void *bytes = sqlite3_column_blob(row, column);
    size_t size = (size_t)sqlite3_column_bytes(row, column);
    *database = calloc(1, sizeof **database);
    int result = *database ? open_copy(within, bytes, size, *database, f) : sl_db_fail_memory(f);
    result = read_head(database, result, f);
    within->work_left = *database ? (*database)->work_left : 0;
    return result;
}

void sl_database_close(struct sl_database *database)
{
    if (!database)
        return;
    sl_db_program_free(&database->program);
    sl_sql_free_texts(&sl_db_tables[SL_DB_MACHINE], &database->machine);
    for (size_t i = 0; i < database->n_other_machines; i++)
        sl_sql_free_texts(&sl_db_tables[SL_DB_OTHER_MACHINE], &database->other_machine[i]);
    sl_db_profiles_free(&database->profiles);
    sqlite3_close(database->sql);
    free(database);
}

/* ---- child processes ---- */

#define COLUMN(name) sl_sql_column(&sl_db_tables[SL_DB_PROCESS], name)

/* Opens the database in a row of `process`. */
static int open_process(struct sl_database **database, struct sl_database *whole, sqlite3_stmt *row,
                        const char *path, uint64_t number, struct sl_failure *f)
{
    int column = COLUMN("database");
    return sqlite3_column_blob(row, column)
               ? sl_db_open_cell(database, whole, row, column, f)
               : sl_fail(f, SL_EUSAGE,
                         sl_is_null(row, COLUMN("instructions"))
                             ? "process %llu of %s was not profiled"
                             : "process %llu of %s was only counted, not profiled, because it "
                               "executed another program soon after its start",
                         (unsigned long long)number, path);
}

int sl_database_open_process(struct sl_database **database, const char *path, uint64_t number,
                             struct sl_failure *f)
{
    struct sl_database *whole;
    int64_t bound = (int64_t)number;
    if (!number)
        return sl_database_open(database, path, f);
    *database = NULL;
    int result = sl_database_open(&whole, path, f);
    if (result)
        return result;
    struct sl_rows rows = sl_rows_select(whole, SL_DB_PROCESS, "WHERE id = ?1", &bound, 1);
    bool found = sl_rows_next(&rows, NULL);
    if (found)
        rows.result = open_process(database, whole, rows.row, path, number, f);
    result = sl_rows_end(&rows, f);
    if (!result && !found)
        result = sl_fail(f, SL_EUSAGE, "%s has no process %llu", path, (unsigned long long)number);
    sl_database_close(whole);
    return result;
}

static int add_process(struct sl_db_processes *all, struct sl_database *within,
                       struct sl_db_process *process, sqlite3_stmt *row, struct sl_failure *f)
{
    struct sl_database *child = NULL;
    int column = COLUMN("database");
    process->profiled = sqlite3_column_blob(row, column) != NULL;
    process->counted = process->counted && !process->profiled;
    process->program = process->program ? strdup(process->program) : NULL;
    int result = process->profiled ? sl_db_open_cell(&child, within, row, column, f) : 0;
    if (!result && !SL_GROW(all->process, all->capacity, all->n + 1))
        result = sl_db_fail_memory(f);
    if (result) {
        sl_database_close(child);
        free((char *)process->program);
        return result;
    }
    if (child) {
        process->about = child->program;
        child->program = (struct sl_db_program){0};
    }
    sl_database_close(child);
    all->process[all->n++] = *process;
    return 0;
}

int sl_db_processes(struct sl_db_processes *processes, struct sl_database *database,
                    struct sl_failure *f)
{
    struct sl_db_process process = {0};
    struct sl_rows rows = sl_rows_select(database, SL_DB_PROCESS, "ORDER BY id", NULL, 0);
    *processes = (struct sl_db_processes){0};
    while (sl_rows_next(&rows, &process)) {
        rows.result = add_process(processes, database, &process, rows.row, f);
        process.about = (struct sl_db_program){0};
    }
    int result = sl_rows_end(&rows, f);
    if (result)
        sl_db_processes_free(processes);
    return result;
}

void sl_db_processes_free(struct sl_db_processes *processes)
{
    for (size_t i = 0; i < processes->n; i++) {
        sl_db_program_free(&processes->process[i].about);
        free((char *)processes->process[i].program);
    }
    free(processes->process);
    *processes = (struct sl_db_processes){0};
}
