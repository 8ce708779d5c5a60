/* SPDX-License-Identifier: MIT */
/* Unit tests of looking up an executable or a library in the database of a run, by its path or its
 * name. The result contains all memory mappings of the file and their load addresses. SQL
 * statements write the test data. */
#include "code_object.h"

#include <unistd.h>

#include "database.h"
#include "report_support.h"

static struct sl_failure f;
static struct sl_database *database;
static char *argv[] = {"./prog", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_X86_64, .path = "/home/ann/prog", .argv = argv, .ended = true}};

/* prog is mapped at 0x400000 and, from offset 0x2000 on, at 0x402000. One address of the second
 * mapping is stored. libc is mapped twice at the same addresses, without stored addresses. The
 * third mapping of prog lies over the end of the second. */
static const char mappings[] =
    "INSERT INTO object (id, path, name, start, \"end\", offset) VALUES"
    " (0, '/home/ann/prog', 'prog', 4194304, 4198400, 0),"
    " (1, '/home/ann/prog', 'prog', 4202496, 4210688, 8192),"
    " (2, '/lib/libc.so.6', 'libc.so.6', 140737351852032, 140737351856128, 0),"
    " (3, '/opt/libc.so.6', 'libc.so.6', 140737351852032, 140737351856128, 0),"
    " (4, '/home/ann/prog', 'prog', 4206592, 4214784, 12288);"
    "INSERT INTO location (address, object, object_address) VALUES (4202512, 1, 8208);";

static void write_database(void)
{
    struct sl_results results = {.statics = &statics, .warning = ""};
    char *message = NULL;
    sqlite3 *file;
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
    sqlite3_open(path, &file);
    sqlite3_exec(file, mappings, NULL, NULL, &message);
    if (message)
        printf("# %s\n", message);
    sqlite3_free(message);
    sqlite3_close(file);
}

static void test_mappings(void)
{
    struct sl_code_object object;
    if (!ok(!sl_code_object_find(&object, database, NULL, &f) &&
                !strcmp(object.path, "/home/ann/prog") && object.n == 3,
            "without a name, the program itself")) {
        printf("# %s\n", f.text);
        return;
    }
    const struct sl_code_mapping *first = sl_code_object_at(&object, 0x400fff),
                                 *second = sl_code_object_at(&object, 0x402000),
                                 *third = sl_code_object_at(&object, 0x403000);
    ok(first && first->start == 0x400000 && !first->offset && second && second->start == 0x402000 &&
           second->offset == 0x2000,
       "an address has its mapping");
    ok(!sl_code_object_at(&object, 0x3fffff) && !sl_code_object_at(&object, 0x401000) &&
           !sl_code_object_at(&object, 0x405000),
       "other addresses have none");
    ok(third && third->start == 0x403000 && sl_code_object_at(&object, 0x403fff) == third,
       "where two mappings overlap, the later one is valid");
    ok(second && second->known && second->bias == 0x400000,
       "the bias is the difference of a stored address and its address in the file");
    ok(first && !first->known && first->bias == 0x400000 && third && third->bias == 0x400000,
       "a mapping without a stored address has the bias of another one of the file");
    sl_code_object_free(&object);
    ok(!object.path && !object.mapping, "freed");
}

static void test_names(void)
{
    static const struct {
        const char *name, *path; /* NULL: not found */
    } tests[] = {
        {"prog", "/home/ann/prog"},
        {"/home/ann/prog", "/home/ann/prog"},
        {"libc.so.6", "/lib/libc.so.6"},
        {"/opt/libc.so.6", "/opt/libc.so.6"},
        {"/elsewhere/prog", "/home/ann/prog"},
        {"libc", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct sl_code_object object;
        int result = sl_code_object_find(&object, database, tests[i].name, &f);
        ok(tests[i].path ? !result && !strcmp(object.path, tests[i].path) : result == SL_EUSAGE,
           "'%s': %s", tests[i].name, tests[i].path ? tests[i].path : "not found");
        sl_code_object_free(&object);
    }
    ok(strstr(f.text, "choose one of prog, libc.so.6, libc.so.6") != NULL,
       "the message lists each file once: %s", f.text);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-code-object-%d.db", (int)getpid());
    write_database();
    if (sl_database_open(&database, path, &f)) {
        printf("Bail out! %s\n", f.text);
        return 1;
    }
    test_mappings();
    test_names();
    sl_database_close(database);
    unlink(path);
    return done_testing();
}
