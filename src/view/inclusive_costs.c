#include "inclusive_costs.h"

#include <stdlib.h>
#include <string.h>


static int load_callees(struct sl_inclusive_costs *inclusive,
                        const struct sl_saved_profiles *profiles, struct sl_failure *f)
{
    const struct sl_saved_profile *calls = sl_passages_profile(profiles, &sl_detector_call);
    struct sl_passages *list = &inclusive->callees;
    if (!calls)
        return 0;
    int result = sl_passages_load(list, inclusive->costs->database, calls, inclusive->costs->n, f);
    for (size_t i = 0; i < list->n; i++)
        list->passage[i] = (struct sl_passage){list->passage[i].to, 0, list->passage[i].count};
    sl_passages_settle(list);
    inclusive->shared = calloc(list->n + 1, sizeof *inclusive->shared);
    return result || inclusive->shared ? result : sl_saved_fail_memory(f);
}

int sl_inclusive_costs_load(struct sl_inclusive_costs *inclusive, const struct sl_costs *costs,
                            struct sl_failure *f)
{
    const struct sl_saved_profiles *profiles = &costs->database->profiles;
    *inclusive = (struct sl_inclusive_costs){.costs = costs};
    int result = load_callees(inclusive, profiles, f);
    for (size_t i = 0; i < profiles->n && !result; i++)
        for (size_t c = 0; c < costs->n_columns && !result; c++) {
            const struct sl_saved_profile *profile = &profiles->profile[i];
            struct sl_passages *list = &inclusive->cost[c];
            if (list->n || !sl_cost_is_inclusive(profile) ||
                strcmp(profile->metric->name, costs->column[c].name))
                continue;
            result = sl_passages_load(list, costs->database, profile, costs->n, f);
            sl_passages_settle(list);
        }
    if (result)
        sl_inclusive_costs_free(inclusive);
    return result;
}

void sl_inclusive_costs_free(struct sl_inclusive_costs *inclusive)
{
    sl_passages_free(&inclusive->callees);
    for (size_t i = 0; i < SL_COST_COLUMNS; i++)
        sl_passages_free(&inclusive->cost[i]);
    free(inclusive->shared);
    inclusive->shared = NULL;
}

/* The count of an address in a settled list, which is `from` there once at most. */
static uint64_t count_of(const struct sl_passages *list, uint64_t from, size_t *at)
{
    *at = sl_passages_from(list, from);
    return *at < list->n && list->passage[*at].from == from ? list->passage[*at].count : 0;
}

void sl_inclusive_costs_share(struct sl_inclusive_costs *inclusive, uint64_t callee,
                              uint64_t count, uint64_t *cost)
{
    size_t at, unused;
    uint64_t calls = count_of(&inclusive->callees, callee, &at);
    uint64_t before = calls ? inclusive->shared[at] : 0, after = before + count;
    for (size_t i = 0; i < inclusive->costs->n_columns; i++) {
        /* Between two points of the way to the whole: what is rounded off is not lost. */
        unsigned __int128 whole = count_of(&inclusive->cost[i], callee, &unused);
        cost[i] = calls ? (uint64_t)(whole * after / calls - whole * before / calls) : 0;
    }
    if (calls)
        inclusive->shared[at] = after;
}
