/* SPDX-License-Identifier: MIT */
/* Writes code addresses to a database, with their names, source lines and blocks. A thread looks up
 * symbols and debug information while another thread writes the entries of the profiles. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_row.h"
#include "event_set.h"
#include "grow.h"
#include "path_walk.h"

/* ---- the addresses ---- */

struct addresses {
    uint64_t *at; /* sorted, without repetition; to be freed */
    size_t n, capacity;
};

/* Names and blocks of the code addresses of a run. */
struct sl_named_code {
    const struct sl_results *results;
    struct addresses addresses, events;
    struct sl_db_location *place; /* by index in `addresses` */
    uint32_t *block;              /* stored blocks */
    size_t n_blocks;
    bool *is_stored; /* by block */
    bool found;      /* false: out of memory */
    pthread_t thread;
    bool running; /* the thread has not been joined */
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Adds the fields of a tuple that are code addresses or, if `events`, the set of machine events. */
static void add_tuple(struct addresses *addresses, const struct sl_detector_kind *detector,
                      const struct sl_tuple *tuple, bool seconds, bool events)
{
    if ((detector->first == SL_FIELD_EVENTS) == events)
        addresses->at[addresses->n++] = tuple->pc;
    if (seconds && sl_field_is_address(&detector->second))
        addresses->at[addresses->n++] = tuple->value;
}

/* Returns the i-th tuple of a profile's hot subpaths and phases, and sets *of to the profile that
 * it belongs to. */
static const struct sl_tuple *listed_tuple(const struct sl_result_profile *profile, size_t i,
                                           const struct sl_result_profile **of)
{
    const struct sl_result_sequence *s = profile->sequence;
    size_t of_sequence = s ? s->n_symbols : 0;
    if (i >= of_sequence) {
        const struct sl_result_phase_path *path = &profile->phase_path[i - of_sequence];
        *of = profile + path->member;
        return &path->is.tuple;
    }
    *of = profile + (s->member ? s->member[s->symbol[i]] : 0);
    return &s->all.tuple[s->symbol[i]];
}

/* Number of tuples in a profile's hot subpaths and phases. */
static size_t n_listed(const struct sl_result_profile *profile)
{
    return (profile->sequence ? profile->sequence->n_symbols : 0) + profile->n_phase_paths;
}

/* ---- blocks on paths ---- */

static const struct sl_path_config *path_config(const struct sl_result_profile *profile)
{
    return profile->asked && profile->asked->second.type == SL_FIELD_OUTCOMES ? profile->config
                                                                              : NULL;
}

static void walk_paths(const struct sl_path_walker *walker, const struct sl_result_profile *profile)
{
    const struct sl_path_config *config = path_config(profile);
    struct sl_path_walk walk;
    const struct sl_result_profile *of;
    for (size_t e = 0; config && e < profile->n_entries; e++)
        sl_path_walk(walker, config, profile->entry[e].tuple.pc, profile->entry[e].tuple.value,
                     &walk);
    for (size_t i = 0; i < n_listed(profile); i++) {
        const struct sl_tuple *tuple = listed_tuple(profile, i, &of);
        if ((config = path_config(of)))
            sl_path_walk(walker, config, tuple->pc, tuple->value, &walk);
    }
}

/* Adds the first address and the branch of each visited block. */
static bool add_seen(struct addresses *on_paths, const struct sl_path_walker *walker)
{
    const struct sl_code *code = walker->code;
    for (size_t b = 0; b < code->n_blocks; b++) {
        if (!walker->seen[b])
            continue;
        if (!SL_GROW(on_paths->at, on_paths->capacity, on_paths->n + 2))
            return false;
        on_paths->at[on_paths->n++] = code->statics->block[b].pc;
        if (code->end[b].branch_insn != SL_NO_INDEX)
            on_paths->at[on_paths->n++] = code->end[b].branch_pc;
    }
    return true;
}

/* Collects the first addresses and the branches of the blocks on all stored paths. Returns false if
 * out of memory. */
static bool collect_on_paths(struct addresses *on_paths, const struct sl_results *results)
{
    struct sl_failure f;
    struct sl_path_walker walker;
    bool needed = false;
    for (size_t i = 0; i < results->n_profiles; i++)
        needed |= path_config(&results->profile[i]) != NULL;
    if (!needed)
        return true;
    bool good = !sl_path_walker_init(&walker, results->code, &f);
    walker.seen = calloc(results->code->n_blocks + 1, sizeof *walker.seen);
    good = good && walker.seen;
    for (size_t i = 0; i < results->n_profiles && good; i++)
        walk_paths(&walker, &results->profile[i]);
    good = good && add_seen(on_paths, &walker);
    free(walker.seen);
    sl_path_walker_free(&walker);
    return good;
}

/* Collects the first fields of all tuples: the addresses or, if `events`, the sets of machine
 * events. Adds the addresses `on_paths` and, if `seconds`, the second fields that are addresses.
 * Returns false if out of memory. */
static bool collect(struct addresses *addresses, const struct sl_results *results,
                    const struct addresses *on_paths, bool seconds, bool events)
{
    size_t most = on_paths->n + 1;
    for (size_t i = 0; i < results->n_profiles; i++)
        most += 2 * (results->profile[i].n_entries + results->profile[i].n_candidates +
                     n_listed(&results->profile[i]));
    *addresses = (struct addresses){.at = malloc(most * sizeof *addresses->at)};
    if (!addresses->at)
        return false;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i], *of;
        for (size_t e = 0; e < profile->n_entries; e++)
            add_tuple(addresses, profile->detector, &profile->entry[e].tuple, seconds, events);
        for (size_t c = 0; c < profile->n_candidates; c++)
            add_tuple(addresses, profile->detector, &profile->candidate[c].entry.tuple, seconds,
                      events);
        for (size_t s = 0; s < n_listed(profile); s++) {
            const struct sl_tuple *tuple = listed_tuple(profile, s, &of);
            add_tuple(addresses, of->detector, tuple, seconds, events);
        }
    }
    for (size_t i = 0; i < on_paths->n; i++)
        addresses->at[addresses->n++] = on_paths->at[i];
    addresses->n = SL_SORT_AND_MERGE(addresses->at, addresses->n, by_value, NULL);
    return true;
}

/* ---- the search ---- */

static bool find_locations(struct sl_named_code *code, const struct addresses *on_paths)
{
    const struct addresses none = {0};
    if (!collect(&code->addresses, code->results, on_paths, true, false) ||
        !collect(&code->events, code->results, &none, false, true) ||
        !(code->place = malloc((code->addresses.n + 1) * sizeof *code->place)))
        return false;
    for (size_t i = 0; i < code->addresses.n; i++)
        sl_symbols_place(code->results->symbols, code->addresses.at[i], &code->place[i]);
    return true;
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

static bool select_blocks(struct sl_named_code *code, const struct addresses *on_paths)
{
    const struct sl_statics *statics = code->results->statics;
    struct addresses addresses = {0};
    bool all = needs_all_blocks(code->results);
    code->is_stored = calloc(statics->n_blocks + 1, sizeof *code->is_stored);
    code->block = malloc((statics->n_blocks + 1) * sizeof *code->block);
    if (!code->is_stored || !code->block ||
        (!all && !collect(&addresses, code->results, on_paths, false, false)))
        return false;
    for (uint32_t b = 0; b < statics->n_blocks; b++) {
        const struct sl_block *block = &statics->block[b];
        size_t i = all ? 0
                       : sl_lower_bound(addresses.at, addresses.n, sizeof *addresses.at, 0,
                                        block->pc);
        code->is_stored[b] = all ||
                             (i < addresses.n && addresses.at[i] - block->pc < block->n_bytes);
        if (code->is_stored[b])
            code->block[code->n_blocks++] = b;
    }
    free(addresses.at);
    return true;
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
    const struct sl_db_location *place = &code->place[i];
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
                            &(struct sl_bulk_rows){&sl_db_tables[SL_DB_LOCATION], code->addresses.n,
                                                   location_cell, code});
    if (rc != SQLITE_OK)
        return rc;
    /* Columns that are not set are NULL. */
    struct sl_row row = sl_row_prepare_as(database, &sl_db_tables[SL_DB_LOCATION],
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
        for (size_t k = 0; k < block->n_insns; k++)
            of->sizes[k] = statics->insn[statics->block_insn[block->insns_at + k]].size;
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
                 ? sl_bulk_insert(database, &(struct sl_bulk_rows){&sl_db_tables[SL_DB_BLOCK],
                                                                   code->n_blocks, block_cell, &of})
                 : SQLITE_NOMEM;
    free(bytes);
    return rc;
}

/* ---- all tables ---- */

static void *find_code(void *context)
{
    struct sl_named_code *code = context;
    struct addresses on_paths = {0};
    code->found = collect_on_paths(&on_paths, code->results) && find_locations(code, &on_paths) &&
                  select_blocks(code, &on_paths);
    free(on_paths.at);
    return NULL;
}

struct sl_named_code *sl_named_code_find(const struct sl_results *results)
{
    struct sl_named_code *code = calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->results = results;
    code->running = !pthread_create(&code->thread, NULL, find_code, code);
    if (!code->running)
        find_code(code);
    return code;
}

static void wait_for(struct sl_named_code *code)
{
    if (code->running)
        pthread_join(code->thread, NULL);
    code->running = false;
}

int sl_database_fill_code(sqlite3 *database, struct sl_named_code *code)
{
    wait_for(code);
    int rc = code->found ? fill_locations(database, code) : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = fill_blocks(database, code);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_lines(database, code->results, code->is_stored);
    return rc;
}

void sl_named_code_free(struct sl_named_code *code)
{
    if (!code)
        return;
    wait_for(code);
    free(code->addresses.at);
    free(code->events.at);
    free(code->place);
    free(code->block);
    free(code->is_stored);
    free(code);
}
