#include "saved.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "failure.h"
#include "grow.h"

static int fail_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "there is not enough memory to read the database");
}

static int fail(sqlite3 *database, struct sl_failure *f)
{
    if (sqlite3_errcode(database) == SQLITE_NOMEM)
        return fail_memory(f);
    return sl_fail(f, SL_EFORMAT, "the database %s is damaged: %s",
                   sqlite3_db_filename(database, "main"), sqlite3_errmsg(database));
}

static int fail_content(sqlite3 *database, const char *what, struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the database %s is damaged: %s",
                   sqlite3_db_filename(database, "main"), what);
}

static const char *text_at(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static uint64_t number_at(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

/* A copy; NULL stays NULL. Sets `failed` when memory ran out. */
static char *copy_at(sqlite3_stmt *row, int column, bool *failed)
{
    const char *text = text_at(row, column);
    char *copy = text ? strdup(text) : NULL;
    *failed = *failed || (!copy && sqlite3_column_type(row, column) != SQLITE_NULL);
    return copy;
}

static int read_argv(sqlite3 *database, const char *text, struct sl_saved_program *program,
                     struct sl_failure *f)
{
    json_t *array = text ? json_loads(text, 0, NULL) : NULL;
    size_t n = json_array_size(array), kept = 0;
    program->argv = json_is_array(array) ? calloc(n + 1, sizeof *program->argv) : NULL;
    for (; program->argv && kept < n; kept++) {
        const char *one = json_string_value(json_array_get(array, kept));
        program->argv[kept] = one ? strdup(one) : NULL;
        if (!program->argv[kept])
            break;
    }
    json_decref(array);
    program->argc = kept;
    return program->argv && kept == n
               ? 0
               : fail_content(database, "the arguments are not a list of strings", f);
}

int sl_saved_program(sqlite3 *database, struct sl_saved_program *program, struct sl_failure *f)
{
    sqlite3_stmt *row;
    bool failed = false;
    int result = 0;
    *program = (struct sl_saved_program){0};
    if (sqlite3_prepare_v2(database,
            "SELECT path, arch, wait_status, exec, forks, threads, dropped_blocks, dropped_mems,"
            " instructions, blocks, loads, range, only, marked, warning, argv FROM program",
            -1, &row, NULL) != SQLITE_OK)
        return fail(database, f);
    int rc = sqlite3_step(row);
    if (rc == SQLITE_ROW) {
        program->path = copy_at(row, 0, &failed);
        program->arch = copy_at(row, 1, &failed);
        program->ended = sqlite3_column_type(row, 2) != SQLITE_NULL;
        program->status = sqlite3_column_int(row, 2);
        program->exec = sqlite3_column_int(row, 3);
        program->forks = number_at(row, 4);
        program->threads = number_at(row, 5);
        program->dropped_blocks = number_at(row, 6);
        program->dropped_mems = number_at(row, 7);
        program->instructions = number_at(row, 8);
        program->blocks = number_at(row, 9);
        program->loads = number_at(row, 10);
        program->range = copy_at(row, 11, &failed);
        program->only = copy_at(row, 12, &failed);
        program->marked = sqlite3_column_int(row, 13);
        program->warning = copy_at(row, 14, &failed);
        result = failed           ? fail_memory(f)
                 : !program->arch ? fail_content(database, "it has no architecture", f)
                                  : read_argv(database, text_at(row, 15), program, f);
    } else {
        result = rc == SQLITE_DONE ? fail_content(database, "it has no program", f) : fail(database, f);
    }
    sqlite3_finalize(row);
    if (result)
        sl_saved_program_free(program);
    return result;
}

void sl_saved_program_free(struct sl_saved_program *program)
{
    for (size_t i = 0; i < program->argc; i++)
        free(program->argv[i]);
    free(program->argv);
    free(program->path);
    free(program->arch);
    free(program->range);
    free(program->only);
    free(program->warning);
    *program = (struct sl_saved_program){0};
}

static int read_profile(sqlite3 *database, sqlite3_stmt *row, struct sl_saved_profile *profile,
                        struct sl_failure *f)
{
    bool failed = false;
    *profile = (struct sl_saved_profile){
        .id = sqlite3_column_int64(row, 0),
        .spec = copy_at(row, 1, &failed),
        .detector = copy_at(row, 2, &failed),
        .metric = copy_at(row, 3, &failed),
        .table = copy_at(row, 4, &failed),
        .events = number_at(row, 6),
        .weight = number_at(row, 7),
        .distinct = number_at(row, 8),
        .storage_bits = number_at(row, 9),
        .drops = number_at(row, 10),
        .drops_weight = number_at(row, 11),
        .saved = number_at(row, 12),
        .saved_weight = number_at(row, 13),
        .note = copy_at(row, 14, &failed),
    };
    if (failed)
        return fail_memory(f);
    if (!profile->spec || !profile->detector || !profile->metric || !profile->table)
        return fail_content(database, "a profile has no name", f);
    const char *second = text_at(row, 5);
    for (int i = SL_SECOND_NONE; second && i <= SL_SECOND_END; i++)
        if (!strcmp(second, sl_second_names[i])) {
            profile->second = (enum sl_second)i;
            return 0;
        }
    return fail_content(database, "an entry's second word is of an unknown kind", f);
}

int sl_saved_profiles(sqlite3 *database, struct sl_saved_profiles *profiles, struct sl_failure *f)
{
    sqlite3_stmt *row;
    int rc = SQLITE_DONE, result = 0;
    *profiles = (struct sl_saved_profiles){0};
    if (sqlite3_prepare_v2(database,
            "SELECT id, spec, detector, metric, \"table\", second, events, weight, \"distinct\","
            " storage_bits, drops, drops_weight, saved, saved_weight, note FROM profile ORDER BY id",
            -1, &row, NULL) != SQLITE_OK)
        return fail(database, f);
    while (!result && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        if (SL_GROW(profiles->profile, profiles->room, profiles->n + 1))
            result = read_profile(database, row, &profiles->profile[profiles->n++], f);
        else
            result = fail_memory(f);
    }
    if (!result && rc != SQLITE_DONE)
        result = fail(database, f);
    sqlite3_finalize(row);
    if (result)
        sl_saved_profiles_free(profiles);
    return result;
}

void sl_saved_profiles_free(struct sl_saved_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        struct sl_saved_profile *profile = &profiles->profile[i];
        free(profile->spec);
        free(profile->detector);
        free(profile->metric);
        free(profile->table);
        free(profile->note);
    }
    free(profiles->profile);
    *profiles = (struct sl_saved_profiles){0};
}

static void read_place(sqlite3_stmt *row, int column, uint64_t address,
                       struct sl_saved_place *place)
{
    *place = (struct sl_saved_place){
        .address = address,
        .function = text_at(row, column),
        .function_start = number_at(row, column + 1),
        .object = text_at(row, column + 2),
        .object_address = number_at(row, column + 3),
        .file = text_at(row, column + 4),
        .line = sqlite3_column_int(row, column + 5),
    };
}

int sl_saved_entries(sqlite3 *database, const struct sl_saved_profile *profile, uint64_t n,
                     int (*each)(void *context, const struct sl_saved_entry *entry), void *context,
                     struct sl_failure *f)
{
    sqlite3_stmt *row;
    int rc = SQLITE_DONE, result = 0;
    bool leads = profile->second == SL_SECOND_TARGET || profile->second == SL_SECOND_END;
    if (sqlite3_prepare_v2(database,
            "SELECT e.rank, e.pc, e.value, e.count,"
            " p.function, p.function_start, a.name, p.object_address, p.file, p.line,"
            " q.function, q.function_start, b.name, q.object_address, q.file, q.line"
            " FROM entry e LEFT JOIN place p ON p.address = e.pc LEFT JOIN object a ON a.id = p.object"
            " LEFT JOIN place q ON ?3 AND q.address = e.value LEFT JOIN object b ON b.id = q.object"
            " WHERE e.profile = ?1 ORDER BY e.rank LIMIT ?2",
            -1, &row, NULL) != SQLITE_OK)
        return fail(database, f);
    sqlite3_bind_int64(row, 1, profile->id);
    sqlite3_bind_int64(row, 2, n && n <= INT64_MAX ? (int64_t)n : -1);
    sqlite3_bind_int(row, 3, leads);
    while (!result && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        struct sl_saved_entry entry = {
            .rank = number_at(row, 0), .count = number_at(row, 3), .value = number_at(row, 2)};
        read_place(row, 4, number_at(row, 1), &entry.at);
        read_place(row, 10, entry.value, &entry.to);
        result = each(context, &entry);
    }
    if (!result && rc != SQLITE_DONE)
        result = fail(database, f);
    sqlite3_finalize(row);
    return result;
}

char *sl_saved_symbol(const struct sl_saved_place *place)
{
    char *out;
    int length;
    uint64_t inside = place->address - place->function_start;
    if (place->function && inside)
        length = asprintf(&out, "%s+0x%" PRIx64, place->function, inside);
    else if (place->function)
        length = asprintf(&out, "%s", place->function);
    else if (place->object)
        length = asprintf(&out, "%s+0x%" PRIx64, place->object, place->object_address);
    else
        length = asprintf(&out, "0x%" PRIx64, place->address);
    return length < 0 ? NULL : out;
}

char *sl_saved_line(const struct sl_saved_place *place)
{
    char *out;
    if (!place->file || !place->line)
        return NULL;
    const char *slash = strrchr(place->file, '/');
    return asprintf(&out, "%s:%d", slash ? slash + 1 : place->file, place->line) < 0 ? NULL : out;
}
