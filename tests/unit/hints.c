/* SPDX-License-Identifier: MIT */
/* Unit tests of the optimization hints in reports. A branch that is nearly always taken, and a load
 * that nearly always reads the same value, each give one hint that contains their counts. */
#include "hints.h"

#include "view_support.h"

static void finds(struct sl_database *database)
{
    struct sl_hints hints = {0};
    unsigned branches = 0, loads = 0, others = 0;
    ok(!sl_hints_add(&hints, database, NULL, &f), "hints can be made");
    for (size_t i = 0; i < hints.n; i++) {
        const char *text = hints.hint[i].text;
        bool branch = strstr(text, "branch in work is taken 97.0% of 1,000 times") != NULL;
        bool load = strstr(text, "load in work reads 7 in 99% of 1,000 executions") != NULL;
        branches += branch;
        loads += load;
        others += !branch && !load;
        ok(hints.hint[i].weight == 1000 && strstr(hints.hint[i].where, "view_support.h:"),
           "a hint has its executions and its line: %s", hints.hint[i].where);
    }
    ok(branches == 1, "a branch that is taken in 97 %% of its executions gives a hint");
    ok(loads == 1, "a load that reads 7 in 99 %% of its executions gives a hint");
    ok(!others, "other instructions give none");
    sl_hints_free(&hints);
}

/* The limit is 95 %. */
static void limit(void)
{
    struct sl_database *database = NULL;
    struct sl_hints hints = {0};
    write_database("hints", 940);
    if (!ok(!sl_database_open(&database, path, &f), "a second database opens"))
        return;
    sl_hints_add(&hints, database, NULL, &f);
    ok(hints.n == 1 && strstr(hints.hint[0].text, "load in work"),
       "a branch that is taken in 94 %% of its executions gives no hint");
    sl_hints_free(&hints);
    sl_database_close(database);
    unlink(path);
}

int main(void)
{
    struct sl_database *database = open_database();
    finds(database);
    unlink(path);
    limit();
    close_database(database);
    return done_testing();
}
