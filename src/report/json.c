/* The report for programs: docs/json.md. Entries are written one by one, each
 * on a line of its own: a profile may have a hundred thousand. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "exporter.h"
#include "failure.h"
#include "utf8.h"
#include "wording.h"

#define DUMP_FLAGS (JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY)

static int fail_memory(struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "there is not enough memory for the report");
}

/* Each of these gives NULL when memory ran out, which json_object_set_new takes
 * for a failure. */

static json_t *text_value(const char *text)
{
    char *clean = text ? sl_utf8_clean(text) : NULL;
    json_t *value = text ? json_string(clean ? clean : "") : json_null();
    if (text && !clean) {
        json_decref(value);
        value = NULL;
    }
    free(clean);
    return value;
}

static json_t *own_text_value(char *text)
{
    json_t *value = text_value(text);
    free(text);
    return value;
}

static json_t *number_value(uint64_t number)
{
    return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

/* As text: not every reader of JSON has 64-bit integers. */
static json_t *hex_value(uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, number);
    return json_string(text);
}

/* Writes and frees. */
static int dump(json_t *value, int error, FILE *out, struct sl_failure *f)
{
    int result = 0;
    if (error || !value)
        result = fail_memory(f);
    else if (json_dumpf(value, out, DUMP_FLAGS))
        result = sl_fail_errno(f, SL_EIO, "cannot write the report");
    json_decref(value);
    return result;
}

static int write_program(const struct sl_saved_program *program, FILE *out, struct sl_failure *f)
{
    json_t *object = json_object(), *argv = json_array();
    int error = !argv;
    bool exited = program->ended && WIFEXITED(program->status);
    bool killed = program->ended && WIFSIGNALED(program->status);
    for (size_t i = 0; i < program->argc; i++)
        error |= json_array_append_new(argv, text_value(program->argv[i]));
    error |= json_object_set_new(object, "path", text_value(program->path));
    error |= json_object_set_new(object, "argv", argv);
    error |= json_object_set_new(object, "arch", text_value(program->arch));
    error |= json_object_set_new(object, "exit_status",
                                 exited ? json_integer(WEXITSTATUS(program->status)) : json_null());
    error |= json_object_set_new(object, "signal",
                                 killed ? json_integer(WTERMSIG(program->status)) : json_null());
    error |= json_object_set_new(object, "threads", number_value(program->threads));
    error |= json_object_set_new(object, "forks", number_value(program->forks));
    error |= json_object_set_new(object, "exec", json_boolean(program->exec));
    return dump(object, error, out, f);
}

static int write_notes(const struct sl_notes *notes, FILE *out, struct sl_failure *f)
{
    json_t *array = json_array();
    int error = 0;
    for (size_t i = 0; i < notes->n; i++)
        error |= json_array_append_new(array, text_value(notes->note[i]));
    return dump(array, error, out, f);
}

struct listing {
    const struct sl_saved_profile *profile;
    FILE *out;
    struct sl_failure *f;
    bool first;
};

static int set_second(json_t *object, const struct sl_saved_profile *profile,
                      const struct sl_saved_entry *entry)
{
    int error = 0;
    switch (profile->second) {
    case SL_SECOND_NONE:
        if (!strcmp(profile->detector, "function"))
            error = json_object_set_new(object, "function", text_value(entry->at.function));
        break;
    case SL_SECOND_VALUE: error = json_object_set_new(object, "value", hex_value(entry->value)); break;
    case SL_SECOND_SLOT:
        error = json_object_set_new(object, "slot",
                                    entry->value ? hex_value(entry->value) : json_null());
        break;
    case SL_SECOND_END: error = json_object_set_new(object, "end", hex_value(entry->value)); break;
    case SL_SECOND_TARGET:
        error |= json_object_set_new(object, "target", hex_value(entry->value));
        error |= json_object_set_new(object, "target_symbol", own_text_value(sl_saved_symbol(&entry->to)));
        error |= json_object_set_new(object, "target_line", own_text_value(sl_saved_line(&entry->to)));
        break;
    }
    return error;
}

static int write_entry(void *context, const struct sl_saved_entry *entry)
{
    struct listing *listing = context;
    uint64_t weight = listing->profile->weight;
    json_t *object = json_object();
    int error = json_object_set_new(object, "count", number_value(entry->count));
    error |= json_object_set_new(
        object, "share", json_real(weight ? (double)entry->count / (double)weight : 0));
    error |= json_object_set_new(object, "pc", hex_value(entry->at.address));
    error |= json_object_set_new(object, "symbol", own_text_value(sl_saved_symbol(&entry->at)));
    error |= json_object_set_new(object, "object", text_value(entry->at.object));
    error |= json_object_set_new(object, "line", own_text_value(sl_saved_line(&entry->at)));
    error |= set_second(object, listing->profile, entry);
    fputs(listing->first ? "\n    " : ",\n    ", listing->out);
    listing->first = false;
    return dump(object, error, listing->out, listing->f);
}

static int write_profile(sqlite3 *database, const struct sl_saved_profile *profile, uint64_t n,
                         FILE *out, struct sl_failure *f)
{
    struct listing listing = {.profile = profile, .out = out, .f = f, .first = true};
    fputs("{\"spec\": ", out);
    int result = dump(text_value(profile->spec), 0, out, f);
    if (result)
        return result;
    fprintf(out, ", \"events\": %" PRIu64 ", \"storage_bits\": %" PRIu64 ",\n   \"entries\": [",
            profile->events, profile->storage_bits);
    result = sl_saved_entries(database, profile, n, write_entry, &listing, f);
    fprintf(out, "],\n   \"error\": {}, \"drops\": %" PRIu64 "}", profile->drops);
    return result;
}

static int write_all(sqlite3 *database, const struct sl_report_config *config,
                     const struct sl_saved_program *program,
                     const struct sl_saved_profiles *profiles, const struct sl_notes *notes, FILE *out,
                     struct sl_failure *f)
{
    fputs("{\"program\": ", out);
    int result = write_program(program, out, f);
    fprintf(out, ",\n \"instructions\": %" PRIu64 ",\n \"notes\": ", program->instructions);
    if (!result)
        result = write_notes(notes, out, f);
    fputs(",\n \"profiles\": [", out);
    for (size_t i = 0; !result && i < profiles->n; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        result = write_profile(database, &profiles->profile[i], config->n, out, f);
    }
    fputs("]}\n", out);
    return result;
}

static int write_json(sqlite3 *database, const struct sl_report_config *config, FILE *out,
                      struct sl_failure *f)
{
    struct sl_told told;
    int result = sl_told_load(database, &told, f);
    if (result)
        return result;
    result = write_all(database, config, &told.program, &told.profiles, &told.notes, out, f);
    sl_told_free(&told);
    return result;
}

const struct sl_exporter sl_json_exporter = {
    .name = "json",
    .summary = "for programs: docs/json.md",
    .write = write_json,
};
