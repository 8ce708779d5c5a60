/* SPDX-License-Identifier: MIT */
/* Unit tests of reading the errors of a profile that was repeated with different random seeds. The
 * errors of each repetition, and the distribution of the errors, are compared with numbers computed
 * by hand. SQL statements write the test data to a database. */
#include "db.h"

#include <math.h>

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

/* Two events in three runs; the second one does not occur in the exact profile. */
static const char tables[] =
    "INSERT INTO reading (profile, run, event_id, event, count, exact) VALUES"
    " (0, 0, 4, 'misses', 90, 100), (0, 1, 4, 'misses', 130, 100), (0, 2, 4, 'misses', 100, 100),"
    " (0, 0, 2, 'hits', 5, 0), (0, 1, 2, 'hits', 0, 0), (0, 2, 2, 'hits', 0, 0),"
    " (1, 0, 0, 'other', 3, 4);"
    "INSERT INTO run_error (profile, run, name, value) VALUES"
    " (0, 0, 'rms', 0.5), (0, 1, 'rms', NULL), (0, 2, 'rms', 0.25), (0, 1, 'mean', -1);";

static void test_runs(struct sl_db_runs *runs)
{
    const struct sl_db_sample *event = runs->events.sample, *measure = runs->measures.sample;
    if (!ok(runs->n == 3 && runs->events.n == 2 && runs->measures.n == 2,
            "three runs of two events, and two measures"))
        return;
    ok(!strcmp(event[0].name, "hits") && !strcmp(event[1].name, "misses") && event[1].n == 3,
       "events are in the order of the detector");
    ok(event[1].count == 90 && event[1].exact == 100 && event[0].count == 5,
       "an event has the count of run 0 and the exact count");
    ok(fabs(event[1].value[0] + 0.1) < 1e-12 && fabs(event[1].value[1] - 0.3) < 1e-12 &&
           event[1].value[2] == 0,
       "the value of a run is its relative error, negative if the count was too low");
    ok(isnan(event[0].value[0]) && isnan(event[0].value[2]),
       "an event that did not occur has no relative error");
    ok(!strcmp(measure[0].name, "mean") && measure[0].n == 1 && measure[0].value[0] == -1 &&
           !strcmp(measure[1].name, "rms") && measure[1].n == 3 && measure[1].value[0] == 0.5 &&
           isnan(measure[1].value[1]),
       "measures are in the order of their names");
}

static void test_spread(const struct sl_db_runs *runs)
{
    struct sl_spread one, all, measure;
    if (runs->events.n != 2 || !sl_db_spread(&runs->events, &runs->events.sample[1], &one) ||
        !sl_db_spread(&runs->events, NULL, &all) ||
        !sl_db_spread(&runs->measures, &runs->measures.sample[0], &measure)) {
        ok(false, "distributions");
        return;
    }
    ok(fabs(one.mean - 0.4 / 3) < 1e-12 && fabs(one.median - 0.1) < 1e-12,
       "the distribution of one event is that of absolute values");
    ok(fabs(all.mean - one.mean) < 1e-12,
       "events without a relative error do not count for all events together");
    ok(measure.mean == 1, "a measure below 0 counts as its absolute value");
}

int main(void)
{
    struct sl_db_runs runs;
    database = open_database();
    const struct sl_db_profile *profile = database->profiles.profile;
    ok(!sl_db_runs(database, profile, &runs, &f) && !runs.n && !runs.events.n && !runs.measures.n,
       "a profile that was not repeated has no runs");
    sl_db_runs_free(&runs);
    sl_database_close(database);
    if (!run_sql(tables) || sl_database_open(&database, path, &f))
        return 1;
    profile = database->profiles.profile;
    int result = sl_db_runs(database, profile, &runs, &f);
    ok(!result, "runs are read: %s", f.text);
    test_runs(&runs);
    test_spread(&runs);
    struct sl_db_profile table = {.status = {.storage_bits = 64}};
    ok(sl_db_event_bits(&table, &runs) == 32, "storage is divided by the number of events");
    runs.capacity = 29;
    ok(sl_db_event_bits(&table, &runs) == 64.0 / 29,
       "or by the number that the table has space for");
    sl_db_runs_free(&runs);
    result = sl_db_runs(database, &database->profiles.profile[1], &runs, &f);
    ok(!result && runs.n == 1 && runs.events.n == 1 && !runs.measures.n,
       "another profile has its own runs");
    sl_db_runs_free(&runs);
    close_database(database);
    return done_testing();
}
