/* SPDX-License-Identifier: MIT */
/* Report format `sequence`: all events of a run in order, one per line, from the sequence that the
 * table wpp (whole program path) stores.
 *
 *     0x401136 NT
 *
 * A line has the tuple's pc and then its second field, if it has one: outcomes of a path's
 * branches, a value or an address. Memory holds only the grammar and one line per distinct tuple,
 * however long the sequence is. An empty line separates sequences. */
#include <inttypes.h>
#include <stdlib.h>

#include "entry_view.h"
#include "exporter.h"
#include "failure.h"
#include "grow.h"
#include "db.h"

/* The lines of all symbols, concatenated. */
struct lines {
    const struct sl_db_profiles *profiles;
    struct sl_failure *f;
    char *text;
    size_t used, capacity;
    size_t *first; /* by symbol; one more at the end */
    size_t n, first_capacity;
};

#define LINE_MAX_BYTES (2 * 18 + SL_ENTRY_FIELD_SIZE)

static int add_line(void *context, int64_t of, const struct sl_tuple *tuple)
{
    struct lines *lines = context;
    char field[SL_ENTRY_FIELD_SIZE], *line;
    static const struct sl_field number = {.type = SL_FIELD_NUMBER};
    bool known = of >= 0 && (uint64_t)of < lines->profiles->n;
    const struct sl_field *second = known ? &lines->profiles->profile[of].detector->second
                                          : &number;
    if (!SL_GROW(lines->text, lines->capacity, lines->used + LINE_MAX_BYTES) ||
        !SL_GROW(lines->first, lines->first_capacity, lines->n + 2))
        return sl_report_no_memory(lines->f);
    line = lines->text + lines->used;
    sl_entry_field(second, tuple->value, field);
    int length = snprintf(line, LINE_MAX_BYTES, "0x%" PRIx64 "%s%s", tuple->pc, field[0] ? " " : "",
                          field);
    line[length] = '\n';
    lines->used += (size_t)length + 1;
    lines->first[++lines->n] = lines->used;
    return 0;
}

struct writing {
    const struct lines *lines;
    uint64_t left;
    bool enough;
    FILE *out;
};

static bool write_line(void *context, uint32_t symbol)
{
    struct writing *w = context;
    const struct lines *lines = w->lines;
    size_t at = lines->first[symbol], n = lines->first[symbol + 1] - at;
    w->enough = !w->left--;
    return !w->enough && fwrite(lines->text + at, 1, n, w->out) == n;
}

static int write_one(const struct sl_output *o, const struct sl_db_profile *profile)
{
    struct lines lines = {.profiles = &o->database->profiles, .f = o->f};
    struct sl_grammar grammar;
    uint64_t n = o->config->n;
    int result = sl_db_grammar(o->database, profile, &grammar, o->f);
    if (result)
        return result;
    result = sl_db_symbols(o->database, profile, add_line, &lines, o->f);
    struct writing writing = {.lines = &lines, .left = n ? n : UINT64_MAX, .out = o->out};
    /* The caller checks for write errors. */
    if (!result && !sl_grammar_expand(&grammar, 0, write_line, &writing) && !ferror(o->out) &&
        !writing.enough)
        result = sl_report_no_memory(o->f);
    free(lines.text);
    free(lines.first);
    sl_grammar_free(&grammar);
    return result;
}

static int write_sequences(const struct sl_output *o)
{
    const struct sl_db_profiles *profiles = &o->database->profiles;
    struct sl_db_sequence sequence;
    unsigned found = 0;
    int result = 0;
    for (size_t i = 0; i < profiles->n && !result; i++) {
        result = sl_db_sequence(o->database, &profiles->profile[i], &sequence, o->f);
        if (result || !sequence.found)
            continue;
        if (found++)
            putc('\n', o->out);
        result = write_one(o, &profiles->profile[i]);
    }
    if (result || found)
        return result;
    return sl_fail(o->f, SL_EUSAGE,
                   "no profile in this database stores the order of its events: run again with the "
                   "table wpp, for example the profile path(wpp)@wpp");
}

const struct sl_exporter sl_sequence_exporter = {
    .name = "sequence",
    .summary = "all events of a profile with the table wpp, in order, one per line",
    .write = write_sequences,
};
