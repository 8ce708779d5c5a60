/* SPDX-License-Identifier: MIT */
/* Unit tests of the section of a report about the CPU model: cycles by cause, rates such as misses
 * per instruction, energy in suitable units, and the cost of messages as a percentage of the
 * cycles. */
#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "database.h"
#include "machine_event.h"
#include "report_support.h"
#include "format.h"

static struct sl_failure f;

/* ---- an invented run ---- */

#define CERTAIN(pc_, value_, count_)                                           \
    {                                                                          \
        .tuple = {pc_, value_}, .count = count_, .low = count_, .high = count_ \
    }

static const struct sl_entry functions[] = {CERTAIN(0x401000, 0, 4000000), CERTAIN(0x401200, 0, 9)};
static const struct sl_entry costly[] = {CERTAIN(0x401200, 0, 218000000)};
static const struct sl_entry values[] = {CERTAIN(0x401014, 42, 51200)};

static char *argv[] = {"./primes", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_X86_64, .path = "/home/ann/primes", .argv = argv, .ended = true},
};
static struct sl_result_profile profiles[] = {
    {.spec = "function(tail=1):cycles@exact",
     .detector = &sl_detector_function,
     .metric = "cycles",
     .table = "exact",
     .events = 4,
     .weight = 4256164,
     .distinct = 2,
     .entry = functions,
     .n_entries = 2},
    {.spec = "function(tail=1):energy@exact",
     .detector = &sl_detector_function,
     .metric = "energy",
     .table = "exact",
     .events = 4,
     .weight = 218000123,
     .distinct = 2,
     .entry = costly,
     .n_entries = 1},
    {.spec = "function(tail=1):cachepower@exact",
     .detector = &sl_detector_function,
     .metric = "cachepower",
     .table = "exact",
     .events = 4,
     .weight = 1900,
     .distinct = 1},
    {.spec = "value:count@P256(seed=1)",
     .detector = &sl_detector_value,
     .metric = "count",
     .table = "compressors",
     .events = 76000,
     .weight = 76000,
     .distinct = 1,
     .status = {.storage_bits = 8, .sends = true, .messages = 2970},
     .entry = values,
     .n_entries = 1},
};

/* Everything happens, all of it different: 1,000,000 cycles for each cause and some. */
static uint64_t totals[SL_MACHINE_EVENTS];
static const struct sl_result_profiler profiler = {
    .profile = 3, .queue = 16, .branches = 573611, .work = 1500000, .cycles_without = 10900000};
static struct sl_result_machine machine = {
    "rocket,l2.size=2M", "core.kind = in-order\nl2.size = 2097152\npower.table = a = b\n", totals,
    .energy_factor = 0.962, .profiler = &profiler};
static struct sl_results results = {
    .statics = &statics,
    .instructions = 2837443,
    .blocks = 553612,
    .loads = 76000,
    .machine = &machine,
    .profile = profiles,
    .n_profiles = 4,
};

static void happen(void)
{
    for (uint64_t i = 0; i < SL_MACHINE_EVENTS; i++)
        totals[i] = 1000 + i;
    totals[SL_MACHINE_CYCLES] = 0;
    for (uint64_t i = SL_MACHINE_BASE; i <= SL_MACHINE_STALL_LAST; i++)
        totals[SL_MACHINE_CYCLES] += totals[i] = 1000000 + i;
    totals[SL_MACHINE_INSTRUCTIONS] = 2837443;
    totals[SL_MACHINE_FETCH_LINES] = 400000;
    totals[SL_MACHINE_DATA_ACCESSES] = 76000;
    totals[SL_MACHINE_L2_ACCESSES] = 2500;
    totals[SL_MACHINE_L3_ACCESSES] = 2100;
    totals[SL_MACHINE_PREFETCHES] = 4000;
    totals[SL_MACHINE_BRANCH] = 553611;
    totals[SL_MACHINE_JUMP] = 20000;
    totals[SL_MACHINE_ENERGY] = 218000123;
}

static void write_database(void)
{
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
}

static void change(const char *sql)
{
    sqlite3 *database;
    sqlite3_open(path, &database);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL))
        printf("# %s\n", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* ---- text ---- */

static void test_text(void)
{
    size_t lines;
    write_database();
    golden("report-machine.txt", "text", 0, 0);
    golden("report-machine-narrow.txt", "text", 2, 60);
    test_widths();
    char *text = report("text", 0, 0);
    longest_line(text, &lines);
    ok(lines <= 42,
       "with every cause of stalls and a warning, it is one screen of 40 lines and the warning "
       "(%zu lines)",
       lines);
    ok(strstr(text, "Machine ") < strstr(text, "Functions by cycles"), "the machine comes first");
    free(text);
}

/* The rows of the stack: how many, and what their numbers add up to. They are between the
 * line with the CPI and that of the profiler. */
static uint64_t stack_of(const char *text, int *rows)
{
    const char *line = strchr(strstr(text, "CPI "), '\n');
    uint64_t sum = 0;
    for (*rows = 0; line && strncmp(line, "\n  profiler: ", 13); ++*rows) {
        uint64_t number = 0;
        const char *c = line + 1 + strspn(line + 1, " ");
        for (; *c == ',' || (*c >= '0' && *c <= '9'); c++)
            number = *c == ',' ? number : 10 * number + (uint64_t)(*c - '0');
        sum += number;
        line = strchr(line + 1, '\n');
    }
    return sum;
}

static void test_stack(void)
{
    int rows;
    write_database();
    char *text = report("text", 0, 200);
    uint64_t sum = stack_of(text, &rows);
    ok(rows == SL_MACHINE_STALL_LAST - SL_MACHINE_BASE + 1 && sum == totals[SL_MACHINE_CYCLES],
       "the causes add up to the cycles (%d rows)", rows);
    free(text);
    totals[SL_MACHINE_CYCLES] -= totals[SL_MACHINE_STALL_ITLB] + totals[SL_MACHINE_STALL_PROFILER];
    totals[SL_MACHINE_STALL_ITLB] = totals[SL_MACHINE_STALL_PROFILER] = 0;
    write_database();
    text = report("text", 0, 200);
    sum = stack_of(text, &rows);
    ok(rows == SL_MACHINE_STALL_LAST - SL_MACHINE_BASE - 1 && sum == totals[SL_MACHINE_CYCLES],
       "those that cost nothing are left out");
    free(text);
    happen();
}

static void test_absent(void)
{
    totals[SL_MACHINE_L2_ACCESSES] = totals[SL_MACHINE_L2MISS] = 0;
    totals[SL_MACHINE_L3_ACCESSES] = totals[SL_MACHINE_PREFETCHES] = 0;
    totals[SL_MACHINE_ITLB_MISS] = totals[SL_MACHINE_DTLB_MISS] = 0;
    totals[SL_MACHINE_ENERGY] = totals[SL_MACHINE_JUMP] = 0;
    write_database();
    char *text = report("text", 0, 0);
    ok(!strstr(text, "L2 ") && !strstr(text, "L3 ") && !strstr(text, "prefetched") &&
           !strstr(text, "ITLB 0") && !strstr(text, "DTLB 0") && !strstr(text, "energy 2") &&
           !strstr(text, "others") && strstr(text, "L1I ") && strstr(text, "L1D "),
       "what the machine does not have is not spoken of");
    free(text);
    memset(totals, 0, sizeof totals);
    write_database();
    text = report("text", 0, 0);
    ok(strstr(text, "0 instructions, 0 cycles\n") && !strstr(text, "nan") && !strstr(text, "inf"),
       "nor is anything of a run without instructions");
    free(text);
    happen();
    results.machine = NULL;
    write_database();
    text = report("text", 0, 0);
    ok(!strstr(text, "Machine"), "nor of a machine that there is not");
    free(text);
    results.machine = &machine;
}

static void test_energy(void)
{
    static const struct {
        uint64_t picojoules;
        const char *text;
    } cases[] = {
        {0, "0 pJ"},
        {999, "999 pJ"},
        {1000, "1.00 nJ"},
        {9994, "9.99 nJ"},
        {9996, "10.0 nJ"},
        {99960, "100 nJ"},
        {999499, "999 nJ"},
        {999500, "1.00 \xc2\xb5J"},
        {7035156147, "7.04 mJ"},
        {UINT64_C(999999999999), "1.00 J"},
        {UINT64_MAX, "18446744 J"},
    };
    char capacity[SL_FORMAT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(!strcmp(sl_format_energy(cases[i].picojoules, capacity), cases[i].text),
           "energy: %s is %s", capacity, cases[i].text);
}

static void correction(double factor, bool extrapolated, const char *wanted, const char *name)
{
    machine.energy_factor = factor;
    machine.energy_extrapolated = extrapolated;
    write_database();
    char *text = report("text", 0, 200), *json = report("json", 0, 0);
    json_t *parsed = json_loads(json, 0, NULL);
    json_t *said = json_object_get(json_object_get(parsed, "machine"), "energy_correction");
    json_t *is_extrapolated = json_object_get(said, "extrapolated");
    ok(strstr(text, wanted) &&
           (isnan(factor) ? json_is_null(said) : extrapolated == json_is_true(is_extrapolated)),
       "%s", name);
    json_decref(parsed);
    free(text);
    free(json);
    machine.energy_factor = 0.962;
    machine.energy_extrapolated = false;
}

static void test_correction(void)
{
    const char *described = machine.description;
    correction(1.5, false,
               "(327 \xc2\xb5J corrected for stalls, not calibrated for this CPU model)\n",
               "energy that is not calibrated is reported as such");
    correction((double)NAN, false, "energy 218 \xc2\xb5J (not calibrated for this CPU model)\n",
               "nor where it is not corrected");
    machine.description = "core.kind = in-order\npower.calibrated = 1\nras.depth = 0\n";
    correction(1.5, false, "energy 218 \xc2\xb5J (327 \xc2\xb5J corrected for stalls)\n",
               "corrected energy stands next to what the powers give");
    correction(1.5, true, "(327 \xc2\xb5J corrected for stalls, extrapolated)\n",
               "and the report marks a guessed factor");
    correction((double)NAN, false, "energy 218 \xc2\xb5J\n",
               "nothing is reported where there is none");
    machine.description = described;
}

static void test_profiler(void)
{
    machine.profiler = NULL;
    write_database();
    char *text = report("text", 0, 0), *json = report("json", 0, 0);
    json_t *parsed = json_loads(json, 0, NULL);
    ok(!strstr(text, "profiler: ") &&
           json_is_null(json_object_get(json_object_get(parsed, "machine"), "profiler")),
       "a profiler that causes no waiting is not mentioned");
    json_decref(parsed);
    free(text);
    free(json);
    machine.profiler = &profiler;
}

/* ---- JSON ---- */

static void test_json(void)
{
    write_database();
    golden("report-machine.json", "json", 0, 0);
    char *text = report("json", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL), *said = json_object_get(parsed, "machine");
    json_t *stack = json_object_get(said, "cycle_stack"), *value;
    json_int_t sum = 0;
    const char *key;
    json_object_foreach(stack, key, value) sum += json_integer_value(value);
    ok(sum && sum == json_integer_value(json_object_get(said, "cycles")),
       "JSON: the causes add up to the cycles");
    size_t named = 1 + json_object_size(stack) + json_object_size(json_object_get(said, "events"));
    ok(named == SL_MACHINE_TOTALS, "JSON: all that can happen is there, once");
    value = json_object_get(json_object_get(said, "description"), "power.table");
    ok(value && !strcmp(json_string_value(value), "a = b"), "JSON: a value may have signs in it");
    json_decref(parsed);
    free(text);
    memset(totals, 0, sizeof totals);
    write_database();
    text = report("json", 0, 0);
    parsed = json_loads(text, 0, NULL);
    ok(json_is_null(json_object_get(json_object_get(parsed, "machine"), "cpi")),
       "JSON: without instructions there is no CPI");
    json_decref(parsed);
    free(text);
    happen();
}

/* ---- overhead ---- */

/* The report of profile 3's messages: text, and in JSON. */
static void overhead(const char *wanted, const char *of, double share, const char *name)
{
    write_database();
    char *text = report("text", 0, 0), *json = report("json", 0, 0);
    json_t *parsed = json_loads(json, 0, NULL);
    json_t *profile = json_array_get(json_object_get(parsed, "profiles"), 3);
    json_t *messages = json_object_get(profile, "messages");
    double got = json_real_value(json_object_get(messages, "overhead"));
    const char *got_of = json_string_value(json_object_get(messages, "overhead_of"));
    ok(strstr(text, wanted) && got_of && !strcmp(got_of, of) && got > share * 0.99999 &&
           got < share * 1.00001,
       "%s", name);
    json_decref(parsed);
    free(text);
    free(json);
}

static void test_overhead(void)
{
    totals[SL_MACHINE_CYCLES] = 8910000;
    overhead("(overhead 1.00% of cycles)", "cycles", 0.01,
             "messages cost a share of the machine's cycles");
    results.machine = NULL;
    overhead("(overhead 3.14% of instructions)", "instructions", 89100.0 / 2837443,
             "without a machine of the instructions");
    results.machine = &machine;
    happen();
}

/* ---- damage ---- */

static void refused(const char *sql, const char *name)
{
    struct sl_report_config config = {.size = sizeof config};
    write_database();
    change(sql);
    FILE *out = fopen("/dev/null", "w");
    int result = sl_report(path, &config, out, &f);
    fclose(out);
    ok(result == SL_EFORMAT && strstr(f.text, "is damaged"), "%s: %s", name, f.text);
}

static void test_damage(void)
{
    refused("INSERT INTO machine VALUES ('b', '', NULL, 0)", "two machines");
    refused("INSERT INTO machine_event VALUES ('miracle', 'water into wine', 1)",
            "name of a machine event is unknown");
    refused("DROP TABLE machine_event", "a table that is missing");
    write_database();
    change("UPDATE machine SET description = x'ff203d20ff0a3d0a', name = 'a' || char(27) || 'b'");
    char *json = report("json", 0, 0), *text = report("text", 0, 0);
    json_t *parsed = json_loads(json, 0, NULL);
    ok(parsed && strstr(text, "CPU model a?b"), "bytes that are no text do no harm");
    json_decref(parsed);
    free(json);
    free(text);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-machine-%d.db", (int)getpid());
    happen();
    test_text();
    test_stack();
    test_absent();
    test_energy();
    test_correction();
    test_profiler();
    test_json();
    test_overhead();
    test_damage();
    unlink(path);
    return done_testing();
}
