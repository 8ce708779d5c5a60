/* SPDX-License-Identifier: MIT */
/* Unit tests of the database of a sweep: each of its SQL tables can be written and read with all of
 * its columns, docs/database.md describes all tables, and a file that claims more rows than fit in
 * it is refused. */
#include "sweep_store.h"

#include <unistd.h>

#include "support/repeated_page.h"
#include "support/schema_checks.h"

static void test_repeated_pages(const char *path)
{
    char other[4096];
    struct sl_sweep_store *store;
    struct sl_failure f = {.text = ""};
    uint64_t id;
    snprintf(other, sizeof other, "%.4000s-repeated", path);
    unlink(path);
    bool made = sl_sweep_store_open(&store, path, &f) >= 0 &&
                sl_sweep_store_stream(store, "a.slt", "what", &id, &f) >= 0;
    sl_sweep_store_close(store);
    made = made && sl_sweep_store_read(&store, path, &f) >= 0;
    sl_sweep_store_close(store);
    repeat_pages(path, other, "step");
    ok(made && sl_sweep_store_read(&store, other, &f) == SL_EFORMAT && strstr(f.text, "is damaged"),
       "a page that appears 400^4 times in the tree of a table is refused: %s", f.text);
    unlink(other);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/sweep_store.XXXXXX", parent ? parent : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0 || close(fd))
        return 1;
    test_tables(sl_sweep_tables, SL_SWEEP_TABLES, "a sweep");
    test_repeated_pages(path);
    unlink(path);
    if (!test_database_document(sl_sweep_tables, SL_SWEEP_TABLES, "a sweep"))
        return 1;
    return done_testing();
}
