/* SPDX-License-Identifier: MIT */
/* Merges the tables about code: locations, blocks and source lines. The descriptions of their
 * columns specify how each value is translated (enum sl_merge_rule) and which columns identify a
 * row. If several input databases have the same row, it is written once, and all references get its
 * new id. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "database_merge.h"
#include "database_row.h"
#include "grow.h"
#include "db_code.h"

struct piece {
    uint64_t start, end;
    int64_t function, source, line, inlined; /* -1: none */
};

/* Ids in the merged database of the input's rows 0, 1, ... */
struct new_ids {
    int64_t *id;
    size_t n, capacity;
};

struct code {
    struct sl_merging *merging;
    const struct sl_merge_input *input;
    enum sl_arch arch;
    struct sl_index_map rows[SL_DB_TABLES]; /* written rows by the hash of their key columns */
    struct new_ids new_ids[SL_DB_TABLES];   /* of the input's rows */
    uint64_t *host; /* of the input's inlined calls: start of the function that contains them */
    size_t n_hosts;
    struct piece *piece;
    size_t n, capacity;
};

/* ---- translation ---- */

static void mix_bytes(uint64_t key[2], const void *bytes, size_t n)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, n, key[0] ^ key[1]);
    key[0] = hash.low64;
    key[1] = hash.high64;
}

/* Returns the new id of the row that a column refers to; -1: NULL, or there is no such row. */
static int64_t reference(const struct code *code, enum sl_db_table table, sqlite3_stmt *row,
                         int column)
{
    const struct new_ids *new_ids = &code->new_ids[table];
    uint64_t old = sl_column_uint(row, column);
    return sl_is_null(row, column) || old >= new_ids->n ? -1 : new_ids->id[old];
}

/* Translates a number of the input to the merged database; -1: NULL. */
static int64_t translate(const struct code *code, unsigned rule, sqlite3_stmt *row, int column)
{
    int64_t old = sqlite3_column_int64(row, column);
    return rule == SL_MERGE_SOURCE     ? reference(code, SL_DB_SOURCE_FILE, row, column)
           : rule == SL_MERGE_FUNCTION ? reference(code, SL_DB_FUNCTION, row, column)
           : rule == SL_MERGE_INLINED  ? reference(code, SL_DB_INLINED, row, column)
           : sl_is_null(row, column)   ? -1
           : rule == SL_MERGE_OBJECT   ? sl_merge_object(code->input, old)
                                       : old;
}

static uint64_t address_at(const struct code *code, sqlite3_stmt *row, int column)
{
    return sl_merge_address(&code->merging->inputs, code->input, sl_column_uint(row, column));
}

/* Binds a translated column, and adds it to the key if it is a key column. Returns false if the row
 * refers to a row that does not exist. */
static bool copy_column(const struct code *code, struct sl_row *out, sqlite3_stmt *row, int i,
                        uint64_t key[2])
{
    const struct sl_column *c = &out->table->column[i];
    unsigned rule = c->merge & SL_MERGE_RULE;
    out->column = i;
    if (rule == SL_MERGE_FIRST) {
        sl_row_add_value(out, sqlite3_column_value(row, i));
        if (c->merge & SL_MERGE_KEY) {
            const void *bytes = sqlite3_column_blob(row, i);
            size_t n = (size_t)sqlite3_column_bytes(row, i);
            mix_bytes(key, bytes ? bytes : "", bytes ? n : 0);
            key[0] += sl_is_null(row, i);
        }
        return true;
    }
    bool is_address = rule == SL_MERGE_ADDRESS;
    int64_t number = is_address ? (int64_t)address_at(code, row, i) : translate(code, rule, row, i);
    bool present = is_address ? !sl_is_null(row, i) : number >= 0;
    sl_row_add_uint_if(out, present, (uint64_t)number);
    if (c->merge & SL_MERGE_KEY)
        mix_bytes(key, &number, sizeof number);
    return present || !strstr(c->type, "NOT NULL");
}

/* ---- tables ---- */

/* Writes a row unless one with the same key was written. If the rows of the table have ids, stores
 * the new id of this row. */
static int copy_row(struct code *code, enum sl_db_table table, struct sl_row *out,
                    sqlite3_stmt *row)
{
    struct sl_index_map *rows = &code->rows[table];
    struct new_ids *new_ids = &code->new_ids[table];
    bool has_id = (out->table->column[0].merge & SL_MERGE_RULE) == SL_MERGE_ID;
    uint64_t key[2] = {table, 1};
    if (table == SL_DB_INLINED && new_ids->n < code->n_hosts)
        mix_bytes(key, &code->host[new_ids->n], sizeof *code->host);
    size_t before = rows->n_keys;
    for (size_t i = has_id; i < sl_sql_columns(out->table); i++)
        if (!copy_column(code, out, row, (int)i, key)) {
            out->column = 0;
            return 0;
        }
    uint32_t number = sl_index_add(rows, key[0], key[1]);
    if (number == SL_NO_INDEX ||
        (has_id && !SL_GROW(new_ids->id, new_ids->capacity, new_ids->n + 1)))
        return sl_db_fail_memory(code->merging->f);
    out->column = 0;
    if (has_id) {
        new_ids->id[new_ids->n++] = number;
        sl_row_add_uint(out, number);
    }
    if (rows->n_keys > before)
        sl_row_insert(out);
    return 0;
}

/* Finds the functions that contain the inlined calls of the input: calls in different functions
 * stay different rows even if they are equal, because costs move from the function to the call. */
static int find_hosts(struct code *code)
{
    struct sl_database *database = code->input->database;
    uint64_t n = 0;
    int result = sl_rows_number(database, "SELECT count(*) FROM inlined", NULL, 0, &n,
                                code->merging->f);
    free(code->host);
    code->n_hosts = result ? 0 : n;
    code->host = calloc(code->n_hosts + 1, sizeof *code->host);
    if (result || !code->host)
        return result ? result : sl_db_fail_memory(code->merging->f);
    struct sl_rows rows = sl_rows_query(
        database,
        "WITH RECURSIVE host(id, start) AS ("
        "SELECT inlined, f.start FROM span JOIN function f ON f.id = function"
        " WHERE inlined NOT NULL UNION "
        "SELECT inlined, function_start FROM inlined_at JOIN location USING (address)"
        " WHERE function_start NOT NULL UNION "
        "SELECT parent, start FROM host JOIN inlined USING (id) WHERE parent NOT NULL) "
        "SELECT id, min(start) FROM host GROUP BY id",
        NULL, 0);
    while (sl_rows_next(&rows, NULL))
        if (sl_column_uint(rows.row, 0) < n) /* not in a damaged database */
            code->host[sl_column_uint(rows.row, 0)] = address_at(code, rows.row, 1);
    return sl_rows_end(&rows, code->merging->f);
}

static int copy_table(struct code *code, enum sl_db_table table, const char *order)
{
    struct sl_row out = sl_row_prepare(code->merging->out, &sl_db_tables[table]);
    struct sl_rows rows = sl_rows_select(code->input->database, table, order, NULL, 0);
    struct sl_db_block block;
    code->new_ids[table].n = 0;
    while (sl_rows_next(&rows, NULL)) {
        if (table == SL_DB_BLOCK)
            rows.result = sl_db_code_block(code->input->database, code->arch, rows.row, &block,
                                           code->merging->f);
        if (!rows.result)
            rows.result = copy_row(code, table, &out, rows.row);
    }
    int result = sl_rows_end(&rows, code->merging->f), rc = sl_row_finish(&out);
    return result ? result : sl_merge_check(code->merging, rc);
}

static int add_pieces(struct code *code)
{
    struct sl_rows rows = sl_rows_select(code->input->database, SL_DB_SPAN, "ORDER BY address",
                                         NULL, 0);
    while (sl_rows_next(&rows, NULL)) {
        uint64_t start = address_at(code, rows.row, 0);
        uint64_t size = sl_column_uint(rows.row, 1) - sl_column_uint(rows.row, 0);
        if (!SL_GROW(code->piece, code->capacity, code->n + 1))
            rows.result = sl_db_fail_memory(code->merging->f);
        else
            code->piece[code->n++] = (struct piece){start,
                                                    start + size,
                                                    translate(code, SL_MERGE_FUNCTION, rows.row, 2),
                                                    translate(code, SL_MERGE_SOURCE, rows.row, 3),
                                                    translate(code, SL_MERGE_FIRST, rows.row, 4),
                                                    translate(code, SL_MERGE_INLINED, rows.row, 5)};
    }
    return sl_rows_end(&rows, code->merging->f);
}

static int by_start(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return sl_order(x->start, y->start, sl_order(x->end, y->end, 0));
}

/* Writes the spans of all inputs. Spans of different inputs may overlap and then agree, so each
 * address is written with the first of its spans. */
static int put_pieces(struct code *code)
{
    uint64_t done = 0;
    struct sl_row row = sl_row_prepare(code->merging->out, &sl_db_tables[SL_DB_SPAN]);
    SL_SORT(code->piece, code->n, by_start);
    for (size_t i = 0; i < code->n; i++) {
        const struct piece *piece = &code->piece[i];
        if (piece->end <= done || piece->end <= piece->start || piece->function < 0)
            continue;
        SL_ROW_ADD_UINTS(&row, piece->start > done ? piece->start : done, piece->end,
                         (uint64_t)piece->function);
        sl_row_add_uint_if(&row, piece->source >= 0, (uint64_t)piece->source);
        sl_row_add_uint_if(&row, piece->line >= 0, (uint64_t)piece->line);
        sl_row_add_uint_if(&row, piece->inlined >= 0, (uint64_t)piece->inlined);
        sl_row_insert(&row);
        done = piece->end;
    }
    return sl_row_finish(&row);
}

/* Copies the tables of an input. A table follows those that it refers to, and inlined calls follow
 * their parents. */
static int copy_input(struct code *code, const struct sl_merge_input *input)
{
    static const enum sl_db_table by_id[] = {SL_DB_BLOCK, SL_DB_SOURCE_FILE, SL_DB_FUNCTION,
                                             SL_DB_INLINED};
    code->input = input;
    int result = sl_db_code_arch(input->database, &code->arch, code->merging->f);
    if (!result)
        result = find_hosts(code);
    if (!result)
        result = copy_table(code, SL_DB_LOCATION, "ORDER BY address");
    for (size_t i = 0; i < sizeof by_id / sizeof *by_id && !result; i++)
        result = copy_table(code, by_id[i], "ORDER BY id");
    if (!result)
        result = copy_table(code, SL_DB_INLINED_AT, "ORDER BY address");
    return result ? result : add_pieces(code);
}

int sl_merge_code(struct sl_merging *merging)
{
    struct code code = {.merging = merging};
    int result = 0;
    for (size_t i = 0; i < merging->inputs.n && !result; i++)
        result = copy_input(&code, &merging->inputs.input[i]);
    if (!result)
        result = sl_merge_check(merging, put_pieces(&code));
    for (size_t i = 0; i < SL_DB_TABLES; i++) {
        sl_index_free(&code.rows[i]);
        free(code.new_ids[i].id);
    }
    free(code.piece);
    free(code.host);
    return result;
}
