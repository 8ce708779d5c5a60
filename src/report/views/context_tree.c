/* SPDX-License-Identifier: MIT */
/* Loads the calling context tree from context profiles, and sorts it into preorder
 * (context_tree.h). The parent of a context is found by the hash of the caller, which the context's
 * entry contains. A database whose contexts contain a cycle is rejected. */
#include "context_tree.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "context_name.h"
#include "grow.h"
#include "entry_view.h"
#include "format.h"

bool sl_context_has(const struct sl_db_profile *profile, const char *option)
{
    struct sl_option_stored stored = {0};
    for (const struct sl_option *o = profile->detector->options; o && o->name; o++)
        if (!strcmp(o->name, option) && profile->config)
            sl_option_get(o, profile->config, &stored);
    return stored.is == SL_STORED_NUMBER && stored.number;
}

const struct sl_db_profile *sl_context_profile(const struct sl_db_profiles *profiles,
                                               const char *metric, bool called)
{
    for (size_t i = 0; i < profiles->n; i++) {
        const struct sl_db_profile *profile = &profiles->profile[i];
        bool by = metric ? !strcmp(profile->metric->name, metric) : profile->metric->weigh != NULL;
        if (profile->detector->second.type == SL_FIELD_CALLERS && by &&
            !(called && sl_context_has(profile, "inlined")))
            return profile;
    }
    return NULL;
}

/* ---- reading ---- */

struct reading {
    struct sl_context_tree *tree;
    struct sl_database *database;
    struct sl_failure *f;
    const struct sl_db_profile *profile;
    size_t cost, costs_capacity[SL_CONTEXT_COSTS];
};

/* Finds the inlined call of an entry; NULL if it is a real call. */
static int find_frame(struct reading *r, const struct sl_db_entry *entry,
                      const struct sl_db_inlined **frame)
{
    unsigned depth = sl_context_depth(entry->value);
    int result = 0;
    *frame = NULL;
    if (depth && !r->tree->has_frames) {
        r->tree->has_frames = true;
        result = sl_db_lines_load(&r->tree->frames, r->database, true, r->f);
    }
    if (depth && !result)
        *frame = sl_db_frame_at(&r->tree->frames, entry->at.address, depth);
    return result || !depth || *frame ? result : SL_EFORMAT;
}

static uint32_t function_of(const struct reading *r, const struct sl_db_entry *entry,
                            const struct sl_db_inlined *frame)
{
    struct sl_context_tree *tree = r->tree;
    uint64_t key = entry->at.address;
    if (frame)
        key = XXH3_64bits_withSeed(
            frame->name, strlen(frame->name),
            frame->file
                ? XXH3_64bits_withSeed(frame->file, strlen(frame->file), (XXH64_hash_t)frame->line)
                : 0);
    uint32_t number = sl_index_add(&tree->functions, key, frame != NULL);
    if (number == SL_NO_INDEX ||
        !SL_GROW(tree->function, tree->functions_capacity, (size_t)number + 1))
        return SL_NO_INDEX;
    if (number < tree->n_functions)
        return number;
    tree->n_functions++;
    struct sl_db_location declared = {.file = frame ? frame->file : NULL,
                                      .line = frame ? frame->line : 0};
    tree->function[number] = (struct sl_context_function){
        .pc = entry->at.address,
        .name = frame ? strdup(frame->name) : sl_own_printable(sl_entry_symbol(r->profile, entry)),
        .line = sl_own_printable(sl_db_line(frame ? &declared : &entry->at)),
        .inlined = frame != NULL,
    };
    return tree->function[number].name ? number : SL_NO_INDEX;
}

static int add_entry(void *context, const struct sl_db_entry *entry)
{
    struct reading *r = context;
    struct sl_context_tree *tree = r->tree;
    uint64_t pc = entry->at.address;
    uint32_t number = sl_index_add(&tree->tuples, pc, entry->value);
    if (number == SL_NO_INDEX || !SL_GROW(tree->context, tree->capacity, (size_t)number + 1))
        return SL_ENOMEM;
    if (number == tree->n) {
        const struct sl_db_inlined *frame;
        int result = find_frame(r, entry, &frame);
        if (result)
            return result;
        uint32_t function = function_of(r, entry, frame);
        uint32_t name = sl_index_add(&tree->names, sl_context_name(entry->value, pc), 0);
        if (function == SL_NO_INDEX || name == SL_NO_INDEX)
            return SL_ENOMEM;
        if (name != number)
            return SL_EFORMAT;
        tree->context[tree->n++] = (struct sl_context){.pc = pc,
                                                       .caller = entry->value,
                                                       .frame = frame,
                                                       .function = function,
                                                       .entry = r->cost ? SL_NO_INDEX : number,
                                                       .parent = SL_NO_INDEX};
    }
    if (!SL_GROW(tree->cost[r->cost], r->costs_capacity[r->cost], (size_t)number + 1))
        return SL_ENOMEM;
    tree->cost[r->cost][number] = entry->count;
    return 0;
}

/* ---- order ---- */

static void find_parents(struct sl_context_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++) {
        struct sl_context *c = &tree->context[i];
        uint64_t caller = sl_context_caller(c->caller);
        if (caller != SL_CONTEXT_NONE)
            c->parent = sl_index_find(&tree->names, caller, 0);
        tree->orphans += caller != SL_CONTEXT_NONE && c->parent == SL_NO_INDEX;
    }
}

/* Lists of children, in the order read; the last element is the list of roots. */
struct order {
    uint32_t *first, *next; /* SL_NO_INDEX: end */
    uint32_t *path;         /* stack of the walk */
};

static void link_parents(const struct sl_context_tree *tree, struct order *o)
{
    for (size_t i = 0; i <= tree->n; i++)
        o->first[i] = SL_NO_INDEX;
    for (size_t i = tree->n; i-- > 0;) {
        uint32_t parent = tree->context[i].parent;
        size_t above = parent == SL_NO_INDEX ? tree->n : parent;
        o->next[i] = o->first[above];
        o->first[above] = (uint32_t)i;
    }
}

/* Numbers the contexts in preorder, and sets their parents and ends to these numbers. Returns how
 * many it visited. */
static size_t walk(struct sl_context_tree *tree, struct order *o)
{
    size_t n = 0, depth = 0;
    o->path[depth++] = (uint32_t)tree->n;
    while (depth) {
        uint32_t above = o->path[depth - 1], at = o->first[above];
        if (at == SL_NO_INDEX) {
            if (--depth)
                tree->context[above].end = (uint32_t)n;
            continue;
        }
        o->first[above] = o->next[at];
        if (above < tree->n)
            tree->context[at].parent = tree->place[above];
        tree->place[at] = (uint32_t)n++;
        o->path[depth++] = at;
    }
    return n;
}

/* Returns a copy of an array of n elements, which it frees, with element i at place[i]; NULL if out
 * of memory. */
static void *permute(void *array, size_t size, const uint32_t *place, size_t n)
{
    char *copy = calloc(n + 1, size);
    for (size_t i = 0; copy && i < n; i++)
        memcpy(copy + place[i] * size, (char *)array + i * size, size);
    free(array);
    return copy;
}

static bool add_up(struct sl_context_tree *tree)
{
    for (size_t i = 0; i < tree->n_costs; i++) {
        free(tree->sum[i]);
        tree->sum[i] = calloc(tree->n + 1, sizeof *tree->sum[i]);
        if (!tree->sum[i])
            return false;
        for (size_t c = 0; c < tree->n; c++)
            tree->sum[i][c + 1] = tree->sum[i][c] + tree->cost[i][c];
    }
    return true;
}

/* Sorts contexts, whose parents are known, and their costs into preorder; tree->place[i] is the new
 * index of context i. */
static int arrange(struct sl_context_tree *tree)
{
    int result = 0;
    struct order o = {
        .first = calloc(tree->n + 1, sizeof *o.first),
        .next = calloc(tree->n + 1, sizeof *o.next),
        .path = calloc(tree->n + 2, sizeof *o.path),
    };
    tree->place = calloc(tree->n + 1, sizeof *tree->place);
    bool good = o.first && o.next && o.path && tree->place;
    if (good) {
        link_parents(tree, &o);
        if (walk(tree, &o) < tree->n)
            result = SL_EFORMAT;
        tree->context = permute(tree->context, sizeof *tree->context, tree->place, tree->n);
        good = tree->context;
    }
    for (size_t i = 0; i < tree->n_costs && good; i++) {
        tree->cost[i] = permute(tree->cost[i], sizeof *tree->cost[i], tree->place, tree->n);
        good = tree->cost[i];
    }
    free(o.first);
    free(o.next);
    free(o.path);
    return good && add_up(tree) ? result : SL_ENOMEM;
}

static int sort_tree(struct sl_context_tree *tree, struct reading *r)
{
    for (size_t i = 0; i < tree->n_costs; i++)
        if (!SL_GROW(tree->cost[i], r->costs_capacity[i], tree->n + 1))
            return SL_ENOMEM;
    find_parents(tree);
    return arrange(tree);
}

/* ---- merging ---- */

/* Computes the representative of each context: the first context that has the same function and the
 * same representative of its caller. Returns false if out of memory. */
static bool find_first(const struct sl_context_tree *tree, uint32_t *first)
{
    struct sl_index_map map = {0};
    bool good = true;
    for (uint32_t i = 0; i < tree->n && good; i++) {
        const struct sl_context *c = &tree->context[i];
        uint32_t above = c->parent == SL_NO_INDEX ? SL_NO_INDEX : first[c->parent];
        first[i] = sl_index_add(&map, above, c->function);
        good = first[i] != SL_NO_INDEX;
    }
    sl_index_free(&map);
    return good;
}

int sl_context_tree_merge(struct sl_context_tree *tree, struct sl_failure *f)
{
    uint32_t *first = calloc(tree->n + 1, sizeof *first), *place = tree->place;
    size_t n = 0, all = tree->n;
    if (!first || !find_first(tree, first)) {
        free(first);
        return sl_db_fail_memory(f);
    }
    for (uint32_t i = 0; i < all; i++) {
        struct sl_context c = tree->context[i];
        c.parent = c.parent == SL_NO_INDEX ? SL_NO_INDEX : first[c.parent];
        bool fresh = first[i] == n;
        if (fresh)
            tree->context[n++] = c;
        for (size_t k = 0; k < tree->n_costs; k++)
            tree->cost[k][first[i]] = tree->cost[k][i] + (fresh ? 0 : tree->cost[k][first[i]]);
    }
    tree->n = n;
    int result = arrange(tree);
    for (size_t i = 0; i < all && !result; i++)
        place[i] = tree->place[first[place[i]]];
    free(tree->place);
    tree->place = place;
    free(first);
    return result ? sl_db_fail_memory(f) : 0;
}

/* ---- the whole tree ---- */

int sl_context_tree_load(struct sl_context_tree *tree, struct sl_database *database,
                         const struct sl_db_profile *const *profile, size_t n_profiles,
                         struct sl_failure *f)
{
    struct reading r = {.tree = tree, .database = database, .f = f};
    int result = 0;
    *tree = (struct sl_context_tree){.n_costs = n_profiles};
    for (; r.cost < n_profiles && !result; r.cost++) {
        r.profile = profile[r.cost];
        result = sl_db_entries(database, r.profile, 0, add_entry, &r, f);
    }
    if (!result)
        result = sort_tree(tree, &r);
    if (result == SL_ENOMEM)
        sl_report_no_memory(f);
    else if (result == SL_EFORMAT)
        sl_db_fail_content(database, "its contexts are no tree", f);
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
    sl_db_lines_free(&tree->frames);
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

bool sl_context_arcs(const struct sl_context_tree *tree, const uint32_t *node,
                     struct sl_arc_costs **arc, size_t *n)
{
    struct sl_index_map numbers = {0};
    uint32_t *covered = NULL;
    size_t capacity = 0, covered_capacity = 0;
    bool good = true;
    for (uint32_t i = 0; i < tree->n && good; i++) {
        const struct sl_context *c = &tree->context[i];
        const struct sl_context *above = c->parent == SL_NO_INDEX ? NULL
                                                                  : &tree->context[c->parent];
        uint32_t callee = node ? node[i] : c->function;
        uint32_t caller = !above ? SL_NO_INDEX : node ? node[c->parent] : above->function;
        if (callee == SL_NO_INDEX)
            continue;
        uint32_t at = sl_index_add(&numbers, caller, (uint64_t)callee << 1 | (c->frame != NULL));
        good = at != SL_NO_INDEX && SL_GROW(*arc, capacity, (size_t)at + 1) &&
               SL_GROW(covered, covered_capacity, (size_t)at + 1);
        if (!good)
            break;
        struct sl_arc_costs *to = &(*arc)[at];
        to->caller = caller;
        to->callee = callee;
        to->inlined = c->frame;
        to->self += tree->cost[0][i];
        to->calls += tree->n_costs > 1 ? tree->cost[1][i] : 0;
        if (i >= covered[at]) {
            to->inclusive += sl_context_cost(tree, 0, i);
            covered[at] = c->end;
        }
    }
    *n = numbers.n_keys;
    sl_index_free(&numbers);
    free(covered);
    return good;
}

uint32_t sl_context_find(const struct sl_context_tree *tree, uint64_t pc, uint64_t caller)
{
    uint32_t number = sl_index_find(&tree->tuples, pc, caller);
    return number == SL_NO_INDEX ? SL_NO_INDEX : tree->place[number];
}
