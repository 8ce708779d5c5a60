/* SPDX-License-Identifier: MIT */
/* Unit tests of the report formats flat, callgraph and folded (call_costs.h). The self costs,
 * inclusive costs and numbers of calls, of functions and of calls between two functions, are
 * compared with numbers computed by hand for the call tree in context_support.h. The printed
 * reports are compared with expected texts. */
#include "call_costs.h"

#include "context_support.h"

static struct sl_call_costs costs;
static struct sl_database *database;

static void load(void)
{
    if (sl_database_open(&database, path, &f) || sl_call_costs_load(&costs, database, false, &f))
        printf("# %s\n", f.text);
}

static void unload(void)
{
    sl_call_costs_free(&costs);
    sl_database_close(database);
}

static uint32_t number_of(int function)
{
    for (uint32_t i = 0; i < costs.tree.n_functions; i++)
        if (costs.tree.function[i].pc == address_of(function))
            return i;
    return SL_NO_INDEX;
}

static void functions(void)
{
    static const struct {
        uint64_t self, inclusive, calls, recursive;
    } wanted[N_FUNCTIONS] = {
        [START] = {10, 800, 1, 0},  [MAIN] = {20, 790, 1, 0},     [ENCODE] = {100, 430, 2, 0},
        [DECODE] = {50, 320, 1, 0}, [FILTER] = {530, 530, 13, 3}, [COPY] = {90, 90, 9, 0},
    };
    unsigned same = 0;
    for (int i = 0; i < N_FUNCTIONS; i++) {
        const struct sl_function_costs *c = &costs.function[number_of(i)];
        same += c->self == wanted[i].self && c->inclusive == wanted[i].inclusive &&
                c->calls == wanted[i].calls && c->recursive == wanted[i].recursive;
    }
    ok(same == N_FUNCTIONS, "functions: themselves, with all that they call, how often called");
    ok(costs.by_self[0] == number_of(FILTER) && costs.by_self[1] == number_of(ENCODE) &&
           costs.by_inclusive[0] == number_of(START) && costs.by_inclusive[2] == number_of(FILTER),
       "the costliest come first, by either");
}

static void arcs(void)
{
    static const struct {
        int caller, callee;
        uint64_t self, inclusive, calls;
    } wanted[] = {
        {-1, START, 10, 800, 1},       {START, MAIN, 20, 790, 1},   {MAIN, ENCODE, 100, 430, 2},
        {ENCODE, FILTER, 300, 330, 6}, {MAIN, DECODE, 50, 320, 1},  {DECODE, FILTER, 200, 200, 4},
        {DECODE, COPY, 70, 70, 7},     {FILTER, FILTER, 30, 30, 3}, {MAIN, COPY, 20, 20, 2},
    };
    size_t n = sizeof wanted / sizeof *wanted, same = 0;
    for (size_t i = 0; i < n && n == costs.n_arcs; i++) {
        const struct sl_arc_costs *a = &costs.arc[i];
        uint32_t caller = wanted[i].caller < 0 ? SL_NO_INDEX : number_of(wanted[i].caller);
        same += a->caller == caller && a->callee == number_of(wanted[i].callee) &&
                a->self == wanted[i].self && a->inclusive == wanted[i].inclusive &&
                a->calls == wanted[i].calls;
    }
    ok(same == n, "calls of one by another: each has what it caused, and no more");
}

static void averages(void)
{
    static const struct {
        uint64_t sum, n;
        const char *text;
    } cases[] = {{0, 0, "0.0"},
                 {7, 2, "3.5"},
                 {9999, 10, "999.9"},
                 {99999, 100, "1,000"},
                 {1234567, 1, "1,234,567"}};
    char capacity[SL_AVERAGE_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ok(!strcmp(sl_average(cases[i].sum, cases[i].n, capacity), cases[i].text), "%s a call",
           capacity);
}

static void texts(void)
{
    golden("flat.txt", "flat", 0, 0);
    golden("callgraph.txt", "callgraph", 0, 0);
    char *folded = report("folded", 0, 0);
    ok(!strcmp(folded, "_start 10\n_start;main 20\n_start;main;encode 100\n"
                       "_start;main;encode;filter 300\n_start;main;encode;filter;filter 30\n"
                       "_start;main;decode 50\n_start;main;decode;filter 200\n"
                       "_start;main;decode;copy 70\n_start;main;copy 20\n"),
       "folded stacks are the tree");
    free(folded);
    char *few = report("flat", 2, 0), *narrow = report("callgraph", 0, 50);
    size_t lines;
    ok(strstr(few, "; 4 more functions") && !strstr(few, "copy"), "as many as requested");
    ok(longest_line(narrow, &lines) <= 50, "lines are as long as they may be");
    free(few);
    free(narrow);
    results.n_profiles = 1;
    write_database();
    few = report("flat", 0, 0);
    narrow = report("callgraph", 0, 0);
    ok(!strstr(few, "call") && strstr(few, "filter") && !strstr(narrow, "calls ") &&
           strstr(narrow, "filter [3]"),
       "without a profile by count no call is reported");
    free(few);
    free(narrow);
    results.n_profiles = 0;
    write_database();
    few = report("flat", 0, 0);
    ok(strstr(few, "the profiles context and context:count") != NULL, "without contexts: %s", few);
    free(few);
    results.n_profiles = N_PROFILES;
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-calls-%d.db", (int)getpid());
    write_database();
    load();
    functions();
    arcs();
    unload();
    averages();
    texts();
    unlink(path);
    return done_testing();
}
