/* SPDX-License-Identifier: MIT */
/* Reads the functions, inlined calls and source lines in a database, and checks all references
 * between rows (db_lines.h). The id of an inlined call must be higher than the id of the call that
 * contains it, so that there are no cycles. */
#include "db_lines.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "db_row.h"
#include "utf8.h"

#define DEPTH_MAX 1000 /* of nested inlined calls */

/* Ids of rows in other tables become pointers into arrays. An array must not move afterwards, so
 * each table is read completely before those that refer to it. */
struct reading {
    struct sl_db_lines *lines;
    struct sl_database *database;
    struct sl_failure *f;
};

static int fail(const struct reading *r)
{
    return sl_db_fail_content(
        r->database, "a row about functions or source lines refers to a row that does not exist",
        r->f);
}

/* Checks that a column is NULL or the id of one of n rows; sets *present if it is not NULL. */
static bool check_reference(sqlite3_stmt *row, int column, size_t n, bool *present)
{
    *present = !sl_is_null(row, column);
    return !*present || sl_column_uint(row, column) < n;
}

/* Reads the source file and the line from two columns. Returns false if the file does not exist. */
static bool source_at(const struct reading *r, sqlite3_stmt *row, int column, const char **file,
                      int *line)
{
    bool present, good = check_reference(row, column, r->lines->n_sources, &present);
    *file = good && present ? r->lines->source[sl_column_uint(row, column)] : NULL;
    *line = *file ? sqlite3_column_int(row, column + 1) : 0;
    return good;
}

static int add_source(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    const char *path = sl_column_text(row, 1);
    if (!path || sl_column_uint(row, 0) != lines->n_sources)
        return fail(r);
    if (!SL_GROW(lines->source, lines->sources_capacity, lines->n_sources + 1) ||
        !(lines->source[lines->n_sources] = sl_utf8_printable(path)))
        return sl_db_fail_memory(r->f);
    lines->n_sources++;
    return 0;
}

static int add_object(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    const char *path = sl_column_text(row, 4), *name = sl_column_text(row, 5);
    if (!SL_GROW(lines->object, lines->objects_capacity, lines->n_objects + 1))
        return sl_db_fail_memory(r->f);
    struct sl_db_file *object = &lines->object[lines->n_objects++];
    *object = (struct sl_db_file){sqlite3_column_int64(row, 0), sl_utf8_printable(path ? path : ""),
                                  sl_utf8_printable(name ? name : "")};
    return object->path && object->name ? 0 : sl_db_fail_memory(r->f);
}

static int add_function(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    const char *name = sl_column_text(row, 1);
    struct sl_db_function function = {.start = sl_column_uint(row, 2), .object = -1};
    if (sl_column_uint(row, 0) != lines->n_functions ||
        !source_at(r, row, 5, &function.file, &function.line))
        return fail(r);
    function.own_start = function.start;
    if (!sl_is_null(row, 3)) {
        function.object = sqlite3_column_int64(row, 3);
        function.own_start = sl_column_uint(row, 4);
        for (size_t i = 0; i < lines->n_objects; i++)
            if (lines->object[i].id == function.object) {
                function.path = lines->object[i].path;
                function.object_name = lines->object[i].name;
            }
    }
    if (!SL_GROW(lines->function, lines->functions_capacity, lines->n_functions + 1) ||
        (name && !(function.name = sl_utf8_printable(name))))
        return sl_db_fail_memory(r->f);
    lines->function[lines->n_functions++] = function;
    return 0;
}

/* Adds an inlined call without its parent, because the array still moves: set_parent() follows. */
static int add_inlined(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    const char *name = sl_column_text(row, 2);
    struct sl_db_inlined inlined = {0};
    if (!name || sl_column_uint(row, 0) != lines->n_inlined ||
        !source_at(r, row, 3, &inlined.file, &inlined.line) ||
        !source_at(r, row, 5, &inlined.call_file, &inlined.call_line))
        return fail(r);
    if (!SL_GROW(lines->inlined, lines->inlined_capacity, lines->n_inlined + 1) ||
        !(inlined.name = sl_utf8_printable(name)))
        return sl_db_fail_memory(r->f);
    lines->inlined[lines->n_inlined++] = inlined;
    return 0;
}

static int set_parent(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    bool present;
    uint64_t number = sl_column_uint(row, 0);
    if (number >= lines->n_inlined || !check_reference(row, 1, (size_t)number, &present))
        return fail(r);
    struct sl_db_inlined *inlined = &lines->inlined[number];
    inlined->parent = present ? &lines->inlined[sl_column_uint(row, 1)] : NULL;
    inlined->depth = inlined->parent ? inlined->parent->depth + 1 : 1;
    return inlined->depth <= DEPTH_MAX ? 0 : fail(r);
}

static int add_span(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    bool present;
    struct sl_db_span span = {.start = sl_column_uint(row, 0), .end = sl_column_uint(row, 1)};
    uint64_t before = lines->n_spans ? lines->span[lines->n_spans - 1].end : 0;
    if (span.end < span.start || span.start < before ||
        !source_at(r, row, 3, &span.file, &span.line) ||
        !check_reference(row, 2, lines->n_functions, &present) || !present ||
        !check_reference(row, 5, lines->n_inlined, &present))
        return fail(r);
    span.function = &lines->function[sl_column_uint(row, 2)];
    present = present && !r->database->program.symbols;
    span.inlined = present ? &lines->inlined[sl_column_uint(row, 5)] : NULL;
    if (!SL_GROW(lines->span, lines->spans_capacity, lines->n_spans + 1))
        return sl_db_fail_memory(r->f);
    lines->span[lines->n_spans++] = span;
    return 0;
}

static int add_at(const struct reading *r, sqlite3_stmt *row)
{
    struct sl_db_lines *lines = r->lines;
    bool present;
    if (!check_reference(row, 1, lines->n_inlined, &present) || !present)
        return fail(r);
    if (!SL_GROW(lines->at, lines->at_capacity, lines->n_at + 1))
        return sl_db_fail_memory(r->f);
    lines->at[lines->n_at++] = (struct sl_db_inlined_at){sl_column_uint(row, 0),
                                                         &lines->inlined[sl_column_uint(row, 1)]};
    return 0;
}

int sl_db_lines_load(struct sl_db_lines *lines, struct sl_database *database, bool frames,
                     struct sl_failure *f)
{
    /* Addresses from 2^63 on are negative in SQL. */
    static const char by_id[] = "ORDER BY id", by_address[] = "ORDER BY address < 0, address";
    static const struct {
        enum sl_db_table table;
        const char *order;
        int (*each)(const struct reading *r, sqlite3_stmt *row);
        bool of_frames;
    } table[] = {
        {SL_DB_SOURCE_FILE, by_id, add_source, true}, {SL_DB_OBJECT, by_id, add_object, false},
        {SL_DB_FUNCTION, by_id, add_function, false}, {SL_DB_INLINED, by_id, add_inlined, true},
        {SL_DB_INLINED, by_id, set_parent, true},     {SL_DB_SPAN, by_address, add_span, false},
        {SL_DB_INLINED_AT, by_address, add_at, true},
    };
    struct reading reading = {.lines = lines, .database = database, .f = f};
    int result = 0;
    *lines = (struct sl_db_lines){0};
    for (size_t i = 0; i < sizeof table / sizeof *table && !result; i++) {
        if (frames && !table[i].of_frames)
            continue;
        struct sl_rows rows = sl_rows_select(database, table[i].table, table[i].order, NULL, 0);
        while (sl_rows_next(&rows, NULL))
            rows.result = table[i].each(&reading, rows.row);
        result = sl_rows_end(&rows, f);
    }
    return result;
}

const struct sl_db_inlined *sl_db_frame_at(const struct sl_db_lines *lines, uint64_t address,
                                           unsigned depth)
{
    size_t i = SL_LOWER_BOUND(lines->at, lines->n_at, struct sl_db_inlined_at, address, address);
    const struct sl_db_inlined *frame = i < lines->n_at && lines->at[i].address == address
                                            ? lines->at[i].inlined
                                            : NULL;
    while (frame && frame->depth > depth)
        frame = frame->parent;
    return frame && frame->depth == depth ? frame : NULL;
}

void sl_db_lines_free(struct sl_db_lines *lines)
{
    for (size_t i = 0; i < lines->n_functions; i++)
        free(lines->function[i].name);
    for (size_t i = 0; i < lines->n_inlined; i++)
        free(lines->inlined[i].name);
    for (size_t i = 0; i < lines->n_sources; i++)
        free(lines->source[i]);
    for (size_t i = 0; i < lines->n_objects; i++) {
        free(lines->object[i].path);
        free(lines->object[i].name);
    }
    free(lines->at);
    free(lines->span);
    free(lines->function);
    free(lines->inlined);
    free(lines->source);
    free(lines->object);
    *lines = (struct sl_db_lines){0};
}

const struct sl_db_span *sl_db_span_at(const struct sl_db_lines *lines, uint64_t address)
{
    size_t i = SL_LOWER_BOUND(lines->span, lines->n_spans, struct sl_db_span, end, address + 1);
    const struct sl_db_span *span = i < lines->n_spans ? &lines->span[i] : NULL;
    return span && address - span->start < span->end - span->start ? span : NULL;
}

int sl_db_inlined_order(const struct sl_db_inlined *a, const struct sl_db_inlined *b)
{
    unsigned depth_a = a ? a->depth : 0, depth_b = b ? b->depth : 0;
    if (a == b)
        return 0;
    if (depth_a != depth_b) {
        int order = depth_a > depth_b ? sl_db_inlined_order(a->parent, b)
                                      : sl_db_inlined_order(a, b->parent);
        return order ? order : depth_a > depth_b ? 1 : -1;
    }
    int order = sl_db_inlined_order(a->parent, b->parent);
    return order ? order : strcmp(a->name, b->name);
}
