/* SPDX-License-Identifier: MIT */
/* Writes event sequences to a database: the compressed grammar that generates the sequence, the
 * tuple of each terminal symbol, and the events of each hot subpath. */
#include <stdlib.h>
#include <zstd.h>

#include "database.h"
#include "database_row.h"

#define PART (UINT64_C(4) << 20) /* bytes of a grammar in one row */
#define COMPRESSION 3

/* ---- the grammar ---- */

/* Writes the serialized grammar (grammar.h) in parts, each compressed separately. Returns the
 * compressed size; an error is in `row`. */
static uint64_t put_grammar(struct sl_row *row, uint64_t id, const struct sl_grammar *grammar)
{
    size_t size, capacity = ZSTD_compressBound(PART);
    uint64_t bytes = 0;
    uint8_t *saved = sl_grammar_save(grammar, &size), *packed = malloc(capacity);
    if (row->rc == SQLITE_OK && (!saved || !packed))
        row->rc = SQLITE_NOMEM;
    for (uint64_t part = 0; row->rc == SQLITE_OK && part * PART < size; part++) {
        size_t left = size - part * PART;
        size_t n = ZSTD_compress(packed, capacity, saved + part * PART, left < PART ? left : PART,
                                 COMPRESSION);
        if (ZSTD_isError(n)) {
            row->rc = SQLITE_NOMEM;
            break;
        }
        SL_ROW_ADD_UINTS(row, id, part);
        sl_row_add_bytes(row, packed, n);
        sl_row_insert(row);
        bytes += n;
    }
    free(saved);
    free(packed);
    return bytes;
}

static int fill_grammar(sqlite3 *database, uint64_t id, const struct sl_result_sequence *sequence)
{
    const struct sl_grammar *grammar = sequence->all.grammar;
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_GRAMMAR]);
    uint64_t bytes = put_grammar(&row, id, grammar);
    int rc = sl_row_finish(&row);
    uint64_t *length = calloc(grammar->n_rules + 1, sizeof *length);
    if (rc != SQLITE_OK || !length) {
        free(length);
        return rc != SQLITE_OK ? rc : SQLITE_NOMEM;
    }
    sl_grammar_lengths(grammar, length);
    row = sl_row_prepare(database, &sl_db_tables[SL_DB_SEQUENCE]);
    sl_row_add_uint(&row, id);
    sl_row_put_fields(&row, &(struct sl_db_sequence){
                                .length = length[0],
                                .rules = grammar->n_rules,
                                .symbols = grammar->n_symbols,
                                .tuples = sequence->all.n_tuples,
                                .bytes = bytes,
                                .unit = sequence->unit,
                                .weight = (uint64_t)sequence->subpaths.whole,
                            });
    free(length);
    return sl_row_finish(&row);
}

static int fill_symbols(sqlite3 *database, uint64_t id, const struct sl_result_sequence *sequence)
{
    const struct sl_sequence *all = &sequence->all;
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_GRAMMAR_SYMBOL]);
    for (size_t i = 0; i < all->n_tuples && row.rc == SQLITE_OK; i++) {
        SL_ROW_ADD_UINTS(&row, id, i, id + (sequence->member ? sequence->member[i] : 0),
                         all->tuple[i].pc, all->tuple[i].value);
        sl_row_insert(&row);
    }
    return sl_row_finish(&row);
}

/* ---- hot subpaths ---- */

struct subpath_writer {
    struct sl_row row;
    uint64_t id, rank, position;
};

static bool put_event(void *context, uint32_t symbol)
{
    struct subpath_writer *w = context;
    SL_ROW_ADD_UINTS(&w->row, w->id, w->rank, ++w->position, symbol);
    sl_row_insert(&w->row);
    return w->row.rc == SQLITE_OK;
}

static int fill_subpath_events(sqlite3 *database, uint64_t id,
                               const struct sl_result_sequence *sequence)
{
    struct subpath_writer w = {.row = sl_row_prepare(database, &sl_db_tables[SL_DB_SUBPATH_EVENT]),
                               .id = id};
    for (size_t i = 0; i < sequence->subpaths.n && w.row.rc == SQLITE_OK; i++) {
        w.rank = i + 1;
        w.position = 0;
        bool complete = sl_grammar_expand(sequence->all.grammar, sequence->subpaths.hot[i].rule,
                                          put_event, &w);
        if (!complete && w.row.rc == SQLITE_OK)
            w.row.rc = SQLITE_NOMEM;
    }
    return sl_row_finish(&w.row);
}

static int fill_subpaths(sqlite3 *database, uint64_t id, const struct sl_result_sequence *sequence)
{
    struct sl_row row = sl_row_prepare(database, &sl_db_tables[SL_DB_SUBPATH]);
    for (size_t i = 0; i < sequence->subpaths.n && row.rc == SQLITE_OK; i++) {
        const struct sl_subpath *hot = &sequence->subpaths.hot[i];
        sl_row_add_uint(&row, id);
        sl_row_put_fields(&row, &(struct sl_db_subpath){
                                    .rank = i + 1,
                                    .rule = hot->rule,
                                    .length = hot->length,
                                    .times = hot->times,
                                    .weight = (uint64_t)((double)hot->times * hot->weight + 0.5),
                                });
    }
    return sl_row_finish(&row);
}

int sl_database_fill_sequences(sqlite3 *database, const struct sl_results *results)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < results->n_profiles && rc == SQLITE_OK; i++) {
        const struct sl_result_sequence *sequence = results->profile[i].sequence;
        if (!sequence)
            continue;
        rc = fill_grammar(database, i, sequence);
        if (rc == SQLITE_OK)
            rc = fill_symbols(database, i, sequence);
        if (rc == SQLITE_OK)
            rc = fill_subpaths(database, i, sequence);
        if (rc == SQLITE_OK)
            rc = fill_subpath_events(database, i, sequence);
    }
    return rc;
}
