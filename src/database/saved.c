#include "saved.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "failure.h"
#include "grow.h"
#include "saved_row.h"

/* A copy; NULL stays NULL. Sets `failed` when memory ran out. */
static char *copy_at(sqlite3_stmt *row, int column, bool *failed)
{
    const char *text = sl_text_at(row, column);
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
               : sl_saved_fail_content(database, "the arguments are not a list of strings", f);
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
        return sl_saved_fail(database, f);
    int rc = sqlite3_step(row);
    if (rc == SQLITE_ROW) {
        program->path = copy_at(row, 0, &failed);
        program->arch = copy_at(row, 1, &failed);
        program->ended = sqlite3_column_type(row, 2) != SQLITE_NULL;
        program->status = sqlite3_column_int(row, 2);
        program->exec = sqlite3_column_int(row, 3);
        program->forks = sl_number_at(row, 4);
        program->threads = sl_number_at(row, 5);
        program->dropped_blocks = sl_number_at(row, 6);
        program->dropped_mems = sl_number_at(row, 7);
        program->instructions = sl_number_at(row, 8);
        program->blocks = sl_number_at(row, 9);
        program->loads = sl_number_at(row, 10);
        program->range = copy_at(row, 11, &failed);
        program->only = copy_at(row, 12, &failed);
        program->marked = sqlite3_column_int(row, 13);
        program->warning = copy_at(row, 14, &failed);
        result = failed           ? sl_saved_fail_memory(f)
                 : !program->arch ? sl_saved_fail_content(database, "it has no architecture", f)
                                  : read_argv(database, sl_text_at(row, 15), program, f);
    } else {
        result = rc == SQLITE_DONE ? sl_saved_fail_content(database, "it has no program", f)
                                   : sl_saved_fail(database, f);
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

/* Where the table does not send, what is about messages is NULL. */
static void read_status(sqlite3_stmt *row, int column, struct sl_table_status *status)
{
    *status = (struct sl_table_status){
        .storage_bits = sl_number_at(row, column),
        .drops = sl_number_at(row, column + 1),
        .drops_weight = sl_number_at(row, column + 2),
        .sends = sqlite3_column_type(row, column + 3) != SQLITE_NULL,
        .messages = sl_number_at(row, column + 3),
        .interrupts = sl_number_at(row, column + 4),
        .message_weight = sl_number_at(row, column + 5),
        .residue = sl_number_at(row, column + 6),
        .gap_min = sl_number_at(row, column + 7),
        .gap_median = sl_number_at(row, column + 8),
    };
}

/* The place of a word in a list of n, of which some may be NULL; n if it is in none. */
static size_t find_word(const char *const *list, size_t n, const char *word)
{
    size_t i = 0;
    while (i < n && (!list[i] || !word ? list[i] != word : strcmp(list[i], word)))
        i++;
    return i;
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
        .shared = sqlite3_column_int(row, 6),
        .events = sl_number_at(row, 7),
        .weight = sl_number_at(row, 8),
        .distinct = sl_number_at(row, 9),
        .saved = sl_number_at(row, 10),
        .saved_weight = sl_number_at(row, 11),
        .note = copy_at(row, 12, &failed),
        .given = copy_at(row, 14, &failed),
    };
    read_status(row, 15, &profile->status);
    if (failed)
        return sl_saved_fail_memory(f);
    if (!profile->spec || !profile->given || !profile->detector || !profile->metric ||
        !profile->table)
        return sl_saved_fail_content(database, "a profile has no name", f);
    size_t second = find_word(sl_second_names, SL_SECONDS, sl_text_at(row, 5));
    size_t bounds = find_word(sl_bounds_names, SL_BOUNDS_95 + 1, sl_text_at(row, 13));
    if (second >= SL_SECONDS)
        return sl_saved_fail_content(database, "an entry's second word is of an unknown kind", f);
    if (bounds > SL_BOUNDS_95)
        return sl_saved_fail_content(database, "its bounds are of an unknown kind", f);
    profile->second = (enum sl_second)second;
    profile->status.bounds = (enum sl_bounds)bounds;
    return 0;
}

int sl_saved_profiles(sqlite3 *database, struct sl_saved_profiles *profiles, struct sl_failure *f)
{
    sqlite3_stmt *row;
    int rc = SQLITE_DONE, result = 0;
    *profiles = (struct sl_saved_profiles){0};
    if (sqlite3_prepare_v2(database,
            "SELECT id, spec, detector, metric, \"table\", second, shared, events, weight,"
            " \"distinct\", saved, saved_weight, note, bounds, given, storage_bits, drops,"
            " drops_weight, messages, interrupts, message_weight, residue, gap_min, gap_median"
            " FROM profile ORDER BY id",
            -1, &row, NULL) != SQLITE_OK)
        return sl_saved_fail(database, f);
    while (!result && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        if (SL_GROW(profiles->profile, profiles->room, profiles->n + 1))
            result = read_profile(database, row, &profiles->profile[profiles->n++], f);
        else
            result = sl_saved_fail_memory(f);
    }
    if (!result && rc != SQLITE_DONE)
        result = sl_saved_fail(database, f);
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
        free(profile->given);
        free(profile->detector);
        free(profile->metric);
        free(profile->table);
        free(profile->note);
    }
    free(profiles->profile);
    *profiles = (struct sl_saved_profiles){0};
}

void sl_place_at(sqlite3_stmt *row, int column, uint64_t address, struct sl_saved_place *place)
{
    *place = (struct sl_saved_place){
        .address = address,
        .function = sl_text_at(row, column),
        .function_start = sl_number_at(row, column + 1),
        .object = sl_text_at(row, column + 2),
        .object_address = sl_number_at(row, column + 3),
        .file = sl_text_at(row, column + 4),
        .line = sqlite3_column_int(row, column + 5),
    };
}

struct entries {
    int (*each)(void *context, const struct sl_saved_entry *entry);
    void *context;
};

static int read_entry(void *context, sqlite3_stmt *row)
{
    const struct entries *entries = context;
    struct sl_saved_entry entry = {
        .rank = sl_number_at(row, 0),
        .value = sl_number_at(row, 2),
        .count = sl_number_at(row, 3),
        .low = sl_number_at(row, 4),
        .high = sl_number_at(row, 5),
        .by_intervals = sqlite3_column_type(row, 6) != SQLITE_NULL,
        .intervals = sl_number_at(row, 6),
    };
    sl_place_at(row, 7, sl_number_at(row, 1), &entry.at);
    sl_place_at(row, 13, entry.value, &entry.to);
    return entries->each(entries->context, &entry);
}

int sl_saved_entries(sqlite3 *database, const struct sl_saved_profile *profile, uint64_t n,
                     int (*each)(void *context, const struct sl_saved_entry *entry), void *context,
                     struct sl_failure *f)
{
    struct entries entries = {each, context};
    bool leads = sl_second_leads(profile->second);
    const int64_t bound[] = {profile->id, n && n <= INT64_MAX ? (int64_t)n : -1, leads};
    return sl_saved_rows(database,
        "SELECT e.rank, e.pc, e.value, e.count, e.low, e.high, e.intervals,"
        " p.function, p.function_start, a.name, p.object_address, p.file, p.line,"
        " q.function, q.function_start, b.name, q.object_address, q.file, q.line"
        " FROM entry e LEFT JOIN place p ON p.address = e.pc LEFT JOIN object a ON a.id = p.object"
        " LEFT JOIN place q ON ?3 AND q.address = e.value LEFT JOIN object b ON b.id = q.object"
        " WHERE e.profile = ?1 ORDER BY e.rank LIMIT ?2",
        bound, 3, read_entry, &entries, f);
}

struct places {
    uint64_t address;
    int (*each)(void *context, const struct sl_saved_place *place);
    void *context;
};

static int give_place(void *context, sqlite3_stmt *row)
{
    const struct places *places = context;
    struct sl_saved_place place;
    sl_place_at(row, 0, places->address, &place);
    return places->each(places->context, &place);
}

int sl_saved_place(sqlite3 *database, uint64_t address,
                   int (*each)(void *context, const struct sl_saved_place *place), void *context,
                   struct sl_failure *f)
{
    struct places places = {address, each, context};
    const int64_t bound = (int64_t)address;
    return sl_saved_rows(database,
        "SELECT p.function, p.function_start, a.name, p.object_address, p.file, p.line"
        " FROM place p LEFT JOIN object a ON a.id = p.object WHERE p.address = ?1",
        &bound, 1, give_place, &places, f);
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

char *sl_saved_lines(const struct sl_saved_place *from, const struct sl_saved_place *to)
{
    const struct sl_saved_place *first = from, *last = to;
    char *line, *out = NULL;
    if (!from->file || !from->line || !to->file || !to->line || from->line == to->line ||
        strcmp(from->file, to->file))
        return sl_saved_line(from);
    if (from->line > to->line)
        first = to, last = from;
    line = sl_saved_line(first);
    if (!line || asprintf(&out, "%s-%d", line, last->line) < 0)
        out = NULL;
    free(line);
    return out;
}
