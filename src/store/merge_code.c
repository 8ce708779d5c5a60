/* SPDX-License-Identifier: MIT */
/* The code of databases that become one: places, blocks, and the tables of their lines. What
 * several of them have is there once, so numbers change. */
#include <stdlib.h>
#include <string.h>

#include "database_merge.h"
#include "database_row.h"
#include "grow.h"
#include "hash.h"
#include "saved_code.h"
#include "saved_row.h"

struct piece {
    uint64_t start, end;
    int64_t function, source, line, inlined; /* -1: none */
};

/* Numbers in the new database of what one of the old ones calls 0, 1, ... */
struct numbers {
    int64_t *number;
    size_t n, room;
};

struct code {
    struct sl_merging *merging;
    const struct sl_merge_input *input;
    enum sl_arch arch;
    struct sl_index_map source, function, inlined, block; /* what is there, by its hash */
    struct numbers sources, functions, inlineds;          /* of the input */
    struct sl_row row;
    struct piece *piece;
    size_t n, room;
    struct sl_failure *f;
};

/* ---- numbers ---- */

static void mix_bytes(uint64_t key[2], const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < n; i++) {
        key[0] = (key[0] ^ at[i]) * UINT64_C(0x100000001b3);
        key[1] = (key[1] + at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    key[0] = sl_mix(key[0] ^ n);
    key[1] = sl_mix(key[1] + n);
}

static void mix_text(uint64_t key[2], const char *text)
{
    mix_bytes(key, text ? text : "", text ? strlen(text) + 1 : 0);
}

static void mix_number(uint64_t key[2], int64_t number)
{
    mix_bytes(key, &number, sizeof number);
}

/* The number of what has this key; it is new if *is_new. -1 when memory ran out. */
static int64_t number_of(struct sl_index_map *map, const uint64_t key[2], bool *is_new)
{
    size_t before = map->n_keys;
    uint32_t number = sl_index_intern(map, key[0], key[1]);
    *is_new = map->n_keys > before;
    return number == SL_NO_INDEX ? -1 : (int64_t)number;
}

static int keep(struct code *code, struct numbers *numbers, int64_t number)
{
    if (number < 0 || !SL_GROW(numbers->number, numbers->room, numbers->n + 1))
        return sl_saved_fail_memory(code->f);
    numbers->number[numbers->n++] = number;
    return 0;
}

/* What the column refers to; -1 where it is NULL, or refers to nothing. */
static int64_t refers(const struct numbers *numbers, sqlite3_stmt *row, int column)
{
    uint64_t old = sl_number_at(row, column);
    return sqlite3_column_type(row, column) == SQLITE_NULL || old >= numbers->n
               ? -1
               : numbers->number[old];
}

static void put_reference(struct sl_row *row, int64_t number)
{
    sl_row_number_if(row, number >= 0, (uint64_t)number);
}

static void put_value(struct sl_row *row, sqlite3_stmt *from, int column)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_value(row->statement, ++row->column,
                                     sqlite3_column_value(from, column));
}

static int64_t object_at(const struct code *code, sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL
               ? -1
               : sl_merge_object(code->input, sqlite3_column_int64(row, column));
}

static uint64_t address_at(const struct code *code, sqlite3_stmt *row, int column)
{
    return sl_merge_address(&code->merging->inputs, code->input, sl_number_at(row, column));
}

/* ---- tables ---- */

static int add_place(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    sl_row_number(&code->row, address_at(code, row, 0));
    put_value(&code->row, row, 1);
    sl_row_number_if(&code->row, sqlite3_column_type(row, 2) != SQLITE_NULL,
                     address_at(code, row, 2));
    put_reference(&code->row, object_at(code, row, 3));
    for (int i = 4; i < 7; i++)
        put_value(&code->row, row, i);
    sl_row_put(&code->row);
    return 0;
}

static int add_block(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    uint64_t key[2] = {address_at(code, row, 0), sl_number_at(row, 3)}, pc = key[0];
    struct sl_saved_block block;
    bool is_new;
    int error = sl_saved_code_block(code->input->database, code->arch, row, 1, &block, code->f);
    if (error)
        return error;
    mix_bytes(key, block.bytes, block.n_bytes);
    mix_bytes(key, block.sizes, block.n_insns);
    int64_t number = number_of(&code->block, key, &is_new);
    if (number < 0)
        return sl_saved_fail_memory(code->f);
    if (!is_new)
        return 0;
    sl_row_number(&code->row, (uint64_t)number);
    sl_row_number(&code->row, pc);
    for (int i = 1; i < 4; i++)
        put_value(&code->row, row, i);
    sl_row_put(&code->row);
    return 0;
}

static int add_source(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    uint64_t key[2] = {1, 2};
    bool is_new;
    mix_text(key, sl_text_at(row, 0));
    int64_t number = number_of(&code->source, key, &is_new);
    if (is_new && number >= 0) {
        sl_row_number(&code->row, (uint64_t)number);
        put_value(&code->row, row, 0);
        sl_row_put(&code->row);
    }
    return keep(code, &code->sources, number);
}

static int add_function(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    uint64_t start = address_at(code, row, 1), key[2] = {start, 3};
    bool is_new;
    mix_text(key, sl_text_at(row, 0));
    int64_t number = number_of(&code->function, key, &is_new);
    if (is_new && number >= 0) {
        sl_row_number(&code->row, (uint64_t)number);
        put_value(&code->row, row, 0);
        sl_row_number(&code->row, start);
        put_reference(&code->row, object_at(code, row, 2));
        put_value(&code->row, row, 3);
        put_reference(&code->row, refers(&code->sources, row, 4));
        put_value(&code->row, row, 5);
        sl_row_put(&code->row);
    }
    return keep(code, &code->functions, number);
}

/* Parents come before those that are inlined in them. */
static int add_inlined(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    const int64_t parent = refers(&code->inlineds, row, 0), source = refers(&code->sources, row, 2),
                  call = refers(&code->sources, row, 4);
    uint64_t key[2] = {4, 5};
    bool is_new;
    mix_text(key, sl_text_at(row, 1));
    mix_number(key, parent);
    mix_number(key, source);
    mix_number(key, sqlite3_column_int64(row, 3));
    mix_number(key, call);
    mix_number(key, sqlite3_column_int64(row, 5));
    int64_t number = number_of(&code->inlined, key, &is_new);
    if (is_new && number >= 0) {
        sl_row_number(&code->row, (uint64_t)number);
        put_reference(&code->row, parent);
        put_value(&code->row, row, 1);
        put_reference(&code->row, source);
        put_value(&code->row, row, 3);
        put_reference(&code->row, call);
        put_value(&code->row, row, 5);
        sl_row_put(&code->row);
    }
    return keep(code, &code->inlineds, number);
}

static int add_inlined_at(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    int64_t inlined = refers(&code->inlineds, row, 1);
    if (inlined < 0)
        return 0;
    sl_row_number(&code->row, address_at(code, row, 0));
    sl_row_number(&code->row, (uint64_t)inlined);
    sl_row_put(&code->row);
    return 0;
}

static int add_piece(void *context, sqlite3_stmt *row)
{
    struct code *code = context;
    uint64_t start = address_at(code, row, 0);
    uint64_t size = sl_number_at(row, 1) - sl_number_at(row, 0);
    if (!SL_GROW(code->piece, code->room, code->n + 1))
        return sl_saved_fail_memory(code->f);
    code->piece[code->n++] = (struct piece){
        start,
        start + size,
        refers(&code->functions, row, 2),
        refers(&code->sources, row, 3),
        sqlite3_column_type(row, 4) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 4),
        refers(&code->inlineds, row, 5)};
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start ? 1 : -1)
                                : (x->end > y->end) - (x->end < y->end);
}

/* Pieces of different databases overlap, and agree where they do: each address is in the first. */
static int put_pieces(struct code *code)
{
    uint64_t done = 0;
    struct sl_row row = sl_row_prepare(code->merging->out, "INSERT INTO span VALUES (?,?,?,?,?,?)");
    if (code->n)
        qsort(code->piece, code->n, sizeof *code->piece, by_start);
    for (size_t i = 0; i < code->n; i++) {
        const struct piece *piece = &code->piece[i];
        if (piece->end <= done || piece->end <= piece->start || piece->function < 0)
            continue;
        sl_row_number(&row, piece->start > done ? piece->start : done);
        sl_row_number(&row, piece->end);
        sl_row_number(&row, (uint64_t)piece->function);
        put_reference(&row, piece->source);
        put_reference(&row, piece->line);
        put_reference(&row, piece->inlined);
        sl_row_put(&row);
        done = piece->end;
    }
    return sl_row_finish(&row);
}

static int copy_input(struct code *code, const struct sl_merge_input *input)
{
    static const struct {
        const char *from, *to;
        int (*add)(void *context, sqlite3_stmt *row);
    } tables[] = {
        {"SELECT address, function, function_start, object, object_address, file, line FROM place"
         " ORDER BY address",
         "INSERT OR IGNORE INTO place VALUES (?,?,?,?,?,?,?)", add_place},
        {"SELECT pc, bytes, sizes, mark FROM block ORDER BY id",
         "INSERT INTO block VALUES (?,?,?,?,?)", add_block},
        {"SELECT path FROM source ORDER BY id", "INSERT INTO source VALUES (?,?)", add_source},
        {"SELECT name, start, object, object_address, source, line FROM function ORDER BY id",
         "INSERT INTO function VALUES (?,?,?,?,?,?,?)", add_function},
        {"SELECT parent, name, source, line, call_source, call_line FROM inlined ORDER BY id",
         "INSERT INTO inlined VALUES (?,?,?,?,?,?,?)", add_inlined},
        {"SELECT address, inlined FROM inlined_at ORDER BY address",
         "INSERT OR IGNORE INTO inlined_at VALUES (?,?)", add_inlined_at},
        {"SELECT address, \"end\", function, source, line, inlined FROM span ORDER BY address",
         NULL, add_piece},
    };
    int result = sl_saved_code_arch(input->database, &code->arch, code->f);
    code->input = input;
    code->sources.n = code->functions.n = code->inlineds.n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !result; i++) {
        if (tables[i].to)
            code->row = sl_row_prepare(code->merging->out, tables[i].to);
        result = sl_saved_rows(input->database, tables[i].from, NULL, 0, tables[i].add, code,
                               code->f);
        int rc = tables[i].to ? sl_row_finish(&code->row) : SQLITE_OK;
        result = result ? result : sl_merge_check(code->merging, rc, code->f);
    }
    return result;
}

int sl_merge_code(struct sl_merging *merging, struct sl_failure *f)
{
    struct code code = {.merging = merging, .f = f};
    int result = 0;
    for (size_t i = 0; i < merging->inputs.n && !result; i++)
        result = copy_input(&code, &merging->inputs.input[i]);
    if (!result)
        result = sl_merge_check(merging, put_pieces(&code), f);
    sl_index_free(&code.source);
    sl_index_free(&code.function);
    sl_index_free(&code.inlined);
    sl_index_free(&code.block);
    free(code.sources.number);
    free(code.functions.number);
    free(code.inlineds.number);
    free(code.piece);
    return result;
}
