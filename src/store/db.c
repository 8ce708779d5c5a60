/* SPDX-License-Identifier: MIT */
/* Reader of the database of a run: reads the program and the profiles, and prints code addresses
 * as text (db.h). */
#include "db.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "db_row.h"
#include "utf8.h"

/* ---- program ---- */

static int read_argv(struct sl_database *database, const char *text, struct sl_failure *f)
{
    struct sl_db_program *program = &database->program;
    json_t *array = text ? json_loads(text, 0, NULL) : NULL;
    size_t n = json_array_size(array), n_read = 0;
    program->argv = json_is_array(array) ? calloc(n + 1, sizeof *program->argv) : NULL;
    for (; program->argv && n_read < n; n_read++) {
        const char *one = json_string_value(json_array_get(array, n_read));
        program->argv[n_read] = one ? strdup(one) : NULL;
        if (!program->argv[n_read])
            break;
    }
    json_decref(array);
    program->argc = n_read;
    return program->argv && n_read == n
               ? 0
               : sl_db_fail_content(database, "program.argv is not a JSON array of strings", f);
}

int sl_db_program(struct sl_database *database, struct sl_failure *f)
{
    struct sl_db_program *program = &database->program;
    struct sl_rows rows = sl_rows_select(database, SL_DB_PROGRAM, "LIMIT 1", NULL, 0);
    if (sl_rows_next(&rows, program))
        rows.result = !sl_sql_copy_texts(rows.table, program)
                          ? sl_db_fail_memory(f)
                          : read_argv(database,
                                      sl_column_text(rows.row, sl_sql_column(rows.table, "argv")),
                                      f);
    int result = sl_rows_end(&rows, f);
    return result || program->arch ? result
                                   : sl_db_fail_content(database, "the table program is empty", f);
}

void sl_db_program_free(struct sl_db_program *program)
{
    for (size_t i = 0; i < program->argc; i++)
        free(program->argv[i]);
    free(program->argv);
    sl_sql_free_texts(&sl_db_tables[SL_DB_PROGRAM], program);
}

/* ---- profiles ---- */

/* Finds the detector, the metric and the bounds that the texts of a row denote. */
static int resolve_names(struct sl_database *database, struct sl_db_profile *profile,
                         const struct sl_profile_row *row, struct sl_failure *f)
{
    size_t bound = SL_BOUNDS_NONE; /* the only one without a name */
    while (row->bounds && ++bound <= SL_BOUNDS_95 && strcmp(sl_bounds_names[bound], row->bounds))
        ;
    profile->detector = sl_detector_find(row->detector, strlen(row->detector));
    profile->metric = sl_metric_find(row->metric, strlen(row->metric));
    profile->status.bounds = (enum sl_bounds)bound;
    profile->status.clocked = row->gap_unit && !strcmp(row->gap_unit, "cycles");
    const char *wrong = !profile->detector     ? "a profile has an unknown detector"
                        : !profile->metric     ? "a profile has an unknown metric"
                        : bound > SL_BOUNDS_95 ? "a profile has an unknown kind of bounds"
                                               : NULL;
    if (wrong)
        return sl_db_fail_content(database, wrong, f);
    size_t size = profile->detector->config_size;
    profile->config = calloc(1, size ? size : 1);
    if (profile->config && profile->detector->options)
        sl_options_defaults(profile->detector->options, profile->config);
    return profile->config ? 0 : sl_db_fail_memory(f);
}

/* Adds a profile with copies of its texts. The other texts of the row belong to SQLite. */
static int add_profile(struct sl_database *database, const struct sl_profile_row *row,
                       struct sl_failure *f)
{
    struct sl_db_profiles *all = &database->profiles;
    struct sl_profile_row copy = {.is = row->is};
    if (!SL_GROW(all->profile, all->capacity, all->n + 1))
        return sl_db_fail_memory(f);
    bool copied = sl_sql_copy_texts(&sl_db_tables[SL_DB_PROFILE], &copy);
    struct sl_db_profile *profile = &all->profile[all->n++];
    *profile = copy.is;
    return copied ? resolve_names(database, profile, row, f) : sl_db_fail_memory(f);
}

static int read_profiles(struct sl_database *database, struct sl_failure *f)
{
    struct sl_profile_row row = {0};
    struct sl_rows rows = sl_rows_select(database, SL_DB_PROFILE, "ORDER BY id", NULL, 0);
    while (sl_rows_next(&rows, &row))
        rows.result = add_profile(database, &row, f);
    return sl_rows_end(&rows, f);
}

/* Sets an option of the profile's detector; ignores options of its table. */
static int set_option(struct sl_database *database, struct sl_db_profile *profile,
                      sqlite3_stmt *row, struct sl_failure *f)
{
    const char *component = sl_column_text(row, 1), *name = sl_column_text(row, 2);
    int type = sqlite3_column_type(row, 3);
    struct sl_option_stored stored = {
        .is = type == SQLITE_INTEGER ? SL_STORED_NUMBER
              : type == SQLITE_FLOAT ? SL_STORED_REAL
                                     : SL_STORED_TEXT,
        .number = sl_column_uint(row, 3),
        .real = sqlite3_column_double(row, 3),
    };
    if (stored.is == SL_STORED_TEXT)
        stored.text = sl_column_text(row, 3);
    if (!component || !name || strcmp(profile->detector->name, component) ||
        !profile->detector->options)
        return 0;
    const struct sl_option *o = sl_option_find(profile->detector->options, name, strlen(name));
    return o && sl_option_put(o, &stored, profile->config)
               ? 0
               : sl_db_fail_content(
                     database,
                     "the detector of a profile does not accept a stored option or its value", f);
}

struct sl_db_profile *sl_db_profile_of_row(const struct sl_database *database, sqlite3_stmt *row)
{
    const struct sl_db_profiles *all = &database->profiles;
    for (size_t i = 0; i < all->n; i++)
        if (all->profile[i].id == sqlite3_column_int64(row, 0))
            return &all->profile[i];
    return NULL;
}

static int read_options(struct sl_database *database, struct sl_failure *f)
{
    const struct sl_db_profiles *all = &database->profiles;
    struct sl_rows rows = sl_rows_select(database, SL_DB_OPTION, "", NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        struct sl_db_profile *profile = sl_db_profile_of_row(database, rows.row);
        rows.result = profile ? set_option(database, profile, rows.row, f) : 0;
    }
    int result = sl_rows_end(&rows, f);
    for (size_t i = 0; i < all->n && !result; i++) {
        const struct sl_db_profile *profile = &all->profile[i];
        struct sl_failure why;
        if (profile->detector->resolve && profile->detector->resolve(profile->config, &why))
            result = sl_db_fail_content(database, why.text, f);
    }
    return result;
}

int sl_db_profiles(struct sl_database *database, struct sl_failure *f)
{
    int result = read_profiles(database, f);
    if (!result)
        result = sl_db_deliveries(database, f);
    return result ? result : read_options(database, f);
}

bool sl_db_overlaps(const struct sl_db_profile *profile)
{
    return profile->detector->inclusive && profile->detector->inclusive(profile->config);
}

void sl_db_profiles_free(struct sl_db_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        struct sl_profile_row row = {.is = profiles->profile[i]};
        sl_sql_free_texts(&sl_db_tables[SL_DB_PROFILE], &row);
        free(row.is.config);
    }
    free(profiles->profile);
}

/* ---- code addresses ---- */

char *sl_db_line(const struct sl_db_location *place)
{
    return sl_db_lines(place, place);
}

char *sl_db_lines(const struct sl_db_location *from, const struct sl_db_location *to)
{
    if (!from->file || !from->line)
        return NULL;
    const char *name = sl_file_name(from->file);
    int first = from->line, last = to->file && !strcmp(from->file, to->file) ? to->line : 0;
    if (!last || first == last)
        return sl_asprintf("%s:%d", name, first);
    return sl_asprintf("%s:%d-%d", name, first < last ? first : last, first < last ? last : first);
}
