/* Databases from hostile hands: database.t [SECONDS]
 *
 * A database that sluice saved is spoiled, by its bytes or by SQL (other values in columns, rows
 * that are missing or there twice, tables that are gone or are views of others), and reported in
 * every format. What sluice makes of it is a report or a sentence; nothing crashes, hangs, or
 * takes memory without bound. */
#include <sqlite3.h>

#include "../support/checkout_data.h"
#include "scratch.h"
#include "tape_source.h"

#include "sluice.h"

const char fuzz_name[] = "database";

static const char *const formats[] = {"text", "json", "html", "flat", "callgraph", "loops", "bolt",
                                      "profgen", "autofdo", "callgrind", "folded", "speedscope",
                                      "pprof", "sequence"};
#define FORMATS ((unsigned)(sizeof formats / sizeof *formats))
#define SEEDS 3u

static struct {
    uint8_t *at;
    size_t size;
} seed[SEEDS];
static char table[64][64], column[512][64];
static unsigned column_table[512], n_tables, n_columns;
static unsigned long n_spoiled, n_refused, n_reports, n_reported;

/* ---- databases to begin with ---------------------------------------------------------- */

static void save(unsigned which, const char *const *spec, size_t n_specs, const char *machine)
{
    struct sl_failure f = {0};
    struct sl_session *session;
    for (uint64_t random = which; ; random++) { /* not every tape is a program */
        uint8_t bytes[4096];
        uint64_t state = random;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)sl_random_next(&state);
        struct tape t = {bytes, bytes + sizeof bytes};
        struct sl_source *source = NULL;
        struct sl_session_config config = {.spec = spec, .n_specs = n_specs, .machine = machine,
                                           .exact = true, .every = 50, .memory_bytes = 16 << 20};
        bool saved = false;
        if (sl_session_open(&session, &config, &f) >= 0) {
            source = tape_source(&t, sl_session_wants(session), &f);
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
    FILE *file = fopen(scratch_database, "rb");
    fseek(file, 0, SEEK_END);
    seed[which].size = (size_t)ftell(file);
    seed[which].at = malloc(seed[which].size);
    rewind(file);
    if (fread(seed[which].at, 1, seed[which].size, file) != seed[which].size)
        abort();
    fclose(file);
}

/* Names of all tables and columns, of the seed that was saved last. */
static void learn_names(void)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    if (sqlite3_open_v2(scratch_database, &db, SQLITE_OPEN_READONLY, NULL) ||
        sqlite3_prepare_v2(db, "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p"
                               " WHERE m.type = 'table' ORDER BY 1", -1, &row, NULL))
        abort();
    while (sqlite3_step(row) == SQLITE_ROW && n_columns < 512 && n_tables < 64) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        if (!n_tables || strcmp(table[n_tables - 1], name))
            snprintf(table[n_tables++], 64, "%s", name);
        column_table[n_columns] = n_tables - 1;
        snprintf(column[n_columns++], 64, "%s", (const char *)sqlite3_column_text(row, 1));
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
}

void fuzz_begin(void)
{
    static const char *const plain[] = {"function", "edge@multihash(interval=100,threshold=1%)",
                                        "value@exact", "context", "loop", "path@hpt", "block@wpp"};
    static const char *const on_machine[] = {"function:cycles", "event@multiplexed", "loop:energy",
                                             "function:energy@leap", "edge:mispredict"};
    static const char *const other[] = {"edge@H[P4]64+A16", "call", "type", "value@singlehash",
                                        "path(kind=wpp)@wpp"};
    use_checkout_data();
    make_scratch();
    save(0, on_machine, 5, "rocket");
    save(1, other, 5, NULL);
    save(2, plain, 7, NULL);
    learn_names();
}

/* ---- spoiling ------------------------------------------------------------------------- */

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

static void value(struct tape *t, char *out, size_t room)
{
    static const char *const text[] = {"NULL", "''", "'\033[31mred'", "x'00ff'", "'a' || char(10)",
                                       "zeroblob(100000)", "1e308", "-1e-308", "9e999", "-1",
                                       "9223372036854775807", "-9223372036854775808", "'0x12'",
                                       "replace(hex(zeroblob(500)), '0', 'ab')", "'%s%n%s'", "rowid",
                                       "random()", "random() % 100", "4294967296", "36028797018963968",
                                       "'</script><b>'", "char(8238) || 'x'", "'edge'", "'value@exact'"};
    unsigned kind = pick(t, 30);
    if (kind < sizeof text / sizeof *text)
        snprintf(out, room, "%s", text[kind]);
    else
        snprintf(out, room, "%lld", (long long)number(t));
}

static void statement(struct tape *t, char *sql, size_t room)
{
    char to[64];
    unsigned c = pick(t, n_columns), other = pick(t, n_columns);
    const char *name = table[column_table[c]];
    value(t, to, sizeof to);
    switch (pick(t, 12)) {
    case 0:
        snprintf(sql, room, "DELETE FROM \"%s\" WHERE rowid %% %u = 0", name, 1 + pick(t, 4));
        break;
    case 1:
        snprintf(sql, room, "INSERT INTO \"%s\" SELECT * FROM \"%s\"", name, name);
        break;
    case 2:
        snprintf(sql, room, "DROP TABLE \"%s\"", name);
        break;
    case 3:
        snprintf(sql, room, "ALTER TABLE \"%s\" RENAME TO hidden_%u; CREATE VIEW \"%s\" AS SELECT * FROM"
                 " hidden_%u, hidden_%u", name, c, name, c, c);
        break;
    case 4:
        snprintf(sql, room, "ALTER TABLE \"%s\" RENAME COLUMN \"%s\" TO other_%u", name, column[c], c);
        break;
    case 5:
        snprintf(sql, room, "UPDATE \"%s\" SET \"%s\" = \"%s\" + %s", name, column[c], column[c], to);
        break;
    case 6:
        snprintf(sql, room, "UPDATE \"%s\" SET \"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1)", name,
                 column[c], column[other], table[column_table[other]]);
        break;
    case 7:
        snprintf(sql, room, "PRAGMA user_version = %s; PRAGMA application_id = %s", to, to);
        break;
    default:
        snprintf(sql, room, "UPDATE OR IGNORE \"%s\" SET \"%s\" = %s WHERE rowid %% %u = 0", name,
                 column[c], to, 1 + pick(t, 3));
    }
}

static void spoil_rows(struct tape *t)
{
    sqlite3 *db;
    char sql[512];
    if (sqlite3_open(scratch_database, &db) == SQLITE_OK) {
        sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
        for (unsigned n = 1 + pick(t, 6); n; n--) {
            statement(t, sql, sizeof sql);
            sqlite3_exec(db, sql, NULL, NULL, NULL);
        }
    }
    sqlite3_close(db);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct tape t = {data, data + size};
    unsigned which = pick(&t, SEEDS), kind = pick(&t, 4);
    size_t n = seed[which].size;
    uint8_t *bytes = malloc(n);
    memcpy(bytes, seed[which].at, n);
    if (kind == 0)
        spoil_bytes(&t, bytes, &n);
    FILE *file = fopen(scratch_database, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
        abort();
    free(bytes);
    if (kind)
        spoil_rows(&t);
    n_spoiled++;
    t = (struct tape){data + size / 2, data + size}; /* the first half may be used up */
    unsigned first = pick(&t, FORMATS), wanted = pick(&t, 16) == 1 ? FORMATS : 1, made = 0;
    for (unsigned i = 0; i < wanted; i++) {
        struct sl_failure f = {0};
        struct sl_report_config config = {.format = formats[(first + i) % FORMATS],
                                          .n = pick(&t, 4) ? 0 : pick(&t, 200),
                                          .width = pick(&t, 4) ? 0 : pick(&t, 200)};
        if ((first + i) % FORMATS < 2 && !pick(&t, 3))
            config.partition = 1 + pick(&t, 10);
        int error = sl_report(scratch_database, &config, nowhere, &f);
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
    printf("# %lu databases spoiled, %lu of them refused in all formats; %lu of %lu reports made\n",
           n_spoiled, n_refused, n_reported, n_reports);
    for (unsigned i = 0; i < SEEDS; i++)
        free(seed[i].at);
    fclose(nowhere);
}
