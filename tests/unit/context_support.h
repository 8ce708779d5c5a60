/* SPDX-License-Identifier: MIT */
/* Test data for reports about calls: a database with one run, whose call tree is drawn below.
 *
 *     _start 10 ── main 20 ─┬─ encode 100 ── filter 300 ── filter 30 (it calls itself)
 *                           ├─ decode 50 ─┬─ filter 200
 *                           │             └─ copy 70
 *                           └─ copy 20                                         800 in total
 *
 * The number is the function's self cost in that context. Energy is 1000 for each, in filter 3000.
 */
#ifndef SL_TESTS_CONTEXT_SUPPORT_H
#define SL_TESTS_CONTEXT_SUPPORT_H

#include <unistd.h>

#include "context_name.h"
#include "database.h"
#include "report_support.h"

enum { START, MAIN, ENCODE, DECODE, FILTER, COPY, N_FUNCTIONS };
UNUSED static const char *const function_names[N_FUNCTIONS] = {"_start", "main",   "encode",
                                                               "decode", "filter", "copy"};

/* By its parent, which comes before it. */
struct made_context {
    int function, parent;
    uint64_t cost, calls;
};
static const struct made_context made_contexts[] = {
    {START, -1, 10, 1},  {MAIN, 0, 20, 1},   {ENCODE, 1, 100, 2},
    {FILTER, 2, 300, 6}, {FILTER, 3, 30, 3}, {DECODE, 1, 50, 1},
    {FILTER, 5, 200, 4}, {COPY, 5, 70, 7},   {COPY, 1, 20, 2},
};
#define N_CONTEXTS (sizeof made_contexts / sizeof *made_contexts)

enum { BY_CYCLES, BY_ENERGY, BY_COUNT, N_PROFILES };

static struct sl_failure f;
static struct sl_entry entries[N_PROFILES][N_CONTEXTS];
static char *argv[] = {"./codec", NULL};
static struct sl_statics statics = {
    .program = {.arch = SL_ARCH_MIPSEL, .path = "/home/ann/codec", .argv = argv, .ended = true}};
static struct sl_result_profile profiles[N_PROFILES] = {
    [BY_CYCLES] = {.spec = "context:cycles@exact", .metric = "cycles"},
    [BY_ENERGY] = {.spec = "context:energy@exact", .metric = "energy"},
    [BY_COUNT] = {.spec = "context:count@exact", .metric = "count"},
};
static struct sl_results results = {.statics = &statics,
                                    .instructions = 700,
                                    .blocks = 90,
                                    .profile = profiles,
                                    .n_profiles = N_PROFILES};

static uint64_t address_of(int function)
{
    return 0x401000 + 0x100 * (uint64_t)function;
}

static uint64_t weight_of(size_t profile, const struct made_context *c)
{
    return profile == BY_COUNT    ? c->calls
           : profile == BY_CYCLES ? c->cost
                                  : c->cost * (c->function == FILTER ? 3000 : 1000);
}

static int heavier_first(const void *left, const void *right)
{
    const struct sl_entry *a = left, *b = right;
    return (a->count < b->count) - (a->count > b->count);
}

static void make_profiles(void)
{
    uint64_t name[N_CONTEXTS];
    for (size_t p = 0; p < N_PROFILES; p++) {
        struct sl_result_profile *profile = &profiles[p];
        profile->detector = &sl_detector_context;
        profile->table = "exact";
        profile->weight = 0;
        for (size_t i = 0; i < N_CONTEXTS; i++) {
            const struct made_context *c = &made_contexts[i];
            uint64_t caller = c->parent < 0 ? SL_CONTEXT_NONE : name[c->parent];
            uint64_t weight = weight_of(p, c);
            name[i] = sl_context_name(caller, address_of(c->function));
            entries[p][i] = (struct sl_entry){
                {address_of(c->function), caller}, weight, weight, weight, weight};
            profile->weight += weight;
        }
        qsort(entries[p], N_CONTEXTS, sizeof *entries[p], heavier_first);
        profile->entry = entries[p];
        profile->n_entries = profile->distinct = N_CONTEXTS;
    }
}

UNUSED static void change(const char *sql)
{
    sqlite3 *database;
    sqlite3_open(path, &database);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL))
        printf("# %s\n", sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* With names for the functions, as symbols would give them. */
static void write_database(void)
{
    char sql[200];
    make_profiles();
    unlink(path);
    if (sl_database_write(path, &results, &f))
        printf("# %s\n", f.text);
    for (int i = 0; i < N_FUNCTIONS; i++) {
        snprintf(sql, sizeof sql,
                 "UPDATE location SET function = '%s', function_start = address, "
                 "file = 'codec.c', line = %d WHERE address = %llu",
                 function_names[i], 10 * (i + 1), (unsigned long long)address_of(i));
        change(sql);
    }
}

#endif
