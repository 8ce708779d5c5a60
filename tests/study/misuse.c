/* SPDX-License-Identifier: MIT */
/* Calls every public function with missing, zero and huge arguments, twice and in wrong orders. A
 * function with a status returns SL_EUSAGE, the others do nothing: no call crashes or hangs.
 * tests/cli/tree.t checks that every public function is called here. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sluice-study.h"
#include "tap.h"

static unsigned n_calls, n_wrong;
static struct sl_failure f;
static char directory[] = "/tmp/misuse.XXXXXX";

static void check_refusal(int result, const char *call)
{
    n_calls++;
    if (result == SL_EUSAGE && f.code == SL_EUSAGE && f.text[0] && !strchr(f.text, '\n')) {
        f = (struct sl_failure){0};
        return;
    }
    n_wrong++;
    fprintf(stderr, "# %s: %d %s\n", call, result, f.text);
}

/* The call is refused, also without a struct sl_failure. */
#define REFUSED(call) check_refusal(call, #call)

static void check_all(const char *name)
{
    ok(n_calls && !n_wrong, "%s (%u calls)", name, n_calls);
    n_calls = n_wrong = 0;
}

static void left_out(void *context, const char *message)
{
    (void)context, (void)message;
}

static bool take(void *context, const struct sl_entry *entry)
{
    (void)context, (void)entry;
    return true;
}

static struct sl_session *open_session(const char *spec)
{
    struct sl_session *session = NULL;
    struct sl_session_config config = {.size = sizeof config, .spec = &spec, .n_specs = 1};
    return sl_session_open(&session, &config, NULL) ? NULL : session;
}

static struct sl_source *open_source(void)
{
    struct sl_source *source = NULL;
    return sl_source_open(&source, "synth:zipf(events=3000)", NULL) ? NULL : source;
}

/* ---- missing arguments ---- */

static void test_missing_session(void)
{
    struct sl_session *session = open_session("value@exact");
    struct sl_source *source = open_source();
    struct sl_session_config config = {.size = sizeof config, .n_specs = 3};
    struct sl_process process = {.pid = 1};
    struct sl_session_callbacks callbacks = {0};
    struct sl_live_functions functions;
    struct sl_function_place place;
    const char *none = NULL;
    char text[8] = "";
    REFUSED(sl_session_open(NULL, &config, &f));
    struct sl_session *unset = (struct sl_session *)&f;
    REFUSED(sl_session_open(&unset, NULL, &f));
    REFUSED(sl_session_open(&unset, &config, &f));
    config.spec = &none, config.n_specs = 1;
    REFUSED(sl_session_open(&unset, &config, &f));
    config.n_specs = 0, config.n_more_machines = SIZE_MAX;
    REFUSED(sl_session_open(&unset, &config, &f));
    REFUSED(sl_session_run(NULL, source, NULL, NULL, &f));
    REFUSED(sl_session_run(session, NULL, NULL, NULL, &f));
    REFUSED(sl_session_add_process(NULL, &process, &f));
    REFUSED(sl_session_add_process(session, NULL, &f));
    REFUSED(sl_session_add_process(session, &process, &f));
    process.program = "/bin/true";
    process.database = "/dev/zero";
    REFUSED(sl_session_add_process(session, &process, &f));
    process.database = "/nowhere/x.db";
    REFUSED(sl_session_add_process(session, &process, &f));
    REFUSED(sl_session_save(NULL, "/nowhere/x", &f));
    REFUSED(sl_session_save(session, NULL, &f));
    REFUSED(sl_session_can_save(NULL, &f));
    REFUSED(sl_session_set_callbacks(NULL, &callbacks, &f));
    REFUSED(sl_session_set_callbacks(session, NULL, &f));
    REFUSED(sl_session_conclude(NULL, &f));
    REFUSED(sl_session_functions(NULL, &functions, &f));
    REFUSED(sl_session_functions(session, NULL, &f));
    REFUSED(sl_session_functions(session, &functions, &f)); /* no profile has functions */
    sl_session_function_place(NULL, 1, &place);
    sl_session_function_place(session, UINT64_MAX, &place);
    sl_session_function_place(session, 1, NULL);
    ok(!sl_session_live_profile(NULL, 0) && !sl_session_live_profile(session, SIZE_MAX) &&
           sl_session_live_profile(session, 0) && sl_short_name(NULL, 0),
       "there are no profiles without a session");
    sl_session_read_ahead(NULL);
    sl_session_pause(NULL);
    sl_session_close(NULL);
    sl_live_text(NULL, text, sizeof text, text, sizeof text);
    sl_live_text(NULL, NULL, 0, NULL, 0);
    ok(!unset && !sl_session_needs(NULL) && !sl_session_instructions(NULL) && !sl_live_json(NULL),
       "without a session, there is nothing");
    check_all("missing arguments of sessions are refused");
    sl_session_close(session);
    sl_source_close(source);
}

static void test_missing_reports(void)
{
    struct sl_report_config report = {.size = sizeof report};
    struct sl_annotate_config annotate = {.size = sizeof annotate};
    struct sl_diff_config diff = {.size = sizeof diff};
    struct sl_regression change;
    struct sl_nearest nearest;
    char hint[SL_NEAREST_BYTES];
    const char *files[] = {"/nowhere/a", NULL};
    REFUSED(sl_report(NULL, &report, stdout, &f));
    REFUSED(sl_report("/nowhere", NULL, stdout, &f));
    REFUSED(sl_report("/nowhere", &report, NULL, &f));
    REFUSED(sl_report_file(NULL, &report, "/nowhere/x", &f));
    REFUSED(sl_report_file("/nowhere", NULL, "/nowhere/x", &f));
    REFUSED(sl_report_file("/nowhere", &report, NULL, &f));
    REFUSED(sl_report_can_write(NULL, "/nowhere", &f));
    REFUSED(sl_report_can_write("/nowhere", NULL, &f));
    REFUSED(sl_report_check(NULL, &f));
    REFUSED(sl_report_check_specs(NULL, NULL, 0, &f));
    REFUSED(sl_report_check_specs(&report, NULL, 1, &f));
    REFUSED(sl_annotate(NULL, &annotate, stdout, &f));
    REFUSED(sl_annotate("/nowhere", NULL, stdout, &f));
    REFUSED(sl_annotate("/nowhere", &annotate, NULL, &f));
    REFUSED(sl_diff(NULL, "/nowhere", &diff, stdout, &change, &f));
    REFUSED(sl_diff("/nowhere", NULL, &diff, stdout, &change, &f));
    REFUSED(sl_diff("/nowhere", "/nowhere", NULL, stdout, &change, &f));
    REFUSED(sl_diff("/nowhere", "/nowhere", &diff, NULL, &change, &f));
    REFUSED(sl_diff("/nowhere", "/nowhere", &diff, stdout, NULL, &f));
    REFUSED(sl_merge(NULL, files, 1, left_out, NULL, &f));
    REFUSED(sl_merge("/nowhere/m", NULL, 1, left_out, NULL, &f));
    REFUSED(sl_merge("/nowhere/m", files, 2, left_out, NULL, &f));
    REFUSED(sl_merge("/nowhere/m", files, 1, NULL, NULL, &f));
    REFUSED(sl_merge("/nowhere/m", files, 0, left_out, NULL, &f));
    REFUSED(sl_list(NULL, stdout, &f));
    REFUSED(sl_list("tables", NULL, &f));
    REFUSED(sl_flush_output(NULL, "x", &f));
    REFUSED(sl_flush_output(stdout, NULL, &f));
    sl_print_line(NULL, "%s", "x");
    sl_nearest_start(NULL, "x", 1);
    sl_nearest_start(&nearest, NULL, SIZE_MAX);
    sl_nearest_start(&nearest, NULL, 3);
    sl_nearest_offer(NULL, "x");
    sl_nearest_offer(&nearest, NULL);
    ok(!strcmp(sl_nearest_hint(NULL, hint), ";") && !strcmp(sl_nearest_hint(&nearest, NULL), ";") &&
           !sl_report_default_specs(NULL, true),
       "without a word, no name is suggested");
    sl_survive_truncated_files();
    check_all("missing arguments of reports are refused");
}

static void test_missing_sources(void)
{
    struct sl_source *source = open_source(), *unset = (struct sl_source *)&f;
    char *no_argument[] = {NULL};
    struct sl_guest guest = {.size = sizeof guest};
    struct sl_load_sampling sampling = {0};
    struct sl_instructions *instructions = (struct sl_instructions *)&f;
    struct sl_instruction instruction;
    REFUSED(sl_source_run(NULL, &guest, &f));
    REFUSED(sl_source_run(&unset, NULL, &f));
    REFUSED(sl_source_run(&unset, &guest, &f));
    guest.argv = no_argument;
    REFUSED(sl_source_run(&unset, &guest, &f));
    guest.path = "/bin/true";
    REFUSED(sl_source_run(&unset, &guest, &f));
    REFUSED(sl_source_open(NULL, "synth:zipf", &f));
    REFUSED(sl_source_open(&unset, NULL, &f));
    ok(!unset, "after a refusal there is no source");
    REFUSED(sl_source_sample_loads(NULL, &sampling, &f));
    REFUSED(sl_source_sample_loads(source, NULL, &f));
    sampling = (struct sl_load_sampling){UINT32_MAX, UINT32_MAX};
    REFUSED(sl_source_sample_loads(source, &sampling, &f));
    REFUSED(sl_can_record(NULL, &f));
    REFUSED(sl_record(NULL, "/nowhere/x", NULL, NULL, NULL, &f));
    REFUSED(sl_record(source, NULL, NULL, NULL, NULL, &f));
    REFUSED(sl_instructions_open(NULL, source, &f));
    REFUSED(sl_instructions_open(&instructions, NULL, &f));
    REFUSED(sl_instructions_next(NULL, &instruction, &f));
    sl_instructions_close(instructions);
    sl_source_run_range(NULL, UINT64_MAX, UINT64_MAX);
    sl_source_stop(NULL);
    sl_source_let_go(NULL);
    sl_source_close(NULL);
    ok(!sl_source_contents(NULL) && !sl_source_signal(NULL, 9) && !sl_source_process(NULL) &&
           !sl_source_replaced(NULL) && !sl_source_status(NULL),
       "without a source, there is nothing");
    ok(sl_class_name((enum sl_class)INT_MAX) && sl_class_name((enum sl_class) - 1) &&
           sl_branch_name((enum sl_branch)INT_MAX) && sl_branch_name((enum sl_branch) - 1),
       "unknown classes have a name");
    check_all("missing arguments of sources are refused");
    sl_source_close(source);
}

static void test_missing_study(void)
{
    struct sl_session *session = open_session("value@exact");
    struct sl_source *source = open_source();
    struct sl_comparisons *comparisons = NULL;
    struct sl_compare_config compare = {.size = sizeof compare};
    struct sl_sweep_config sweep = {.size = sizeof sweep};
    struct sl_sweep_report_config sweep_report = {.size = sizeof sweep_report};
    struct sl_simpoint_config simpoint = {.size = sizeof simpoint};
    struct sl_slices_config slices = {.size = sizeof slices};
    struct sl_convert_config convert = {.size = sizeof convert};
    struct sl_rtl_config rtl = {.size = sizeof rtl};
    char note[100];
    REFUSED(sl_session_compare(NULL, &comparisons, &f));
    REFUSED(sl_session_compare(session, NULL, &f));
    REFUSED(sl_session_compare(session, &comparisons, &f));
    REFUSED(sl_compare(NULL, &compare, stdout, &f));
    REFUSED(sl_sweep(NULL, &sweep, &f));
    REFUSED(sl_sweep("/nowhere/s.db", NULL, &f));
    REFUSED(sl_sweep("/nowhere/s.db", &sweep, &f));
    sweep.n_streams = SIZE_MAX;
    REFUSED(sl_sweep("/nowhere/s.db", &sweep, &f));
    sweep = (struct sl_sweep_config){.size = sizeof sweep, .n_specs = SIZE_MAX};
    REFUSED(sl_sweep("/nowhere/s.db", &sweep, &f));
    REFUSED(sl_sweep_work(NULL, 0, &f));
    REFUSED(sl_sweep_report(NULL, &sweep_report, stdout, &f));
    REFUSED(sl_sweep_report("/nowhere", NULL, stdout, &f));
    REFUSED(sl_sweep_report("/nowhere", &sweep_report, NULL, &f));
    REFUSED(sl_simpoint(NULL, "/nowhere/d", &simpoint, &f));
    REFUSED(sl_simpoint("/nowhere", NULL, &simpoint, &f));
    REFUSED(sl_simpoint("/nowhere", "/nowhere/d", NULL, &f));
    REFUSED(sl_slices_report(NULL, &slices, stdout, &f));
    REFUSED(sl_slices_report("/nowhere", NULL, stdout, &f));
    REFUSED(sl_slices_report("/nowhere", &slices, NULL, &f));
    REFUSED(sl_convert(NULL, &convert, note, sizeof note, &f));
    REFUSED(sl_convert(source, NULL, note, sizeof note, &f));
    REFUSED(sl_convert(source, &convert, NULL, 1, &f));
    REFUSED(sl_convert(source, &convert, NULL, 0, &f));
    convert.format = "bb";
    REFUSED(sl_convert(source, &convert, note, sizeof note, &f));
    REFUSED(sl_rtl(NULL, stdout, &f));
    REFUSED(sl_rtl(&rtl, NULL, &f));
    REFUSED(sl_rtl(&rtl, stdout, &f));
    rtl.spec = "value@R64";
    REFUSED(sl_rtl(&rtl, stdout, &f));
    sl_comparisons_free(NULL);
    ok(!sl_is_slices(NULL), "no path is not a list of slices");
    check_all("missing arguments of studies are refused");
    sl_session_close(session);
    sl_source_close(source);
}

/* ---- tables ---- */

static const char *const specs[] = {
    "exact",       "P64",         "R64",         "A16",        "H[P256]2048+A16", "singlehash",
    "multihash",   "hpt",         "wpp",         "leap",       "snoopp",          "morris",
    "fpc",         "multiplexed", "spacesaving", "misragries", "countmin",        "countsketch",
    "heavykeeper", "elastic",     "cocosketch"};
#define N_SPECS (sizeof specs / sizeof *specs)

static void test_tables(void)
{
    struct sl_table_host host = {.names = SIZE_MAX}, none = {0};
    struct sl_table_status status;
    struct sl_batch batch = {0};
    struct sl_event event = {.tuple = {UINT64_MAX, UINT64_MAX}, .weight = 1};
    struct sl_table *table = (struct sl_table *)&f;
    void *memory = NULL;
    size_t bytes = sl_table_bytes("R64", NULL, &f), n_opened = 0;
    ok(bytes && bytes == sl_table_bytes("R64", &none, &f), "a table has a size without a host");
    ok(!posix_memalign(&memory, 64, bytes), "(memory)");
    memset(memory, 0, bytes);
    REFUSED(sl_table_open(NULL, "R64", NULL, &f));
    REFUSED(sl_table_open(&table, NULL, NULL, &f));
    REFUSED(sl_table_open(&table, "", NULL, &f));
    REFUSED(sl_table_open(&table, "R64", &host, &f));
    ok(!table, "after a refusal there is no table");
    REFUSED(sl_table_place(NULL, "R64", &none, memory, &f));
    REFUSED(sl_table_place(&table, NULL, &none, memory, &f));
    REFUSED(sl_table_place(&table, "R64", &none, NULL, &f));
    REFUSED(sl_table_place(&table, "R64", &none, (char *)memory + 8, &f));
    REFUSED(sl_table_place(&table, "R64", &host, memory, &f));
    REFUSED(sl_table_reset(NULL, &f));
    ok(!sl_table_bytes(NULL, NULL, &f) && f.code == SL_EUSAGE && !sl_table_storage(NULL, &f) &&
           f.code == SL_EUSAGE && !sl_table_bytes("R64", &host, NULL),
       "no table has no size");
    ok(!sl_table_place(&table, "R64", NULL, memory, &f), "a table needs no host");
    sl_table_close(table);
    free(memory);
    sl_table_step(NULL, &event);
    sl_table_observe(NULL, &batch);
    sl_table_finish(NULL);
    sl_table_drain(NULL, NULL, take, NULL);
    sl_table_status(NULL, &status);
    sl_table_close(NULL);
    for (size_t i = 0; i < N_SPECS; i++) {
        if (sl_table_open(&table, specs[i], NULL, &f)) {
            fprintf(stderr, "# %s: %s\n", specs[i], f.text);
            continue;
        }
        n_opened++;
        sl_table_drain(table, NULL, take, NULL); /* before an event */
        sl_table_status(table, &status);
        sl_table_step(table, NULL);
        sl_table_observe(table, NULL);
        sl_table_observe(table, &batch); /* empty */
        for (int k = 0; k < 3; k++)
            sl_table_step(table, &event);
        sl_table_finish(table);
        sl_table_finish(table);
        sl_table_step(table, &event);
        sl_table_drain(table, NULL, take, NULL);
        sl_table_drain(table, NULL, NULL, NULL);
        sl_table_status(table, NULL);
        sl_table_status(table, &status);
        n_wrong += sl_table_reset(table, NULL) || sl_table_reset(table, NULL);
        sl_table_close(table);
    }
    ok(n_opened == N_SPECS, "%zu kinds of tables stand calls in any order", n_opened);
    check_all("missing arguments of tables are refused");
}

/* ---- wrong orders, and huge values ---- */

static void test_orders(void)
{
    char path[100];
    struct sl_session *session = open_session("value@multihash");
    struct sl_source *source = open_source(), *second = open_source();
    struct sl_session_callbacks callbacks = {0};
    struct sl_comparisons *comparisons;
    struct sl_process process = {.program = "/bin/true", .pid = UINT64_MAX, .parent = UINT64_MAX};
    snprintf(path, sizeof path, "%s/a.db", directory);
    REFUSED(sl_session_save(session, path, &f));
    REFUSED(sl_session_conclude(session, &f));
    sl_session_pause(session);
    sl_session_read_ahead(session);
    sl_session_read_ahead(session);
    ok(!sl_session_run(session, source, NULL, NULL, &f), "a session runs");
    REFUSED(sl_session_run(session, source, NULL, NULL, &f));
    REFUSED(sl_session_run(session, second, NULL, NULL, &f));
    REFUSED(sl_session_conclude(session, &f));
    REFUSED(sl_session_set_callbacks(session, &callbacks, &f));
    sl_session_pause(session);
    ok(!sl_session_save(session, path, &f) && !sl_session_save(session, path, &f),
       "its results can be saved twice");
    ok(!sl_session_compare(session, &comparisons, &f), "they can be compared");
    sl_comparisons_free(comparisons);
    ok(!sl_session_add_process(session, &process, &f) && sl_session_save(session, path, &f) <= 0,
       "a process of no parent does not crash");
    sl_session_close(session);
    session = open_session("load@exact"); /* synthetic streams have no addresses */
    REFUSED(sl_session_run(session, second, NULL, NULL, &f));
    REFUSED(sl_session_run(session, second, NULL, NULL, &f));
    REFUSED(sl_session_save(session, path, &f));
    REFUSED(sl_session_conclude(session, &f));
    sl_session_close(session);
    struct sl_instructions *instructions = NULL;
    struct sl_instruction instruction;
    if (!sl_instructions_open(&instructions, second, &f)) {
        REFUSED(sl_instructions_next(instructions, NULL, &f));
        for (int i = 0; i < 3; i++)
            sl_instructions_next(instructions, &instruction, &f);
        sl_instructions_close(instructions);
    }
    sl_source_stop(second);
    sl_source_let_go(second);
    sl_source_let_go(second);
    sl_source_close(source);
    sl_source_close(second);
    check_all("calls in a wrong order are refused");
}

static void test_huge(void)
{
    char path[100], other[100], note[4] = "";
    const char *spec = "value@exact", *files[] = {path, path, path};
    struct sl_session *session = NULL;
    struct sl_source *source = open_source();
    struct sl_session_config config = {.size = sizeof config,
                                       .spec = &spec,
                                       .n_specs = 1,
                                       .memory_bytes = UINT64_MAX,
                                       .keep = UINT64_MAX,
                                       .exact = true,
                                       .window = UINT64_MAX,
                                       .every = UINT64_MAX,
                                       .curve_points = UINT64_MAX,
                                       .threads = UINT_MAX,
                                       .error_executions = UINT64_MAX,
                                       .error_share = 1e300,
                                       .error_covered = 1e300};
    struct sl_report_config report = {
        .size = sizeof report, .n = SIZE_MAX, .width = UINT_MAX, .height = UINT_MAX};
    struct sl_annotate_config annotate = {
        .size = sizeof annotate, .n = SIZE_MAX, .width = UINT_MAX};
    struct sl_diff_config diff = {.size = sizeof diff, .n = SIZE_MAX, .width = UINT_MAX};
    struct sl_convert_config convert = {
        .size = sizeof convert, .format = "slt", .path = other, .interval = UINT64_MAX};
    struct sl_regression change;
    FILE *out = fopen("/dev/null", "w");
    snprintf(path, sizeof path, "%s/b.db", directory);
    snprintf(other, sizeof other, "%s/m.db", directory);
    sl_source_run_range(source, 0, UINT64_MAX);
    ok(!sl_session_open(&session, &config, &f) &&
           !sl_session_run(session, source, NULL, NULL, &f) && !sl_session_save(session, path, &f),
       "huge limits are limits: %s", f.text);
    sl_session_close(session);
    sl_source_close(source);
    ok(!sl_report(path, &report, out, &f), "a report of any width and length: %s", f.text);
    report.process = UINT64_MAX;
    ok(sl_report(path, &report, out, &f) < 0, "a process that does not exist is not reported");
    ok(sl_annotate(path, &annotate, out, &f) < 0, "there is nothing to annotate");
    ok(!sl_diff(path, path, &diff, out, &change, &f), "a comparison of any width: %s", f.text);
    ok(!sl_merge(other, files, 3, left_out, NULL, &f), "a database is merged with itself: %s",
       f.text);
    config = (struct sl_session_config){
        .size = sizeof config, .spec = &spec, .n_specs = 1, .runs = UINT64_MAX};
    ok(sl_session_open(&session, &config, &f) < 0 && !session, "2^64 repetitions are refused");
    unlink(other);
    source = open_source();
    int converted = sl_convert(source, &convert, note, sizeof note, &f);
    ok(converted <= 0 && memchr(note, 0, sizeof note), "a note is no longer than its capacity");
    sl_source_close(source);
    fclose(out);
    ok(sl_sweep_work(directory, SIZE_MAX, &f) < 0, "a job that does not exist is not run");
    ok(sl_version() && sl_version_number() == SL_VERSION_NUMBER, "the library has a version");
}

int main(void)
{
    char command[100];
    if (!mkdtemp(directory))
        return 1;
    test_missing_session();
    test_missing_reports();
    test_missing_sources();
    test_missing_study();
    test_tables();
    test_orders();
    test_huge();
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command) ? 1 : done_testing();
}
