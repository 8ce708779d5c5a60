#include "context_tree.h"

#include <stdlib.h>
#include <string.h>

#include "context_name.h"
#include "grow.h"
#include "utf8.h"
#include "entry_view.h"
#include "wording.h"

const struct sl_saved_profile *sl_context_profile(const struct sl_saved_profiles *profiles,
                                                  const char *metric)
{
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->profile[i].detector == &sl_detector_context &&
            !strcmp(profiles->profile[i].metric->name, metric))
            return &profiles->profile[i];
    return NULL;
}

const struct sl_saved_profile *sl_context_profile_of_cost(const struct sl_saved_profiles *profiles)
{
    for (size_t i = 0; i < profiles->n; i++)
        if (profiles->profile[i].detector == &sl_detector_context &&
            profiles->profile[i].metric->weigh)
            return &profiles->profile[i];
    return NULL;
}

/* ---- reading --------------------------------------------------------------------- */

struct reading {
    struct sl_context_tree *tree;
    const struct sl_saved_profile *profile;
    size_t cost, room_costs[SL_CONTEXT_COSTS];
};

static uint32_t function_of(const struct reading *r, const struct sl_saved_entry *entry)
{
    struct sl_context_tree *tree = r->tree;
    uint32_t number = sl_index_intern(&tree->functions, entry->at.address, 0);
    if (number == SL_NO_INDEX ||
        !SL_GROW(tree->function, tree->room_functions, (size_t)number + 1))
        return SL_NO_INDEX;
    if (number < tree->n_functions)
        return number;
    tree->n_functions++;
    tree->function[number] = (struct sl_context_function){
        .pc = entry->at.address,
        .name = sl_own_printable(sl_entry_symbol(r->profile, entry)),
        .line = sl_own_printable(sl_saved_line(&entry->at)),
    };
    return tree->function[number].name ? number : SL_NO_INDEX;
}

static int add_entry(void *context, const struct sl_saved_entry *entry)
{
    struct reading *r = context;
    struct sl_context_tree *tree = r->tree;
    uint64_t pc = entry->at.address;
    uint32_t number = sl_index_intern(&tree->tuples, pc, entry->value);
    if (number == SL_NO_INDEX || !SL_GROW(tree->context, tree->room, (size_t)number + 1))
        return SL_ENOMEM;
    if (number == tree->n) {
        uint32_t function = function_of(r, entry);
        uint32_t name = sl_index_intern(&tree->names, sl_context_name(entry->value, pc), 0);
        if (function == SL_NO_INDEX || name == SL_NO_INDEX)
            return SL_ENOMEM;
        if (name != number)
            return SL_EFORMAT;
        tree->context[tree->n++] = (struct sl_context){pc, entry->value, function, SL_NO_INDEX, 0};
    }
    if (!SL_GROW(tree->cost[r->cost], r->room_costs[r->cost], (size_t)number + 1))
        return SL_ENOMEM;
    tree->cost[r->cost][number] = entry->count;
    return 0;
}

/* ---- order ----------------------------------------------------------------------- */

/* Lists of who is below whom, in the order read; the last place is that of the roots. */
struct order {
    uint32_t *first, *next; /* SL_NO_INDEX: no more */
    uint32_t *way;          /* down to where the walk is */
    struct sl_context *context;
    uint64_t *cost[SL_CONTEXT_COSTS];
};

static void find_parents(struct sl_context_tree *tree, struct order *o)
{
    for (size_t i = 0; i <= tree->n; i++)
        o->first[i] = SL_NO_INDEX;
    for (size_t i = tree->n; i-- > 0;) {
        struct sl_context *c = &tree->context[i];
        if (c->caller != SL_CONTEXT_NONE)
            c->parent = sl_index_find(&tree->names, c->caller, 0);
        tree->orphans += c->caller != SL_CONTEXT_NONE && c->parent == SL_NO_INDEX;
        size_t above = c->parent == SL_NO_INDEX ? tree->n : c->parent;
        o->next[i] = o->first[above];
        o->first[above] = (uint32_t)i;
    }
}

/* Copies them in preorder; returns how many there are. */
static size_t walk(struct sl_context_tree *tree, struct order *o)
{
    size_t n = 0, depth = 0;
    o->way[depth++] = (uint32_t)tree->n;
    while (depth) {
        uint32_t above = o->way[depth - 1], at = o->first[above];
        if (at == SL_NO_INDEX) {
            if (--depth)
                o->context[tree->place[above]].end = (uint32_t)n;
            continue;
        }
        o->first[above] = o->next[at];
        o->context[n] = tree->context[at];
        if (above < tree->n)
            o->context[n].parent = tree->place[above];
        for (size_t i = 0; i < tree->n_costs; i++)
            o->cost[i][n] = tree->cost[i][at];
        tree->place[at] = (uint32_t)n++;
        o->way[depth++] = at;
    }
    return n;
}

static bool add_up(struct sl_context_tree *tree)
{
    for (size_t i = 0; i < tree->n_costs; i++) {
        tree->sum[i] = calloc(tree->n + 1, sizeof *tree->sum[i]);
        if (!tree->sum[i])
            return false;
        for (size_t c = 0; c < tree->n; c++)
            tree->sum[i][c + 1] = tree->sum[i][c] + tree->cost[i][c];
    }
    return true;
}

static int settle(struct sl_context_tree *tree, struct reading *r)
{
    struct order o = {
        .first = calloc(tree->n + 1, sizeof *o.first),
        .next = calloc(tree->n + 1, sizeof *o.next),
        .way = calloc(tree->n + 2, sizeof *o.way),
        .context = calloc(tree->n + 1, sizeof *o.context),
    };
    tree->place = calloc(tree->n + 1, sizeof *tree->place);
    bool room = o.first && o.next && o.way && o.context && tree->place;
    for (size_t i = 0; i < tree->n_costs; i++) {
        o.cost[i] = calloc(tree->n + 1, sizeof *o.cost[i]);
        room = room && o.cost[i] && SL_GROW(tree->cost[i], r->room_costs[i], tree->n + 1);
    }
    size_t walked = 0;
    if (room) {
        find_parents(tree, &o);
        walked = walk(tree, &o);
        free(tree->context);
        tree->context = o.context;
        o.context = NULL;
    }
    for (size_t i = 0; i < tree->n_costs; i++) {
        if (room) {
            free(tree->cost[i]);
            tree->cost[i] = o.cost[i];
        } else {
            free(o.cost[i]);
        }
    }
    free(o.first);
    free(o.next);
    free(o.way);
    free(o.context);
    return !room || !add_up(tree) ? SL_ENOMEM : walked < tree->n ? SL_EFORMAT : 0;
}

/* ---- the whole ------------------------------------------------------------------- */

int sl_context_tree_load(struct sl_context_tree *tree, struct sl_database *database,
                         const struct sl_saved_profile *const *profile, size_t n_profiles,
                         struct sl_failure *f)
{
    struct reading r = {.tree = tree};
    int result = 0;
    *tree = (struct sl_context_tree){.n_costs = n_profiles};
    for (; r.cost < n_profiles && !result; r.cost++) {
        r.profile = profile[r.cost];
        result = sl_saved_entries(database, r.profile, 0, add_entry, &r, f);
    }
    if (!result)
        result = settle(tree, &r);
    if (result == SL_ENOMEM)
        sl_report_no_memory(f);
    else if (result == SL_EFORMAT)
        sl_saved_fail_content(database, "its contexts are no tree", f);
    if (result)
        sl_context_tree_free(tree);
    return result;
}

void sl_context_tree_free(struct sl_context_tree *tree)
{
    for (size_t i = 0; i < tree->n_functions; i++) {
        free(tree->function[i].name);
        free(tree->function[i].line);
    }
    for (size_t i = 0; i < SL_CONTEXT_COSTS; i++) {
        free(tree->cost[i]);
        free(tree->sum[i]);
    }
    free(tree->context);
    free(tree->function);
    free(tree->place);
    sl_index_free(&tree->tuples);
    sl_index_free(&tree->functions);
    sl_index_free(&tree->names);
    *tree = (struct sl_context_tree){0};
}

void sl_context_inclusive(const struct sl_context_tree *tree, const uint64_t *sum,
                          uint32_t *covered, uint64_t *inclusive)
{
    memset(covered, 0, tree->n_functions * sizeof *covered);
    memset(inclusive, 0, tree->n_functions * sizeof *inclusive);
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct sl_context *c = &tree->context[i];
        if (i < covered[c->function])
            continue;
        inclusive[c->function] += sum[c->end] - sum[i];
        covered[c->function] = c->end;
    }
}

uint64_t sl_context_cost_of(const struct sl_context_tree *tree, size_t cost, const bool *chosen)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tree->n;)
        if (chosen[tree->context[i].function]) {
            sum += sl_context_cost(tree, cost, i);
            i = tree->context[i].end;
        } else {
            i++;
        }
    return sum;
}

uint32_t sl_context_find(const struct sl_context_tree *tree, uint64_t pc, uint64_t caller)
{
    uint32_t number = sl_index_find(&tree->tuples, pc, caller);
    return number == SL_NO_INDEX ? SL_NO_INDEX : tree->place[number];
}
