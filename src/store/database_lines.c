/* SPDX-License-Identifier: MIT */
/* Writes the source lines and inlined calls of the stored code to a database. Consecutive
 * instructions with the same function, line and inlined call form one span. The inlined calls at
 * the first address of a calling context are always written, because the name of the context is
 * derived from them. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "context_name.h"
#include "database.h"
#include "database_row.h"
#include "grow.h"

struct instruction {
    uint64_t pc;
    uint8_t size;
};

struct writing {
    const struct sl_results *results;
    struct sl_row source, function, inlined, span, inlined_at;
    struct sl_index_map sources;   /* by hash */
    struct sl_index_map functions; /* by start; those without a name by 0 and the object */
    struct sl_index_map frames;    /* by sl_symbols_inlined() */
    struct sl_index_map contexts;  /* by address; visited, with or without an inlined call */
    bool out_of_memory;
};

/* Sets *number to the id of the key (a, b) and returns true if the key is new. */
static bool is_new(struct writing *w, struct sl_index_map *map, uint64_t a, uint64_t b,
                   uint32_t *number)
{
    size_t n = map->n_keys;
    *number = sl_index_add(map, a, b);
    w->out_of_memory = w->out_of_memory || *number == SL_NO_INDEX;
    return map->n_keys > n;
}

/* Returns the id of a source file, which is written if it is new. SL_NO_INDEX: no file. */
static uint32_t source_id(struct writing *w, const char *file)
{
    uint32_t number;
    if (!file)
        return SL_NO_INDEX;
    XXH128_hash_t hash = XXH3_128bits(file, strlen(file));
    if (is_new(w, &w->sources, hash.low64, hash.high64, &number)) {
        sl_row_add_uint(&w->source, number);
        sl_row_add_text(&w->source, file);
        sl_row_insert(&w->source);
    }
    return number;
}

static void put_line(struct sl_row *row, uint32_t source, int line)
{
    sl_row_add_uint_if(row, source != SL_NO_INDEX, source);
    sl_row_add_uint_if(row, source != SL_NO_INDEX && line > 0, (uint64_t)line);
}

/* Returns the id of the function at an address, which is written if it is new. */
static uint32_t function_id(struct writing *w, uint64_t address, const struct sl_db_location *place)
{
    uint32_t number;
    uint64_t other = place->function ? 0 : place->object ? place->object_number + 1u : UINT64_MAX;
    if (!is_new(w, &w->functions, place->function ? place->function_start : 0, other, &number))
        return number;
    /* Code without a name starts where its object does. */
    struct sl_db_location first = {0};
    uint64_t start = place->function ? place->function_start
                     : place->object ? w->results->statics->object[place->object_number].start
                                     : 0;
    if (place->function)
        sl_symbols_place(w->results->symbols, start, &first);
    uint32_t source = source_id(w, first.file);
    sl_row_add_uint(&w->function, number);
    sl_row_add_text(&w->function, place->function);
    sl_row_add_uint(&w->function, start);
    sl_row_add_uint_if(&w->function, place->object, place->object_number);
    sl_row_add_uint_if(&w->function, place->object, place->object_address - (address - start));
    put_line(&w->function, source, first.line);
    sl_row_insert(&w->function);
    return number;
}

/* Returns the id of an inlined call, which is written after its parents if it is new. SL_NO_INDEX:
 * no inlined call. */
static uint32_t inlined_id(struct writing *w, uint64_t inlined)
{
    uint64_t parent;
    uint32_t number = inlined ? sl_index_find(&w->frames, inlined, 0) : SL_NO_INDEX;
    if (!inlined || number != SL_NO_INDEX)
        return number;
    const struct sl_inlined frame = sl_symbols_frame(w->results->symbols, inlined, &parent);
    uint32_t outer = inlined_id(w, parent);
    uint32_t source = source_id(w, frame.file), call = source_id(w, frame.call_file);
    if (is_new(w, &w->frames, inlined, 0, &number)) {
        sl_row_add_uint(&w->inlined, number);
        sl_row_add_uint_if(&w->inlined, outer != SL_NO_INDEX, outer);
        sl_row_add_text(&w->inlined, frame.name);
        put_line(&w->inlined, source, frame.line);
        put_line(&w->inlined, call, frame.call_line);
        sl_row_insert(&w->inlined);
    }
    return number;
}

struct span {
    uint64_t start, end;
    uint32_t function, source, inlined;
    int line;
};

static void put_span(struct writing *w, const struct span *span)
{
    if (span->start == span->end)
        return;
    SL_ROW_ADD_UINTS(&w->span, span->start, span->end, span->function);
    put_line(&w->span, span->source, span->line);
    sl_row_add_uint_if(&w->span, span->inlined != SL_NO_INDEX, span->inlined);
    sl_row_insert(&w->span);
}

static int by_pc(const void *a, const void *b)
{
    const struct instruction *x = a, *y = b;
    return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1) : (x->size > y->size) - (x->size < y->size);
}

static void put_spans(struct writing *w, struct instruction *instruction, size_t n)
{
    struct span span = {0};
    SL_SORT(instruction, n, by_pc);
    for (size_t i = 0; i < n && !w->out_of_memory && w->span.rc == SQLITE_OK; i++) {
        uint64_t pc = instruction[i].pc, end = pc + instruction[i].size;
        struct sl_db_location place;
        if (pc < span.end ||
            end < pc) /* a repetition, an overlap, or a wrap around the end of memory */
            continue;
        sl_symbols_place(w->results->symbols, pc, &place);
        struct span next = {pc,
                            end,
                            function_id(w, pc, &place),
                            source_id(w, place.file),
                            inlined_id(w, sl_symbols_inlined(w->results->symbols, pc)),
                            place.line};
        if (span.end == pc && span.function == next.function && span.source == next.source &&
            span.line == next.line && span.inlined == next.inlined) {
            span.end = end;
            continue;
        }
        put_span(w, &span);
        span = next;
    }
    put_span(w, &span);
}

static void put_context(struct writing *w, uint64_t address)
{
    uint32_t number;
    if (!is_new(w, &w->contexts, address, 0, &number))
        return;
    uint32_t frame = inlined_id(w, sl_symbols_inlined(w->results->symbols, address));
    if (frame == SL_NO_INDEX)
        return;
    SL_ROW_ADD_UINTS(&w->inlined_at, address, frame);
    sl_row_insert(&w->inlined_at);
}

static void put_contexts(struct writing *w, const struct sl_results *results)
{
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i];
        bool named = profile->detector->second.type == SL_FIELD_CALLERS;
        for (size_t e = 0; named && e < profile->n_entries && !w->out_of_memory; e++)
            if (sl_context_depth(profile->entry[e].tuple.value))
                put_context(w, profile->entry[e].tuple.pc);
    }
}

static struct instruction *collect(const struct sl_statics *statics, const bool *stored, size_t *n)
{
    size_t most = 0;
    for (size_t b = 0; b < statics->n_blocks; b++)
        most += stored[b] ? statics->block[b].n_insns : 0;
    struct instruction *instruction = malloc((most + 1) * sizeof *instruction);
    *n = 0;
    for (size_t b = 0; instruction && b < statics->n_blocks; b++)
        for (size_t i = 0; stored[b] && i < statics->block[b].n_insns; i++) {
            const struct sl_insn *insn =
                &statics->insn[statics->block_insn[statics->block[b].insns_at + i]];
            instruction[(*n)++] = (struct instruction){insn->pc, insn->size};
        }
    return instruction;
}

static int finish(struct writing *w)
{
    struct sl_row *row[] = {&w->source, &w->function, &w->inlined, &w->span, &w->inlined_at};
    int rc = SQLITE_OK;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int own = sl_row_finish(row[i]);
        rc = rc == SQLITE_OK ? own : rc;
    }
    sl_index_free(&w->sources);
    sl_index_free(&w->functions);
    sl_index_free(&w->frames);
    sl_index_free(&w->contexts);
    return w->out_of_memory ? SQLITE_NOMEM : rc;
}

int sl_database_fill_lines(sqlite3 *database, const struct sl_results *results, const bool *stored)
{
    struct writing w = {
        .results = results,
        .source = sl_row_prepare(database, &sl_db_tables[SL_DB_SOURCE_FILE]),
        .function = sl_row_prepare(database, &sl_db_tables[SL_DB_FUNCTION]),
        .inlined = sl_row_prepare(database, &sl_db_tables[SL_DB_INLINED]),
        .span = sl_row_prepare(database, &sl_db_tables[SL_DB_SPAN]),
        .inlined_at = sl_row_prepare(database, &sl_db_tables[SL_DB_INLINED_AT]),
    };
    size_t n;
    struct instruction *instruction = collect(results->statics, stored, &n);
    w.out_of_memory = !instruction;
    if (instruction)
        put_spans(&w, instruction, n);
    put_contexts(&w, results);
    free(instruction);
    return finish(&w);
}
