/* SPDX-License-Identifier: MIT */
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

/* What is being opened, and where to complain. */
struct opening {
    struct sl_database *database;
    struct sl_failure *f;
};

static int read_argv(const struct opening *reading, const char *text)
{
    struct sl_saved_program *program = &reading->database->program;
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
               : sl_saved_fail_content(reading->database, "the arguments are not a list of strings",
                                       reading->f);
}

static int read_program(void *context, sqlite3_stmt *row)
{
    const struct opening *reading = context;
    struct sl_saved_program *program = &reading->database->program;
    bool failed = false;
    if (program->arch)
        return 0; /* the first one counts */
    *program = (struct sl_saved_program){
        .path = copy_at(row, 0, &failed),
        .arch = copy_at(row, 1, &failed),
        .ended = sqlite3_column_type(row, 2) != SQLITE_NULL,
        .status = sqlite3_column_int(row, 2),
        .exec = sqlite3_column_int(row, 3),
        .forks = sl_number_at(row, 4),
        .threads = sl_number_at(row, 5),
        .dropped_blocks = sl_number_at(row, 6),
        .dropped_mems = sl_number_at(row, 7),
        .instructions = sl_number_at(row, 8),
        .blocks = sl_number_at(row, 9),
        .loads = sl_number_at(row, 10),
        .range = copy_at(row, 11, &failed),
        .only = copy_at(row, 12, &failed),
        .marked = sqlite3_column_int(row, 13),
        .skip = sl_number_at(row, 14),
        .limit = sl_number_at(row, 15),
        .warning = copy_at(row, 16, &failed),
        .tap = copy_at(row, 17, &failed),
        .stretches = sl_number_at(row, 19),
        .stretch_blocks = sl_number_at(row, 20),
        .start_at = copy_at(row, 21, &failed),
    };
    return failed ? sl_saved_fail_memory(reading->f)
           : !program->arch
               ? sl_saved_fail_content(reading->database, "it has no architecture", reading->f)
               : read_argv(reading, sl_text_at(row, 18));
}

int sl_saved_program(struct sl_database *database, struct sl_failure *f)
{
    struct opening reading = {database, f};
    int result = sl_saved_rows(
        database,
        "SELECT path, arch, wait_status, exec, forks, threads, dropped_blocks, dropped_mems,"
        " instructions, blocks, loads, range, only, marked, skip, stop, warning, tap, argv,"
        " stretches, stretch_blocks, start_at FROM program",
        NULL, 0, read_program, &reading, f);
    return result || database->program.arch
               ? result
               : sl_saved_fail_content(database, "it has no program", f);
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
    free(program->start_at);
    free(program->tap);
    free(program->warning);
}

/* Where the table does not send, what is about messages is NULL. */
static void read_status(sqlite3_stmt *row, int column, struct sl_table_status *status)
{
    const char *unit = sl_text_at(row, column + 9);
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
        .clocked = unit && !strcmp(unit, "cycles"),
        .check_cycles = sl_number_at(row, column + 10),
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

/* What the words in a row stand for. */
static int find_words(const struct opening *reading, struct sl_saved_profile *profile,
                      const char *detector, const char *metric, const char *bounds)
{
    size_t bound = find_word(sl_bounds_names, SL_BOUNDS_95 + 1, bounds);
    profile->detector = detector ? sl_detector_find(detector, strlen(detector)) : NULL;
    profile->metric = metric ? sl_metric_find(metric, strlen(metric)) : NULL;
    profile->status.bounds = (enum sl_bounds)bound;
    const char *wrong = !profile->spec || !profile->given || !profile->table || !profile->notation
                            ? "a profile has no name"
                        : !profile->detector   ? "a profile's detector is of an unknown kind"
                        : !profile->metric     ? "a profile's metric is of an unknown kind"
                        : bound > SL_BOUNDS_95 ? "its bounds are of an unknown kind"
                                               : NULL;
    if (wrong)
        return sl_saved_fail_content(reading->database, wrong, reading->f);
    size_t size = profile->detector->config_size;
    profile->config = calloc(1, size ? size : 1);
    if (profile->config && profile->detector->options)
        sl_options_defaults(profile->detector->options, profile->config);
    return profile->config ? 0 : sl_saved_fail_memory(reading->f);
}

static int read_profile(void *context, sqlite3_stmt *row)
{
    const struct opening *reading = context;
    struct sl_saved_profiles *all = &reading->database->profiles;
    bool failed = false;
    if (!SL_GROW(all->profile, all->room, all->n + 1))
        return sl_saved_fail_memory(reading->f);
    struct sl_saved_profile *profile = &all->profile[all->n++];
    *profile = (struct sl_saved_profile){
        .id = sqlite3_column_int64(row, 0),
        .spec = copy_at(row, 1, &failed),
        .table = copy_at(row, 4, &failed),
        .notation = copy_at(row, 5, &failed),
        .shared = sqlite3_column_int(row, 6),
        .events = sl_number_at(row, 7),
        .weight = sl_number_at(row, 8),
        .distinct = sl_number_at(row, 9),
        .saved = sl_number_at(row, 10),
        .saved_weight = sl_number_at(row, 11),
        .note = copy_at(row, 12, &failed),
        .given = copy_at(row, 14, &failed),
        .source = sl_number_at(row, 15),
        .first = sl_number_at(row, 16),
    };
    read_status(row, 17, &profile->status);
    if (failed)
        return sl_saved_fail_memory(reading->f);
    return find_words(reading, profile, sl_text_at(row, 2), sl_text_at(row, 3),
                      sl_text_at(row, 13));
}

/* An option of some detector or table: those of the profile's own detector are kept. */
static int read_option(void *context, sqlite3_stmt *row)
{
    const struct opening *reading = context;
    struct sl_saved_profiles *all = &reading->database->profiles;
    const char *of = sl_text_at(row, 1), *name = sl_text_at(row, 2);
    int type = sqlite3_column_type(row, 3);
    struct sl_option_stored stored = {
        .is = type == SQLITE_INTEGER ? SL_STORED_NUMBER
              : type == SQLITE_FLOAT ? SL_STORED_REAL
                                     : SL_STORED_TEXT,
        .number = sl_number_at(row, 3),
        .real = sqlite3_column_double(row, 3),
    };
    if (stored.is == SL_STORED_TEXT)
        stored.text = sl_text_at(row, 3);
    for (size_t i = 0; i < all->n; i++) {
        struct sl_saved_profile *profile = &all->profile[i];
        if (profile->id != sqlite3_column_int64(row, 0) || !of || !name ||
            strcmp(profile->detector->name, of) || !profile->detector->options)
            continue;
        const struct sl_option *o = sl_option_find(profile->detector->options, name, strlen(name));
        if (!o || !sl_option_put(o, &stored, profile->config))
            return sl_saved_fail_content(reading->database,
                                         "an option of a profile is not one that "
                                         "its detector allows",
                                         reading->f);
    }
    return 0;
}

static int check_options(const struct opening *reading)
{
    const struct sl_saved_profiles *all = &reading->database->profiles;
    struct sl_failure why;
    int result = 0;
    for (size_t i = 0; i < all->n && !result; i++) {
        const struct sl_saved_profile *profile = &all->profile[i];
        if (profile->detector->resolve && profile->detector->resolve(profile->config, &why))
            result = sl_saved_fail_content(reading->database, why.text, reading->f);
    }
    return result;
}

int sl_saved_profiles(struct sl_database *database, struct sl_failure *f)
{
    struct opening reading = {database, f};
    int result = sl_saved_rows(
        database,
        "SELECT id, spec, detector, metric, \"table\", notation, shared, events, weight,"
        " \"distinct\", saved, saved_weight, note, bounds, given, source, first, storage_bits,"
        " drops, drops_weight, messages, interrupts, message_weight, residue, gap_min, gap_median,"
        " gap_unit, check_cycles FROM profile ORDER BY id",
        NULL, 0, read_profile, &reading, f);
    if (!result)
        result = sl_saved_deliveries(database, f);
    if (!result)
        result = sl_saved_rows(database, "SELECT profile, of, name, value FROM option", NULL, 0,
                               read_option, &reading, f);
    return result ? result : check_options(&reading);
}

bool sl_saved_overlaps(const struct sl_saved_profile *profile)
{
    return profile->detector->inclusive && profile->detector->inclusive(profile->config);
}

void sl_saved_profiles_free(struct sl_saved_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++) {
        struct sl_saved_profile *profile = &profiles->profile[i];
        free(profile->spec);
        free(profile->given);
        free(profile->config);
        free(profile->table);
        free(profile->notation);
        free(profile->note);
    }
    free(profiles->profile);
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

int sl_saved_entries(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, int (*each)(void *context, const struct sl_saved_entry *entry),
                     void *context, struct sl_failure *f)
{
    struct entries entries = {each, context};
    bool leads = sl_word_is_place(&profile->detector->second);
    const int64_t bound[] = {profile->id, n && n <= INT64_MAX ? (int64_t)n : -1, leads};
    return sl_saved_rows(
        database,
        "SELECT e.rank, e.pc, e.value, e.count, e.low, e.high, e.intervals,"
        " p.function, p.function_start, a.name, p.object_address, p.file, p.line,"
        " q.function, q.function_start, b.name, q.object_address, q.file, q.line"
        " FROM entry e LEFT JOIN place p ON p.address = e.pc LEFT JOIN object a ON a.id = p.object"
        " LEFT JOIN place q ON ?3 AND q.address = e.value LEFT JOIN object b ON b.id = q.object"
        " WHERE e.profile = ?1 ORDER BY e.rank LIMIT ?2",
        bound, 3, read_entry, &entries, f);
}

struct objects {
    int (*each)(void *context, const struct sl_saved_object *object);
    void *context;
};

static int read_object(void *context, sqlite3_stmt *row)
{
    const struct objects *objects = context;
    const char *path = sl_text_at(row, 4);
    struct sl_saved_object object = {sl_number_at(row, 0), sl_number_at(row, 1),
                                     sl_number_at(row, 2), sl_number_at(row, 3),
                                     path ? path : "",     sl_text_at(row, 5)};
    return objects->each(objects->context, &object);
}

int sl_saved_objects(struct sl_database *database,
                     int (*each)(void *context, const struct sl_saved_object *object),
                     void *context, struct sl_failure *f)
{
    struct objects objects = {each, context};
    return sl_saved_rows(database,
                         "SELECT id, start, \"end\", offset, path, build_id FROM object"
                         " ORDER BY id",
                         NULL, 0, read_object, &objects, f);
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

int sl_saved_place(struct sl_database *database, uint64_t address,
                   int (*each)(void *context, const struct sl_saved_place *place), void *context,
                   struct sl_failure *f)
{
    struct places places = {address, each, context};
    const int64_t bound = (int64_t)address;
    return sl_saved_rows(
        database,
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
