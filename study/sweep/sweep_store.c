/* SPDX-License-Identifier: MIT */
/* Opens, checks, writes and reads the SQLite file in which `sluice sweep` and `sluice lab` store
 * their results (sweep_store.h). */
#include "sweep_store.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failure.h"
#include "utf8.h"

#define BUSY_MS 120000

#define OF_SWEEP "experiment = 'sweep'"

/* Prepared statements. */
enum statement {
    ADD_STREAM,
    FIND_STREAM,
    ADD_POINT,
    FIND_POINT,
    WANT,
    HAS,
    ADD_FIGURE,
    ADD_SECONDS,
    CLEAR_FAILURE,
    ADD_RESULT,
    ADD_FAILURE,
    HAS_STEP,
    CLEAR_STEP,
    ADD_STEP,
    FIND_STEP,
    N_STATEMENTS
};

static const char *const statements[N_STATEMENTS] = {
    [ADD_STREAM] = "INSERT INTO step(experiment, name, cache_key) SELECT 'sweep', ?1, ?2"
                   " WHERE NOT EXISTS (SELECT 1 FROM step WHERE " OF_SWEEP " AND cache_key = ?2)",
    [FIND_STREAM] = "SELECT id FROM step WHERE " OF_SWEEP " AND cache_key = ?",
    [ADD_POINT] = "INSERT OR IGNORE INTO point(spec, machine, machine_description, given_spec) "
                  "VALUES (?,?,?,?)",
    [FIND_POINT] = "SELECT id FROM point WHERE spec = ? AND machine_description = ?",
    [WANT] = "INSERT OR IGNORE INTO requested VALUES (?,?)",
    [HAS] = "SELECT 1 FROM result WHERE step = ? AND point = ?",
    [ADD_FIGURE] = "INSERT INTO measurement VALUES (?,?,?,?,?)",
    [ADD_SECONDS] = ("UPDATE step SET seconds = coalesce(seconds, 0) + ?2,"
                     " profiling_seconds = coalesce(profiling_seconds, 0) + ?3,"
                     " sluice_version = ?4 WHERE id = ?1"),
    [CLEAR_FAILURE] = "DELETE FROM failure WHERE step = ? AND point = ?",
    [ADD_RESULT] = "INSERT OR IGNORE INTO result VALUES (?,?)",
    [ADD_FAILURE] = "REPLACE INTO failure VALUES (?,?,?)",
    [HAS_STEP] = "SELECT 1 FROM step WHERE experiment = ? AND name = ? AND cache_key = ?",
    [CLEAR_STEP] = "DELETE FROM step WHERE experiment = ? AND name = ?",
    [ADD_STEP] =
        "INSERT INTO step(experiment, name, cache_key, program, machine) VALUES (?,?,?,?,?)",
    [FIND_STEP] = "SELECT id FROM step WHERE experiment = ? AND name = ?",
};

struct sl_sweep_store {
    sqlite3 *sql;
    char *path;
    sqlite3_stmt *statement[N_STATEMENTS];
};

static int refused(const struct sl_sweep_store *s, struct sl_failure *f)
{
    int rc = sqlite3_errcode(s->sql) & 0xff;
    return rc == SQLITE_NOMEM
               ? sl_out_of_memory(f)
               : sl_fail(f, rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB ? SL_EFORMAT : SL_EIO,
                         "%s: %s", s->path, sqlite3_errmsg(s->sql));
}

static int execute(struct sl_sweep_store *s, const char *sql, struct sl_failure *f)
{
    return sqlite3_exec(s->sql, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : refused(s, f);
}

static int pragma(struct sl_sweep_store *s, const char *sql, int *value, struct sl_failure *f)
{
    sqlite3_stmt *row;
    *value = 0;
    if (sqlite3_prepare_v2(s->sql, sql, -1, &row, NULL) != SQLITE_OK)
        return refused(s, f);
    if (sqlite3_step(row) == SQLITE_ROW)
        *value = sqlite3_column_int(row, 0);
    return sqlite3_finalize(row) == SQLITE_OK ? 0 : refused(s, f);
}

/* ---- opening ---- */

static int version_of(struct sl_sweep_store *s, int *id, int *version, struct sl_failure *f)
{
    int error = pragma(s, "PRAGMA application_id", id, f);
    return error < 0 ? error : pragma(s, "PRAGMA user_version", version, f);
}

static int check(struct sl_sweep_store *s, struct sl_failure *f)
{
    int id, version;
    if (version_of(s, &id, &version, f) < 0 || id != SL_SWEEP_STORE_ID)
        return sl_fail(f, SL_EFORMAT, "%s is not a result file of 'sluice sweep' or 'sluice lab'",
                       s->path);
    if (version != SL_SWEEP_STORE_VERSION)
        return sl_fail(
            f, SL_EFORMAT,
            "%s was written by another version of sluice (the file has table version %d, this "
            "version of sluice uses %d): use that version, or sweep again into another file",
            s->path, version, SL_SWEEP_STORE_VERSION);
    int rc, error = sl_schema_check(s->sql, sl_sweep_tables, SL_SWEEP_TABLES, s->path, "", &rc, f);
    return error < 0 || rc == SQLITE_DONE || rc == SQLITE_OK ? error : refused(s, f);
}

static int open_file(struct sl_sweep_store **store, const char *path, int flags,
                     struct sl_failure *f)
{
    struct stat status;
    struct sl_sweep_store *s = *store = calloc(1, sizeof *s);
    if (!stat(path, &status) && !S_ISREG(status.st_mode)) /* SQLite would wait for a pipe */
        return sl_fail(f, SL_EFORMAT, "%s is not a regular file: choose another name", path);
    if (!s || !(s->path = strdup(path)))
        return sl_out_of_memory(f);
    if (sqlite3_open_v2(path, &s->sql, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK)
        return sl_fail(f, SL_EIO, "cannot open %s: %s", path,
                       s->sql ? sqlite3_errmsg(s->sql) : "out of memory");
    sqlite3_busy_timeout(s->sql, BUSY_MS);
    sqlite3_db_config(s->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(s->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_limit(s->sql, SQLITE_LIMIT_ATTACHED, 0);
    return execute(s, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON",
                   f);
}

static int make_tables(struct sl_sweep_store *s, struct sl_failure *f)
{
    char head[128];
    snprintf(head, sizeof head, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             SL_SWEEP_STORE_ID, SL_SWEEP_STORE_VERSION);
    int error = execute(s, head, f);
    if (error >= 0 && sl_sql_create_all(s->sql, sl_sweep_tables, SL_SWEEP_TABLES) != SQLITE_OK)
        error = refused(s, f);
    return error < 0 ? error
                     : execute(s, "CREATE INDEX measurement_step ON measurement(step, measure)", f);
}

/* Creates the tables, if the file has none. Of several processes that do so at once, the
 * transaction lets the first one write. */
static int make(struct sl_sweep_store *s, struct sl_failure *f)
{
    static const char count_tables[] = "SELECT count(*) FROM sqlite_schema";
    int n, error = pragma(s, count_tables, &n, f);
    if (error < 0)
        return sl_fail(f, SL_EUSAGE,
                       "%s exists and is not a result file of 'sluice sweep' or 'sluice lab': "
                       "choose another name",
                       s->path);
    if (!n) {
        error = sl_sweep_store_begin(s, f);
        if (error >= 0)
            error = pragma(s, count_tables, &n, f);
        if (error >= 0 && !n)
            error = make_tables(s, f);
        error = error >= 0 ? sl_sweep_store_commit(s, f) : error;
    }
    return error < 0 ? error : check(s, f);
}

static int prepare(struct sl_sweep_store *s, struct sl_failure *f)
{
    for (size_t i = 0; i < N_STATEMENTS; i++)
        if (sqlite3_prepare_v3(s->sql, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &s->statement[i], NULL) != SQLITE_OK)
            return refused(s, f);
    return 0;
}

static int or_close(struct sl_sweep_store **store, int error)
{
    if (error < 0) {
        sl_sweep_store_close(*store);
        *store = NULL;
    }
    return error < 0 ? error : 0;
}

int sl_sweep_store_open(struct sl_sweep_store **store, const char *path, struct sl_failure *f)
{
    struct stat status;
    *store = NULL;
    if (!stat(path, &status) && status.st_size == 1) /* SQLite treats a file of one byte as empty */
        return sl_fail(f, SL_EUSAGE,
                       "%s exists and is not a result file of 'sluice sweep': choose another name",
                       path);
    int error = open_file(store, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, f);
    if (error >= 0)
        error = make(*store, f);
    if (error >= 0)
        error = prepare(*store, f);
    if (error == SL_EFORMAT && f)
        error = (int)(f->code = SL_EUSAGE);
    return or_close(store, error);
}

static bool has_journal(const char *path)
{
    struct stat status;
    char *journal = sl_asprintf("%s-journal", path);
    bool has = journal && !stat(journal, &status) && status.st_size > 0;
    free(journal);
    return has;
}

int sl_sweep_store_read(struct sl_sweep_store **store, const char *path, struct sl_failure *f)
{
    struct stat status;
    *store = NULL;
    if (stat(path, &status))
        return sl_fail_errno(f, SL_EIO, "cannot read %s", path);
    int error = open_file(store, path, SQLITE_OPEN_READONLY, f);
    if (error >= 0 && (error = check(*store, f)) < 0 && has_journal(path))
        error = sl_fail(f, SL_EFORMAT,
                        "%s-journal exists: a sweep was probably killed while it wrote. Continue "
                        "that sweep, which undoes the incomplete change, or remove %s-journal",
                        path, path);
    return or_close(store, error);
}

struct sqlite3 *sl_sweep_store_sql(struct sl_sweep_store *s)
{
    return s->sql;
}

void sl_sweep_store_close(struct sl_sweep_store *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(s->statement[i]);
    sqlite3_close(s->sql);
    free(s->path);
    free(s);
}

int sl_sweep_store_begin(struct sl_sweep_store *s, struct sl_failure *f)
{
    return execute(s, "BEGIN IMMEDIATE", f);
}

int sl_sweep_store_commit(struct sl_sweep_store *s, struct sl_failure *f)
{
    int error = execute(s, "COMMIT", f);
    if (error < 0)
        sl_sweep_store_abandon(s);
    return error;
}

void sl_sweep_store_abandon(struct sl_sweep_store *s)
{
    if (!sqlite3_get_autocommit(s->sql))
        sqlite3_exec(s->sql, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- writing ---- */

/* Executes a statement with arguments by `format`: t text, n number, r real (NAN is NULL). Returns
 * 1 if there is a row, whose first column is stored in `out` unless that is NULL, otherwise 0; or
 * an error. */
static int use(struct sl_sweep_store *s, enum statement which, uint64_t *out, struct sl_failure *f,
               const char *format, ...)
{
    sqlite3_stmt *row = s->statement[which];
    va_list values;
    int rc = SQLITE_OK;
    va_start(values, format);
    for (int i = 1; *format && rc == SQLITE_OK; format++, i++)
        rc = *format == 't'
                 ? sqlite3_bind_text(row, i, va_arg(values, const char *), -1, SQLITE_STATIC)
             : *format == 'n' ? sqlite3_bind_int64(row, i, (int64_t)va_arg(values, uint64_t))
                              : sqlite3_bind_double(row, i, va_arg(values, double));
    va_end(values);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(row);
    int found = rc == SQLITE_ROW;
    if (found && out)
        *out = (uint64_t)sqlite3_column_int64(row, 0);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        found = refused(s, f);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return found;
}

int sl_sweep_store_stream(struct sl_sweep_store *s, const char *name, const char *what,
                          uint64_t *id, struct sl_failure *f)
{
    int error = use(s, ADD_STREAM, NULL, f, "tt", name, what);
    return error < 0 ? error : use(s, FIND_STREAM, id, f, "t", what);
}

int sl_sweep_store_point(struct sl_sweep_store *s, const char *spec, const char *machine,
                         const char *described, const char *given, uint64_t *id,
                         struct sl_failure *f)
{
    int error = use(s, ADD_POINT, NULL, f, "tttt", spec, machine, described, given);
    return error < 0 ? error : use(s, FIND_POINT, id, f, "tt", spec, described);
}

int sl_sweep_store_request(struct sl_sweep_store *s, uint64_t stream, uint64_t point,
                           struct sl_failure *f)
{
    return use(s, WANT, NULL, f, "nn", stream, point);
}

int sl_sweep_store_has(struct sl_sweep_store *s, uint64_t stream, uint64_t point,
                       struct sl_failure *f)
{
    return use(s, HAS, NULL, f, "nn", stream, point);
}

int sl_sweep_store_measurement(struct sl_sweep_store *s, uint64_t step, const char *label,
                               const char *measure, const char *item, double x, double value,
                               struct sl_failure *f)
{
    return item ? use(s, ADD_FIGURE, NULL, f, "ntttr", step, label, measure, item, value)
                : use(s, ADD_FIGURE, NULL, f, "nttrr", step, label, measure, x, value);
}

int sl_sweep_store_seconds(struct sl_sweep_store *s, uint64_t step, double seconds, double useful,
                           const char *built, struct sl_failure *f)
{
    return use(s, ADD_SECONDS, NULL, f, "nrrt", step, seconds, useful, built);
}

int sl_sweep_store_has_step(struct sl_sweep_store *s, const struct sl_sweep_step *step,
                            struct sl_failure *f)
{
    return use(s, HAS_STEP, NULL, f, "ttt", step->experiment, step->name, step->what);
}

int sl_sweep_store_step(struct sl_sweep_store *s, const struct sl_sweep_step *step, uint64_t *id,
                        struct sl_failure *f)
{
    int error = use(s, CLEAR_STEP, NULL, f, "tt", step->experiment, step->name);
    if (error >= 0)
        error = use(s, ADD_STEP, NULL, f, "ttttt", step->experiment, step->name, step->what,
                    step->program, step->machine);
    return error < 0 ? error : use(s, FIND_STEP, id, f, "tt", step->experiment, step->name);
}

int sl_sweep_store_done(struct sl_sweep_store *s, uint64_t stream, uint64_t point,
                        struct sl_failure *f)
{
    int error = use(s, CLEAR_FAILURE, NULL, f, "nn", stream, point);
    return error < 0 ? error : use(s, ADD_RESULT, NULL, f, "nn", stream, point);
}

int sl_sweep_store_failed(struct sl_sweep_store *s, uint64_t stream, uint64_t point,
                          const char *why, struct sl_failure *f)
{
    return use(s, ADD_FAILURE, NULL, f, "nnt", stream, point, why);
}

/* ---- reading ---- */

static const char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

static uint64_t number_at(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

static sqlite3_stmt *query(struct sl_sweep_store *s, const char *sql, int *rc)
{
    sqlite3_stmt *row = NULL;
    *rc = sqlite3_prepare_v2(s->sql, sql, -1, &row, NULL);
    return row;
}

static bool next(sqlite3_stmt *row, int *rc)
{
    if (*rc == SQLITE_OK || *rc == SQLITE_ROW)
        *rc = sqlite3_step(row);
    return *rc == SQLITE_ROW;
}

static int end(struct sl_sweep_store *s, sqlite3_stmt *row, int rc, int result,
               struct sl_failure *f)
{
    if (!result && rc != SQLITE_DONE)
        result = refused(s, f);
    sqlite3_finalize(row);
    return result;
}

int sl_sweep_store_streams(struct sl_sweep_store *s,
                           int (*each)(void *context, uint64_t id, const char *name), void *context,
                           struct sl_failure *f)
{
    int rc, result = 0;
    sqlite3_stmt *row = query(s, "SELECT id, name FROM step WHERE " OF_SWEEP " ORDER BY id", &rc);
    while (!result && next(row, &rc))
        result = each(context, number_at(row, 0), text_at(row, 1));
    return end(s, row, rc, result, f);
}

int sl_sweep_store_points(struct sl_sweep_store *s,
                          int (*each)(void *context, uint64_t id, const char *spec,
                                      const char *machine, const char *given),
                          void *context, struct sl_failure *f)
{
    int rc, result = 0;
    sqlite3_stmt *row = query(s, "SELECT id, spec, machine, given_spec FROM point ORDER BY id",
                              &rc);
    while (!result && next(row, &rc))
        result = each(context, number_at(row, 0), text_at(row, 1), text_at(row, 2),
                      text_at(row, 3));
    return end(s, row, rc, result, f);
}

int sl_sweep_store_requests(struct sl_sweep_store *s,
                            int (*each)(void *context, uint64_t stream, uint64_t point, bool done,
                                        const char *why),
                            void *context, struct sl_failure *f)
{
    int rc, result = 0;
    sqlite3_stmt *row = query(
        s,
        "SELECT step, point, result.step IS NOT NULL, reason FROM requested"
        " LEFT JOIN result USING (step, point) LEFT JOIN failure USING (step, point)"
        " ORDER BY step, point",
        &rc);
    while (!result && next(row, &rc))
        result = each(context, number_at(row, 0), number_at(row, 1), number_at(row, 2),
                      (const char *)sqlite3_column_text(row, 3));
    return end(s, row, rc, result, f);
}

int sl_sweep_store_measurements(struct sl_sweep_store *s,
                                int (*each)(void *context, uint64_t stream, uint64_t point,
                                            const char *measure, double value),
                                void *context, struct sl_failure *f)
{
    int rc, result = 0;
    sqlite3_stmt *row = query(
        s,
        "SELECT result.step, point, measure, value FROM measurement"
        " CROSS JOIN result ON result.step = measurement.step AND point = CAST(label AS INTEGER)"
        " ORDER BY 1, 2, 3",
        &rc);
    while (!result && next(row, &rc))
        result = each(context, number_at(row, 0), number_at(row, 1), text_at(row, 2),
                      sqlite3_column_double(row, 3));
    return end(s, row, rc, result, f);
}
