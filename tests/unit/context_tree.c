/* SPDX-License-Identifier: MIT */
/* Unit tests of the calling context tree, which is read from a database. Each context has the
 * caller and the costs that the test wrote (context_support.h), and all contexts below a context
 * follow it in the tree's array. The inclusive costs of contexts, functions and sets of functions
 * equal the sums over the contexts that they include. */
#include "context_tree.h"

#include "context_support.h"

static struct sl_database *database;
static struct sl_context_tree tree;

static void load(void)
{
    const struct sl_db_profile *profile[] = {
        sl_context_profile(&database->profiles, "cycles", false),
        sl_context_profile(&database->profiles, "energy", false),
        sl_context_profile(&database->profiles, "count", false),
    };
    if (sl_context_tree_load(&tree, database, profile, N_PROFILES, &f))
        printf("# %s\n", f.text);
}

/* Index in the tree of a context of the support file. */
static uint32_t index_of(int context)
{
    uint64_t name[N_CONTEXTS], caller = SL_CONTEXT_NONE;
    for (int i = 0; i <= context; i++) {
        const struct made_context *c = &made_contexts[i];
        caller = c->parent < 0 ? SL_CONTEXT_NONE : name[c->parent];
        name[i] = sl_context_name(caller, address_of(c->function));
    }
    return sl_context_find(&tree, address_of(made_contexts[context].function), caller);
}

static int function_of(uint32_t context)
{
    return (int)((tree.context[context].pc - address_of(0)) / 0x100);
}

static bool is_below(uint32_t context, uint32_t above)
{
    while (context != SL_NO_INDEX && context != above)
        context = tree.context[context].parent;
    return context == above;
}

static void test_profiles(void)
{
    const struct sl_db_profile *cost = sl_context_profile(&database->profiles, NULL, false);
    ok(cost && !strcmp(cost->metric->name, "cycles") &&
           !sl_context_profile(&database->profiles, "branches", false),
       "a profile is found by its metric, and the first one by a cost");
    ok(sl_context_profile(&database->profiles, NULL, true) == cost &&
           !strcmp(sl_context_profile(&database->profiles, "count", true)->metric->name, "count"),
       "profiles without inlined functions: by a cost, and by count");
    ok(!sl_context_has(cost, "inlined") && !sl_context_has(cost, "nested"), "both options are off");
}

static void test_shape(void)
{
    unsigned parents = 0, costs = 0;
    for (int i = 0; i < (int)N_CONTEXTS; i++) {
        const struct made_context *c = &made_contexts[i];
        uint32_t at = index_of(i);
        if (at == SL_NO_INDEX)
            continue;
        parents += tree.context[at].parent == (c->parent < 0 ? SL_NO_INDEX : index_of(c->parent));
        costs += tree.cost[BY_CYCLES][at] == c->cost && tree.cost[BY_COUNT][at] == c->calls &&
                 tree.cost[BY_ENERGY][at] == weight_of(BY_ENERGY, c);
    }
    ok(tree.n == N_CONTEXTS && tree.n_functions == N_FUNCTIONS && !tree.orphans,
       "all contexts and functions are in the tree");
    ok(parents == N_CONTEXTS, "each context has its caller");
    ok(costs == N_CONTEXTS, "each context has its cost by each metric");
    bool preorder = true, named = true;
    for (uint32_t above = 0; above < tree.n; above++)
        for (uint32_t c = 0; c < tree.n; c++)
            preorder &= is_below(c, above) == (c >= above && c < tree.context[above].end);
    for (uint32_t c = 0; c < tree.n; c++)
        named &= !strcmp(tree.function[tree.context[c].function].name,
                         function_names[function_of(c)]);
    ok(preorder, "all contexts below a context follow it, up to its end");
    ok(named, "each context has the name of its function");
    ok(sl_context_find(&tree, 1, 2) == SL_NO_INDEX, "an unknown context is not found");
}

/* By definition: the cost of all contexts that are in or below a chosen function. */
static uint64_t plain_cost(size_t cost, const bool *chosen)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < tree.n; c++) {
        uint32_t above = c;
        while (above != SL_NO_INDEX && !chosen[tree.context[above].function])
            above = tree.context[above].parent;
        sum += above == SL_NO_INDEX ? 0 : tree.cost[cost][c];
    }
    return sum;
}

static void test_inclusive(void)
{
    uint32_t covered[N_FUNCTIONS];
    uint64_t inclusive[N_FUNCTIONS];
    bool chosen[N_FUNCTIONS], functions = true, sets = true, below = true;
    for (size_t cost = 0; cost < N_PROFILES; cost++) {
        sl_context_inclusive(&tree, tree.sum[cost], covered, inclusive);
        for (unsigned set = 0; set < 1u << N_FUNCTIONS; set++) {
            for (unsigned i = 0; i < N_FUNCTIONS; i++)
                chosen[i] = set >> i & 1;
            sets &= sl_context_cost_of(&tree, cost, chosen) == plain_cost(cost, chosen);
        }
        for (unsigned i = 0; i < N_FUNCTIONS; i++) {
            memset(chosen, 0, sizeof chosen);
            chosen[i] = true;
            functions &= inclusive[i] == plain_cost(cost, chosen);
        }
        for (uint32_t above = 0; above < tree.n; above++) {
            uint64_t sum = 0;
            for (uint32_t c = 0; c < tree.n; c++)
                sum += is_below(c, above) ? tree.cost[cost][c] : 0;
            below &= sl_context_cost(&tree, cost, above) == sum;
        }
    }
    ok(below, "the cost of a context with all contexts below it is their sum");
    ok(functions, "inclusive: an event counts once, even in a function that calls itself");
    ok(sets, "inclusive: the same for all 64 sets of functions together");
}

static void test_missing_caller(void)
{
    struct sl_context_tree other;
    const struct sl_db_profile *profile;
    sl_database_close(database);
    change("DELETE FROM entry WHERE count = 100");
    if (sl_database_open(&database, path, &f))
        return;
    profile = sl_context_profile(&database->profiles, "cycles", false);
    int result = sl_context_tree_load(&other, database, &profile, 1, &f);
    ok(!result && other.orphans > 0 && other.n == N_CONTEXTS - 1 && other.sum[0][other.n] == 700,
       "a context whose caller is missing stays in the tree and is counted");
    if (!result)
        sl_context_tree_free(&other);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/sluice-context-tree-%d.db", (int)getpid());
    write_database();
    if (sl_database_open(&database, path, &f))
        return 1;
    load();
    test_profiles();
    test_shape();
    test_inclusive();
    sl_context_tree_free(&tree);
    test_missing_caller();
    sl_database_close(database);
    unlink(path);
    return done_testing();
}
