/* The tables of a run's database and what goes into them. The same results give
 * the same bytes: no times, no machine, everything in a fixed order. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "symbol.h"
#include "utf8.h"

const char *const sl_second_names[] = {
    [SL_SECOND_NONE] = "none", [SL_SECOND_VALUE] = "value", [SL_SECOND_TARGET] = "target",
    [SL_SECOND_SLOT] = "slot", [SL_SECOND_END] = "end",
};

#define TEXT_OF(x) #x
#define NUMBER_TEXT(x) TEXT_OF(x)

/* Columns are explained in docs/database.md. The file is made in one go and
 * thrown away if that fails, so it needs no journal and no syncing. */
static const char schema[] =
    "PRAGMA application_id = " NUMBER_TEXT(SL_DATABASE_ID) ";"
    "PRAGMA user_version = " NUMBER_TEXT(SL_DATABASE_VERSION) ";"
    "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE;"
    "BEGIN;"
    "CREATE TABLE program (path TEXT, argv TEXT NOT NULL, arch TEXT NOT NULL, wait_status INTEGER,"
    " exec INTEGER NOT NULL, forks INTEGER NOT NULL, threads INTEGER NOT NULL,"
    " dropped_blocks INTEGER NOT NULL, dropped_mems INTEGER NOT NULL,"
    " instructions INTEGER NOT NULL, blocks INTEGER NOT NULL, loads INTEGER NOT NULL,"
    " range TEXT, only TEXT, marked INTEGER NOT NULL, warning TEXT);"
    "CREATE TABLE object (id INTEGER PRIMARY KEY, start INTEGER NOT NULL, \"end\" INTEGER NOT NULL,"
    " offset INTEGER NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, build_id TEXT);"
    "CREATE TABLE profile (id INTEGER PRIMARY KEY, spec TEXT NOT NULL, detector TEXT NOT NULL,"
    " metric TEXT NOT NULL, \"table\" TEXT NOT NULL, second TEXT NOT NULL,"
    " events INTEGER NOT NULL, weight INTEGER NOT NULL, \"distinct\" INTEGER NOT NULL,"
    " storage_bits INTEGER NOT NULL, drops INTEGER NOT NULL, drops_weight INTEGER NOT NULL,"
    " saved INTEGER NOT NULL, saved_weight INTEGER NOT NULL, note TEXT);"
    "CREATE TABLE setting (profile INTEGER NOT NULL REFERENCES profile, name TEXT NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY (profile, name)) WITHOUT ROWID;"
    "CREATE TABLE entry (profile INTEGER NOT NULL REFERENCES profile, rank INTEGER NOT NULL,"
    " pc INTEGER NOT NULL, value INTEGER NOT NULL, count INTEGER NOT NULL,"
    " PRIMARY KEY (profile, rank)) WITHOUT ROWID;"
    "CREATE TABLE place (address INTEGER PRIMARY KEY, function TEXT, function_start INTEGER,"
    " object INTEGER REFERENCES object, object_address INTEGER, file TEXT, line INTEGER);"
    "CREATE TABLE block (id INTEGER PRIMARY KEY, pc INTEGER NOT NULL, bytes BLOB NOT NULL,"
    " mark INTEGER NOT NULL);";

/* A statement being filled from left to right; the first error stays. */
struct row {
    sqlite3_stmt *statement;
    int column;
    int rc;
};

static struct row prepare(sqlite3 *database, const char *sql)
{
    struct row row = {0};
    row.rc = sqlite3_prepare_v2(database, sql, -1, &row.statement, NULL);
    return row;
}

static void number(struct row *row, uint64_t value)
{
    if (row->rc == SQLITE_OK) /* two's complement: SQLite has no unsigned */
        row->rc = sqlite3_bind_int64(row->statement, ++row->column, (int64_t)value);
}

static void nothing(struct row *row)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_null(row->statement, ++row->column);
}

/* NULL gives NULL. The text must stay until the row is put. */
static void text(struct row *row, const char *value)
{
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_bind_text(row->statement, ++row->column, value, -1, SQLITE_STATIC);
}

static void put(struct row *row)
{
    if (row->rc == SQLITE_OK && sqlite3_step(row->statement) != SQLITE_DONE)
        row->rc = sqlite3_extended_errcode(sqlite3_db_handle(row->statement));
    if (row->rc == SQLITE_OK)
        row->rc = sqlite3_reset(row->statement);
    row->column = 0;
}

static int finish(struct row *row)
{
    sqlite3_finalize(row->statement);
    return row->rc;
}

/* A JSON array; NULL when memory ran out. */
static char *argv_text(char *const *argv)
{
    json_t *array = json_array();
    for (size_t i = 0; argv && argv[i]; i++) {
        char *clean = sl_utf8_clean(argv[i]);
        if (!clean || json_array_append_new(array, json_string(clean))) {
            json_decref(array);
            array = NULL;
        }
        free(clean);
    }
    char *written = array ? json_dumps(array, JSON_COMPACT) : NULL;
    json_decref(array);
    return written;
}

static int fill_program(sqlite3 *database, const struct sl_results *results)
{
    const struct sl_program *program = &results->statics->program;
    const char *warning = results->warning && results->warning[0] ? results->warning : NULL;
    char *argv = argv_text(program->argv);
    if (!argv)
        return SQLITE_NOMEM;
    struct row row = prepare(database,
        "INSERT INTO program VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    text(&row, program->path);
    text(&row, argv);
    text(&row, sl_arch_name(program->arch));
    if (program->ended)
        number(&row, (uint64_t)program->status);
    else
        nothing(&row);
    number(&row, program->exec);
    number(&row, program->forks);
    number(&row, program->threads);
    number(&row, program->dropped_blocks);
    number(&row, program->dropped_mems);
    number(&row, results->instructions);
    number(&row, results->blocks);
    number(&row, results->loads);
    text(&row, results->range);
    text(&row, results->only);
    number(&row, results->marked);
    text(&row, warning);
    put(&row);
    int rc = finish(&row);
    free(argv);
    return rc;
}

static int fill_objects(sqlite3 *database, const struct sl_statics *statics,
                        struct sl_symbols *symbols)
{
    char build_id[256];
    struct row row = prepare(database, "INSERT INTO object VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < statics->n_objects && row.rc == SQLITE_OK; i++) {
        const struct sl_object *object = &statics->object[i];
        sl_symbols_build_id(symbols, object, build_id, sizeof build_id);
        number(&row, i);
        number(&row, object->start);
        number(&row, object->end);
        number(&row, object->offset);
        text(&row, object->path);
        text(&row, sl_symbols_object(symbols, object));
        text(&row, build_id[0] ? build_id : NULL);
        put(&row);
    }
    return finish(&row);
}

static int fill_settings(sqlite3 *database, const struct sl_results *results)
{
    struct row row = prepare(database, "INSERT OR REPLACE INTO setting VALUES (?,?,?)");
    for (size_t i = 0; i < results->n_profiles; i++)
        for (size_t s = 0; s < results->profile[i].n_settings; s++) {
            number(&row, i);
            text(&row, results->profile[i].setting[s].name);
            text(&row, results->profile[i].setting[s].value);
            put(&row);
        }
    return finish(&row);
}

static int fill_profiles(sqlite3 *database, const struct sl_results *results)
{
    struct row row = prepare(database,
        "INSERT INTO profile VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i];
        uint64_t saved_weight = 0;
        for (size_t e = 0; e < profile->n_entries; e++)
            saved_weight += profile->entry[e].count;
        number(&row, i);
        text(&row, profile->spec);
        text(&row, profile->detector);
        text(&row, profile->metric);
        text(&row, profile->table);
        text(&row, sl_second_names[profile->second]);
        number(&row, profile->events);
        number(&row, profile->weight);
        number(&row, profile->distinct);
        number(&row, profile->storage_bits);
        number(&row, profile->drops);
        number(&row, profile->drops_weight);
        number(&row, profile->n_entries);
        number(&row, saved_weight);
        text(&row, profile->note && profile->note[0] ? profile->note : NULL);
        put(&row);
    }
    return finish(&row);
}

static int fill_entries(sqlite3 *database, const struct sl_results *results)
{
    struct row row = prepare(database, "INSERT INTO entry VALUES (?,?,?,?,?)");
    for (size_t i = 0; i < results->n_profiles; i++)
        for (size_t e = 0; e < results->profile[i].n_entries && row.rc == SQLITE_OK; e++) {
            const struct sl_entry *entry = &results->profile[i].entry[e];
            number(&row, i);
            number(&row, e + 1);
            number(&row, entry->tuple.pc);
            number(&row, entry->tuple.value);
            number(&row, entry->count);
            put(&row);
        }
    return finish(&row);
}

struct addresses {
    uint64_t *at; /* sorted, each once */
    size_t n;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Code addresses of all entries: their pc and, if `seconds`, where they lead. */
static bool collect(struct addresses *addresses, const struct sl_results *results, bool seconds)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < results->n_profiles; i++)
        n += 2 * results->profile[i].n_entries;
    uint64_t *at = addresses->at = malloc((n ? n : 1) * sizeof *at);
    if (!at)
        return false;
    n = 0;
    for (size_t i = 0; i < results->n_profiles; i++) {
        const struct sl_result_profile *profile = &results->profile[i];
        bool second_is_code =
            profile->second == SL_SECOND_TARGET || profile->second == SL_SECOND_END;
        for (size_t e = 0; e < profile->n_entries; e++) {
            at[n++] = profile->entry[e].tuple.pc;
            if (seconds && second_is_code)
                at[n++] = profile->entry[e].tuple.value;
        }
    }
    qsort(at, n, sizeof *at, by_value);
    for (size_t i = 0; i < n; i++)
        if (!kept || at[kept - 1] != at[i])
            at[kept++] = at[i];
    addresses->n = kept;
    return true;
}

static int fill_places(sqlite3 *database, const struct sl_results *results,
                       struct sl_symbols *symbols)
{
    struct addresses addresses;
    if (!collect(&addresses, results, true))
        return SQLITE_NOMEM;
    struct row row = prepare(database, "INSERT INTO place VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < addresses.n && row.rc == SQLITE_OK; i++) {
        struct sl_place place;
        sl_symbols_place(symbols, addresses.at[i], &place);
        number(&row, addresses.at[i]);
        text(&row, place.function);
        if (place.function)
            number(&row, place.function_start);
        else
            nothing(&row);
        if (place.object) {
            number(&row, place.object_number);
            number(&row, place.object_address);
        } else {
            nothing(&row);
            nothing(&row);
        }
        text(&row, place.file);
        if (place.file)
            number(&row, (uint64_t)place.line);
        else
            nothing(&row);
        put(&row);
    }
    free(addresses.at);
    return finish(&row);
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
    struct row row = prepare(database, "INSERT INTO block VALUES (?,?,?,?)");
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
        number(&row, b);
        number(&row, block->pc);
        if (row.rc == SQLITE_OK)
            row.rc = sqlite3_bind_blob(row.statement, ++row.column, bytes, (int)n, SQLITE_STATIC);
        number(&row, block->mark);
        put(&row);
    }
    free(addresses.at);
    int rc = finish(&row);
    int result = bytes ? rc : SQLITE_NOMEM;
    free(bytes);
    return result;
}

int sl_database_fill(sqlite3 *database, const struct sl_results *results)
{
    struct sl_symbols *symbols = sl_symbols_open(results->statics);
    if (!symbols)
        return SQLITE_NOMEM;
    int rc = sqlite3_exec(database, schema, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = fill_program(database, results);
    if (rc == SQLITE_OK)
        rc = fill_objects(database, results->statics, symbols);
    if (rc == SQLITE_OK)
        rc = fill_profiles(database, results);
    if (rc == SQLITE_OK)
        rc = fill_settings(database, results);
    if (rc == SQLITE_OK)
        rc = fill_entries(database, results);
    if (rc == SQLITE_OK)
        rc = fill_places(database, results, symbols);
    if (rc == SQLITE_OK)
        rc = fill_blocks(database, results);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sl_symbols_close(symbols);
    return rc;
}
