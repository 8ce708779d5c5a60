/* SPDX-License-Identifier: MIT */
/* Fuzzer for the reader of databases with profiles: damaged or hostile databases must cause no
 * crash (usage: database.t [SECONDS]).
 *
 * A database or the result file of a sweep is damaged in its bytes, by SQL (changed column values,
 * missing or duplicate rows, tables removed or replaced by views) or in its pages (one page
 * referenced a hundred times, so that a small file has an enormous number of rows). It is then
 * reported in every format, annotated, compared and merged with an undamaged one. Each must give a
 * report or an error message; no input may crash, hang, or use unbounded memory. */
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>

#include "../support/checkout_data.h"
#include "../support/repeated_page.h"
#include "scratch.h"
#include "tape_source.h"

#include "sluice-study.h"
#include "sweep_store.h"

const char fuzz_name[] = "database";

static const char *const formats[] = {"text",   "json",       "html",    "flat",    "callgraph",
                                      "loops",  "bolt",       "profgen", "autofdo", "callgrind",
                                      "folded", "speedscope", "pprof",   "sequence"};
#define FORMATS ((unsigned)(sizeof formats / sizeof *formats))
#define SEEDS 4u
#define SWEEP 3u /* the seed that is the file of a sweep */

static struct seed {
    uint8_t *at;
    size_t size;
    char table[64][64], column[512][64];
    uint32_t root[64];
    unsigned column_table[512], n_tables, n_columns;
} seed[SEEDS];
static char whole_path[64], merged_path[64];
static unsigned long n_spoiled, n_refused, n_reports, n_reported, n_merged;

/* ---- databases to begin with ---- */

static void read_file(struct seed *s, const char *path)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    s->size = (size_t)ftell(file);
    s->at = malloc(s->size);
    rewind(file);
    if (fread(s->at, 1, s->size, file) != s->size)
        abort();
    fclose(file);
}

/* The file that was saved, and the names of its tables and columns. */
static void learn(unsigned which)
{
    struct seed *s = &seed[which];
    sqlite3 *db;
    sqlite3_stmt *row;
    read_file(s, scratch_database);
    if (sqlite3_open_v2(scratch_database, &db, SQLITE_OPEN_READONLY, NULL) ||
        sqlite3_prepare_v2(
            db,
            "SELECT m.name, p.name, m.rootpage FROM sqlite_master m, pragma_table_info(m.name) p"
            " WHERE m.type = 'table' ORDER BY 1",
            -1, &row, NULL))
        abort();
    while (sqlite3_step(row) == SQLITE_ROW && s->n_columns < 512 && s->n_tables < 64) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        if (!s->n_tables || strcmp(s->table[s->n_tables - 1], name)) {
            s->root[s->n_tables] = (uint32_t)sqlite3_column_int(row, 2);
            snprintf(s->table[s->n_tables++], 64, "%s", name);
        }
        s->column_table[s->n_columns] = s->n_tables - 1;
        snprintf(s->column[s->n_columns++], 64, "%s", (const char *)sqlite3_column_text(row, 1));
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
}

static void save(unsigned which, const char *const *spec, size_t n_specs, const char *machine)
{
    struct sl_failure f = {0};
    struct sl_session *session;
    for (uint64_t random = which;; random++) { /* not every tape is a program */
        uint8_t bytes[4096];
        uint64_t state = random;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)sl_random_next(&state);
        struct tape t = tape_of(bytes, sizeof bytes);
        struct sl_source *source = NULL;
        struct sl_session_config config = {.size = sizeof config,
                                           .spec = spec,
                                           .n_specs = n_specs,
                                           .machine = machine,
                                           .exact = true,
                                           .every = 50,
                                           .memory_bytes = 16 << 20};
        bool saved = false;
        if (sl_session_open(&session, &config, &f) >= 0) {
            source = tape_source(&t, sl_session_needs(session), &f);
            saved = source && sl_session_run(session, source, NULL, NULL, &f) >= 0 &&
                    sl_session_save(session, scratch_database, &f) >= 0;
            sl_session_close(session);
        }
        sl_source_close(source);
        if (saved)
            break;
        if (random > 10000) {
            fprintf(stderr, "%s\n", f.text);
            abort();
        }
    }
    learn(which);
}

static void save_sweep(unsigned which)
{
    static const char *const measures[] = {"storage", "error", "overlap"};
    struct sl_sweep_store *store;
    struct sl_failure f;
    uint64_t stream, point;
    unlink(scratch_database);
    if (sl_sweep_store_open(&store, scratch_database, &f) < 0)
        abort();
    for (unsigned s = 0; s < 2; s++)
        for (unsigned p = 0; p < 3; p++) {
            sl_sweep_store_stream(store, s ? "b.slt" : "a.slt", s ? "b" : "a", &stream, &f);
            sl_sweep_store_point(store, p ? p > 1 ? "edge" : "value" : "block", "", "", "given",
                                 &point, &f);
            sl_sweep_store_request(store, stream, point, &f);
            char label[24];
            snprintf(label, sizeof label, "%" PRIu64, point);
            for (unsigned m = 0; m < 3; m++)
                sl_sweep_store_measurement(store, stream, label, measures[m], NULL, (double)NAN,
                                           1.0 / (1 + s + p + m), &f);
            if (p < 2)
                sl_sweep_store_done(store, stream, point, &f);
            else
                sl_sweep_store_failed(store, stream, point, "no memory", &f);
        }
    sl_sweep_store_close(store);
    learn(which);
}

void fuzz_begin(void)
{
    static const char *const plain[] = {"function",    "edge@multihash(interval=100,threshold=1%)",
                                        "value@exact", "context",
                                        "loop",        "path@hpt",
                                        "block@wpp"};
    static const char *const on_machine[] = {"function:cycles", "event@multiplexed", "loop:energy",
                                             "function:energy@leap", "edge:mispredict"};
    static const char *const other[] = {"edge@H[P4]64+A16", "call", "type", "value@singlehash",
                                        "path(kind=wpp)@wpp"};
    use_checkout_data();
    make_scratch();
    save(0, on_machine, 5, "rocket");
    save(1, other, 5, NULL);
    save(2, plain, 7, NULL);
    snprintf(whole_path, sizeof whole_path, "%s/whole.db", scratch_folder);
    snprintf(merged_path, sizeof merged_path, "%s/merged.db", scratch_folder);
    if (rename(scratch_database, whole_path))
        abort();
    save_sweep(SWEEP);
}

/* ---- spoiling ---- */

static void spoil_bytes(struct tape *t, uint8_t *bytes, size_t *size)
{
    for (unsigned n = 1 + pick(t, 8); n; n--) {
        size_t at = take(t, 4) % *size;
        switch (pick(t, 6)) {
        case 0:
            *size = at + 1;
            break;
        case 1:
            memset(bytes + at, (int)take(t, 1), *size - at < 64 ? *size - at : 64);
            break;
        default:
            bytes[at] = (uint8_t)take(t, 1);
        }
    }
}

static void value(struct tape *t, char *out, size_t capacity)
{
    static const char *const text[] = {"NULL",
                                       "''",
                                       "'\033[31mred'",
                                       "x'00ff'",
                                       "'a' || char(10)",
                                       "zeroblob(100000)",
                                       "1e308",
                                       "-1e-308",
                                       "9e999",
                                       "-1",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "'0x12'",
                                       "replace(hex(zeroblob(500)), '0', 'ab')",
                                       "'%s%n%s'",
                                       "rowid",
                                       "random()",
                                       "random() % 100",
                                       "4294967296",
                                       "36028797018963968",
                                       "'</script><b>'",
                                       "char(8238) || 'x'",
                                       "'edge'",
                                       "'value@exact'"};
    unsigned kind = pick(t, 30);
    if (kind < sizeof text / sizeof *text)
        snprintf(out, capacity, "%s", text[kind]);
    else
        snprintf(out, capacity, "%lld", (long long)number(t));
}

static void statement(struct tape *t, const struct seed *s, char *sql, size_t capacity)
{
    char to[64];
    unsigned c = pick(t, s->n_columns), other = pick(t, s->n_columns);
    const char *name = s->table[s->column_table[c]], *of = s->table[s->column_table[other]];
    value(t, to, sizeof to);
    switch (pick(t, 40)) { /* most leave a database that is read */
    case 0:
        snprintf(sql, capacity, "DELETE FROM \"%s\" WHERE rowid %% %u = 0", name, 1 + pick(t, 4));
        break;
    case 1:
        snprintf(sql, capacity, "INSERT INTO \"%s\" SELECT * FROM \"%s\"", name, name);
        break;
    case 2:
        snprintf(sql, capacity, "DROP TABLE \"%s\"", name);
        break;
    case 3:
        snprintf(sql, capacity,
                 "ALTER TABLE \"%s\" RENAME TO hidden_%u; CREATE VIEW \"%s\" AS SELECT * FROM"
                 " hidden_%u, hidden_%u",
                 name, c, name, c, c);
        break;
    case 4:
        snprintf(sql, capacity, "ALTER TABLE \"%s\" RENAME COLUMN \"%s\" TO other_%u", name,
                 s->column[c], c);
        break;
    case 5:
        snprintf(sql, capacity, "UPDATE \"%s\" SET \"%s\" = \"%s\" + %s", name, s->column[c],
                 s->column[c], to);
        break;
    case 6:
        snprintf(sql, capacity, "UPDATE \"%s\" SET \"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1)",
                 name, s->column[c], s->column[other], of);
        break;
    case 7:
        snprintf(sql, capacity, "PRAGMA user_version = %s; PRAGMA application_id = %s", to, to);
        break;
    default:
        snprintf(sql, capacity, "UPDATE OR IGNORE \"%s\" SET \"%s\" = %s WHERE rowid %% %u = 0",
                 name, s->column[c], to, 1 + pick(t, 3));
    }
}

static void spoil_rows(struct tape *t, const struct seed *s)
{
    sqlite3 *db;
    char sql[512];
    if (sqlite3_open(scratch_database, &db) == SQLITE_OK) {
        sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
        for (unsigned n = 1 + pick(t, 6); n; n--) {
            statement(t, s, sql, sizeof sql);
            sqlite3_exec(db, sql, NULL, NULL, NULL);
        }
    }
    sqlite3_close(db);
}

/* The file, spoiled, at scratch_database. */
static void spoil(struct tape *t, const struct seed *s)
{
    unsigned kind = pick(t, 16);
    size_t n = s->size;
    uint8_t *bytes = malloc(n);
    memcpy(bytes, s->at, n);
    if (kind < 4)
        spoil_bytes(t, bytes, &n);
    if (kind == 4) {
        uint8_t *repeated = with_repeated_pages(bytes, &n, s->root[pick(t, s->n_tables)],
                                                1 + pick(t, 5));
        free(bytes);
        bytes = repeated;
    }
    FILE *file = fopen(scratch_database, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
        abort();
    free(bytes);
    if (kind > 4)
        spoil_rows(t, s);
}

static int report(struct tape *t, unsigned format, struct sl_failure *f)
{
    struct sl_report_config config = {.size = sizeof config,
                                      .format = formats[format],
                                      .n = pick(t, 4) ? 0 : pick(t, 200),
                                      .width = pick(t, 4) ? 0 : pick(t, 200)};
    if (format < 2 && !pick(t, 3))
        config.partition = 1 + pick(t, 10);
    return sl_report(scratch_database, &config, nowhere, f);
}

static int report_sweep(struct tape *t, struct sl_failure *f)
{
    static const char *const format[] = {"text", "csv", "json", "svg"};
    struct sl_sweep_report_config config = {.size = sizeof config,
                                            .format = format[pick(t, 4)],
                                            .all = pick(t, 2),
                                            .holes = pick(t, 2),
                                            .n = pick(t, 4),
                                            .under = pick(t, 4) ? 0 : number(t)};
    return sl_sweep_report(scratch_database, &config, nowhere, f);
}

/* Next to a valid one, on either side. */
static int compare(struct tape *t, struct sl_failure *f)
{
    static const char *const format[] = {"text", "json", "html"};
    struct sl_diff_config config = {
        .size = sizeof config, .format = format[pick(t, 3)], .n = pick(t, 4) ? 0 : pick(t, 200)};
    const char *before = pick(t, 2) ? scratch_database : whole_path;
    struct sl_regression regression;
    return sl_diff(before, before == whole_path ? scratch_database : whole_path, &config, nowhere,
                   &regression, f);
}

static void left_out(void *context, const char *message)
{
    (void)context, (void)message;
}

/* What comes of it can be reported. */
static int merge(struct tape *t, struct sl_failure *f)
{
    const char *first = pick(t, 2) ? scratch_database : whole_path;
    const char *both[] = {first, first == whole_path ? scratch_database : whole_path};
    int error = sl_merge(merged_path, both, 2, left_out, NULL, f);
    if (error >= 0) {
        n_merged++;
        if (sl_report(merged_path,
                      &(struct sl_report_config){.size = sizeof(struct sl_report_config)}, nowhere,
                      f) < 0)
            fuzz_wrong(f->text);
    }
    unlink(merged_path);
    return error;
}

static int annotate(struct tape *t, struct sl_failure *f)
{
    struct sl_annotate_config config = {.size = sizeof config,
                                        .place = pick(t, 2) ? NULL : tape_name(t),
                                        .n = pick(t, 50),
                                        .width = pick(t, 200)};
    return sl_annotate(scratch_database, &config, nowhere, f);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct tape t = tape_of(data, size);
    unsigned which = pick(&t, SEEDS);
    spoil(&t, &seed[which]);
    n_spoiled++;
    t = tape_of(data + size / 2, size - size / 2); /* the first half may be used up */
    unsigned what = pick(&t, 16), first = pick(&t, FORMATS), wanted = what == 1 ? FORMATS : 1,
             made = 0;
    for (unsigned i = 0; i < wanted; i++) {
        struct sl_failure f = {0};
        int error = which == SWEEP ? report_sweep(&t, &f)
                    : what == 2    ? compare(&t, &f)
                    : what == 3    ? merge(&t, &f)
                    : what == 4    ? annotate(&t, &f)
                                   : report(&t, (first + i) % FORMATS, &f);
        n_reports++;
        made += error >= 0;
        if (error < 0 && !f.text[0])
            fuzz_wrong("a report that was refused without a word");
    }
    n_reported += made;
    n_refused += !made;
}

void fuzz_figures(void)
{
    printf("# %lu databases spoiled, %lu of them refused in all formats; %lu of %lu reports made, "
           "%lu merged\n",
           n_spoiled, n_refused, n_reported, n_reports, n_merged);
    for (unsigned i = 0; i < SEEDS; i++)
        free(seed[i].at);
    unlink(whole_path);
    fclose(nowhere);
}
