/* SPDX-License-Identifier: MIT */
/* Computes costs of functions, and of the calls between two functions, from the calling context
 * tree (call_costs.h). */
#include "call_costs.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "format.h"

enum { COST, CALLS, N_COSTS };

const char *sl_average(uint64_t sum, uint64_t n, char buffer[SL_AVERAGE_SIZE])
{
    double average = n ? (double)sum / (double)n : 0;
    if (average >= 999.95)
        return sl_format_number((uint64_t)(average + 0.5), buffer);
    snprintf(buffer, SL_AVERAGE_SIZE, "%.1f", average);
    return buffer;
}

/* ---- calls of one function by another ---- */

static int costlier_arc(const void *left, const void *right)
{
    const struct sl_arc_costs *a = left, *b = right;
    int order = sl_order(a->callee, b->callee, sl_order(a->caller, b->caller, 0));
    return sl_order(b->inclusive, a->inclusive, sl_order(b->calls, a->calls, order));
}

/* ---- functions ---- */

static bool add_functions(struct sl_call_costs *costs)
{
    const struct sl_context_tree *tree = &costs->tree;
    size_t n = tree->n_functions + 1;
    uint64_t *inclusive = calloc(n, sizeof *inclusive);
    uint32_t *covered = calloc(n, sizeof *covered);
    costs->function = calloc(n, sizeof *costs->function);
    costs->by_self = calloc(n, sizeof *costs->by_self);
    costs->by_inclusive = calloc(n, sizeof *costs->by_inclusive);
    bool good = inclusive && covered && costs->function && costs->by_self && costs->by_inclusive;
    if (good)
        sl_context_inclusive(tree, tree->sum[COST], covered, inclusive);
    for (uint32_t i = 0; good && i < tree->n_functions; i++) {
        costs->by_self[i] = costs->by_inclusive[i] = i;
        costs->function[i].inclusive = inclusive[i];
    }
    for (size_t i = 0; good && i < costs->n_arcs; i++) {
        const struct sl_arc_costs *arc = &costs->arc[i];
        struct sl_function_costs *to = &costs->function[arc->callee];
        to->self += arc->self;
        to->calls += arc->calls;
        to->recursive += arc->caller == arc->callee ? arc->calls : 0;
    }
    free(inclusive);
    free(covered);
    return good;
}

static int costlier_self(const void *left, const void *right, void *context)
{
    const struct sl_function_costs *function = ((const struct sl_call_costs *)context)->function;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return sl_order(function[b].self, function[a].self, sl_order(a, b, 0));
}

static int costlier_inclusive(const void *left, const void *right, void *context)
{
    const struct sl_function_costs *function = ((const struct sl_call_costs *)context)->function;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = costlier_self(left, right, context);
    return sl_order(function[b].inclusive, function[a].inclusive, order);
}

/* ---- the whole view ---- */

static int load(struct sl_call_costs *costs, struct sl_database *database, bool called,
                struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &database->profiles;
    const struct sl_db_profile *profile[N_COSTS] = {
        [COST] = sl_context_profile(profiles, NULL, called),
        [CALLS] = sl_context_profile(profiles, "count", called)};
    if (!profile[COST])
        return sl_fail(f, SL_EUSAGE,
                       "this format needs context profiles, and the database has none: run "
                       "again with the profiles context and context:count, or with this "
                       "format as the report format of the run");
    costs->has_calls = profile[CALLS];
    costs->total = profile[COST]->weight;
    costs->units = profile[COST]->metric->units;
    return sl_context_tree_load(&costs->tree, database, profile, 1 + costs->has_calls, f);
}

int sl_call_costs_load(struct sl_call_costs *costs, struct sl_database *database, bool called,
                       struct sl_failure *f)
{
    *costs = (struct sl_call_costs){0};
    int result = load(costs, database, called, f);
    if (!result && (!sl_context_arcs(&costs->tree, NULL, &costs->arc, &costs->n_arcs) ||
                    !add_functions(costs)))
        result = sl_report_no_memory(f);
    if (result) {
        sl_call_costs_free(costs);
        return result;
    }
    size_t n = costs->tree.n_functions;
    SL_SORT(costs->arc, costs->n_arcs, costlier_arc);
    qsort_r(costs->by_self, n, sizeof *costs->by_self, costlier_self, costs);
    qsort_r(costs->by_inclusive, n, sizeof *costs->by_inclusive, costlier_inclusive, costs);
    return 0;
}

void sl_call_costs_free(struct sl_call_costs *costs)
{
    sl_context_tree_free(&costs->tree);
    free(costs->function);
    free(costs->arc);
    free(costs->by_self);
    free(costs->by_inclusive);
    *costs = (struct sl_call_costs){0};
}
