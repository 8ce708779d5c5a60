/* SPDX-License-Identifier: MIT */
/* Divides the inclusive cost of a function among its calls, for the callgrind format
 * (inclusive_costs.h). */
#include "inclusive_costs.h"

#include <stdlib.h>
#include <string.h>

/* The function that contains an address; NULL if unknown. */
static const struct sl_db_function *function_at(const struct sl_inclusive_costs *inclusive,
                                                uint64_t address)
{
    const struct sl_db_span *span = sl_db_span_at(&inclusive->costs->lines, address);
    return span && span->function->name ? span->function : NULL;
}

static uint64_t start_at(const struct sl_inclusive_costs *inclusive, uint64_t address)
{
    const struct sl_db_function *function = function_at(inclusive, address);
    return function ? function->start : address;
}

/* Index of a pair in a sorted list; list->n if it is not there. */
static size_t find_pair(const struct sl_transfer_counts *list, uint64_t from, uint64_t to)
{
    size_t i = sl_transfer_counts_from(list, from);
    while (i < list->n && list->transfer[i].from == from && list->transfer[i].to != to)
        i++;
    return i < list->n && list->transfer[i].from == from ? i : list->n;
}

/* Counts the executions of call instructions by callee, and by pair of functions. */
static int load_calls(struct sl_inclusive_costs *inclusive, struct sl_failure *f)
{
    struct sl_transfer_counts all = {0}, *callees = &inclusive->callees, *pairs = &inclusive->calls;
    int result = sl_transfer_counts_load_first(&all, inclusive->costs->database, SL_FIELD_CALLEE,
                                               false, inclusive->costs->n, f);
    bool good = true;
    for (size_t i = 0; i < all.n && good; i++) {
        const struct sl_transfer_count *call = &all.transfer[i];
        good = sl_transfer_counts_add(callees, call->to, 0, call->count) &&
               sl_transfer_counts_add(pairs, start_at(inclusive, call->from),
                                      start_at(inclusive, call->to), call->count);
    }
    sl_transfer_counts_free(&all);
    sl_transfer_counts_sort(callees);
    sl_transfer_counts_sort(pairs);
    inclusive->shared = calloc(callees->n + 1, sizeof *inclusive->shared);
    inclusive->arc_shared = calloc(pairs->n + 1, sizeof *inclusive->arc_shared);
    inclusive->arc_cost = calloc(pairs->n + 1, sizeof *inclusive->arc_cost);
    good = good && inclusive->shared && inclusive->arc_shared && inclusive->arc_cost;
    return result || good ? result : sl_db_fail_memory(f);
}

/* Adds the costs of the arcs to the pairs of functions. */
static void match_arcs(struct sl_inclusive_costs *inclusive)
{
    const struct sl_transfer_counts *list = &inclusive->calls;
    const struct sl_call_costs *arcs = &inclusive->arcs;
    for (size_t i = 0; i < arcs->n_arcs; i++) {
        const struct sl_arc_costs *arc = &arcs->arc[i];
        size_t pair = arc->caller == SL_NO_INDEX
                          ? list->n
                          : find_pair(list, arcs->tree.function[arc->caller].pc,
                                      arcs->tree.function[arc->callee].pc);
        if (pair < list->n && arc->caller != arc->callee) /* recursion is part of its caller */
            inclusive->arc_cost[pair] += arc->inclusive;
    }
}

static int load_arcs(struct sl_inclusive_costs *inclusive, struct sl_failure *f)
{
    const struct sl_costs *costs = inclusive->costs;
    const struct sl_db_profile *profile = sl_context_profile(&costs->database->profiles, NULL,
                                                             true);
    size_t column = 0;
    while (profile && column < costs->n_columns &&
           strcmp(costs->column[column].name, profile->metric->name))
        column++;
    if (!profile || column == costs->n_columns)
        return 0;
    inclusive->column = column;
    int result = sl_call_costs_load(&inclusive->arcs, costs->database, true, f);
    inclusive->has_arcs = !result;
    if (!result)
        match_arcs(inclusive);
    return result;
}

int sl_inclusive_costs_others(const struct sl_inclusive_costs *inclusive, sl_inclusive_call *each,
                              void *context)
{
    const struct sl_call_costs *arcs = &inclusive->arcs;
    int result = 0;
    for (size_t i = 0; i < arcs->n_arcs && inclusive->has_arcs && !result; i++) {
        const struct sl_arc_costs *arc = &arcs->arc[i];
        uint64_t cost[SL_COST_COLUMNS] = {0};
        if (arc->caller == SL_NO_INDEX || arc->caller == arc->callee)
            continue;
        uint64_t from = arcs->tree.function[arc->caller].pc;
        uint64_t to = arcs->tree.function[arc->callee].pc;
        const struct sl_db_function *caller = function_at(inclusive, from);
        const struct sl_db_function *callee = function_at(inclusive, to);
        cost[inclusive->column] = arc->inclusive;
        if (caller && callee && find_pair(&inclusive->calls, from, to) == inclusive->calls.n)
            result = each(context, caller, callee, arc->calls, cost);
    }
    return result;
}

/* ---- the whole view ---- */

int sl_inclusive_costs_load(struct sl_inclusive_costs *inclusive, const struct sl_costs *costs,
                            struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &costs->database->profiles;
    *inclusive = (struct sl_inclusive_costs){.costs = costs};
    int result = load_calls(inclusive, f);
    if (!result)
        result = load_arcs(inclusive, f);
    for (size_t i = 0; i < profiles->n && !result; i++)
        for (size_t c = 0; c < costs->n_columns && !result; c++) {
            const struct sl_db_profile *profile = &profiles->profile[i];
            struct sl_transfer_counts *list = &inclusive->cost[c];
            if (list->n || !sl_cost_is_inclusive(profile) ||
                strcmp(profile->metric->name, costs->column[c].name))
                continue;
            result = sl_transfer_counts_load(list, costs->database, profile, costs->n, f);
            sl_transfer_counts_sort(list);
        }
    if (result)
        sl_inclusive_costs_free(inclusive);
    return result;
}

void sl_inclusive_costs_free(struct sl_inclusive_costs *inclusive)
{
    sl_transfer_counts_free(&inclusive->callees);
    for (size_t i = 0; i < SL_COST_COLUMNS; i++)
        sl_transfer_counts_free(&inclusive->cost[i]);
    sl_transfer_counts_free(&inclusive->calls);
    sl_call_costs_free(&inclusive->arcs);
    free(inclusive->shared);
    free(inclusive->arc_shared);
    free(inclusive->arc_cost);
    *inclusive = (struct sl_inclusive_costs){0};
}

void sl_inclusive_costs_share(struct sl_inclusive_costs *inclusive, uint64_t from, uint64_t callee,
                              uint64_t count, uint64_t *cost)
{
    size_t at = sl_transfer_counts_from(&inclusive->callees, callee);
    uint64_t calls = sl_transfer_counts_sum(&inclusive->callees, callee);
    for (size_t i = 0; i < inclusive->costs->n_columns; i++)
        cost[i] = sl_cost_part(sl_transfer_counts_sum(&inclusive->cost[i], callee),
                               calls ? inclusive->shared[at] : 0, count, calls);
    if (calls)
        inclusive->shared[at] += count;
    size_t pair = inclusive->has_arcs ? find_pair(&inclusive->calls, start_at(inclusive, from),
                                                  start_at(inclusive, callee))
                                      : inclusive->calls.n;
    if (pair == inclusive->calls.n)
        return;
    cost[inclusive->column] = sl_cost_part(inclusive->arc_cost[pair], inclusive->arc_shared[pair],
                                           count, inclusive->calls.transfer[pair].count);
    inclusive->arc_shared[pair] += count;
}
