/* SPDX-License-Identifier: MIT */
/* Unit tests of reading source lines, inlined calls and costs from a database. Each address has the
 * function, the line and the inlined calls that the SQL statements of the test wrote, and rows that
 * refer to missing rows are refused. */
#include "db_lines.h"

#include "view_support.h"

static struct sl_database *database;

static bool run_sql(const char *sql)
{
    char *message = NULL;
    sqlite3 *file;
    sqlite3_open(path, &file);
    sqlite3_exec(file, sql, NULL, NULL, &message);
    if (message)
        printf("# %s: %s\n", sql, message);
    bool good = !message;
    sqlite3_free(message);
    sqlite3_close(file);
    return good;
}

/* Three functions at 0x1000, 0x1100 and 2^63. In the first one, `outer` is inlined, and in that
 * `inner`. */
static const char tables[] =
    "DELETE FROM span; DELETE FROM inlined_at; DELETE FROM inlined; DELETE FROM function;"
    "DELETE FROM source_file;"
    "INSERT INTO source_file (id, path) VALUES (0, 'a.c'), (1, 'b' || char(10) || '.h');"
    "INSERT INTO function (id, name, start, source_file, line) VALUES (0, 'first', 4096, 0, 10),"
    " (1, NULL, 4352, NULL, NULL), (2, 'high', -9223372036854775808, NULL, NULL);"
    "INSERT INTO inlined (id, parent, name, source_file, line, call_source_file, call_line) VALUES"
    " (0, NULL, 'outer', 1, 20, 0, 11), (1, 0, 'inner', 1, 30, 1, 21),"
    " (2, NULL, 'other', 1, 40, 0, 15);"
    "INSERT INTO span (address, \"end\", function, source_file, line, inlined) VALUES"
    " (4096, 4100, 0, 0, 11, NULL), (4100, 4104, 0, 1, 31, 1), (4112, 4116, 0, 1, 41, 2),"
    " (4352, 4356, 1, NULL, NULL, NULL),"
    " (-9223372036854775808, -9223372036854775800, 2, 0, 5, NULL);"
    "INSERT INTO inlined_at (address, inlined) VALUES (4100, 1), (4112, 2);";

static bool reload(struct sl_db_lines *lines)
{
    sl_database_close(database);
    database = NULL;
    int result = sl_database_open(&database, path, &f);
    return !result && !sl_db_lines_load(lines, database, false, &f);
}

static void test_spans(void)
{
    struct sl_db_lines lines = {0};
    if (!ok(run_sql(tables) && reload(&lines), "source lines are read")) {
        printf("# %s\n", f.text);
        return;
    }
    const struct sl_db_span *span = sl_db_span_at(&lines, 4103);
    ok(span && !strcmp(span->function->name, "first") && span->function->line == 10 &&
           span->line == 31 && !strchr(span->file, '\n'),
       "an address has its function and its line, in printable names");
    ok(span && span->inlined && !strcmp(span->inlined->name, "inner") &&
           span->inlined->depth == 2 && span->inlined->line == 30 &&
           span->inlined->call_line == 21 && !strcmp(span->inlined->parent->name, "outer") &&
           !span->inlined->parent->parent && span->inlined->parent->depth == 1,
       "an inlined call has the call around it");
    ok(!sl_db_span_at(&lines, 4095) && !sl_db_span_at(&lines, 4104) &&
           !sl_db_span_at(&lines, 4111) && !sl_db_span_at(&lines, 4356) &&
           !sl_db_span_at(&lines, UINT64_MAX),
       "addresses before, between and after spans have none");
    span = sl_db_span_at(&lines, 4352);
    ok(span && !span->function->name && !span->file, "code without a symbol and without a line");
    span = sl_db_span_at(&lines, (UINT64_C(1) << 63) + 7);
    ok(span && !strcmp(span->function->name, "high") && lines.n_spans == 5,
       "addresses from 2^63 on come last");
    sl_db_lines_free(&lines);
}

static void test_frames(void)
{
    struct sl_db_lines lines = {0};
    int result = sl_db_lines_load(&lines, database, true, &f);
    const struct sl_db_inlined *inner = sl_db_frame_at(&lines, 4100, 2),
                               *outer = sl_db_frame_at(&lines, 4100, 1),
                               *other = sl_db_frame_at(&lines, 4112, 1);
    ok(!result && !lines.n_spans && !lines.n_functions, "inlined calls can be read alone");
    if (!ok(inner && outer && other && inner->parent == outer && !strcmp(other->name, "other"),
            "an inlined call is found by address and depth")) {
        sl_db_lines_free(&lines);
        return;
    }
    ok(!sl_db_frame_at(&lines, 4100, 3) && !sl_db_frame_at(&lines, 4100, 0) &&
           !sl_db_frame_at(&lines, 4101, 1),
       "no inlined call is found at another address or depth");
    struct sl_db_inlined copy = *inner;
    ok(!sl_db_inlined_order(inner, &copy) && !sl_db_inlined_order(NULL, NULL),
       "chains with the same names are equal");
    ok(sl_db_inlined_order(outer, inner) < 0 && sl_db_inlined_order(inner, outer) > 0 &&
           sl_db_inlined_order(NULL, outer) < 0,
       "a chain comes before its continuations");
    ok(sl_db_inlined_order(other, inner) < 0 && sl_db_inlined_order(inner, other) > 0,
       "the outermost name decides first");
    sl_db_lines_free(&lines);
}

static void test_damage(void)
{
    static const char *const damage[] = {
        "UPDATE span SET function = 3 WHERE address = 4096",
        "UPDATE span SET function = -1 WHERE address = 4096",
        "UPDATE span SET inlined = 3 WHERE address = 4100",
        "UPDATE span SET source_file = 2 WHERE address = 4100",
        "UPDATE span SET \"end\" = 4095 WHERE address = 4096",
        "UPDATE span SET \"end\" = 4101 WHERE address = 4096",
        "UPDATE inlined SET parent = 1 WHERE id = 1",
        "UPDATE inlined SET parent = 2 WHERE id = 0",
        "UPDATE inlined SET call_source_file = 9 WHERE id = 0",
        "UPDATE function SET source_file = 2 WHERE id = 0",
        "UPDATE inlined_at SET inlined = 3 WHERE address = 4100",
        "DELETE FROM source_file WHERE id = 0",
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        struct sl_db_lines lines = {0};
        bool changed = run_sql(tables) && run_sql(damage[i]);
        bool read = reload(&lines);
        ok(changed && !read && f.code == SL_EFORMAT, "refused: %s", damage[i]);
        sl_db_lines_free(&lines);
    }
}

/* ---- costs ---- */

struct sums {
    uint64_t block, function;
    size_t rows, to_helper;
};

static int add_costs(void *context, const struct sl_cost_location *at, uint64_t value,
                     const uint64_t *count)
{
    struct sums *sums = context;
    (void)value;
    sums->rows++;
    sums->block += count[0];
    sums->function += count[1];
    return at->address == UINT64_MAX;
}

static int add_transfer(void *context, const struct sl_cost_location *from,
                        const struct sl_cost_location *to, uint64_t count)
{
    struct sums *sums = context;
    sums->to_helper += from->address == w + CALL && to->address == h && count == 1000 &&
                       to->function && !strcmp(to->function, "helper");
    return 7;
}

static void test_costs(void)
{
    struct sums sums = {0};
    const struct sl_db_profiles *all = &database->profiles;
    const int64_t both[] = {all->profile[0].id, all->profile[4].id};
    int result = sl_db_costs(database, both, 2, 0, add_costs, &sums, &f);
    ok(!result && sums.block == 4030 && sums.function == 7120,
       "the costs of two profiles, in one row per tuple of either");
    ok(sums.rows == 7, "tuples with different second fields are different rows");
    sums = (struct sums){0};
    ok(!sl_db_costs(database, both, 1, 1, add_costs, &sums, &f) && sums.rows == 1 &&
           sums.block == 1000,
       "only the first entry of a profile");
    ok(sl_db_transfers(database, &all->profile[3], 0, add_transfer, &sums, &f) == 7 &&
           sums.to_helper == 1,
       "a call has the names of both functions, and the callback can stop");
}

int main(void)
{
    database = open_database();
    test_costs();
    test_spans();
    test_frames();
    test_damage();
    close_database(database);
    return done_testing();
}
