/* SPDX-License-Identifier: MIT */
/* Unit tests of the costs of source functions: every function is listed once, with its name and
 * line, and the costs add up to the total of the profile. */
#include "source_functions.h"

#include "view_support.h"

static void functions(struct sl_database *database, bool symbols)
{
    struct sl_source_functions all;
    const struct sl_db_profile *profile = NULL;
    for (size_t i = 0; i < database->profiles.n; i++)
        if (!strcmp(database->profiles.profile[i].spec, "function:instructions@exact"))
            profile = &database->profiles.profile[i];
    const char *how = symbols ? "linker symbols" : "source functions";
    if (!ok(profile && !sl_source_functions_load(&all, database, profile, symbols, &f),
            "%s can be loaded", how))
        return;
    ok(all.total == 7120 && !all.has_inclusive, "%s: the total is the profile's", how);
    uint64_t sum = 0;
    const struct sl_source_function *top = &all.function[all.by_self[0]];
    for (size_t i = 0; i < all.n; i++)
        sum += all.function[i].self;
    ok(sum == all.total, "%s: self costs add up to the total", how);
    ok(!strcmp(top->name, "work") && top->self == 5120, "%s: the costliest comes first", how);
    ok(top->line && strstr(top->line, "view_support.h:") == top->line, "%s: with its line: %s", how,
       top->line ? top->line : "none");
    sl_source_functions_free(&all);
}

int main(void)
{
    struct sl_database *database = open_database();
    functions(database, false);
    functions(database, true);
    close_database(database);
    return done_testing();
}
