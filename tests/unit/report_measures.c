/* SPDX-License-Identifier: MIT */
/* Unit tests of storing approximate profiles in the database and printing them in reports: the
 * bounds of counts, the messages of compressors, and the intervals of interval profilers. The
 * profiles are defined in the test, as in report_golden.c. */
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "database.h"
#include "report_support.h"

#define ENTRY(pc_, value_, count_, low_, high_, resident_)                                         \
    {                                                                                              \
        .tuple = {pc_, value_}, .count = count_, .low = low_, .high = high_, .resident = resident_ \
    }
#define CERTAIN(pc_, value_, count_) ENTRY(pc_, value_, count_, count_, count_, 0)

static struct sl_failure f;

/* ---- an invented run ---- */

static const struct sl_entry values[] = {
    ENTRY(0x401014, 42, 51200, 50176, 52224, 300),
    ENTRY(0x401014, 7, 2560, 2304, 2900, 0),
    ENTRY(0x401018, 1, 256, 0, 5000, 0),
    ENTRY(0x401018, 2, 12, 12, 14, 12),
    ENTRY(0x401018, 3, 10, 7, 10, 10),
    ENTRY(0x40101c, 0, 9, 9, 9, 9),
    ENTRY(0x40101c, 1, 5, UINT64_C(1) << 63, UINT64_MAX, 5),
};
static const struct sl_entry edges[] = {ENTRY(0x40101c, 0x401010, 40960, 40950, 40970, 0)};
static const struct sl_entry calls[] = {ENTRY(0x401210, 0x401000, 512, 500, 520, 0)};
static const struct sl_entry hot[] = {
    ENTRY(0x401014, 42, 30000, 29997, 30000, 0),
    ENTRY(0x401020, 5, 900, 900, 900, 0),
};
static const struct sl_entry all[] = {CERTAIN(0x401014, 42, 70000), CERTAIN(0x401014, 7, 5000)};

static const struct sl_named_value errors[] = {{"invariance", 0.0293}};
static const struct sl_curve_point points[] = {{.events = 25000, .error = 0.25},
                                               {.events = 50000, .error = 0.0625},
                                               {.events = 76000, .error = 0.0293}};
static const struct sl_named_value interval_errors[] = {
    {"invariance", 0.001},
    {"interval", 0.0104},
    {"false_positive", 0.01},
    {"neutral_positive", NAN},
};
static const struct sl_interval_row intervals[] = {
    {0, 0, 25000, 25001, 25, 3, 3, 0, 0, false, 0.02, 0.015, 0, 0.005, 0},
    {1, 25000, 25000, 25002, 25, 4, 2, 1, 2, false, 0.0008, 0, 0.0008, 0, 0},
    {2, 50000, 25000, 25003, 25, 2, 0, 2, 0, false, NAN, NAN, NAN, NAN, NAN},
    {3, 75000, 1000, 1000, 25, 100, 99, 1, 1, true, NAN, NAN, NAN, NAN, NAN},
};
static const struct sl_interval_candidate candidates[] = {
    {0, ENTRY(0x401014, 42, 10000, 9997, 10000, 0)},
    {0, ENTRY(0x402000, 6, 30, 30, 31, 0)},
    {1, ENTRY(0x401014, 42, 10000, 10000, 10000, 0)},
};
static const struct sl_interval_candidate edge_candidates[] = {
    {7, ENTRY(0x403000, 0x403100, 25, 25, 25, 0)},
};
static const uint64_t in_intervals[] = {4, 1};

static char *argv[] = {"./primes", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_X86_64, .path = "/home/ann/primes", .argv = argv, .ended = true},
};

#define BOTH                                                                                 \
    .spec = "edge:count+call:count@R256(seed=1)", .metric = "count", .table = "compressors", \
    .shared = true, .first = 1,                                                              \
    .status = {.storage_bits = 64,                                                           \
               .drops = 3,                                                                   \
               .drops_weight = 768,                                                          \
               .bounds = SL_BOUNDS_95,                                                       \
               .sends = true,                                                                \
               .messages = 1,                                                                \
               .message_weight = 256}

static struct sl_result_profile profiles[] = {
    {.spec = "value:count@H[P256]2048(seed=1)",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "compressors",
     .events = 76000,
     .weight = 76000,
     .distinct = 40,
     .status = {.storage_bits = 16384,
                .bounds = SL_BOUNDS_95,
                .sends = true,
                .messages = 2970,
                .interrupts = 29,
                .message_weight = 74800,
                .residue = 1200,
                .gap_min = 3,
                .gap_median = 128},
     .error = errors,
     .n_errors = 1,
     .curve = points,
     .n_points = 3,
     .entry = values,
     .n_entries = 7},
    {BOTH, .detector = &sl_detector_edge, .events = 41000, .weight = 41000, .distinct = 1,
     .entry = edges, .n_entries = 1, .candidate = edge_candidates, .n_candidates = 1},
    {BOTH, .detector = &sl_detector_call, .events = 700, .weight = 700, .distinct = 1,
     .entry = calls, .n_entries = 1},
    {.spec = "value:count@multihash(tables=4)",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "multihash",
     .events = 76000,
     .weight = 76000,
     .distinct = 2,
     .status = {.storage_bits = 129152, .bounds = SL_BOUNDS_CERTAIN},
     .error = interval_errors,
     .n_errors = 4,
     .interval = intervals,
     .n_intervals = 4,
     .candidate = candidates,
     .n_candidates = 3,
     .entry = hot,
     .entry_intervals = in_intervals,
     .n_entries = 2},
    {.spec = "value:count@exact",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "exact",
     .events = 76000,
     .weight = 76000,
     .distinct = 3,
     .status = {.storage_bits = 320, .bounds = SL_BOUNDS_CERTAIN},
     .entry = all,
     .n_entries = 2},
};
static struct sl_results results = {
    .statics = &statics,
    .instructions = 2837443,
    .blocks = 553612,
    .loads = 76000,
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
    is("SELECT id, shared_table, bounds, messages, interrupts, message_weight, residue, gap_min,"
       " gap_median, storage_bits, drops, drops_weight FROM profile",
       "0|0|95%|2970|29|74800|1200|3|128|16384|0|0 1|1|95%|1|0|256|0|NULL|NULL|64|3|768 "
       "2|1|95%|1|0|256|0|NULL|NULL|64|3|768 3|0|certain|NULL|NULL|NULL|NULL|NULL|NULL|129152|0|0 "
       "4|0|certain|NULL|NULL|NULL|NULL|NULL|NULL|320|0|0",
       "the status of a table is there; of messages only where it sends, of gaps only "
       "where there are two");
    is("SELECT rank, count, low, high, unsent, intervals FROM entry WHERE profile = 0",
       "1|51200|50176|52224|300|NULL 2|2560|2304|2900|0|NULL 3|256|0|5000|0|NULL "
       "4|12|12|14|12|NULL 5|10|7|10|10|NULL 6|9|9|9|9|NULL 7|5|-9223372036854775808|-1|5|NULL",
       "entries have bounds and residents");
    is("SELECT profile, rank, low, high, unsent, intervals FROM entry WHERE profile > 2",
       "3|1|29997|30000|NULL|4 3|2|900|900|NULL|1 4|1|70000|70000|NULL|NULL "
       "4|2|5000|5000|NULL|NULL",
       "entries of a table that sends nothing have no residents, those of intervals their number");
    is("SELECT * FROM error",
       "0|invariance|0.0293 3|false_positive|0.01 3|interval|0.0104 3|invariance|0.001 "
       "3|neutral_positive|NULL",
       "errors are there, NULL where there was nothing to measure");
    is("SELECT * FROM error_curve", "0|25000|0.25 0|50000|0.0625 0|76000|0.0293",
       "curves are there");
    is("SELECT * FROM interval",
       "3|0|0|25000|25001|25|3|3|0|0|0|0.02|0.015|0.0|0.005|0.0 "
       "3|1|25000|25000|25002|25|4|2|1|2|0|0.0008|0.0|0.0008|0.0|0.0 "
       "3|2|50000|25000|25003|25|2|0|2|0|0|NULL|NULL|NULL|NULL|NULL "
       "3|3|75000|1000|1000|25|100|99|1|1|1|NULL|NULL|NULL|NULL|NULL",
       "intervals are there");
    is("SELECT * FROM candidate",
       "1|7|1|4206592|4206848|25|25|25 3|0|1|4198420|42|10000|9997|10000 "
       "3|0|2|4202496|6|30|30|31 3|1|1|4198420|42|10000|10000|10000",
       "candidates are there, ranked within their interval");
    is("SELECT count(*) FROM candidate LEFT JOIN location p ON p.address = pc"
       " LEFT JOIN location q ON q.address = candidate.value JOIN profile ON profile.id = profile"
       " WHERE p.address IS NULL OR (value_type = 'target' AND q.address IS NULL)",
       "0", "the code addresses of candidates have locations");
    is("PRAGMA foreign_key_check", "", "nothing belongs to a profile that there is not");
}

static void test_without_bounds(void)
{
    profiles[4].status.bounds = SL_BOUNDS_NONE;
    write_database();
    is("SELECT count, low, high FROM entry WHERE profile = 4", "70000|NULL|NULL 5000|NULL|NULL",
       "bounds that mean nothing are NULL");
    char *text = report("json", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL);
    json_t *profile = json_array_get(json_object_get(parsed, "profiles"), 4);
    json_t *entry = json_array_get(json_object_get(profile, "entries"), 0);
    ok(entry && !json_object_get(entry, "low") && !json_object_get(entry, "high"),
       "and JSON has none");
    json_decref(parsed);
    free(text);
    profiles[4].status.bounds = SL_BOUNDS_CERTAIN;
}

/* Of what is named twice, the last counts: a long run must not be lost for it. */
static void test_twice(void)
{
    static const struct sl_named_value twice[] = {{"invariance", 0.5}, {"invariance", 0.25}};
    struct sl_result_profile kept = profiles[0];
    profiles[0].error = twice;
    profiles[0].n_errors = 2;
    write_database();
    is("SELECT value FROM error WHERE profile = 0", "0.25", "an error that comes twice is saved");
    profiles[0] = kept;
}

/* ---- reports ---- */

/* The text report of the profiles from..to alone; to be freed. */
static char *text_of(size_t from, size_t to)
{
    const struct sl_result_profile *first = results.profile;
    results.profile += from;
    results.n_profiles = to - from + 1;
    write_database();
    results.profile = first;
    results.n_profiles = 5;
    return report("text", 0, 0);
}

static void test_exact_text(void)
{
    char *bounded = text_of(4, 4);
    profiles[4].status.bounds = SL_BOUNDS_NONE;
    char *plain = text_of(4, 4);
    profiles[4].status.bounds = SL_BOUNDS_CERTAIN;
    ok(!strcmp(bounded, plain) && !strstr(plain, "storage") && !strstr(plain, "value:count@exact"),
       "the text of an exact profile says nothing but what it found");
    free(bounded);
    free(plain);
}

static void test_sharing_text(void)
{
    char *text = text_of(1, 2), *line = strstr(text, "storage");
    ok(line && !strstr(line + 1, "storage") && strstr(text, "Calls by count") < line,
       "what several detectors share is reported once, after the last of them");
    const char *dropped = "3 messages dropped";
    line = strstr(text, dropped);
    ok(line && !strstr(line + strlen(dropped), dropped), "and so is what it dropped");
    free(text);
    profiles[2].first = 2;
    text = text_of(1, 2);
    line = strstr(text, "storage");
    ok(line && strstr(line + 1, "storage"), "two tables are two");
    free(text);
    profiles[2].first = profiles[1].first;
}

static void test_intervals_text(void)
{
    char *text = text_of(3, 3);
    /* 3 + 4 + 2 candidates in three whole intervals; of 3 and then 4, 2 and then 2 stay */
    ok(strstr(text,
              "4 intervals, 3.0 candidates per interval, 57.1% of candidates still hot in the next "
              "interval, 3\n  dropped") != NULL,
       "averages leave out the interval that the run cut short");
    free(text);
    struct sl_result_profile kept = profiles[3];
    profiles[3].interval = &intervals[3];
    profiles[3].n_intervals = 1;
    text = text_of(3, 3);
    ok(strstr(text, "1 interval, the last one incomplete") != NULL,
       "a run shorter than one says so");
    free(text);
    profiles[3] = kept;
}

static void test_json_keys(void)
{
    write_database();
    char *text = report("json", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL);
    json_t *list = json_object_get(parsed, "profiles");
    static const char *const keys[] = {"shared_table", "messages", "error_curve", "intervals"};
    static const char *const there[] = {"0110", "1100", "1100", "0001", "0000"}; /* by profile */
    int wrong = json_array_size(list) != 5;
    for (size_t i = 0; i < json_array_size(list); i++)
        for (size_t k = 0; k < 4; k++)
            wrong += !!json_object_get(json_array_get(list, i), keys[k]) != (there[i][k] == '1');
    ok(!wrong, "JSON has a key where the table has something to say");
    json_decref(parsed);
    free(text);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-measures-%d.db", (int)getpid());
    write_database();
    test_database();
    golden("report-measures.txt", "text", 0, 0);
    golden("report-measures-narrow.txt", "text", 2, 60);
    golden("report-measures.json", "json", 2, 0);
    test_widths();
    size_t lines;
    char *text = report("text", 0, 0);
    longest_line(text, &lines);
    ok(lines <= 40, "with all that is measured it is one screen (%zu lines)", lines);
    free(text);
    test_without_bounds();
    test_twice();
    test_exact_text();
    test_sharing_text();
    test_intervals_text();
    test_json_keys();
    unlink(path);
    return done_testing();
}
