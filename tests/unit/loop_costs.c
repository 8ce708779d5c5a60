/* SPDX-License-Identifier: MIT */
/* Unit tests of the costs of loops (loop_costs.h). Three loop profiles of a run are combined to one
 * row per loop, in the order of their costs, and the cost of code outside of loops is reported
 * separately. */
#include "loop_costs.h"

#include <unistd.h>

#include "database.h"
#include "loop.h"
#include "report_support.h"

enum { COST, ITERATIONS, ENTRIES, N_PROFILES };
enum { N_LOOPS = 4 };

/* The last row is code in no loop: its branch is 0. */
static const struct {
    uint64_t head, branch, count[N_PROFILES];
} loops[N_LOOPS + 1] = {
    {0x401000, 0x401020, {500, 90, 10}}, {0x401100, 0x401140, {700, 40, 1}},
    {0x401200, 0x401204, {500, 95, 2}}, /* a tie by cost: fewer entries come later */
    {0x401300, 0x401330, {20, 3, 3}},    {0x401000, 0, {80, 0, 0}},
};

static struct sl_failure f;
static char *argv[] = {"./loops", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_MIPSEL, .path = "/home/ann/loops", .argv = argv, .ended = true}};
static struct sl_loop_config configs[N_PROFILES] = {
    {.tail = true, .span = 65536},
    {.tail = true, .span = 65536},
    {.tail = true, .span = 65536, .entries = true},
};
static struct sl_entry entries[N_PROFILES][N_LOOPS + 1];
static struct sl_result_profile profiles[N_PROFILES] = {
    [COST] = {.spec = "loop:cycles@exact", .metric = "cycles"},
    [ITERATIONS] = {.spec = "loop:count@exact", .metric = "count"},
    [ENTRIES] = {.spec = "loop(entries=1):count@exact", .metric = "count"},
};

static int heavier_first(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    return (a->count < b->count) - (a->count > b->count);
}

/* Writes a database with n of the profiles, from index `first` on. */
static void write_database(size_t first, size_t n)
{
    struct sl_results results = {.statics = &statics,
                                 .instructions = 2000,
                                 .blocks = 300,
                                 .profile = profiles + first,
                                 .n_profiles = n};
    for (size_t p = 0; p < N_PROFILES; p++) {
        struct sl_result_profile *profile = &profiles[p];
        profile->detector = profile->asked = &sl_detector_loop;
        profile->config = &configs[p];
        profile->table = "exact";
        profile->entry = entries[p];
        profile->weight = profile->n_entries = 0;
        for (size_t i = 0; i <= N_LOOPS; i++) {
            uint64_t count = loops[i].count[p];
            if (!count)
                continue;
            entries[p][profile->n_entries++] = (struct sl_entry){
                {loops[i].head, loops[i].branch}, count, count, count, count};
            profile->weight += count;
        }
        qsort(entries[p], profile->n_entries, sizeof *entries[p], heavier_first);
        profile->distinct = profile->n_entries;
    }
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
}

static int load(struct sl_loop_costs *costs)
{
    struct sl_database *database;
    if (sl_database_open(&database, path, &f)) {
        printf("# %s\n", f.text);
        *costs = (struct sl_loop_costs){.n = 0};
        return SL_EIO;
    }
    int result = sl_loop_costs_load(costs, database, &f);
    sl_database_close(database);
    return result;
}

/* True if row `row` has the figures of loop i. */
static bool is_loop(const struct sl_loop_costs *costs, size_t row, size_t i)
{
    const uint64_t *count = costs->row[row].count;
    return count[SL_LOOP_COST] == loops[i].count[COST] &&
           count[SL_LOOP_ITERATIONS] == loops[i].count[ITERATIONS] &&
           count[SL_LOOP_ENTRIES] == loops[i].count[ENTRIES];
}

static void all_profiles(void)
{
    struct sl_loop_costs costs;
    write_database(0, N_PROFILES);
    int result = load(&costs);
    bool complete = !result && costs.n == N_LOOPS;
    ok(complete && is_loop(&costs, 0, 1) && is_loop(&costs, 1, 0) && is_loop(&costs, 2, 2) &&
           is_loop(&costs, 3, 3),
       "a row per loop with its cost, iterations and entries, the costliest first");
    ok(costs.outside == 80, "the cost of code in no loop is apart");
    uint64_t sum = costs.outside;
    for (size_t i = 0; i < costs.n; i++)
        sum += costs.row[i].count[SL_LOOP_COST];
    ok(sum == profiles[COST].weight, "costs of all rows and of other code add up to the profile");
    sl_loop_costs_free(&costs);
}

static void some_profiles(void)
{
    struct sl_loop_costs costs;
    write_database(COST, 1);
    ok(!load(&costs) && costs.n == N_LOOPS && !costs.profile[SL_LOOP_ENTRIES] &&
           !costs.profile[SL_LOOP_ITERATIONS] && !costs.row[0].count[SL_LOOP_ENTRIES],
       "the profile by cost is enough");
    sl_loop_costs_free(&costs);
    write_database(ITERATIONS, 2);
    ok(load(&costs) == SL_EUSAGE && strstr(f.text, "loop profiles"),
       "without a profile by cost, the message says what is needed");
    sl_loop_costs_free(&costs);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-loop-costs-%d.db", (int)getpid());
    all_profiles();
    some_profiles();
    unlink(path);
    return done_testing();
}
