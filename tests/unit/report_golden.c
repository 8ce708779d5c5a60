/* SPDX-License-Identifier: MIT */
/* Unit tests of the reports of a small run whose results are defined in the test. The reports are
 * compared with tests/golden/report*. SQL statements write the names of functions and files to the
 * database, so that the expected reports do not depend on a compiler or library. */
#include <jansson.h>
#include <unistd.h>

#include "database.h"
#include "report_support.h"

#define ENTRY(pc_, value_, count_)              \
    {                                           \
        .tuple = {pc_, value_}, .count = count_ \
    }

static const struct sl_entry functions[] = {
    ENTRY(0x401000, 0, 2500000), ENTRY(0x401200, 0, 300000), ENTRY(0x7f0010, 0, 20000),
    ENTRY(0x7f5000, 0, 9000),    ENTRY(0x123456, 0, 8000),   ENTRY(0, 0, 443),
};
static const struct sl_entry edges[] = {
    ENTRY(0x40101c, 0x401010, 200000),
    ENTRY(0x401020, 0x401010, 150000),
    ENTRY(0x401210, 0x401000, 10000),
    ENTRY(0x401014, 0x401030, 1),
};
static const struct sl_entry values[] = {
    ENTRY(0x401014, 42, 70000),       ENTRY(0x401014, 7, 5000),
    ENTRY(0x401204, UINT64_MAX, 400), ENTRY(0x401204, 0x7ffe12345678, 30),
    ENTRY(0x7f0014, 1234567, 20),     ENTRY(0x7f5000, 0, 1),
};
static const struct sl_entry blocks[] = {
    ENTRY(0x401000, 0x401014, 900),
    ENTRY(0x401018, 0x401018, 90),
    ENTRY(0x401200, 0x7f0014, 9),
};
static const struct sl_entry types[] = {ENTRY(0x401210, 0x55550040, 12), ENTRY(0x401210, 0, 1)};

static char *argv[] = {"./primes", "10000", "two words", "", NULL};

static struct sl_statics statics = {
    .program =
        {
            .arch = SL_ARCH_X86_64,
            .path = "/home/ann/primes",
            .argv = argv,
            .ended = true,
            .threads = 2,
        },
};

static struct sl_result_profile profiles[] = {
    {.spec = "function:instructions@exact(memory=1073741824)",
     .detector = &sl_detector_function,
     .metric = "instructions",
     .table = "exact",
     .events = 553612,
     .weight = 2837443,
     .distinct = 6,
     .status = {.storage_bits = 4096},
     .entry = functions,
     .n_entries = 6},
    {.spec = "edge:count@exact(memory=1073741824)",
     .detector = &sl_detector_edge,
     .metric = "count",
     .table = "exact",
     .events = 553611,
     .weight = 553611,
     .distinct = 1250,
     .status = {.storage_bits = 160000},
     .entry = edges,
     .n_entries = 4},
    {.spec = "value:count@multihash(tables=4,counters=2048,interval=1000000,threshold=0.1%,"
             "conservative=1,reset=0,retain=1)",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "multihash",
     .events = 76000,
     .weight = 76000,
     .distinct = 6,
     .status = {.storage_bits = 65536, .drops = 549, .drops_weight = 549},
     .entry = values,
     .n_entries = 6},
    {.spec = "block:l2miss@exact",
     .detector = &sl_detector_block,
     .metric = "l2miss",
     .table = "exact",
     .events = 999,
     .weight = 999,
     .distinct = 3,
     .status = {.storage_bits = 640},
     .entry = blocks,
     .n_entries = 3},
    {.spec = "type:count@exact",
     .detector = &sl_detector_type,
     .metric = "count",
     .table = "exact",
     .events = 13,
     .weight = 13,
     .distinct = 2,
     .status = {.storage_bits = 128},
     .entry = types,
     .n_entries = 2},
    {.spec = "call:count@exact",
     .detector = &sl_detector_call,
     .metric = "count",
     .table = "exact"},
};

static struct sl_results results = {
    .statics = &statics,
    .instructions = 2837443,
    .blocks = 553612,
    .loads = 76000,
    .warning = "",
    .profile = profiles,
    .n_profiles = 3,
};

static const char names[] =
    "INSERT INTO object VALUES (0,4198400,4206592,4096,'/home/ann/primes','primes','c0ffee'),"
    "(1,8323072,8388608,0,'/usr/lib/libc.so.6','libc.so.6',NULL);"
    "UPDATE location SET object = 0, object_address = address - 4096, file = '/home/ann/primes.c',"
    " function = 'is_prime', function_start = 4198400, line = 6 + (address & 63) / 4"
    " WHERE address >= 4198400 AND address < 4198912;"
    "UPDATE location SET object = 0, object_address = address - 4096, file = 'src/main.cc',"
    " function = 'std::vector<std::__cxx11::basic_string<char, std::char_traits<char>,"
    " std::allocator<char> >, std::allocator<std::__cxx11::basic_string<char> > >::"
    "emplace_back(char const*&&)', function_start = 4198912, line = 120"
    " WHERE address >= 4198912 AND address < 4202496;"
    "UPDATE location SET object = 1, object_address = address - 8323072,"
    " function = 'memcpy', function_start = 8323088 WHERE address / 4096 = 2032;"
    "UPDATE location SET object = 1, object_address = address - 8323072 WHERE address / 4096 = "
    "2037;";

static int write_database(void)
{
    struct sl_failure f;
    sqlite3 *database;
    unlink(path);
    if (sl_database_write(path, &results, &f)) {
        printf("# %s\n", f.text);
        return -1;
    }
    sqlite3_open(path, &database);
    int rc = sqlite3_exec(database, names, NULL, NULL, NULL);
    if (rc)
        printf("# %s\n", sqlite3_errmsg(database));
    sqlite3_close(database);
    return rc;
}

static void test_screen(void)
{
    static struct sl_entry many[5000];
    for (size_t i = 0; i < 5000; i++)
        many[i] = (struct sl_entry)ENTRY(0x401000 + i, 0, 10000 - i);
    struct sl_result_profile saved = profiles[0];
    profiles[0].entry = many;
    profiles[0].n_entries = 5000;
    profiles[0].distinct = 7000;
    write_database();
    size_t lines;
    char *text = report("text", 0, 0);
    size_t longest = longest_line(text, &lines);
    ok(longest <= 100 && lines >= 36 && lines <= 40,
       "a profile with many entries takes what others leave (%zu lines)", lines);
    free(text);
    text = report("text", 4000, 0);
    longest_line(text, &lines);
    ok(lines > 4000 && strstr(text, "; 3,000 more functions"), "as many entries as requested");
    free(text);
    text = report("json", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL);
    json_t *profile = json_array_get(json_object_get(parsed, "profiles"), 0);
    ok(json_array_size(json_object_get(profile, "entries")) == 5000, "JSON has all that was saved");
    json_decref(parsed);
    free(text);
    text = report("json", 3, 0);
    parsed = json_loads(text, 0, NULL);
    profile = json_array_get(json_object_get(parsed, "profiles"), 0);
    ok(json_array_size(json_object_get(profile, "entries")) == 3, "or as many as requested");
    json_decref(parsed);
    free(text);
    profiles[0] = saved;
}

/* Bytes that are no text, and text that would steer a terminal. */
static void test_strange(void)
{
    char *strange[] = {"\xff\xfe/x\xc3", "\x1b[31mred\n", "\xe2\x82\xac", "\xed\xa0\x80", NULL};
    statics.program.argv = strange;
    statics.program.path = "/tmp/\xff";
    write_database();
    char *text = report("text", 0, 0);
    ok(!strchr(text, '\x1b') && strstr(text, "?[31mred?") && strstr(text, "\xe2\x82\xac"),
       "control characters do not reach the terminal");
    free(text);
    text = report("json", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL);
    json_t *list = json_object_get(json_object_get(parsed, "program"), "argv");
    const char *second = json_string_value(json_array_get(list, 1));
    const char *third = json_string_value(json_array_get(list, 2));
    ok(parsed && second && !strcmp(second, strange[1]) && third && !strcmp(third, strange[2]),
       "JSON is valid whatever the arguments are, and keeps those that are text");
    json_decref(parsed);
    free(text);
    statics.program.argv = argv;
    statics.program.path = "/home/ann/primes";
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-golden-%d.db", (int)getpid());
    ok(!write_database(), "the database is written");
    golden("report.txt", NULL, 0, 0);
    golden("report.json", "json", 0, 0);
    golden("report-narrow.txt", "text", 2, 60);
    test_widths();
    test_strange();

    statics.program.exec = true;
    statics.program.forks = 3;
    statics.program.status = 3 << 8;
    statics.program.dropped_blocks = 1234;
    statics.program.dropped_mems = 99;
    results.warning = "The trace file was cut; this is what its first 12 frames hold.";
    results.range = "main";
    results.only = "load,branch";
    results.marked = true;
    snprintf(profiles[1].status.note, sizeof profiles[1].status.note, "%s",
             "the memory limit was reached after 500,000 events, so what was new then is missing.");
    results.n_profiles = 6;
    write_database();
    golden("report-notes.txt", "text", 0, 0);
    golden("report-notes.json", "json", 1, 0);
    test_widths();

    statics.program = (struct sl_program){.arch = SL_ARCH_NONE, .ended = true, .status = 11};
    results = (struct sl_results){.statics = &statics};
    write_database();
    golden("report-empty.txt", "text", 0, 0);
    golden("report-empty.json", "json", 0, 0);

    results = (struct sl_results){.statics = &statics, .profile = profiles, .n_profiles = 3};
    test_screen();
    unlink(path);
    return done_testing();
}
