/* SPDX-License-Identifier: MIT */
/* Unit tests of saving a session as a database. The database contains all results, equal results
 * give equal bytes, and an error leaves the old file unchanged. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "database.h"
#include "event_set.h"
#include "machine_event.h"
#include "report_results.h"
#include "report_support.h"
#include "symbol.h"

#define TEXT_OF(x) #x
#define NUMBER_TEXT(x) TEXT_OF(x)
#define VERSION NUMBER_TEXT(SL_DATABASE_VERSION)

static struct sl_failure f;

static void test_content(void)
{
    ok(!sl_database_write(path, &results, &f), "a database is written");
    ok(files_in(folder) == 1, "and nothing else");
    is("SELECT * FROM program",
       "/bin/prog|[\"prog\",\"it's "
       "\\\"quoted\\\"\",\"\xef\xbf\xbd\"]|riscv64|139|1|2|3|4|5|10|11|12|"
       "main|NULL|1|7|NULL|careful|NULL|16|4096|before|0",
       "the program is there");
    is("SELECT * FROM profile",
       "0|edge@exact|edge|edge|count|exact|exact|target|0|0|0|110|111|112|113|114|115|"
       "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|3|108|NULL "
       "1|value@P|value@P|value|cycles|P|P|value|1|1|0|0|0|0|0|0|0|"
       "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|2|4611686018427387913|read this",
       "profiles are there");
    is("SELECT given_spec FROM profile", "edge value@P", "specs are also as they were written");
    is("SELECT profile, rank, pc, value, count FROM entry",
       "0|1|4097|4099|100 0|2|-16|8192|7 0|3|4097|-1|1 1|1|4097|291|9 "
       "1|2|4097|-1|4611686018427387904",
       "entries are there, addresses in two's complement");
    is("SELECT id, pc, hex(bytes), region_marker FROM block",
       "0|4096|9031C0C3|0 1|4097|31C0C3|2 2|8192|CC|0 3|-16|CC|1",
       "with edges, all blocks are there, with their bytes");
    is("SELECT address FROM location ORDER BY address", "-16 -1 4097 4099 8192",
       "each code address has a place, values have none");
    is("SELECT name, replace(description, char(10), ';'), energy_factor FROM machine",
       "ss4,l2.size=2M|l2.size = 2097152;l2.ways = 4;|1.25", "the machine is there");
    is("SELECT name, count FROM machine_event WHERE count > 0",
       "cycles|30 instructions|10 base|10 stall-data|20 energy|1099511627776",
       "and what happened in it");
    char all[32];
    snprintf(all, sizeof all, "%d|%d|1", SL_MACHINE_TOTALS, SL_MACHINE_TOTALS);
    is("SELECT count(*), count(DISTINCT name), min(length(summary)) > 10 FROM machine_event", all,
       "all of it, by different names");
    is("PRAGMA integrity_check", "ok", "SQLite finds nothing wrong");
    struct sl_results less = results;
    less.profile++;
    less.n_profiles--;
    sl_database_write(path, &less, &f);
    is("SELECT id, pc, hex(bytes), region_marker FROM block", "0|4096|9031C0C3|0 1|4097|31C0C3|2",
       "without, blocks that hold a saved address are");
    statics.program.ended = false;
    sl_database_write(path, &results, &f);
    is("SELECT wait_status, typeof(wait_status) FROM program", "NULL|null",
       "how a program ended is NULL when unknown");
    statics.program.ended = true;
}

/* What the machine's events are is reported by their detector: an address may be anything. */
static void test_events(void)
{
    uint64_t bit = SL_EVENT_SET_PC, event = bit | UINT64_C(1) << SL_MACHINE_DMISS;
    struct sl_entry odd[] = {ENTRY(bit | 1, 0x1003, 3), ENTRY(bit | UINT64_C(1) << 40, 0x1003, 2),
                             ENTRY(bit - 1, bit | UINT64_C(1) << 54, 1)};
    struct sl_entry events[] = {ENTRY(event, 0, 5), ENTRY(bit | 1, 0, 4)};
    struct sl_result_profile both[] = {{.spec = "edge@exact",
                                        .detector = &sl_detector_edge,
                                        .metric = "count",
                                        .table = "exact",
                                        .weight = 6,
                                        .entry = odd,
                                        .n_entries = 3},
                                       {.spec = "event@exact",
                                        .detector = &sl_detector_event,
                                        .metric = "count",
                                        .table = "exact",
                                        .source = 1,
                                        .first = 1,
                                        .weight = 9,
                                        .entry = events,
                                        .n_entries = 2}};
    struct sl_results all = {.statics = &statics, .profile = both, .n_profiles = 2};
    ok(!sl_database_write(path, &all, &f), "addresses that look like events are saved");
    is("SELECT count(*) FROM location WHERE function IS NULL", "5", "and are addresses");
    is("SELECT function FROM location WHERE function IS NOT NULL", "dmiss",
       "events have their names");
    char *text = report("text", 0, 100);
    ok(strstr(text, "  dmiss\n") && strstr(text, "  cycles\n") &&
           strstr(text, "  0x80000000000001 "),
       "in the report, both are what their detector says");
    free(text);
}

static void test_places(void)
{
    map_self();
    uint64_t here = (uint64_t)(uintptr_t)test_places;
    struct sl_entry calls[] = {ENTRY(here + 1, (uint64_t)(uintptr_t)sl_database_write, 1)};
    struct sl_result_profile profile = {.spec = "call@exact",
                                        .detector = &sl_detector_call,
                                        .metric = "count",
                                        .table = "exact",
                                        .weight = 1,
                                        .entry = calls,
                                        .n_entries = 1};
    struct sl_results real = {.statics = &statics, .profile = &profile, .n_profiles = 1};
    struct sl_symbols *symbols = sl_symbols_open(&statics);
    struct sl_db_location place;
    char wanted[1024], id[128];
    sl_database_write(path, &real, &f);
    is("SELECT (SELECT count(*) FROM machine) + (SELECT count(*) FROM machine_event)", "0",
       "without a machine there is none, and nothing happened in it");
    sl_symbols_place(symbols, here + 1, &place);
    sl_symbols_build_id(symbols, &objects[place.object_number], id, sizeof id);
    snprintf(wanted, sizeof wanted, "%s|%" PRIu64 "|%" PRIu64 "|%s|%d|%s|%s|%s", place.function,
             place.function_start, place.object_address, place.file ? place.file : "", place.line,
             place.object, id, objects[place.object_number].path);
    is("SELECT function, function_start, object_address, ifnull(file, ''), ifnull(line, 0), name, "
       "build_id, path"
       " FROM entry JOIN location ON pc = address JOIN object ON object.id = object",
       wanted, "places are what sl_symbols says");
    is("SELECT function FROM entry JOIN location ON value = address", "sl_database_write",
       "targets have names");
    is("SELECT count(*) > 3 AND min(start < \"end\") FROM object", "1", "objects are there");
    sl_symbols_close(symbols);
    while (statics.n_objects)
        free(objects[--statics.n_objects].path);
}

static void test_same(void)
{
    size_t size = 0;
    sl_database_write(path, &results, &f);
    char *first = slurp(path, &size);
    sl_database_write(path, &results, &f);
    ok(same_file(path, first, size), "the same results give the same bytes");
    free(first);
}

static void test_replacing(void)
{
    struct stat before, after;
    char other[128];
    umask(027);
    sl_database_write(path, &results, &f);
    stat(path, &before);
    ok((before.st_mode & 0777) == 0600, "it is for its owner alone: it holds what was loaded");
    umask(022);
    ok(!sl_database_write(path, &results, &f) && !stat(path, &after) &&
           before.st_ino != after.st_ino,
       "a database of ours is replaced by a new file");

    snprintf(other, sizeof other, "%s/other", folder);
    spit(other,
         "a letter to my aunt, which is rather long and says many things about the weather.");
    size_t size = 0;
    char *letter = slurp(other, &size);
    ok(sl_database_write(other, &results, &f) == SL_EUSAGE && same_file(other, letter, size),
       "another file is not overwritten: %s", f.text);
    spit(other, "short");
    ok(sl_database_write(other, &results, &f) == SL_EUSAGE && same_file(other, "short", 5),
       "a short one neither");
    free(letter);

    sqlite3 *database;
    unlink(other);
    sqlite3_open(other, &database);
    sqlite3_exec(database, "CREATE TABLE aunt (letter)", NULL, NULL, NULL);
    sqlite3_close(database);
    ok(sl_database_write(other, &results, &f) == SL_EUSAGE, "another program's database neither");
    spit(other, "");
    ok(!sl_database_write(other, &results, &f), "an empty file is taken for a name");
    unlink(other);
    ok(sl_database_write(folder, &results, &f) == SL_EUSAGE, "a folder is refused: %s", f.text);
    mkfifo(other, 0600); /* never a name in /dev: were it replaced, the machine would suffer */
    ok(sl_database_write(other, &results, &f) == SL_EUSAGE, "what is no plain file is refused");
    unlink(other);

    struct stat link;
    if (symlink("run.db", other))
        return;
    stat(path, &before);
    ok(!sl_database_write(other, &results, &f) && !lstat(other, &link) && S_ISLNK(link.st_mode) &&
           !stat(path, &after) && after.st_ino != before.st_ino,
       "a symbolic link stays, what it leads to is replaced");
    unlink(other);
}

static void test_unwritable(void)
{
    char nowhere[128];
    size_t size = 0;
    snprintf(nowhere, sizeof nowhere, "%s/no/such/folder.db", folder);
    ok(sl_database_write(nowhere, &results, &f) == SL_EIO && strstr(f.text, nowhere),
       "a missing folder is an error: %s", f.text);
    ok(sl_database_write("/proc/sluice.db", &results, &f) == SL_EIO,
       "so is one in which nothing can be made: %s", f.text);
    ok(sl_database_write("", &results, &f) == SL_EIO, "so is no name at all");

    /* As on a full disk: whatever the limit, there is an error and the old file. */
    sl_database_write(path, &results, &f);
    char *old = slurp(path, &size);
    struct rlimit none, limit;
    getrlimit(RLIMIT_FSIZE, &none);
    signal(SIGXFSZ, SIG_IGN);
    int wrong = 0;
    for (size_t most = 0; most < size; most += 1000) {
        limit = (struct rlimit){most, none.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        wrong += sl_database_write(path, &results, &f) != SL_EIO;
        setrlimit(RLIMIT_FSIZE, &none);
        wrong += !same_file(path, old, size) + (files_in(folder) != 1);
    }
    ok(!wrong, "when no more can be written, the old database stays and nothing else: %s", f.text);
    ok(!sl_database_write(path, &results, &f), "and later it works again");
    free(old);
}

/* On a file system of some pages that is really full, where that may be made. */
static void test_full_disk(void)
{
    char mount_point[128], file[160];
    int report[2];
    snprintf(mount_point, sizeof mount_point, "%s/tiny", folder);
    snprintf(file, sizeof file, "%s/x.db", mount_point);
    mkdir(mount_point, 0755);
    if (pipe(report))
        return;
    pid_t child = fork();
    if (!child) {
        char verdict = 's';
        if (!unshare(CLONE_NEWNS) && !mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) &&
            !mount("tiny", mount_point, "tmpfs", 0, "size=16k"))
            verdict = sl_database_write(file, &results, &f) == SL_EIO && !files_in(mount_point) &&
                              strstr(f.text, "no space left")
                          ? 'y'
                          : 'n';
        _exit(write(report[1], &verdict, 1) != 1);
    }
    char verdict = 0;
    ok(read(report[0], &verdict, 1) == 1 && verdict != 'n', "a full disk is an error%s",
       verdict == 's' ? " # SKIP may not mount" : "");
    waitpid(child, NULL, 0);
    close(report[0]);
    close(report[1]);
    rmdir(mount_point);
}

static int report_to(const char *database, const char *format, const char *to)
{
    struct sl_report_config config = {.size = sizeof config, .format = format};
    FILE *out = fopen(to, "w");
    int result = sl_report(database, &config, out, &f);
    fclose(out);
    return result;
}

static void test_reading(void)
{
    char other[128];
    sqlite3 *database;
    snprintf(other, sizeof other, "%s/other", folder);
    ok(!report_to(path, NULL, "/dev/null"), "our own database is read");
    ok(report_to(path, "yaml", "/dev/null") == SL_EUSAGE && strstr(f.text, "text, json"),
       "an unknown format is wrong usage: %s", f.text);
    ok(report_to(path, "text", "/dev/full") == SL_EIO, "a report that cannot be written: %s",
       f.text);
    ok(report_to(path, "json", "/dev/full") == SL_EIO, "nor as JSON");
    ok(report_to(other, "text", "/dev/null") == SL_EIO, "a missing database: %s", f.text);
    ok(access(other, F_OK), "is not made by looking for it");
    ok(report_to(folder, "text", "/dev/null") == SL_EFORMAT, "a folder: %s", f.text);
    spit(other, "a letter to my aunt");
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT, "another file: %s", f.text);
    spit(other, "");
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT, "an empty file");
    unlink(other);
    sqlite3_open(other, &database);
    sqlite3_exec(database, "CREATE TABLE program (path); PRAGMA user_version = " VERSION, NULL,
                 NULL, NULL);
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT &&
           strstr(f.text, "not a database of sluice"),
       "another program's database: %s", f.text);
    sqlite3_exec(database, "PRAGMA application_id = 0x534c5543; PRAGMA user_version = 99", NULL,
                 NULL, NULL);
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT && strstr(f.text, "version 99"),
       "another version: %s", f.text);
    sqlite3_exec(database, "PRAGMA user_version = 1", NULL, NULL, NULL);
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT && strstr(f.text, "profile again"),
       "an older version: %s", f.text);
    sqlite3_exec(database, "PRAGMA user_version = " VERSION, NULL, NULL, NULL);
    sqlite3_close(database);
    ok(report_to(other, "text", "/dev/null") == SL_EFORMAT, "tables that are not ours: %s", f.text);

    /* Cut and scribbled on anywhere, it must be read or refused, nothing else. */
    size_t size = 0;
    char *whole = slurp(path, &size);
    int strange = 0;
    for (size_t i = 0; i < 400; i++) {
        FILE *out = fopen(other, "w");
        fwrite(whole, 1, i % 2 ? size : size * i / 400, out);
        if (i % 2) {
            fseek(out, (long)(100 + (size - 200) * i / 400), SEEK_SET);
            fwrite("\xff\x01\x80scribble", 1, 11, out);
        }
        fclose(out);
        int result = report_to(other, i % 3 ? "json" : "text", "/dev/null");
        strange += result && result != SL_EFORMAT;
    }
    ok(!strange, "a damaged database is read or refused");
    free(whole);
    unlink(other);
}

static void test_speed(void)
{
    size_t n = 1000000;
    struct timespec start, end;
    struct sl_entry *many = malloc(n * sizeof *many);
    for (size_t i = 0; i < n; i++)
        many[i] = (struct sl_entry)ENTRY(0x400000 + i * 7919 % 300000, i, n - i);
    struct sl_result_profile profile = profiles[1];
    profile.entry = many;
    profile.n_entries = n;
    struct sl_results large = {.statics = &statics, .profile = &profile, .n_profiles = 1};
    clock_gettime(CLOCK_MONOTONIC, &start);
    ok(!sl_database_write(path, &large, &f), "a million entries are written");
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("# in %.2f s\n",
           (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    is("SELECT count(*), max(rank), sum(count) FROM entry", "1000000|1000000|500000500000",
       "all of them");
    free(many);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/sluice-database-%d", (int)getpid());
    snprintf(path, sizeof path, "%s/run.db", folder);
    mkdir(folder, 0755);
    test_content();
    test_events();
    test_places();
    test_same();
    test_replacing();
    test_unwritable();
    test_full_disk();
    test_reading();
    test_speed();
    unlink(path);
    rmdir(folder);
    return done_testing();
}
