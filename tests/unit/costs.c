/* SPDX-License-Identifier: MIT */
/* Unit tests of costs by location in the code (costs.h): which profiles of a run become columns of
 * a report, the costs of each function, and the inlined calls that contain an instruction. */
#include "costs.h"

#include <unistd.h>

#include "activation.h"
#include "database.h"
#include "report_support.h"

enum { CYCLES, COUNT, INCLUSIVE, EDGES, N_PROFILES };
enum { N_FUNCTIONS = 3 };

static const uint64_t cost[N_PROFILES][N_FUNCTIONS] = {
    {700, 200, 50}, {1, 9, 4}, {950, 200, 50}, {5, 4, 3}};
static struct sl_failure f;
static char *argv[] = {"./prog", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_MIPSEL, .path = "/home/ann/prog", .argv = argv, .ended = true}};
static struct sl_activation_config plain = {.tail = true, .repair = true},
                                   inclusive = {.tail = true, .repair = true, .inclusive = true};
static struct sl_entry entries[N_PROFILES][N_FUNCTIONS];
static struct sl_result_profile profiles[N_PROFILES] = {
    [CYCLES] = {.spec = "function:cycles@exact", .metric = "cycles", .config = &plain},
    [COUNT] = {.spec = "function:count@exact", .metric = "count", .config = &plain},
    [INCLUSIVE] = {.spec = "function(inclusive=1):instructions@exact",
                   .metric = "instructions",
                   .config = &inclusive},
    [EDGES] = {.spec = "edge:count@exact", .metric = "count"},
};

static uint64_t address_of(size_t function)
{
    return 0x401000 + 0x100 * function;
}

static int heavier_first(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    return (a->count < b->count) - (a->count > b->count);
}

/* Writes a database with n of the profiles, from index `first` on. */
static void write_database(size_t first, size_t n)
{
    struct sl_results results = {.statics = &statics,
                                 .instructions = 950,
                                 .blocks = 100,
                                 .profile = profiles + first,
                                 .n_profiles = n};
    for (size_t p = 0; p < N_PROFILES; p++) {
        struct sl_result_profile *profile = &profiles[p];
        profile->detector = profile->asked = p == EDGES ? &sl_detector_edge : &sl_detector_function;
        profile->table = "exact";
        profile->entry = entries[p];
        profile->n_entries = profile->distinct = N_FUNCTIONS;
        profile->weight = 0;
        for (size_t i = 0; i < N_FUNCTIONS; i++) {
            uint64_t count = cost[p][i];
            entries[p][i] = (struct sl_entry){
                {address_of(i), p == EDGES ? address_of(0) : 0}, count, count, count, count};
            profile->weight += count;
        }
        qsort(entries[p], N_FUNCTIONS, sizeof *entries[p], heavier_first);
    }
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
}

struct rows {
    uint64_t cost[2][N_FUNCTIONS];
    size_t n;
};

static int add_row(void *context, const struct sl_cost_location *at, const uint64_t *costs)
{
    struct rows *rows = context;
    size_t function = (at->address - address_of(0)) / 0x100;
    if (function >= N_FUNCTIONS || !at->function)
        return SL_EFORMAT;
    for (size_t i = 0; i < 2; i++)
        rows->cost[i][function] += costs[i];
    rows->n++;
    return 0;
}

static void columns_and_rows(void)
{
    struct sl_database *database;
    struct sl_costs costs;
    struct rows rows = {.n = 0};
    write_database(CYCLES, N_PROFILES);
    bool opened = !sl_database_open(&database, path, &f) && !sl_costs_open(&costs, database, 0, &f);
    if (!ok(opened && costs.n_columns == 2 && !strcmp(costs.column[0].name, "cycles") &&
                !strcmp(costs.column[1].name, "entries") && !costs.of_blocks,
            "a column for each metric of functions; inclusive costs and edges have none")) {
        printf("# %s\n", f.text);
        return;
    }
    ok(sl_costs_block_column(&costs, NULL) == 2, "no column has the cost of blocks");
    ok(!sl_costs_each(&costs, add_row, &rows, &f) && rows.n == N_FUNCTIONS &&
           !memcmp(rows.cost[0], cost[CYCLES], sizeof *rows.cost) &&
           !memcmp(rows.cost[1], cost[COUNT], sizeof *rows.cost),
       "a row for each function, with its cost in each column");
    sl_costs_close(&costs);
    sl_database_close(database);
}

static void no_columns(void)
{
    struct sl_database *database;
    struct sl_costs costs;
    write_database(EDGES, 1);
    bool opened = !sl_database_open(&database, path, &f);
    ok(opened && sl_costs_open(&costs, database, 0, &f) == SL_EUSAGE &&
           strstr(f.text, "function or block profile"),
       "without a profile of functions or blocks, the message says what is needed");
    if (opened)
        sl_database_close(database);
}

/* ---- frames ---- */

static int add_frame(void *context, const char *name, const char *file, int line)
{
    char *text = context;
    size_t used = strlen(text);
    (void)file;
    snprintf(text + used, 200 - used, "%s%s%s", used ? " > " : "", name ? name : "-",
             line ? "!" : "");
    return strlen(text) > 150;
}

static void frames(void)
{
    struct sl_db_inlined outer = {.name = "outer"}, inner = {.name = "inner", .parent = &outer};
    struct sl_cost_location at = {.object_name = "prog",
                                  .function = "main",
                                  .file = "/src/main.c",
                                  .line = 25,
                                  .inlined = &inner,
                                  .is_block = true};
    char text[200] = "", line[SL_COST_LINE_SIZE];
    ok(!sl_cost_frames(&at, add_frame, text) &&
           !strcmp(text, "prog > main > outer > inner > main.c:25!"),
       "frames of an instruction, the outermost first: %s", text);
    at.is_block = false;
    at.inlined = NULL;
    text[0] = '\0';
    ok(!sl_cost_frames(&at, add_frame, text) && !strcmp(text, "prog > main"),
       "a function has no line");
    at.line = 0;
    ok(!sl_cost_line(&at, line), "an unknown line has no text");
    ok(!sl_compare_texts(NULL, NULL) && sl_compare_texts(NULL, "") < 0 &&
           sl_compare_texts("a", NULL) > 0 && sl_compare_texts("a", "b") < 0,
       "texts are ordered, and NULL comes first");
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-costs-%d.db", (int)getpid());
    columns_and_rows();
    no_columns();
    frames();
    unlink(path);
    return done_testing();
}
