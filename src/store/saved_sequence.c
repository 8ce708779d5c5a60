/* SPDX-License-Identifier: MIT */
#include "saved_sequence.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "grow.h"
#include "metric.h"
#include "saved_row.h"

/* Of a grammar, expanded: more is damage, or made to take our memory. No two symbols that follow
 * one another in a grammar do so again, so that it does not get much smaller by compression. */
#define PART_MAX (UINT64_C(4) << 20)
#define SMALL (UINT64_C(8) << 20)
#define RATIO_MAX 32

struct sequence_reading {
    struct sl_database *database;
    struct sl_saved_sequence *sequence;
    struct sl_failure *f;
};

/* What the weight of a sequence can be counted in: instructions, events, or a metric. NULL: not in
 * this. */
static const char *known_unit(const char *text)
{
    static const char *const plain[] = {"instructions", "events"};
    const struct sl_metric *metric = text ? sl_metric_find(text, strlen(text)) : NULL;
    for (size_t i = 0; i < 2 && text; i++)
        if (!strcmp(plain[i], text))
            return plain[i];
    return metric ? metric->name : NULL;
}

static int read_sequence(void *context, sqlite3_stmt *row)
{
    const struct sequence_reading *reading = context;
    struct sl_saved_sequence *sequence = reading->sequence;
    *sequence = (struct sl_saved_sequence){
        .there = true,
        .length = sl_number_at(row, 0),
        .rules = sl_number_at(row, 1),
        .symbols = sl_number_at(row, 2),
        .tuples = sl_number_at(row, 3),
        .bytes = sl_number_at(row, 4),
        .unit = known_unit(sl_text_at(row, 5)),
        .weight = sl_number_at(row, 6),
        .subpaths = sl_number_at(row, 7),
    };
    return sequence->unit
               ? 0
               : sl_saved_fail_content(reading->database,
                                       "a sequence is counted in what is no unit", reading->f);
}

int sl_saved_sequence(struct sl_database *database, const struct sl_saved_profile *profile,
                      struct sl_saved_sequence *sequence, struct sl_failure *f)
{
    struct sequence_reading reading = {database, sequence, f};
    *sequence = (struct sl_saved_sequence){0};
    return sl_saved_rows(database,
                         "SELECT length, rules, symbols, tuples, bytes, unit, weight,"
                         " (SELECT count(*) FROM subpath p WHERE p.profile = s.profile)"
                         " FROM sequence s WHERE profile = ?",
                         &profile->id, 1, read_sequence, &reading, f);
}

uint64_t sl_saved_sequence_plain(const struct sl_saved_sequence *sequence)
{
    uint64_t bits = 1;
    while (bits < 63 && UINT64_C(1) << bits < sequence->tuples)
        bits++;
    return sequence->length * bits;
}

struct reading {
    int (*subpath)(void *context, const struct sl_saved_subpath *subpath);
    int (*step)(void *context, int64_t of, const struct sl_saved_entry *entry);
    int (*symbol)(void *context, int64_t of, const struct sl_tuple *tuple);
    void *context;
};

static int read_subpath(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_subpath subpath = {sl_number_at(row, 0), sl_number_at(row, 1),
                                       sl_number_at(row, 2), sl_number_at(row, 3)};
    return reading->subpath(reading->context, &subpath);
}

int sl_saved_subpaths(struct sl_database *database, const struct sl_saved_profile *profile,
                      uint64_t n,
                      int (*each)(void *context, const struct sl_saved_subpath *subpath),
                      void *context, struct sl_failure *f)
{
    struct reading reading = {.subpath = each, .context = context};
    const int64_t bound[] = {profile->id, n && n <= INT64_MAX ? (int64_t)n : -1};
    return sl_saved_rows(database,
                         "SELECT rank, length, times, weight FROM subpath WHERE profile = ?1"
                         " ORDER BY rank LIMIT ?2",
                         bound, 2, read_subpath, &reading, f);
}

static int read_step(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_saved_entry entry = {.rank = sl_number_at(row, 0), .value = sl_number_at(row, 3)};
    sl_place_at(row, 4, sl_number_at(row, 2), &entry.at);
    sl_place_at(row, 10, entry.value, &entry.to);
    return reading->step(reading->context, sqlite3_column_int64(row, 1), &entry);
}

int sl_saved_steps(struct sl_database *database, const struct sl_saved_profile *profile,
                   uint64_t subpath,
                   int (*each)(void *context, int64_t of, const struct sl_saved_entry *entry),
                   void *context, struct sl_failure *f)
{
    struct reading reading = {.step = each, .context = context};
    const int64_t bound[] = {profile->id, (int64_t)subpath};
    return sl_saved_rows(
        database,
        "SELECT s.number, y.of, y.pc, y.value,"
        " p.function, p.function_start, a.name, p.object_address, p.file, p.line,"
        " q.function, q.function_start, b.name, q.object_address, q.file, q.line"
        " FROM step s JOIN symbol y ON y.profile = s.profile AND y.number = s.symbol"
        " LEFT JOIN place p ON p.address = y.pc LEFT JOIN object a ON a.id = p.object"
        " LEFT JOIN place q ON q.address = y.value"
        " LEFT JOIN object b ON b.id = q.object"
        " WHERE s.profile = ?1 AND s.subpath = ?2 ORDER BY s.number",
        bound, 2, read_step, &reading, f);
}

static int read_symbol(void *context, sqlite3_stmt *row)
{
    const struct reading *reading = context;
    struct sl_tuple tuple = {sl_number_at(row, 1), sl_number_at(row, 2)};
    return reading->symbol(reading->context, sqlite3_column_int64(row, 0), &tuple);
}

int sl_saved_symbols(struct sl_database *database, const struct sl_saved_profile *profile,
                     int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                     void *context, struct sl_failure *f)
{
    struct reading reading = {.symbol = each, .context = context};
    return sl_saved_rows(database,
                         "SELECT of, pc, value FROM symbol WHERE profile = ? ORDER BY number",
                         &profile->id, 1, read_symbol, &reading, f);
}

/* ---- the grammar ---- */

struct bytes {
    struct sl_database *database;
    struct sl_failure *f;
    uint8_t *byte;
    size_t n, room;
    uint64_t packed; /* bytes that it was expanded from */
};

static int add_part(void *context, sqlite3_stmt *row)
{
    struct bytes *bytes = context;
    const void *packed = sqlite3_column_blob(row, 0);
    size_t n = (size_t)sqlite3_column_bytes(row, 0);
    unsigned long long size = packed ? ZSTD_getFrameContentSize(packed, n) : ZSTD_CONTENTSIZE_ERROR;
    bytes->packed += n;
    if (packed && size <= PART_MAX && bytes->n + size > SMALL + RATIO_MAX * bytes->packed)
        return sl_saved_fail_content(bytes->database,
                                     "a grammar is too large for what it was saved in", bytes->f);
    if (size > PART_MAX)
        return sl_saved_fail_content(bytes->database, "a part of a grammar is not compressed",
                                     bytes->f);
    if (!SL_GROW(bytes->byte, bytes->room, bytes->n + (size_t)size + 1))
        return sl_saved_fail_memory(bytes->f);
    if (ZSTD_decompress(bytes->byte + bytes->n, (size_t)size, packed, n) != size)
        return sl_saved_fail_content(bytes->database, "a part of a grammar cannot be expanded",
                                     bytes->f);
    bytes->n += (size_t)size;
    return 0;
}

/* Whether all symbols are below n. */
static bool has_symbols(const struct sl_grammar *grammar, uint64_t n)
{
    bool all = true;
    for (size_t i = 0; i < grammar->n_symbols && all; i++)
        all = grammar->symbol[i] & SL_GRAMMAR_RULE || grammar->symbol[i] < n;
    return all;
}

static int count_symbols(void *context, sqlite3_stmt *row)
{
    *(uint64_t *)context = sl_number_at(row, 0);
    return 0;
}

int sl_saved_grammar(struct sl_database *database, const struct sl_saved_profile *profile,
                     struct sl_grammar *grammar, struct sl_failure *f)
{
    struct bytes bytes = {.database = database, .f = f};
    struct sl_failure why;
    uint64_t n = 0;
    *grammar = (struct sl_grammar){0};
    int result = sl_saved_rows(database,
                               "SELECT bytes FROM grammar WHERE profile = ? ORDER BY part",
                               &profile->id, 1, add_part, &bytes, f);
    if (!result)
        result = sl_saved_rows(database, "SELECT count(*) FROM symbol WHERE profile = ?",
                               &profile->id, 1, count_symbols, &n, f);
    if (!result) {
        result = sl_grammar_load(grammar, bytes.byte ? bytes.byte : (const uint8_t *)"", bytes.n,
                                 &why);
        if (result == SL_EFORMAT)
            sl_saved_fail_content(database, why.text, f);
        else if (result)
            sl_saved_fail_memory(f);
    }
    free(bytes.byte);
    if (!result && !has_symbols(grammar, n))
        result = sl_saved_fail_content(database, "a grammar has symbols that stand for nothing", f);
    if (result)
        sl_grammar_free(grammar);
    return result;
}
