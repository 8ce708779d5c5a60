/* SPDX-License-Identifier: MIT */
/* Writes the results of a run to its database. The tables about the whole run are written here, the
 * others by database_profiles.c, database_sequence.c, database_code.c and database_lines.c. Equal
 * results give equal bytes: there are no times and no host names, and rows have a fixed order. */
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database.h"
#include "database_row.h"
#include "machine_event.h"
#include "unnamed_file.h"
#include "utf8.h"

/* The file is written once and discarded after an error: it needs no journal and no syncing. */
int sl_database_begin(sqlite3 *database)
{
    char pragmas[300];
    snprintf(pragmas, sizeof pragmas,
             "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE;"
             "PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN",
             SL_DATABASE_ID, SL_DATABASE_VERSION);
    int rc = sqlite3_exec(database, pragmas, NULL, NULL, NULL);
    return rc == SQLITE_OK ? sl_sql_create_all(database, sl_db_tables, SL_DB_TABLES) : rc;
}

/* ---- program ---- */

/* Returns the arguments as a JSON array, to be freed. NULL: out of memory. */
static char *argv_text(char *const *argv)
{
    json_t *array = json_array();
    for (size_t i = 0; argv && argv[i]; i++) {
        char *clean = sl_utf8_clean(argv[i]);
        if (!clean || json_array_append_new(array, json_string(clean))) {
            json_decref(array);
            array = NULL;
        }
        free(clean);
    }
    char *written = array ? json_dumps(array, JSON_COMPACT) : NULL;
    json_decref(array);
    return written;
}

int sl_database_put_program(sqlite3 *database, const struct sl_db_program *program,
                            const char *argv)
{
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_PROGRAM]);
    row.column = sl_sql_column(row.table, "argv");
    sl_row_add_text(&row, argv);
    sl_row_put_fields(&row, program);
    return sl_row_finish(&row);
}

static int fill_program(sqlite3 *database, const struct sl_results *results)
{
    const struct sl_program *program = &results->statics->program;
    bool samples = results->load_sampling.of > 1;
    char *argv = argv_text(program->argv);
    int rc = argv ? sl_database_put_program(
                        database,
                        &(struct sl_db_program){
                            .path = program->path,
                            .arch = sl_arch_name(program->arch),
                            .ended = program->ended,
                            .status = program->status,
                            .exec = program->exec,
                            .forks = program->forks,
                            .threads = program->threads,
                            .dropped_blocks = program->dropped_blocks,
                            .dropped_mems = program->dropped_mems,
                            .instructions = results->instructions,
                            .blocks = results->blocks,
                            .loads = results->loads,
                            .range = results->range,
                            .only = results->only,
                            .marked = results->marked,
                            .skip = results->skip,
                            .limit = results->limit,
                            .warning = results->warning && results->warning[0] ? results->warning
                                                                               : NULL,
                            .tap = sl_tap_name(program->tap),
                            .load_sampling_period = samples ? results->load_sampling.of : 0,
                            .load_sampling_blocks = samples ? results->load_sampling.blocks : 0,
                            .start_at = results->start_at,
                            .default_profiles = results->default_profiles,
                        },
                        argv)
                  : SQLITE_NOMEM;
    free(argv);
    return rc;
}

/* ---- CPU models ---- */

/* Writes n CPU models with their machine events: the first one, or the others, whose tables have a
 * column with the number of the model. */
static int put_machines(sqlite3 *database, bool others, const struct sl_db_machine *machine,
                        size_t n)
{
    struct sl_row row = sl_row_prepare(database,
                                       &sl_db_tables[others ? SL_DB_OTHER_MACHINE : SL_DB_MACHINE]);
    for (size_t i = 0; i < n; i++) {
        if (others)
            sl_row_add_uint(&row, i);
        sl_row_put_fields(&row, &machine[i]);
    }
    int rc = sl_row_finish(&row);
    if (rc != SQLITE_OK)
        return rc;
    row = sl_row_prepare(database,
                         &sl_db_tables[others ? SL_DB_OTHER_MACHINE_EVENT : SL_DB_MACHINE_EVENT]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < SL_MACHINE_TOTALS; k++) {
            if (others)
                sl_row_add_uint(&row, i);
            sl_row_add_text(&row, sl_machine_event_names[k].name);
            if (!others)
                sl_row_add_text(&row, sl_machine_event_names[k].summary);
            sl_row_add_uint(&row, machine[i].total[k]);
            sl_row_insert(&row);
        }
    return sl_row_finish(&row);
}

int sl_database_put_machines(sqlite3 *database, const struct sl_db_machine *first,
                             const struct sl_db_machine *other, size_t n_others)
{
    int rc = put_machines(database, false, first, first->name != NULL);
    if (rc == SQLITE_OK)
        rc = put_machines(database, true, other, n_others);
    if (rc != SQLITE_OK || !first->has_profiler)
        return rc;
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_PROFILER]);
    sl_row_put_fields(&row, &first->profiler);
    return sl_row_finish(&row);
}

static struct sl_db_machine machine_row(const struct sl_result_machine *from)
{
    struct sl_db_machine machine = {.name = from->name,
                                    .description = from->description,
                                    .energy_factor = from->energy_factor,
                                    .energy_extrapolated = from->energy_extrapolated,
                                    .has_profiler = from->profiler};
    memcpy(machine.total, from->total, SL_MACHINE_TOTALS * sizeof *machine.total);
    if (from->profiler)
        machine.profiler = *from->profiler;
    return machine;
}

static int fill_machines(sqlite3 *database, const struct sl_results *results)
{
    struct sl_db_machine machine = {0}, other[SL_RESULT_OTHER_MACHINES_MAX];
    if (results->machine)
        machine = machine_row(results->machine);
    for (size_t i = 0; i < results->n_other_machines; i++)
        other[i] = machine_row(&results->other_machines[i]);
    return sl_database_put_machines(database, &machine, other, results->n_other_machines);
}

/* ---- objects and processes ---- */

static int fill_objects(sqlite3 *database, const struct sl_results *results)
{
    const struct sl_statics *statics = results->statics;
    char build_id[256];
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_OBJECT]);
    for (size_t i = 0; i < statics->n_objects && row.rc == SQLITE_OK; i++) {
        const struct sl_object *object = &statics->object[i];
        sl_symbols_build_id(results->symbols, object, build_id, sizeof build_id);
        sl_row_put_fields(&row, &(struct sl_db_object){
                                    .id = i,
                                    .start = object->start,
                                    .end = object->end,
                                    .offset = object->offset,
                                    .path = object->path,
                                    .name = sl_symbols_object(results->symbols, object),
                                    .build_id = build_id[0] ? build_id : NULL,
                                });
    }
    return sl_row_finish(&row);
}

/* Returns the bytes of a file, to be freed. NULL: it cannot be read, or is empty. */
static void *read_file(const char *path, size_t *size)
{
    struct stat status;
    int in = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    *size = in >= 0 && !fstat(in, &status) ? (size_t)status.st_size : 0;
    void *bytes = *size ? malloc(*size) : NULL;
    if (bytes && !sl_file_read(in, 0, bytes, *size)) {
        free(bytes);
        bytes = NULL;
    }
    if (in >= 0)
        close(in);
    return bytes;
}

/* Writes the child processes; the database of each is one cell. */
static int fill_processes(sqlite3 *database, const struct sl_results *results)
{
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_PROCESS]);
    for (size_t i = 0; i < results->n_processes && row.rc == SQLITE_OK; i++) {
        const struct sl_process *process = &results->process[i];
        size_t size;
        void *bytes = read_file(process->database, &size);
        char *clean = sl_utf8_clean(process->program);
        row.column = sl_sql_column(row.table, "database");
        sl_row_add_bytes(&row, bytes, size);
        sl_row_put_fields(&row, &(struct sl_db_process){
                                    .number = i + 1,
                                    .pid = process->pid,
                                    .program = clean,
                                    .parent = process->parent,
                                    .forked = process->forked,
                                    .counted = process->counted,
                                    .about.instructions = process->instructions,
                                });
        free(clean);
        free(bytes);
    }
    return sl_row_finish(&row);
}

/* ---- the whole database ---- */

/* Adds the files whose names could not be read to the warning of the program. */
static int add_warning(sqlite3 *database, struct sl_symbols *symbols)
{
    char text[2048];
    sl_symbols_warning(symbols, text, sizeof text);
    if (!text[0])
        return SQLITE_OK;
    char *clean = sl_utf8_clean(text);
    char *sql = clean ? sqlite3_mprintf("UPDATE program SET warning = "
                                        "coalesce(warning || '; ', '') || %Q",
                                        clean)
                      : NULL;
    int rc = sql ? sqlite3_exec(database, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    free(clean);
    return rc;
}

/* Writes all parts. Names of code are looked up while the parts after the objects are written. */
static int fill_parts(sqlite3 *database, const struct sl_results *results)
{
    static int (*const part[])(sqlite3 * database, const struct sl_results *results) = {
        sl_database_fill_profiles,
        sl_database_fill_sequences,
        fill_processes,
    };
    int rc = fill_program(database, results);
    if (rc == SQLITE_OK)
        rc = fill_machines(database, results);
    if (rc == SQLITE_OK)
        rc = fill_objects(database, results);
    if (rc != SQLITE_OK)
        return rc;
    struct sl_named_code *code = sl_named_code_find(results);
    for (size_t i = 0; i < sizeof part / sizeof *part && rc == SQLITE_OK; i++)
        rc = part[i](database, results);
    if (rc == SQLITE_OK)
        rc = code ? sl_database_fill_code(database, code) : SQLITE_NOMEM;
    sl_named_code_free(code);
    return rc == SQLITE_OK ? add_warning(database, results->symbols) : rc;
}

static int fill(sqlite3 *database, void *context)
{
    struct sl_results results = *(const struct sl_results *)context;
    struct sl_symbols *own = results.symbols ? NULL : sl_symbols_open(results.statics);
    if (own)
        results.symbols = own;
    int rc = results.symbols ? sl_database_begin(database) : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = fill_parts(database, &results);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sl_symbols_close(own);
    return rc;
}

int sl_database_write(const char *path, const struct sl_results *results, struct sl_failure *f)
{
    return sl_database_write_by(path, fill, (void *)(uintptr_t)results, f);
}
