/* SPDX-License-Identifier: MIT */
/* Unit tests of the inclusive costs of calls by call site: the costs of all calls of a function add
 * up to the inclusive cost of the function, with and without a profile of calling contexts. */
#include "inclusive_costs.h"

#include "activation.h"
#include "context_support.h"
#include "random.h"

static struct sl_database *database;
static struct sl_activation_config inclusive_options = {
    .tail = true, .repair = true, .inclusive = true};

/* Calls from three places: 7 and 5 of the function at 0x401400, 3 of the one at 0x401500. */
static const uint64_t places[] = {0x401010, 0x401020, 0x401110};
static struct sl_entry calls[] = {{{0x401010, 0x401400}, 7, 7, 7, 7},
                                  {{0x401020, 0x401400}, 5, 5, 5, 5},
                                  {{0x401110, 0x401500}, 3, 3, 3, 3}};
static struct sl_entry costs_of[] = {{{0x401500, 0}, 1000, 1000, 1000, 1000},
                                     {{0x401400, 0}, 530, 530, 530, 530}};

static void write_calls(void)
{
    struct sl_result_profile own[] = {
        {.spec = "call:count@exact",
         .metric = "count",
         .detector = &sl_detector_call,
         .asked = &sl_detector_call,
         .table = "exact",
         .entry = calls,
         .n_entries = 3,
         .distinct = 3,
         .weight = 15},
        {.spec = "function(inclusive=1):cycles@exact",
         .metric = "cycles",
         .detector = &sl_detector_function,
         .asked = &sl_detector_function,
         .config = &inclusive_options,
         .table = "exact",
         .entry = costs_of,
         .n_entries = 2,
         .distinct = 2,
         .weight = 1000},
    };
    struct sl_results run = {.statics = &statics, .profile = own, .n_profiles = 2};
    unlink(path);
    if (sl_database_write(path, &run, &f))
        printf("# %s\n", f.text);
}

static bool load(struct sl_costs *costs, struct sl_inclusive_costs *inclusive)
{
    *costs = (struct sl_costs){.column = {{.name = "cycles"}, {.name = "energy"}}, .n_columns = 2};
    if (sl_database_open(&database, path, &f))
        return false;
    costs->database = database;
    return !sl_inclusive_costs_load(inclusive, costs, &f);
}

/* Divides the calls of a place in any way. The part of each run of calls must be that of all calls
 * so far, rounded down, minus what was given before. */
static void test_parts(uint64_t seed)
{
    struct sl_costs costs;
    struct sl_inclusive_costs inclusive;
    uint64_t left[] = {7, 5, 3}, sum[] = {0, 0}, n_calls = 15, done = 0;
    bool rounded = true;
    if (!load(&costs, &inclusive)) {
        ok(false, "costs are read: %s", f.text);
        return;
    }
    while (n_calls) {
        uint64_t cost[SL_COST_COLUMNS];
        size_t i = (size_t)sl_random_below(&seed, 3);
        uint64_t n = left[i] ? 1 + sl_random_below(&seed, left[i]) : 0;
        if (!n)
            continue;
        sl_inclusive_costs_share(&inclusive, places[i], i < 2 ? 0x401400 : 0x401500, n, cost);
        if (i < 2) {
            rounded &= cost[0] == 530 * (done + n) / 12 - 530 * done / 12;
            done += n;
        }
        rounded &= !cost[1];
        sum[i == 2] += cost[0];
        left[i] -= n;
        n_calls -= n;
    }
    ok(sum[0] == 530 && sum[1] == 1000, "the parts of all calls add up to the function's cost");
    ok(rounded, "each call has the same part, and a column without inclusive costs has none");
    uint64_t cost[SL_COST_COLUMNS];
    sl_inclusive_costs_share(&inclusive, 0x401010, 0x401900, 4, cost);
    ok(!cost[0], "an unknown function has no cost");
    sl_inclusive_costs_free(&inclusive);
    sl_database_close(database);
}

/* ---- with a profile of contexts ---- */

struct arcs {
    uint64_t cost[N_FUNCTIONS][N_FUNCTIONS], calls[N_FUNCTIONS][N_FUNCTIONS];
    size_t n;
};

static int add_arc(void *context, const struct sl_db_function *caller,
                   const struct sl_db_function *callee, uint64_t n, const uint64_t *cost)
{
    struct arcs *arcs = context;
    size_t from = (caller->start - address_of(0)) / 0x100,
           to = (callee->start - address_of(0)) / 0x100;
    arcs->cost[from][to] += cost[0];
    arcs->calls[from][to] += n;
    arcs->n++;
    return cost[1] != 0;
}

/* The functions of context_support.h, as they would be read from spans. */
static void add_lines(struct sl_costs *costs, struct sl_db_function *function,
                      struct sl_db_span *span)
{
    static char name[] = "f";
    for (int i = 0; i < N_FUNCTIONS; i++) {
        function[i] = (struct sl_db_function){.name = name, .start = address_of(i)};
        span[i] = (struct sl_db_span){
            .start = address_of(i), .end = address_of(i) + 0x100, .function = &function[i]};
    }
    costs->lines.span = span;
    costs->lines.n_spans = N_FUNCTIONS;
}

static void test_contexts(void)
{
    struct sl_costs costs;
    struct sl_inclusive_costs inclusive;
    struct sl_db_function function[N_FUNCTIONS];
    struct sl_db_span span[N_FUNCTIONS];
    struct arcs arcs = {.n = 0};
    if (!ok(load(&costs, &inclusive) && inclusive.has_arcs, "contexts are read"))
        return;
    add_lines(&costs, function, span);
    int result = sl_inclusive_costs_others(&inclusive, add_arc, &arcs);
    ok(!result && arcs.n == 7, "all calls of another function that have no call instruction");
    ok(arcs.cost[START][MAIN] == 790 && arcs.cost[MAIN][ENCODE] == 430 &&
           arcs.cost[ENCODE][FILTER] == 330 && arcs.cost[DECODE][FILTER] == 200 &&
           arcs.cost[DECODE][COPY] == 70 && arcs.cost[MAIN][COPY] == 20 &&
           arcs.cost[MAIN][DECODE] == 320,
       "each has the cost of the callee in that caller");
    ok(arcs.calls[DECODE][COPY] == 7 && arcs.calls[MAIN][ENCODE] == 2 &&
           !arcs.calls[FILTER][FILTER],
       "and the number of calls; calls of a function by itself are part of its caller's");
    sl_inclusive_costs_free(&inclusive);
    sl_database_close(database);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-inclusive-costs-%d.db", (int)getpid());
    write_calls();
    for (uint64_t seed = 1; seed <= 5; seed++)
        test_parts(seed);
    write_database();
    test_contexts();
    unlink(path);
    return done_testing();
}
