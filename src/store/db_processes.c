/* SPDX-License-Identifier: MIT */
/* Reader of the list of child processes in the database of a run (--follow). Also opens the
 * database of a child process. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "db_row.h"

#define COLUMN(name) sl_sql_column(sl_db_tables[SL_DB_PROCESS], name)

/* ---- one process ---- */

/* Opens the database in a row of `process`. */
static int open_row(struct sl_database **database, struct sl_database *whole, sqlite3_stmt *row,
                    const char *path, uint64_t number, struct sl_failure *f)
{
    int column = COLUMN("database");
    return sqlite3_column_blob(row, column)
               ? sl_db_open_cell(database, whole, row, column, f)
               : sl_fail(f, SL_EUSAGE, "process %llu of %s was %s", (unsigned long long)number,
                         path,
                         sl_is_null(row, COLUMN("instructions"))
                             ? "not profiled"
                             : "only counted, not profiled, because it executed another program "
                               "soon after its start");
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
        result = open_row(database, whole, rows.row, path, number, f);
    result = sl_rows_end(&rows, result, f);
    if (!result && !found)
        result = sl_fail(f, SL_EUSAGE, "%s has no process %llu", path, (unsigned long long)number);
    sl_database_close(whole);
    return result;
}

/* ---- all processes ---- */

static int add(struct sl_db_processes *all, struct sl_database *within,
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
    int result = 0;
    *processes = (struct sl_db_processes){0};
    while (!result && sl_rows_next(&rows, &process)) {
        result = add(processes, database, &process, rows.row, f);
        process.about = (struct sl_db_program){0};
    }
    result = sl_rows_end(&rows, result, f);
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
