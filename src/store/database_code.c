/* SPDX-License-Identifier: MIT */
/* Writes code addresses to a database, with their names, source lines and blocks. One thread looks
 * up symbols and debug information while another thread writes the entries of the profiles. */
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_row.h"
#include "event_set.h"

/* ---- the search ---- */

static bool find_locations(struct sl_named_code *code, const struct sl_code_addresses *on_paths)
{
    const struct sl_code_addresses none = {0};
    if (!sl_code_addresses_collect(&code->addresses, code->results, on_paths, true, false) ||
        !sl_code_addresses_collect(&code->events, code->results, &none, false, true) ||
        !(code->place = malloc((code->addresses.n + 1) * sizeof *code->place)))
        return false;
    for (size_t i = 0; i < code->addresses.n; i++)
        sl_symbols_place(code->symbols, code->addresses.at[i], &code->place[i]);
    return true;
}

/* True if one of the sorted addresses is in the block. */
static bool contains_any(const struct sl_block *block, const struct sl_code_addresses *addresses)
{
    size_t low = 0, high = addresses->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (addresses->at[middle] < block->pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < addresses->n && addresses->at[low] - block->pc < block->n_bytes;
}

/* True if there is a profile of edges or calls. Such profiles are evaluated together with the code
 * between the branches, so all blocks are stored. */
static bool needs_all_blocks(const struct sl_results *results)
{
    bool all = false;
    for (size_t i = 0; i < results->n_profiles; i++)
        all = all || results->profile[i].detector->second.type == SL_FIELD_TARGET ||
              results->profile[i].detector->second.type == SL_FIELD_CALLEE;
    return all;
}

static bool select_blocks(struct sl_named_code *code, const struct sl_code_addresses *on_paths)
{
    const struct sl_statics *statics = code->results->statics;
    struct sl_code_addresses addresses = {0};
    bool all = needs_all_blocks(code->results);
    code->is_stored = calloc(statics->n_blocks + 1, sizeof *code->is_stored);
    code->block = malloc((statics->n_blocks + 1) * sizeof *code->block);
    if (!code->is_stored || !code->block ||
        (!all && !sl_code_addresses_collect(&addresses, code->results, on_paths, false, false)))
        return false;
    for (uint32_t b = 0; b < statics->n_blocks; b++) {
        code->is_stored[b] = all || contains_any(&statics->block[b], &addresses);
        if (code->is_stored[b])
            code->block[code->n_blocks++] = b;
    }
    free(addresses.at);
    return true;
}

static void *find_code(void *context)
{
    struct sl_named_code *code = context;
    struct sl_code_addresses on_paths = {0};
    code->found = sl_code_addresses_on_paths(&on_paths, code->results) &&
                  find_locations(code, &on_paths) && select_blocks(code, &on_paths);
    free(on_paths.at);
    return NULL;
}

void sl_named_code_find(struct sl_named_code *code, const struct sl_results *results,
                        struct sl_symbols *symbols)
{
    *code = (struct sl_named_code){.results = results, .symbols = symbols};
    code->running = !pthread_create(&code->thread, NULL, find_code, code);
    if (!code->running)
        find_code(code);
}

static void wait_for(struct sl_named_code *code)
{
    if (code->running)
        pthread_join(code->thread, NULL);
    code->running = false;
}

/* ---- locations ---- */

static void text_cell(sqlite3_context *out, const char *text)
{
    sqlite3_result_text(out, text, -1, SQLITE_STATIC); /* NULL gives NULL */
}

/* clang-format off */
static void location_cell(const void *context, size_t i, int column, sqlite3_context *out)
{
    const struct sl_named_code *code = context;
    const struct sl_place *place = &code->place[i];
    switch (column) {
    case 0: sl_cell_number(out, true, code->addresses.at[i]); break;
    case 1: text_cell(out, place->function); break;
    case 2: sl_cell_number(out, place->function, place->function_start); break;
    case 3: sl_cell_number(out, place->object, place->object_number); break;
    case 4: sl_cell_number(out, place->object, place->object_address); break;
    case 5: text_cell(out, place->file); break;
    case 6: sl_cell_number(out, place->file, (uint64_t)place->line); break;
    }
}
/* clang-format on */

/* Writes the table `location`. Addresses come first: if an address equals a set of machine events
 * (event_set.h), the table has the address. */
static int fill_locations(sqlite3 *database, const struct sl_named_code *code)
{
    int rc = sl_bulk_insert(database,
                            &(struct sl_bulk_rows){sl_db_tables[SL_DB_LOCATION], code->addresses.n,
                                                   location_cell, code});
    if (rc != SQLITE_OK)
        return rc;
    /* Columns that are not set are NULL. */
    struct sl_row row = sl_row_prepare_as(database, sl_db_tables[SL_DB_LOCATION],
                                          "INSERT OR IGNORE INTO");
    for (size_t i = 0; i < code->events.n && row.rc == SQLITE_OK; i++) {
        char name[200];
        sl_event_set_name(code->events.at[i], name, sizeof name);
        sl_row_add_uint(&row, code->events.at[i]);
        sl_row_add_text(&row, name);
        sl_row_add_uint(&row, code->events.at[i]);
        sl_row_insert(&row);
    }
    return sl_row_finish(&row);
}

/* ---- blocks ---- */

struct blocks {
    const struct sl_named_code *code;
    uint8_t *bytes; /* instructions of the current row; large enough for any block */
    uint8_t *sizes;
};

static size_t gather_bytes(const struct sl_statics *statics, const struct sl_block *block,
                           uint8_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < block->n_insns; i++) {
        const struct sl_insn *insn = &statics->insn[statics->block_insn[block->insns_at + i]];
        memcpy(bytes + n, statics->bytes + insn->bytes_at, sl_insn_stored(statics, insn));
        n += sl_insn_stored(statics, insn);
    }
    return n;
}

static void gather_sizes(const struct sl_statics *statics, const struct sl_block *block,
                         uint8_t *sizes)
{
    for (size_t i = 0; i < block->n_insns; i++)
        sizes[i] = statics->insn[statics->block_insn[block->insns_at + i]].size;
}

/* clang-format off */
static void block_cell(const void *context, size_t i, int column, sqlite3_context *out)
{
    const struct blocks *of = context;
    const struct sl_statics *statics = of->code->results->statics;
    uint32_t number = of->code->block[i];
    const struct sl_block *block = &statics->block[number];
    switch (column) {
    case 0: sl_cell_number(out, true, number); break;
    case 1: sl_cell_number(out, true, block->pc); break;
    case 2:
        sqlite3_result_blob64(out, of->bytes, gather_bytes(statics, block, of->bytes), SQLITE_STATIC);
        break;
    case 3:
        gather_sizes(statics, block, of->sizes);
        sqlite3_result_blob64(out, of->sizes, block->n_insns, SQLITE_STATIC);
        break;
    case 4: sl_cell_number(out, true, block->mark); break;
    }
}
/* clang-format on */

static int fill_blocks(sqlite3 *database, const struct sl_named_code *code)
{
    uint8_t *bytes = malloc(SL_BLOCK_INSNS_MAX * UINT8_MAX), sizes[SL_BLOCK_INSNS_MAX];
    struct blocks of = {code, bytes, sizes};
    int rc = bytes
                 ? sl_bulk_insert(database, &(struct sl_bulk_rows){sl_db_tables[SL_DB_BLOCK],
                                                                   code->n_blocks, block_cell, &of})
                 : SQLITE_NOMEM;
    free(bytes);
    return rc;
}

/* ---- all tables ---- */

int sl_database_fill_code(sqlite3 *database, struct sl_named_code *code)
{
    wait_for(code);
    int rc = code->found ? SQLITE_OK : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = fill_locations(database, code);
    if (rc == SQLITE_OK)
        rc = fill_blocks(database, code);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_lines(database, code->results, code->symbols, code->is_stored);
    return rc;
}

void sl_named_code_free(struct sl_named_code *code)
{
    wait_for(code);
    free(code->addresses.at);
    free(code->events.at);
    free(code->place);
    free(code->block);
    free(code->is_stored);
}
