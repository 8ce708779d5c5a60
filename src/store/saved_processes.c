/* SPDX-License-Identifier: MIT */
#include "saved_processes.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "saved_row.h"

/* ---- one of them ---- */

struct opening {
    struct sl_database **database, *whole;
    const char *path;
    uint64_t number;
    bool found;
    struct sl_failure *f;
};

static int open_blob(void *context, sqlite3_stmt *row)
{
    struct opening *opening = context;
    opening->found = true;
    return sqlite3_column_blob(row, 0)
               ? sl_saved_open_cell(opening->database, opening->whole, row, 0, opening->f)
               : sl_fail(opening->f, SL_EUSAGE, "process %llu of %s was %s",
                         (unsigned long long)opening->number, opening->path,
                         sqlite3_column_type(row, 1) == SQLITE_NULL
                             ? "not profiled"
                             : "only counted, as it soon became another program");
}

int sl_database_open_process(struct sl_database **database, const char *path, uint64_t number,
                             struct sl_failure *f)
{
    struct sl_database *whole;
    struct opening opening = {database, NULL, path, number, false, f};
    int64_t bound = (int64_t)number;
    if (!number)
        return sl_database_open(database, path, f);
    *database = NULL;
    int result = sl_database_open(&whole, path, f);
    if (result)
        return result;
    opening.whole = whole;
    result = sl_saved_rows(whole, "SELECT database, instructions FROM process WHERE id = ?1",
                           &bound, 1, open_blob, &opening, f);
    if (!result && !opening.found)
        result = sl_fail(f, SL_EUSAGE, "%s has no process %llu", path, (unsigned long long)number);
    sl_database_close(whole);
    return result;
}

/* ---- all of them ---- */

struct listing {
    struct sl_saved_processes *processes;
    struct sl_database *within;
    struct sl_failure *f;
};

static int add(void *context, sqlite3_stmt *row)
{
    struct listing *listing = context;
    struct sl_saved_processes *all = listing->processes;
    const char *program = sl_text_at(row, 2);
    struct sl_saved_process process = {.number = sl_number_at(row, 0),
                                       .pid = sl_number_at(row, 1),
                                       .parent = sl_number_at(row, 4),
                                       .forked = sl_number_at(row, 5) != 0,
                                       .profiled = sqlite3_column_blob(row, 3) != NULL};
    struct sl_database *its = NULL;
    int result = process.profiled ? sl_saved_open_cell(&its, listing->within, row, 3, listing->f)
                                  : 0;
    if (result || !SL_GROW(all->process, all->room, all->n + 1)) {
        sl_database_close(its);
        return result ? result : sl_saved_fail_memory(listing->f);
    }
    process.counted = !process.profiled && sqlite3_column_type(row, 6) != SQLITE_NULL;
    if (process.counted)
        process.about.instructions = sl_number_at(row, 6);
    if (its) {
        process.about = its->program;
        its->program = (struct sl_saved_program){0};
    }
    sl_database_close(its);
    process.program = program ? strdup(program) : NULL;
    all->process[all->n++] = process;
    return 0;
}

int sl_saved_processes(struct sl_saved_processes *processes, struct sl_database *database,
                       struct sl_failure *f)
{
    struct listing listing = {processes, database, f};
    *processes = (struct sl_saved_processes){0};
    int result = sl_saved_rows(
        database,
        "SELECT id, pid, program, database, parent, forked, instructions FROM process ORDER BY id",
        NULL, 0, add, &listing, f);
    if (result)
        sl_saved_processes_free(processes);
    return result;
}

void sl_saved_processes_free(struct sl_saved_processes *processes)
{
    for (size_t i = 0; i < processes->n; i++) {
        sl_saved_program_free(&processes->process[i].about);
        free(processes->process[i].program);
    }
    free(processes->process);
    *processes = (struct sl_saved_processes){0};
}
