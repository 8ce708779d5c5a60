/* SPDX-License-Identifier: MIT */
/* Unit tests of the export formats. The test writes a database with the profile of the following
 * small program, exports it to every format, and compares the results with tests/golden/export*.
 *
 *     main 0x1000  push; call f          1       addresses in the file: add 0x200000 to
 *          0x1006  test; je 0x1010      10       those in the program without 0x555500000000;
 *          0x100a  inc; jmp 0x1006       9       offsets in the file are without 0x200000
 *          0x1010  rep stosb          1 + 5 iterations
 *          0x1012  call *rax             1
 *          0x1014  ret                   1
 *     f    0x1030  jmp *rdi              1
 *     g    0x1040  nop; ret              2 */
#include <jansson.h>
#include <unistd.h>

#include "database.h"
#include "report_support.h"
#include "support/read_pprof.h"

#define BASE UINT64_C(0x555500000000)
#define LIBRARY UINT64_C(0x7f0000000000)
#define ENTRY(pc_, value_, count_)                                             \
    {                                                                          \
        .tuple = {pc_, value_}, .count = count_, .low = count_, .high = count_ \
    }
#define HERE(pc_, value_, count_) ENTRY(BASE + (pc_), BASE + (value_), count_)

static uint8_t bytes[] = {0x55, 0xe8, 0x2a, 0,    0,    0,    0x85, 0xc0, 0x74,
                          0x06, 0xff, 0xc0, 0xeb, 0xf8, 0xf3, 0xaa, 0xff, 0xd0,
                          0xc3, 0xff, 0xe7, 0x90, 0xc3, 0xff, 0xd2};
static struct sl_insn insns[] = {
    {BASE + 0x1000, 0, 1},    {BASE + 0x1001, 1, 5},  {BASE + 0x1006, 6, 2},
    {BASE + 0x1008, 8, 2},    {BASE + 0x100a, 10, 2}, {BASE + 0x100c, 12, 2},
    {BASE + 0x1010, 14, 2},   {BASE + 0x1012, 16, 2}, {BASE + 0x1014, 18, 1},
    {BASE + 0x1030, 19, 2},   {BASE + 0x1040, 21, 1}, {BASE + 0x1041, 22, 1},
    {LIBRARY + 0x500, 23, 2},
};
static uint32_t block_insns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static struct sl_block blocks[] = {
    {BASE + 0x1000, 0, 2, 6, 0}, {BASE + 0x1006, 2, 2, 4, 0},  {BASE + 0x100a, 4, 2, 4, 0},
    {BASE + 0x1010, 6, 1, 2, 0}, {BASE + 0x1012, 7, 1, 2, 0},  {BASE + 0x1014, 8, 1, 1, 0},
    {BASE + 0x1030, 9, 1, 2, 0}, {BASE + 0x1040, 10, 2, 2, 0}, {LIBRARY + 0x500, 12, 1, 2, 0},
};
static struct sl_object objects[] = {
    {LIBRARY, LIBRARY + 0x1000, 0, "/usr/lib/libstart.so"},
    {BASE, BASE + 0x1000, 0, "/home/ann/tiny"},
    {BASE + 0x1000, BASE + 0x2000, 0x1000, "/home/ann/tiny"},
};
static char *argv[] = {"./tiny", NULL};
static struct sl_statics statics = {
    .block = blocks,
    .insn = insns,
    .block_insn = block_insns,
    .bytes = bytes,
    .object = objects,
    .n_blocks = 9,
    .n_insns = 13,
    .n_block_insns = 13,
    .n_bytes = sizeof bytes,
    .n_objects = 3,
    .program =
        {.arch = SL_ARCH_X86_64, .path = "./tiny", .argv = argv, .ended = true, .threads = 1},
};

static const struct sl_entry edge_entries[] = {
    HERE(0x1008, 0x100a, 9),
    HERE(0x1008, 0x1010, 1),
    HERE(0x1030, 0x1040, 1),
};
static const struct sl_entry block_entries[] = {
    HERE(0x1006, 0x1008, 10), HERE(0x100a, 0x100c, 9), HERE(0x1010, 0x1010, 6),
    HERE(0x1040, 0x1041, 2),  HERE(0x1000, 0x1001, 1), HERE(0x1012, 0x1012, 1),
    HERE(0x1014, 0x1014, 1),  HERE(0x1030, 0x1030, 1), ENTRY(LIBRARY + 0x500, LIBRARY + 0x500, 1),
};
static const struct sl_entry call_entries[] = {
    HERE(0x1001, 0x1030, 1),
    HERE(0x1012, 0x1040, 1),
    ENTRY(LIBRARY + 0x500, BASE + 0x1000, 1),
};
static const struct sl_entry function_entries[] = {
    ENTRY(BASE + 0x1000, 0, 500), ENTRY(BASE + 0x1040, 0, 70), ENTRY(BASE + 0x1030, 0, 4),
    ENTRY(LIBRARY + 0x500, 0, 3), ENTRY(0x123456, 0, 2),       ENTRY(0, 0, 1),
};

#define PROFILE(detector_, metric_, entries, weight_)                                       \
    {                                                                                       \
        .spec = #detector_ ":" metric_ "@exact", .given = #detector_,                       \
        .detector = &sl_detector_##detector_, .metric = metric_, .table = "exact",          \
        .entry = entries, .n_entries = sizeof entries / sizeof *entries, .weight = weight_, \
        .distinct = sizeof entries / sizeof *entries, .status = {                           \
            .bounds = SL_BOUNDS_CERTAIN                                                     \
        }                                                                                   \
    }
static struct sl_result_profile profiles[] = {
    PROFILE(edge, "count", edge_entries, 11),
    PROFILE(block, "count", block_entries, 32),
    PROFILE(call, "count", call_entries, 3),
    PROFILE(function, "energy", function_entries, 580),
};
static struct sl_results results = {
    .statics = &statics,
    .instructions = 50,
    .blocks = 32,
    .warning = "",
    .profile = profiles,
    .n_profiles = 4,
};

/* Names, which come from files that are not there. */
static const char names[] =
    "UPDATE location SET object = 2, object_address = 2097152 + (address & 65535),"
    " file = 'tiny.c', line = 3 + (address & 255) / 4, function = 'main',"
    " function_start = address & ~255 WHERE (address & 65535) BETWEEN 4096 AND 8191;"
    "UPDATE location SET function = 'f', function_start = address - 0,"
    " file = 'f.h' WHERE (address & 65535) = 4144;"
    "UPDATE location SET function = 'a;b\n<\"&>', function_start = address & ~15, file = NULL,"
    " line = NULL WHERE (address & 65535) BETWEEN 4160 AND 4175;"
    "UPDATE location SET object = 0, object_address = 1280 WHERE (address & 65535) = 1280;"
    "DELETE FROM span; DELETE FROM function;"
    "INSERT INTO source_file VALUES (0, 'tiny.c'), (1, 'f.h');"
    "INSERT INTO function VALUES (0, 'main', 0x555500001000, 2, 0x201000, 0, 3),"
    " (1, 'f', 0x555500001030, 2, 0x201030, 1, 15),"
    " (2, 'a;b\n<\"&>', 0x555500001040, 2, 0x201040, NULL, NULL),"
    " (3, NULL, 0x7f0000000000, 0, 0, NULL, NULL);"
    "INSERT INTO inlined VALUES (0, NULL, 'test', 1, 40, 0, 5), (1, 0, 'next', 1, 30, 1, 41);"
    "INSERT INTO span VALUES (0x555500001000, 0x555500001006, 0, 0, 3, NULL),"
    " (0x555500001006, 0x555500001008, 0, 0, 4, NULL),"
    " (0x555500001008, 0x55550000100c, 0, 1, 41, 0),"
    " (0x55550000100c, 0x55550000100e, 0, 1, 31, 1),"
    " (0x555500001010, 0x555500001014, 0, 0, 7, NULL),"
    " (0x555500001014, 0x555500001015, 0, 0, 8, NULL),"
    " (0x555500001030, 0x555500001032, 1, 1, 15, NULL),"
    " (0x555500001040, 0x555500001042, 2, NULL, NULL, NULL),"
    " (0x7f0000000500, 0x7f0000000502, 3, NULL, NULL, NULL);";

static sqlite3 *opened(void)
{
    sqlite3 *database;
    sqlite3_open(path, &database);
    return database;
}

static void change(const char *sql)
{
    sqlite3 *database = opened();
    if (sqlite3_exec(database, sql, NULL, NULL, NULL))
        printf("# %s\n", sqlite3_errmsg(database));
    sqlite3_close(database);
}

static void write_database(void)
{
    struct sl_failure f;
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
    change(names);
}

static void drop(const char *detector)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "DELETE FROM entry WHERE profile IN (SELECT id FROM profile WHERE"
             " detector = '%s'); DELETE FROM profile WHERE detector = '%s'",
             detector, detector);
    change(sql);
}

static void same(const char *format, const char *wanted, const char *name)
{
    char *text = report(format, 0, 0);
    if (!ok(!strcmp(text, wanted), "%s", name))
        printf("# ---- is:\n%s# ---- wanted:\n%s", text, wanted);
    free(text);
}

/* The packed report: sl_report into memory, as report() stops at a zero byte. */
static void golden_pprof(const char *name)
{
    struct sl_report_config config = {.size = sizeof config, .format = "pprof"};
    struct sl_failure f;
    static uint8_t raw[1 << 16];
    char *packed = NULL, *text = NULL;
    size_t n = 0, size;
    FILE *out = open_memstream(&packed, &n);
    int result = sl_report(path, &config, out, &f);
    fclose(out);
    long length = result ? -1 : pprof_unpack(packed, n, raw, sizeof raw);
    ok(length > 0, "what pprof gets is whole and gzipped");
    out = open_memstream(&text, &size);
    ok(length > 0 && pprof_print(raw, raw + length, 0, out), "and a protocol buffer");
    fclose(out);
    golden_text(name, text);
    free(packed);
}

/* The data of the page; the rest of it is src/report/page/assets as it is. */
static void golden_page(const char *name)
{
    char *text = report("html", 0, 0);
    char *data = strstr(text, "id=\"data\">\n"), *end = data ? strstr(data, "\n</script>") : NULL;
    ok(end != NULL, "a page has its data in an element");
    if (end) {
        end[1] = '\0';
        json_t *parsed = json_loads(data + 11, 0, NULL);
        ok(parsed != NULL, "which are JSON");
        json_decref(parsed);
        golden_text(name, strdup(data + 11));
    }
    free(text);
}

static void test_optimizers(void)
{
    golden("export.bolt", "bolt", 0, 0);
    golden("export.profgen", "profgen", 0, 0);
    golden("export.autofdo", "autofdo", 0, 0);
    char *with = report("bolt", 0, 0);
    drop("block");
    same("bolt", with, "without a profile of blocks, edges and calls give the same");
    free(with);
    write_database();
    drop("call");
    golden("export-no-calls.bolt", "bolt", 0, 0);
    write_database();
    change("DELETE FROM entry WHERE profile = 0 AND (pc & 65535) = 0x1008");
    char *less = report("bolt", 0, 0);
    ok(strstr(less, "F 201008 20100a 10\n") && !strstr(less, "B 201008"),
       "a branch without counted targets falls through at each execution");
    free(less);
    write_database();
    struct sl_report_config config = {
        .size = sizeof config, .format = "bolt", .object = "libstart.so"};
    struct sl_failure f;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ok(!sl_report(path, &config, out, &f), "another file can be requested by its name");
    fclose(out);
    ok(!strcmp(text, "F 500 500 1\nF 500 502 1\n"), "and then only that one is in it");
    free(text);
    config.object = "/usr/lib/nothing.so";
    ok(sl_report(path, &config, stdout, &f) == SL_EUSAGE && strstr(f.text, "libstart.so, tiny"),
       "one that is not there is refused: %s", f.text);
}

static void test_viewers(void)
{
    golden("export.callgrind", "callgrind", 0, 0);
    golden("export.folded", "folded", 0, 0);
    golden("export.speedscope", "speedscope", 0, 0);
    golden_pprof("export-pprof.txt");
    char *text = report("speedscope", 0, 0);
    json_t *parsed = json_loads(text, 0, NULL);
    ok(parsed != NULL, "a name that needs quoting is quoted");
    json_decref(parsed);
    free(text);
    drop("block");
    golden("export-functions.callgrind", "callgrind", 0, 0);
    golden("export-functions.folded", "folded", 0, 0);
    golden_page(
        "export-page.json"); /* without disassembly, which is Capstone's, and not always the same */
}

static void test_refusals(void)
{
    static const char *const optimizers[] = {"bolt", "profgen", "autofdo"};
    static const char *const viewers[] = {"callgrind", "folded", "speedscope", "pprof"};
    write_database();
    drop("edge");
    for (size_t i = 0; i < 3; i++)
        same(optimizers[i],
             "# this format needs an edge or path profile, and the "
             "database has none: run again with the profile edge or path, and preferably "
             "also with block\n",
             "without edges and paths, there is nothing to optimize by");
    drop("block");
    drop("function");
    for (size_t i = 0; i < 4; i++)
        same(viewers[i],
             "# this format needs a function or block profile, and the "
             "database has none: run again with the profile function or block\n",
             "without functions and blocks, there is nothing to view");
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-exports-%d.db", (int)getpid());
    write_database();
    test_optimizers();
    test_viewers();
    test_refusals();
    unlink(path);
    return done_testing();
}
