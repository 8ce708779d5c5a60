/* SPDX-License-Identifier: MIT */
/* Unit tests of the errors of profiles in the database and in reports: estimated counts next to the
 * exact counts, and the distribution of the errors over repetitions with other random seeds. The
 * profiles are defined in the test, as in report_golden.c. */
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "database.h"
#include "event_set.h"
#include "report_support.h"

static struct sl_failure f;

/* ---- an invented run ---- */

#define SET(event) (SL_EVENT_SET_PC | UINT64_C(1) << (event))
#define RUN(run, cycles, instructions, misses)                        \
    {run, 0, SET(SL_MACHINE_CYCLES), cycles, 1000000},                \
        {run, 1, SET(SL_MACHINE_INSTRUCTIONS), instructions, 400000}, \
        {run, 2, SET(SL_MACHINE_DMISS), misses, 20},                  \
    {                                                                 \
        run, 3, SET(SL_MACHINE_ITLB_MISS), 0, 0                       \
    }

static const struct sl_reading morris[] = {
    RUN(0, 800000, 500000, 20), RUN(1, 1100000, 420000, 0),  RUN(2, 1310719, 399999, 31),
    RUN(3, 999900, 200000, 25), RUN(4, 1500000, 480000, 16),
};
static const struct sl_reading fpc[] = {RUN(0, 1003520, 401408, 20)};
static const struct sl_reading alone[] = {{0, 0, SET(SL_MACHINE_DMISS), 17, 20}};
static const struct sl_run_error errors[] = {
    {0, {"overlap", 0.9}},        {0, {"false_positive", 0.01}}, {1, {"overlap", 0.8}},
    {1, {"false_positive", NAN}}, {2, {"overlap", 0.7}},         {2, {"false_positive", 0.03}},
};
static const struct sl_entry counted[] = {{.tuple = {SET(SL_MACHINE_CYCLES), 0}, .count = 1000000}};
static const struct sl_entry values[] = {{.tuple = {0x401014, 42}, .count = 30000}};

static char *argv[] = {"./primes", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_X86_64, .path = "/home/ann/primes", .argv = argv, .ended = true},
};

#define EVENTS(options, table_, bits)                                                             \
    .spec = "event(events=" options "):count@" table_ "(seed=1)", .detector = &sl_detector_event, \
    .metric = "count", .table = table_, .events = 9000, .weight = 1400020, .distinct = 3,         \
    .status = {.storage_bits = bits}, .entry = counted, .n_entries = 1

static struct sl_result_profile profiles[] = {
    {EVENTS("all", "exact", 0)},
    {EVENTS("all", "morris", 120), .given = "event@morris(steps=1)", .reading = morris,
     .n_readings = 20, .run_error = errors, .n_run_errors = 6},
    {EVENTS("dmiss", "morris", 30), .source = 1, .given = "event(dmiss)@morris", .reading = alone,
     .n_readings = 1},
    {EVENTS("all", "fpc", 50), .given = "event@fpc", .reading = fpc, .n_readings = 4},
    {.spec = "value:count@R256(seed=1)",
     .given = "value@R256",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "compressors",
     .source = 2,
     .events = 76000,
     .weight = 76000,
     .distinct = 1,
     .status = {.storage_bits = 64},
     .entry = values,
     .n_entries = 1,
     .run_error = errors,
     .n_run_errors = 6},
};
static const uint64_t total[SL_MACHINE_EVENTS] = {
    [SL_MACHINE_CYCLES] = 1000000, [SL_MACHINE_INSTRUCTIONS] = 400000, [SL_MACHINE_DMISS] = 20};
static const struct sl_result_machine machine = {
    .name = "rocket", .description = "", .total = total};
static struct sl_results results = {
    .statics = &statics,
    .instructions = 400000,
    .blocks = 80000,
    .loads = 76000,
    .machine = &machine,
    .profile = profiles,
    .n_profiles = 5,
};

static void write_database(void)
{
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
}

/* ---- the database ---- */

static void test_database(void)
{
    is("SELECT * FROM reading WHERE run = 1",
       "1|1|0|cycles|1100000|1000000 1|1|1|instructions|420000|400000 1|1|2|dmiss|0|20 "
       "1|1|3|itlbmiss|0|0",
       "readings are there, with names, and what did not happen");
    is("SELECT profile, count(*), max(run) FROM reading GROUP BY profile", "1|20|4 2|1|0 3|4|0",
       "of every run");
    is("SELECT * FROM run_error WHERE profile = 4",
       "4|0|false_positive|0.01 4|0|overlap|0.9 4|1|false_positive|NULL 4|1|overlap|0.8 "
       "4|2|false_positive|0.03 4|2|overlap|0.7",
       "what was measured in each run is there");
    is("PRAGMA foreign_key_check", "", "nothing belongs to a profile that there is not");
}

/* ---- the reports ---- */

static double number(json_t *object, const char *path_)
{
    char key[100];
    for (; *path_; path_ += strcspn(path_, "/"), path_ += *path_ == '/') {
        snprintf(key, sizeof key, "%.*s", (int)strcspn(path_, "/"), path_);
        object = *key >= '0' && *key <= '9' ? json_array_get(object, (size_t)atoi(key))
                                            : json_object_get(object, key);
    }
    return json_is_number(object) ? json_number_value(object) : NAN;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-5;
}

static void test_json(void)
{
    char *text = report("json", 0, 0);
    json_t *all = json_loads(text, 0, NULL);
    ok(near(number(all, "profiles/1/readings/0/error"), -0.2) &&
           near(number(all, "profiles/1/readings/0/bits"), 30) &&
           number(all, "profiles/1/readings/0/estimate") == 800000 &&
           number(all, "profiles/1/readings/0/exact") == 1000000,
       "JSON: what a reading says, and how far it is off");
    ok(near(number(all, "profiles/1/readings/2/spread/max"), 1) &&
           near(number(all, "profiles/1/readings/2/spread/min"), 0) &&
           near(number(all, "profiles/1/readings/2/spread/median"), 0.25) &&
           near(number(all, "profiles/1/readings/2/spread/mean"), 0.4),
       "JSON: errors over runs, without their signs");
    ok(near(number(all, "profiles/1/runs/n"), 5) && near(number(all, "profiles/4/runs/n"), 3) &&
           near(number(all, "profiles/4/runs/error/overlap/median"), 0.8) &&
           near(number(all, "profiles/4/runs/error/false_positive/mean"), 0.02),
       "JSON: measures over runs, those that could not be made left out");
    ok(isnan(number(all, "profiles/1/readings/3/error")) &&
           number(all, "profiles/1/readings/3/exact") == 0 &&
           isnan(number(all, "profiles/1/readings/3/spread/mean")),
       "JSON: what did not happen has no error");
    ok(isnan(number(all, "profiles/3/readings/0/spread/mean")) &&
           isnan(number(all, "profiles/3/runs/n")) &&
           isnan(number(all, "profiles/0/readings/0/exact")),
       "JSON: one run is not spread, and exact profiles are not read");
    json_decref(all);
    free(text);
}

static void test_text(void)
{
    golden("report-runs.txt", "text", 0, 0);
    golden("report-runs-narrow.txt", "text", 2, 50);
    test_widths();
}

/* Each has 29 events, all of which happened: one screen for up to nine of them. */
static void test_screen(void)
{
    enum { FABRIC = SL_FABRIC_COUNTERS, MANY = 20 };
    static struct sl_reading reading[FABRIC];
    static struct sl_result_profile many[MANY];
    size_t lines;
    for (uint64_t i = 0; i < FABRIC; i++)
        reading[i] = (struct sl_reading){0, i, SET(sl_fabric[i]), 990 * i * i * i + 1,
                                         1000 * i * i * i + 1};
    for (size_t i = 0; i < MANY; i++) {
        many[i] = profiles[3];
        many[i].reading = reading;
        many[i].n_readings = FABRIC;
    }
    results.profile = many;
    for (results.n_profiles = 1; results.n_profiles <= MANY; results.n_profiles += 2) {
        write_database();
        char *text = report("text", 0, 100);
        size_t longest = longest_line(text, &lines);
        bool once = strstr(text, "cycles ") && !strstr(strstr(text, "cycles ") + 1, "cycles ");
        ok(longest <= 100 && once == (results.n_profiles < 10) && (!once || lines <= 38),
           "29 events, %zu profiles: %zu lines of up to %zu characters", results.n_profiles, lines,
           longest);
        free(text);
    }
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-report-runs-%ld.db", (long)getpid());
    write_database();
    test_database();
    test_json();
    test_text();
    test_screen();
    unlink(path);
    return done_testing();
}
