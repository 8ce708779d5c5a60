/* SPDX-License-Identifier: MIT */
/* The tables of a run's database, and what goes into them about the run as a whole.
 * The same results give the same bytes: no times, no machine, everything in a fixed
 * order. */
#include <jansson.h>
#include <stdlib.h>

#include "database.h"
#include "database_code.h"
#include "database_row.h"
#include "happening.h"
#include "symbol.h"
#include "utf8.h"

#define TEXT_OF(x) #x
#define NUMBER_TEXT(x) TEXT_OF(x)

/* Columns are explained in docs/database.md. The file is made in one go and
 * thrown away if that fails, so it needs no journal and no syncing. */
const char sl_database_schema[] =
    "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA application_id = " NUMBER_TEXT(
        SL_DATABASE_ID) ";"
                        "PRAGMA user_version = " NUMBER_TEXT(
                            SL_DATABASE_VERSION) ";"
                                                 "BEGIN;"
                                                 "CREATE TABLE program (path TEXT, argv TEXT NOT "
                                                 "NULL, arch TEXT NOT NULL, wait_status INTEGER,"
                                                 " exec INTEGER NOT NULL, forks INTEGER NOT NULL, "
                                                 "threads INTEGER NOT NULL,"
                                                 " dropped_blocks INTEGER NOT NULL, dropped_mems "
                                                 "INTEGER NOT NULL,"
                                                 " instructions INTEGER NOT NULL, blocks INTEGER "
                                                 "NOT NULL, loads INTEGER NOT NULL,"
                                                 " range TEXT, only TEXT, marked INTEGER NOT NULL, "
                                                 "skip INTEGER NOT NULL,"
                                                 " stop INTEGER, warning TEXT, tap TEXT, stretches "
                                                 "INTEGER, stretch_blocks INTEGER,"
                                                 " start_at TEXT);"
                                                 "CREATE TABLE machine (name TEXT NOT NULL, "
                                                 "description TEXT NOT NULL, energy_factor REAL,"
                                                 " energy_extrapolated INTEGER NOT NULL);"
                                                 "CREATE TABLE profiler (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, queue INTEGER NOT NULL,"
                                                 " branches INTEGER NOT NULL, work INTEGER NOT "
                                                 "NULL, cycles_without INTEGER NOT NULL);"
                                                 "CREATE TABLE happening (name TEXT NOT NULL, "
                                                 "summary TEXT NOT NULL, count INTEGER NOT NULL);"
                                                 "CREATE TABLE beside (id INTEGER PRIMARY KEY, "
                                                 "name TEXT NOT NULL, description TEXT NOT NULL,"
                                                 " energy_factor REAL, energy_extrapolated INTEGER "
                                                 "NOT NULL);"
                                                 "CREATE TABLE beside_happening (machine INTEGER "
                                                 "NOT NULL REFERENCES beside, name TEXT NOT NULL,"
                                                 " count INTEGER NOT NULL, PRIMARY KEY (machine, "
                                                 "name)) WITHOUT ROWID;"
                                                 "CREATE TABLE object (id INTEGER PRIMARY KEY, "
                                                 "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL,"
                                                 " offset INTEGER NOT NULL, path TEXT NOT NULL, "
                                                 "name TEXT NOT NULL, build_id TEXT);"
                                                 "CREATE TABLE profile (id INTEGER PRIMARY KEY, "
                                                 "spec TEXT NOT NULL, given TEXT NOT NULL,"
                                                 " detector TEXT NOT NULL,"
                                                 " metric TEXT NOT NULL, \"table\" TEXT NOT NULL, "
                                                 "notation TEXT NOT NULL, second TEXT,"
                                                 " source INTEGER NOT NULL, first INTEGER NOT NULL "
                                                 "REFERENCES profile, shared INTEGER NOT NULL,"
                                                 " events INTEGER NOT NULL, weight INTEGER NOT "
                                                 "NULL, \"distinct\" INTEGER NOT NULL,"
                                                 " storage_bits INTEGER NOT NULL, drops INTEGER "
                                                 "NOT NULL, drops_weight INTEGER NOT NULL,"
                                                 " bounds TEXT, messages INTEGER, interrupts "
                                                 "INTEGER, message_weight INTEGER, residue INTEGER,"
                                                 " gap_min INTEGER, gap_median INTEGER, gap_unit "
                                                 "TEXT, check_cycles INTEGER,"
                                                 " saved INTEGER NOT NULL, saved_weight INTEGER "
                                                 "NOT NULL, note TEXT);"
                                                 "CREATE TABLE gap (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, low INTEGER NOT NULL,"
                                                 " gaps INTEGER NOT NULL, PRIMARY KEY (profile, "
                                                 "low)) WITHOUT ROWID;"
                                                 "CREATE TABLE delivery (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, name TEXT NOT NULL,"
                                                 " value INTEGER NOT NULL, PRIMARY KEY (profile, "
                                                 "name)) WITHOUT ROWID;"
                                                 "CREATE TABLE option (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, of TEXT NOT NULL,"
                                                 " name TEXT NOT NULL, value, PRIMARY KEY "
                                                 "(profile, of, name)) WITHOUT ROWID;"
                                                 "CREATE TABLE error (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, name TEXT NOT NULL,"
                                                 " value REAL, PRIMARY KEY (profile, name)) "
                                                 "WITHOUT ROWID;"
                                                 "CREATE TABLE curve (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, events INTEGER NOT NULL,"
                                                 " error REAL, PRIMARY KEY (profile, events)) "
                                                 "WITHOUT ROWID;"
                                                 "CREATE TABLE interval (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, number INTEGER NOT NULL,"
                                                 " first_event INTEGER NOT NULL, events INTEGER "
                                                 "NOT NULL, weight INTEGER NOT NULL,"
                                                 " threshold INTEGER NOT NULL, candidates INTEGER "
                                                 "NOT NULL, entered INTEGER NOT NULL,"
                                                 " \"left\" INTEGER NOT NULL, drops INTEGER NOT "
                                                 "NULL, partial INTEGER NOT NULL, error REAL,"
                                                 " false_positive REAL, false_negative REAL, "
                                                 "neutral_positive REAL, neutral_negative REAL,"
                                                 " PRIMARY KEY (profile, number)) WITHOUT ROWID;"
                                                 "CREATE TABLE entry (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, rank INTEGER NOT NULL,"
                                                 " pc INTEGER NOT NULL, value INTEGER NOT NULL, "
                                                 "count INTEGER NOT NULL, low INTEGER,"
                                                 " high INTEGER, resident INTEGER, intervals "
                                                 "INTEGER,"
                                                 " PRIMARY KEY (profile, rank)) WITHOUT ROWID;"
                                                 "CREATE TABLE candidate (profile INTEGER NOT NULL "
                                                 "REFERENCES profile,"
                                                 " interval INTEGER NOT NULL, rank INTEGER NOT "
                                                 "NULL, pc INTEGER NOT NULL,"
                                                 " value INTEGER NOT NULL, count INTEGER NOT NULL, "
                                                 "low INTEGER, high INTEGER,"
                                                 " PRIMARY KEY (profile, interval, rank)) WITHOUT "
                                                 "ROWID;"
                                                 "CREATE TABLE sequence (profile INTEGER PRIMARY "
                                                 "KEY REFERENCES profile,"
                                                 " length INTEGER NOT NULL, rules INTEGER NOT "
                                                 "NULL, symbols INTEGER NOT NULL,"
                                                 " tuples INTEGER NOT NULL, bytes INTEGER NOT "
                                                 "NULL, unit TEXT NOT NULL,"
                                                 " weight INTEGER NOT NULL);"
                                                 "CREATE TABLE grammar (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, part INTEGER NOT NULL,"
                                                 " bytes BLOB NOT NULL);"
                                                 "CREATE TABLE symbol (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, number INTEGER NOT NULL,"
                                                 " of INTEGER NOT NULL REFERENCES profile, pc "
                                                 "INTEGER NOT NULL, value INTEGER NOT NULL,"
                                                 " PRIMARY KEY (profile, number)) WITHOUT ROWID;"
                                                 "CREATE TABLE subpath (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, rank INTEGER NOT NULL,"
                                                 " rule INTEGER NOT NULL, length INTEGER NOT NULL, "
                                                 "times INTEGER NOT NULL,"
                                                 " weight INTEGER NOT NULL, PRIMARY KEY (profile, "
                                                 "rank)) WITHOUT ROWID;"
                                                 "CREATE TABLE step (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, subpath INTEGER NOT NULL,"
                                                 " number INTEGER NOT NULL, symbol INTEGER NOT "
                                                 "NULL,"
                                                 " PRIMARY KEY (profile, subpath, number)) WITHOUT "
                                                 "ROWID;"
                                                 "CREATE TABLE phase (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, number INTEGER NOT NULL,"
                                                 " first_event INTEGER NOT NULL, events INTEGER "
                                                 "NOT NULL, weight INTEGER NOT NULL,"
                                                 " turnover REAL NOT NULL, kind INTEGER NOT NULL, "
                                                 "PRIMARY KEY (profile, number)) WITHOUT ROWID;"
                                                 "CREATE TABLE phase_entry (profile INTEGER NOT "
                                                 "NULL REFERENCES profile,"
                                                 " phase INTEGER NOT NULL, rank INTEGER NOT NULL, "
                                                 "of INTEGER NOT NULL REFERENCES profile,"
                                                 " pc INTEGER NOT NULL, value INTEGER NOT NULL, "
                                                 "count INTEGER NOT NULL,"
                                                 " PRIMARY KEY (profile, phase, rank)) WITHOUT "
                                                 "ROWID;"
                                                 "CREATE TABLE parameter (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, name TEXT NOT NULL,"
                                                 " place INTEGER NOT NULL, value INTEGER NOT NULL, "
                                                 "PRIMARY KEY (profile, name, place))"
                                                 " WITHOUT ROWID;"
                                                 "CREATE TABLE reading (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, run INTEGER NOT NULL,"
                                                 " number INTEGER NOT NULL, event TEXT NOT NULL, "
                                                 "count INTEGER NOT NULL,"
                                                 " exact INTEGER NOT NULL, PRIMARY KEY (profile, "
                                                 "run, number)) WITHOUT ROWID;"
                                                 "CREATE TABLE run_error (profile INTEGER NOT NULL "
                                                 "REFERENCES profile, run INTEGER NOT NULL,"
                                                 " name TEXT NOT NULL, value REAL, PRIMARY KEY "
                                                 "(profile, run, name)) WITHOUT ROWID;"
                                                 "CREATE TABLE place (address INTEGER PRIMARY KEY, "
                                                 "function TEXT, function_start INTEGER,"
                                                 " object INTEGER REFERENCES object, "
                                                 "object_address INTEGER, file TEXT, line INTEGER);"
                                                 "CREATE TABLE source (id INTEGER PRIMARY KEY, "
                                                 "path TEXT NOT NULL);"
                                                 "CREATE TABLE function (id INTEGER PRIMARY KEY, "
                                                 "name TEXT, start INTEGER NOT NULL,"
                                                 " object INTEGER REFERENCES object, "
                                                 "object_address INTEGER,"
                                                 " source INTEGER REFERENCES source, line INTEGER);"
                                                 "CREATE TABLE inlined (id INTEGER PRIMARY KEY, "
                                                 "parent INTEGER REFERENCES inlined,"
                                                 " name TEXT NOT NULL, source INTEGER REFERENCES "
                                                 "source, line INTEGER,"
                                                 " call_source INTEGER REFERENCES source, "
                                                 "call_line INTEGER);"
                                                 "CREATE TABLE span (address INTEGER PRIMARY KEY, "
                                                 "\"end\" INTEGER NOT NULL,"
                                                 " function INTEGER NOT NULL REFERENCES function, "
                                                 "source INTEGER REFERENCES source,"
                                                 " line INTEGER, inlined INTEGER REFERENCES "
                                                 "inlined);"
                                                 "CREATE TABLE inlined_at (address INTEGER PRIMARY "
                                                 "KEY,"
                                                 " inlined INTEGER NOT NULL REFERENCES inlined);"
                                                 "CREATE TABLE block (id INTEGER PRIMARY KEY, pc "
                                                 "INTEGER NOT NULL, bytes BLOB NOT NULL,"
                                                 " sizes BLOB NOT NULL, mark INTEGER NOT NULL);"
                                                 "CREATE TABLE process (id INTEGER PRIMARY KEY, "
                                                 "pid INTEGER NOT NULL, program TEXT,"
                                                 " parent INTEGER NOT NULL, forked INTEGER NOT "
                                                 "NULL,"
                                                 " instructions INTEGER, database BLOB);";

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
    struct sl_row row = sl_row_prepare(
        database, "INSERT INTO program VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    sl_row_text(&row, program->path);
    sl_row_text(&row, argv);
    sl_row_text(&row, sl_arch_name(program->arch));
    sl_row_number_if(&row, program->ended, (uint64_t)program->status);
    sl_row_number(&row, program->exec);
    sl_row_number(&row, program->forks);
    sl_row_number(&row, program->threads);
    sl_row_number(&row, program->dropped_blocks);
    sl_row_number(&row, program->dropped_mems);
    sl_row_number(&row, results->instructions);
    sl_row_number(&row, results->blocks);
    sl_row_number(&row, results->loads);
    sl_row_text(&row, results->range);
    sl_row_text(&row, results->only);
    sl_row_number(&row, results->marked);
    sl_row_number(&row, results->skip);
    sl_row_number_if(&row, results->limit, results->limit);
    sl_row_text(&row, warning);
    sl_row_text(&row, sl_tap_name(program->tap));
    sl_row_number_if(&row, results->stretches.of > 1, results->stretches.of);
    sl_row_number_if(&row, results->stretches.of > 1, results->stretches.blocks);
    sl_row_text(&row, results->start_at);
    sl_row_put(&row);
    int rc = sl_row_finish(&row);
    free(argv);
    return rc;
}

static int fill_profiler(sqlite3 *database, const struct sl_result_profiler *profiler)
{
    if (!profiler)
        return SQLITE_OK;
    struct sl_row row = sl_row_prepare(database, "INSERT INTO profiler VALUES (?,?,?,?,?)");
    sl_row_number(&row, profiler->profile);
    sl_row_number(&row, profiler->queue);
    sl_row_number(&row, profiler->branches);
    sl_row_number(&row, profiler->work);
    sl_row_number(&row, profiler->cycles_without);
    sl_row_put(&row);
    return sl_row_finish(&row);
}

/* All of these tables are empty without a machine. */
static int fill_machine(sqlite3 *database, const struct sl_result_machine *machine)
{
    if (!machine)
        return SQLITE_OK;
    struct sl_row row = sl_row_prepare(database, "INSERT INTO machine VALUES (?,?,?,?)");
    sl_row_text(&row, machine->name);
    sl_row_text(&row, machine->description);
    sl_row_real(&row, machine->energy_factor);
    sl_row_number(&row, machine->energy_extrapolated);
    sl_row_put(&row);
    int rc = sl_row_finish(&row);
    if (rc != SQLITE_OK)
        return rc;
    row = sl_row_prepare(database, "INSERT INTO happening VALUES (?,?,?)");
    for (size_t i = 0; i < SL_H_TOTALS; i++) {
        sl_row_text(&row, sl_happening_names[i].name);
        sl_row_text(&row, sl_happening_names[i].summary);
        sl_row_number(&row, machine->total[i]);
        sl_row_put(&row);
    }
    rc = sl_row_finish(&row);
    return rc == SQLITE_OK ? fill_profiler(database, machine->profiler) : rc;
}

static int fill_objects(sqlite3 *database, const struct sl_statics *statics,
                        struct sl_symbols *symbols)
{
    char build_id[256];
    struct sl_row row = sl_row_prepare(database, "INSERT INTO object VALUES (?,?,?,?,?,?,?)");
    for (size_t i = 0; i < statics->n_objects && row.rc == SQLITE_OK; i++) {
        const struct sl_object *object = &statics->object[i];
        sl_symbols_build_id(symbols, object, build_id, sizeof build_id);
        sl_row_number(&row, i);
        sl_row_number(&row, object->start);
        sl_row_number(&row, object->end);
        sl_row_number(&row, object->offset);
        sl_row_text(&row, object->path);
        sl_row_text(&row, sl_symbols_object(symbols, object));
        sl_row_text(&row, build_id[0] ? build_id : NULL);
        sl_row_put(&row);
    }
    return sl_row_finish(&row);
}

int sl_database_fill(sqlite3 *database, const struct sl_results *results)
{
    struct sl_symbols *own = results->symbols ? NULL : sl_symbols_open(results->statics);
    struct sl_symbols *symbols = own ? own : results->symbols;
    if (!symbols)
        return SQLITE_NOMEM;
    int rc = sqlite3_exec(database, sl_database_schema, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = fill_program(database, results);
    if (rc == SQLITE_OK)
        rc = fill_machine(database, results->machine);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_beside(database, results->beside, results->n_beside);
    if (rc == SQLITE_OK)
        rc = fill_objects(database, results->statics, symbols);
    struct sl_named_code code;
    if (rc == SQLITE_OK)
        sl_named_code_find(&code, results, symbols);
    bool finds = rc == SQLITE_OK;
    if (rc == SQLITE_OK)
        rc = sl_database_fill_profiles(database, results);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_sequences(database, results);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_processes(database, results);
    if (rc == SQLITE_OK)
        rc = sl_database_fill_code(database, &code);
    if (finds)
        sl_named_code_free(&code);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sl_symbols_close(own);
    return rc;
}
