/* The code behind the addresses of a run's entries and candidates, and of what hot subpaths
 * are made of: a name and a source line for each, and the blocks that they lie in; of paths,
 * also those along them. */
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_row.h"
#include "event_set.h"
#include "grow.h"
#include "hash.h"
#include "path_walk.h"
#include "symbol.h"

/* Most entries are those of contexts, and of these there are many in each function: what came lately
 * is not taken again, so that there is less to sort. */
#define LATELY 4096u
struct addresses {
    uint64_t *at; /* sorted, each once */
    size_t n, room;
    uint64_t lately[LATELY];
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_out(struct addresses *addresses)
{
    uint64_t *at = addresses->at;
    size_t kept = 0;
    qsort(at, addresses->n, sizeof *at, by_value);
    for (size_t i = 0; i < addresses->n; i++)
        if (!kept || at[kept - 1] != at[i])
            at[kept++] = at[i];
    addresses->n = kept;
}

static void put(struct addresses *addresses, uint64_t address)
{
    uint64_t *lately = &addresses->lately[sl_mix(address) % LATELY];
    if (*lately == address && address) /* 0 is there from the beginning */
        return;
    addresses->at[addresses->n++] = *lately = address;
}

/* What of a tuple is an address in code, or if `events` the machine's events that it is. */
static void add(struct addresses *addresses, const struct sl_detector_kind *detector,
                const struct sl_tuple *tuple, bool seconds, bool events)
{
    if ((detector->first == SL_READS_EVENTS) == events)
        put(addresses, tuple->pc);
    if (seconds && sl_word_is_place(&detector->second))
        put(addresses, tuple->value);
}

/* The i-th tuple of a profile's hot subpaths and of its phases, and the profile that has such
 * tuples. */
static const struct sl_tuple *told(const struct sl_result_profile *profile, size_t i,
                                   const struct sl_result_profile **of)
{
    const struct sl_result_sequence *s = profile->sequence;
    size_t of_sequence = s ? s->n_told : 0;
    if (i >= of_sequence) {
        const struct sl_result_phase_path *path = &profile->phase_path[i - of_sequence];
        *of = profile + path->member;
        return &path->is.tuple;
    }
    *of = profile + (s->member ? s->member[s->told[i]] : 0);
    return &s->all.tuple[s->told[i]];
}

static size_t n_told(const struct sl_result_profile *profile)
{
    return (profile->sequence ? profile->sequence->n_told : 0) + profile->n_phase_paths;
}

/* ---- the blocks along paths ------------------------------------------------ */

static const struct sl_path_config *path_config(const struct sl_result_profile *profile)
{
    return profile->asked == &sl_detector_path ? profile->config : NULL;
}

static void walk_paths(const struct sl_path_walker *walker, const struct sl_result_profile *profile)
{
    const struct sl_path_config *config = path_config(profile);
    struct sl_path_walk walk;
    const struct sl_result_profile *of;
    for (size_t e = 0; config && e < profile->n_entries; e++)
        sl_path_walk(walker, config, profile->entry[e].tuple.pc, profile->entry[e].tuple.value,
                     &walk);
    for (size_t i = 0; i < n_told(profile); i++) {
        const struct sl_tuple *tuple = told(profile, i, &of);
        if ((config = path_config(of)))
            sl_path_walk(walker, config, tuple->pc, tuple->value, &walk);
    }
}

/* Where each block that was seen begins, and its branch. */
static bool add_seen(struct addresses *along, const struct sl_path_walker *walker)
{
    const struct sl_code *code = walker->code;
    for (size_t b = 0; b < code->n_blocks; b++) {
        if (!walker->seen[b])
            continue;
        if (!SL_GROW(along->at, along->room, along->n + 2))
            return false;
        along->at[along->n++] = code->statics->block[b].pc;
        if (code->end[b].branch_insn != SL_NO_INDEX)
            along->at[along->n++] = code->end[b].branch_pc;
    }
    return true;
}

/* What walking the paths again needs. False when memory ran out. */
static bool collect_along(struct addresses *along, const struct sl_results *results)
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
    good = good && add_seen(along, &walker);
    free(walker.seen);
    sl_path_walker_free(&walker);
    return good;
}

/* ---- all of them ----------------------------------------------------------- */

/* The first words of everything that was found, addresses or `events`, those along it and, if
 * `seconds`, where it leads. False when memory ran out. */
static bool collect(struct addresses *addresses, const struct sl_results *results,
                    const struct addresses *along, bool seconds, bool events)
{
    size_t most = along->n + 1;
    for (size_t i = 0; i < results->n_profiles; i++)
        most += 2 * (results->profile[i].n_entries + results->profile[i].n_candidates +
                     n_told(&results->profile[i]));
    *addresses = (struct addresses){.at = malloc(most * sizeof *addresses->at)};
    if (!addresses->at)
        return false;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i], *of;
        for (size_t e = 0; e < profile->n_entries; e++)
            add(addresses, profile->detector, &profile->entry[e].tuple, seconds, events);
        for (size_t c = 0; c < profile->n_candidates; c++)
            add(addresses, profile->detector, &profile->candidate[c].entry.tuple, seconds, events);
        for (size_t s = 0; s < n_told(profile); s++) {
            const struct sl_tuple *tuple = told(profile, s, &of);
            add(addresses, of->detector, tuple, seconds, events);
        }
    }
    for (size_t i = 0; i < along->n; i++)
        addresses->at[addresses->n++] = along->at[i];
    sort_out(addresses);
    return true;
}

static void put_place(struct sl_row *row, uint64_t address, const struct sl_place *place)
{
    sl_row_number(row, address);
    sl_row_text(row, place->function);
    sl_row_number_if(row, place->function, place->function_start);
    sl_row_number_if(row, place->object, place->object_number);
    sl_row_number_if(row, place->object, place->object_address);
    sl_row_text(row, place->file);
    sl_row_number_if(row, place->file, (uint64_t)place->line);
    sl_row_put(row);
}

/* Addresses first: should some be where sets of events are thought to be (event_set.h), they
 * are what the table is about. */
static int fill_places(sqlite3 *database, const struct sl_results *results,
                       const struct addresses *along, struct sl_symbols *symbols)
{
    const struct addresses none = {0};
    struct addresses addresses, events = {0};
    bool good = collect(&addresses, results, along, true, false) &&
                collect(&events, results, &none, false, true);
    struct sl_row row = sl_row_prepare(database,
                                       "INSERT OR IGNORE INTO place VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; good && i < addresses.n && row.rc == SQLITE_OK; i++) {
        struct sl_place place = {0};
        sl_symbols_place(symbols, addresses.at[i], &place);
        put_place(&row, addresses.at[i], &place);
    }
    for (size_t i = 0; good && i < events.n && row.rc == SQLITE_OK; i++) {
        char name[200];
        sl_event_set_name(events.at[i], name, sizeof name);
        put_place(&row, events.at[i],
                  &(struct sl_place){.function = name, .function_start = events.at[i]});
    }
    free(addresses.at);
    free(events.at);
    int rc = sl_row_finish(&row);
    return good ? rc : SQLITE_NOMEM;
}

static bool holds_any(const struct sl_block *block, const struct addresses *addresses)
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

/* Edges and calls are of use together with what lies between them, to whoever follows the
 * flow: then all blocks are saved. */
static bool wants_all(const struct sl_results *results)
{
    bool all = false;
    for (size_t i = 0; i < results->n_profiles; i++)
        all = all || results->profile[i].detector->second.reads == SL_READS_TARGET;
    return all;
}

/* Which blocks are saved; to be freed, NULL when memory ran out. */
static bool *choose_blocks(const struct sl_results *results, const struct addresses *along)
{
    const struct sl_statics *statics = results->statics;
    struct addresses addresses;
    bool all = wants_all(results), *saved = calloc(statics->n_blocks + 1, sizeof *saved);
    if (!saved || !collect(&addresses, results, along, false, false)) {
        free(saved);
        return NULL;
    }
    for (size_t b = 0; b < statics->n_blocks; b++)
        saved[b] = all || holds_any(&statics->block[b], &addresses);
    free(addresses.at);
    return saved;
}

/* Into `bytes` and `sizes`, with room for all that a block can have; returns the bytes. */
static size_t gather(const struct sl_statics *statics, const struct sl_block *block, uint8_t *bytes,
                     uint8_t *sizes)
{
    size_t n = 0;
    for (size_t i = 0; i < block->n_insns; i++) {
        const struct sl_insn *insn = &statics->insn[statics->block_insn[block->insns_at + i]];
        sizes[i] = insn->size;
        memcpy(bytes + n, statics->bytes + insn->bytes_at, sl_insn_stored(statics, insn));
        n += sl_insn_stored(statics, insn);
    }
    return n;
}

static int fill_blocks(sqlite3 *database, const struct sl_statics *statics, const bool *saved)
{
    struct sl_row row = sl_row_prepare(database, "INSERT INTO block VALUES (?,?,?,?,?)");
    uint8_t *bytes = malloc(SL_BLOCK_INSNS_MAX * UINT8_MAX), sizes[SL_BLOCK_INSNS_MAX];
    for (size_t b = 0; bytes && b < statics->n_blocks && row.rc == SQLITE_OK; b++) {
        const struct sl_block *block = &statics->block[b];
        if (!saved[b])
            continue;
        sl_row_number(&row, b);
        sl_row_number(&row, block->pc);
        sl_row_bytes(&row, bytes, gather(statics, block, bytes, sizes));
        sl_row_bytes(&row, sizes, block->n_insns);
        sl_row_number(&row, block->mark);
        sl_row_put(&row);
    }
    int rc = sl_row_finish(&row);
    int result = bytes ? rc : SQLITE_NOMEM;
    free(bytes);
    return result;
}

int sl_database_fill_code(sqlite3 *database, const struct sl_results *results,
                          struct sl_symbols *symbols)
{
    struct addresses along = {0};
    int rc = collect_along(&along, results) ? SQLITE_OK : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = fill_places(database, results, &along, symbols);
    bool *saved = rc == SQLITE_OK ? choose_blocks(results, &along) : NULL;
    if (rc == SQLITE_OK)
        rc = saved ? fill_blocks(database, results->statics, saved) : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = sl_database_fill_lines(database, results, symbols, saved);
    free(saved);
    free(along.at);
    return rc;
}
