/* The code behind the addresses of a run's entries and candidates: a name and a
 * source line for each, and the blocks that they lie in. */
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_row.h"
#include "symbol.h"

struct addresses {
    uint64_t *at; /* sorted, each once */
    size_t n;
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

static void add(struct addresses *addresses, const struct sl_entry *entry, bool second)
{
    addresses->at[addresses->n++] = entry->tuple.pc;
    if (second)
        addresses->at[addresses->n++] = entry->tuple.value;
}

/* Code addresses: the pc of everything that was found and, if `seconds`, where it
 * leads. False when memory ran out. */
static bool collect(struct addresses *addresses, const struct sl_results *results, bool seconds)
{
    size_t room = 1;
    for (size_t i = 0; i < results->n_profiles; i++)
        room += 2 * (results->profile[i].n_entries + results->profile[i].n_candidates);
    *addresses = (struct addresses){.at = malloc(room * sizeof *addresses->at)};
    if (!addresses->at)
        return false;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i];
        bool second = seconds &&
                      (profile->second == SL_SECOND_TARGET || profile->second == SL_SECOND_END);
        for (size_t e = 0; e < profile->n_entries; e++)
            add(addresses, &profile->entry[e], second);
        for (size_t c = 0; c < profile->n_candidates; c++)
            add(addresses, &profile->candidate[c].entry, second);
    }
    sort_out(addresses);
    return true;
}

static int fill_places(sqlite3 *database, const struct sl_results *results,
                       struct sl_symbols *symbols)
{
    struct addresses addresses;
    if (!collect(&addresses, results, true))
        return SQLITE_NOMEM;
    struct sl_row row = sl_row_prepare(database, "INSERT INTO place VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < addresses.n && row.rc == SQLITE_OK; i++) {
        struct sl_place place;
        sl_symbols_place(symbols, addresses.at[i], &place);
        sl_row_number(&row, addresses.at[i]);
        sl_row_text(&row, place.function);
        sl_row_number_if(&row, place.function, place.function_start);
        sl_row_number_if(&row, place.object, place.object_number);
        sl_row_number_if(&row, place.object, place.object_address);
        sl_row_text(&row, place.file);
        sl_row_number_if(&row, place.file, (uint64_t)place.line);
        sl_row_put(&row);
    }
    free(addresses.at);
    return sl_row_finish(&row);
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

static int fill_blocks(sqlite3 *database, const struct sl_results *results)
{
    const struct sl_statics *statics = results->statics;
    struct addresses addresses;
    if (!collect(&addresses, results, false))
        return SQLITE_NOMEM;
    struct sl_row row = sl_row_prepare(database, "INSERT INTO block VALUES (?,?,?,?)");
    uint8_t *bytes = malloc(UINT16_MAX);
    for (size_t b = 0; bytes && b < statics->n_blocks && row.rc == SQLITE_OK; b++) {
        const struct sl_block *block = &statics->block[b];
        if (!holds_any(block, &addresses))
            continue;
        size_t n = 0;
        for (size_t i = 0; i < block->n_insns; i++) {
            const struct sl_insn *insn = &statics->insn[statics->block_insn[block->insns_at + i]];
            size_t size = insn->size < UINT16_MAX - n ? insn->size : UINT16_MAX - n;
            memcpy(bytes + n, statics->bytes + insn->bytes_at, size);
            n += size;
        }
        sl_row_number(&row, b);
        sl_row_number(&row, block->pc);
        sl_row_bytes(&row, bytes, n);
        sl_row_number(&row, block->mark);
        sl_row_put(&row);
    }
    free(addresses.at);
    int rc = sl_row_finish(&row);
    int result = bytes ? rc : SQLITE_NOMEM;
    free(bytes);
    return result;
}

int sl_database_fill_code(sqlite3 *database, const struct sl_results *results,
                          struct sl_symbols *symbols)
{
    int rc = fill_places(database, results, symbols);
    return rc == SQLITE_OK ? fill_blocks(database, results) : rc;
}
