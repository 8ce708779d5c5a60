/* SPDX-License-Identifier: MIT */
/* Reads event sequences from a database (db.h). The size of a decompressed grammar is
 * limited in proportion to its compressed size. */

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "grow.h"
#include "db_row.h"

/* Limits of a decompressed grammar, against files that would exhaust memory. A grammar repeats no
 * pair of symbols, so it does not compress well. */
#define PART_MAX (UINT64_C(4) << 20)
#define SMALL (UINT64_C(8) << 20)
#define RATIO_MAX 32

/* Returns the unit with this name: instructions, events, or a metric. NULL: no such unit. */
static const char *known_unit(const char *text)
{
    const struct sl_metric *metric = text ? sl_metric_find(text, strlen(text)) : NULL;
    return !text                           ? NULL
           : !strcmp(text, "instructions") ? "instructions"
           : !strcmp(text, "events")       ? "events"
           : metric                        ? metric->name
                                           : NULL;
}

int sl_db_sequence(struct sl_database *database, const struct sl_db_profile *profile,
                   struct sl_db_sequence *sequence, struct sl_failure *f)
{
    *sequence = (struct sl_db_sequence){0};
    struct sl_rows rows = sl_rows_of_profile(database, SL_DB_SEQUENCE, profile, "");
    sequence->found = sl_rows_next(&rows, sequence);
    if (sequence->found && !(sequence->unit = known_unit(sequence->unit)))
        rows.result = sl_db_fail_content(database, "a sequence has an unknown unit", f);
    int result = sl_rows_end(&rows, f);
    if (!result && sequence->found)
        result = sl_rows_number(database, "SELECT count(*) FROM subpath WHERE profile = ?1",
                                &profile->id, 1, &sequence->subpaths, f);
    return result;
}

uint64_t sl_db_sequence_uncompressed_bits(const struct sl_db_sequence *sequence)
{
    uint64_t bits = 1;
    while (bits < 63 && UINT64_C(1) << bits < sequence->tuples)
        bits++;
    return sequence->length * bits;
}

int sl_db_subpaths(struct sl_database *database, const struct sl_db_profile *profile, uint64_t n,
                   int (*each)(void *context, const struct sl_db_subpath *subpath), void *context,
                   struct sl_failure *f)
{
    const int64_t bound[] = {profile->id, sl_rows_limit(n)};
    struct sl_db_subpath subpath;
    struct sl_rows rows = sl_rows_select(database, SL_DB_SUBPATH,
                                         "WHERE profile = ?1 ORDER BY rank LIMIT ?2", bound, 2);
    while (sl_rows_next(&rows, &subpath))
        rows.result = each(context, &subpath);
    return sl_rows_end(&rows, f);
}

int sl_db_subpath_events(struct sl_database *database, const struct sl_db_profile *profile,
                         uint64_t subpath, sl_db_tuple_row *each, void *context,
                         struct sl_failure *f)
{
    const int64_t bound[] = {profile->id, (int64_t)subpath};
    return sl_rows_each_tuple(
        sl_rows_query(
            database,
            "SELECT s.position, y.tuple_profile, y.pc, y.value, 0, " SL_TUPLE_COLUMNS
            " FROM subpath_event s JOIN grammar_symbol y ON y.profile = s.profile AND y.id = "
            "s.symbol" SL_TUPLE_JOINS(
                "y", "") " WHERE s.profile = ?1 AND s.subpath = ?2 ORDER BY s.position",
            bound, 2),
        each, context, f);
}

int sl_db_symbols(struct sl_database *database, const struct sl_db_profile *profile,
                  int (*each)(void *context, int64_t of, const struct sl_tuple *tuple),
                  void *context, struct sl_failure *f)
{
    struct sl_rows rows = sl_rows_of_profile(database, SL_DB_GRAMMAR_SYMBOL, profile,
                                             "ORDER BY id");
    while (sl_rows_next(&rows, NULL)) {
        struct sl_tuple tuple = {sl_column_uint(rows.row, 3), sl_column_uint(rows.row, 4)};
        rows.result = each(context, sqlite3_column_int64(rows.row, 2), &tuple);
    }
    return sl_rows_end(&rows, f);
}

/* ---- the grammar ---- */

struct bytes {
    struct sl_database *database;
    struct sl_failure *f;
    uint8_t *byte;
    size_t n, capacity;
    uint64_t packed; /* number of compressed bytes so far */
};

static int add_part(struct bytes *bytes, sqlite3_stmt *row)
{
    const void *packed = sqlite3_column_blob(row, 2);
    size_t n = (size_t)sqlite3_column_bytes(row, 2);
    unsigned long long size = packed ? ZSTD_getFrameContentSize(packed, n) : ZSTD_CONTENTSIZE_ERROR;
    bytes->packed += n;
    if (packed && size <= PART_MAX && bytes->n + size > SMALL + RATIO_MAX * bytes->packed)
        return sl_db_fail_content(bytes->database, "a grammar is too large for its compressed size",
                                  bytes->f);
    if (size > PART_MAX)
        return sl_db_fail_content(bytes->database, "a part of a grammar is not compressed",
                                  bytes->f);
    if (!SL_GROW(bytes->byte, bytes->capacity, bytes->n + (size_t)size + 1))
        return sl_db_fail_memory(bytes->f);
    if (ZSTD_decompress(bytes->byte + bytes->n, (size_t)size, packed, n) != size)
        return sl_db_fail_content(bytes->database, "a part of a grammar cannot be decompressed",
                                  bytes->f);
    bytes->n += (size_t)size;
    return 0;
}

/* True if all terminal symbols are below n. */
static bool has_symbols(const struct sl_grammar *grammar, uint64_t n)
{
    bool all = true;
    for (size_t i = 0; i < grammar->n_symbols && all; i++)
        all = grammar->symbol[i] & SL_GRAMMAR_RULE || grammar->symbol[i] < n;
    return all;
}

int sl_db_grammar(struct sl_database *database, const struct sl_db_profile *profile,
                  struct sl_grammar *grammar, struct sl_failure *f)
{
    struct bytes bytes = {.database = database, .f = f};
    struct sl_failure why;
    uint64_t n = 0;
    *grammar = (struct sl_grammar){0};
    struct sl_rows rows = sl_rows_of_profile(database, SL_DB_GRAMMAR, profile, "ORDER BY part");
    while (sl_rows_next(&rows, NULL))
        rows.result = add_part(&bytes, rows.row);
    int result = sl_rows_end(&rows, f);
    if (!result)
        result = sl_rows_number(database, "SELECT count(*) FROM grammar_symbol WHERE profile = ?1",
                                &profile->id, 1, &n, f);
    if (!result) {
        result = sl_grammar_load(grammar, bytes.byte ? bytes.byte : (const uint8_t *)"", bytes.n,
                                 &why);
        if (result == SL_EFORMAT)
            sl_db_fail_content(database, why.text, f);
        else if (result)
            sl_db_fail_memory(f);
    }
    free(bytes.byte);
    if (!result && !has_symbols(grammar, n))
        result = sl_db_fail_content(database, "a grammar has symbols without a tuple", f);
    if (result)
        sl_grammar_free(grammar);
    return result;
}
