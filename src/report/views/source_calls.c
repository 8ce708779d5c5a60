/* SPDX-License-Identifier: MIT */
/* Divides the cost of the calls from one source function to another among the caller's call
 * instructions (source_calls.h). If several of the caller's call instructions call the callee, each
 * gets a part of the cost in proportion to its executions. If none calls the callee directly, the
 * cost is divided among the caller's indirect calls. */
#include "source_calls.h"

#include <stdlib.h>

#include "grow.h"
#include "transfer_counts.h"

static uint32_t source_at(const struct sl_source_work *w, uint64_t pc)
{
    uint32_t base = sl_index_find(&w->pcs, pc, 0);
    return base == SL_NO_INDEX ? SL_NO_INDEX : w->base[base].source;
}

static uint64_t pair_of(uint32_t caller, uint32_t callee)
{
    return (uint64_t)caller << 32 | callee;
}

bool sl_source_calls_add(struct sl_source_work *w, const struct sl_cost_location *at,
                         uint64_t weight)
{
    const struct sl_block_end *end = sl_db_code_branch(&w->costs.code, at->address);
    if (!end || (end->branch != SL_BRANCH_CALL && end->branch != SL_BRANCH_INDIRECT_CALL))
        return true;
    if (!SL_GROW(w->site, w->sites_capacity, w->n_sites + 1))
        return false;
    uint32_t callee = end->branch == SL_BRANCH_CALL ? source_at(w, end->target) : SL_NO_INDEX;
    w->site[w->n_sites++] = (struct sl_source_site){
        .pair = pair_of(w->base[w->last_base].source, callee),
        .frame = at->inlined,
        .weight = weight};
    return true;
}

/* ---- calls of one function by another, from contexts ---- */

static uint32_t source_of(const struct sl_source_work *w, uint32_t context)
{
    return context == SL_NO_INDEX ? SL_NO_INDEX
           : w->of_context        ? w->of_context[context]
                                  : source_at(w, w->tree.context[context].pc);
}

/* The linker symbol of a context; NULL if it is inlined or unknown. */
static const struct sl_source_base *base_of(const struct sl_source_work *w, uint32_t context)
{
    const struct sl_context *c = &w->tree.context[context];
    uint32_t base = c->frame ? SL_NO_INDEX : sl_index_find(&w->pcs, c->pc, 0);
    return base == SL_NO_INDEX ? NULL : &w->base[base];
}

static bool is_derived(const struct sl_source_work *w, uint32_t context)
{
    const struct sl_source_base *base = base_of(w, context);
    return base && base->derived;
}

/* True if the context is a part of its caller's function, for example a function that is called
 * through its PLT stub. */
static bool is_part_of_caller(const struct sl_source_work *w, uint32_t context)
{
    uint32_t caller = w->tree.context[context].parent;
    return caller != SL_NO_INDEX && source_of(w, context) == source_of(w, caller) &&
           (is_derived(w, context) || is_derived(w, caller));
}

/* True if the count of the context must not be added to the calls: a call through a PLT stub is
 * counted in the context of the stub, and again in that of the function. */
static bool is_no_call(const struct sl_source_work *w, uint32_t context)
{
    const struct sl_source_base *base = base_of(w, context);
    return (base && base->is_stub) || is_part_of_caller(w, context);
}

/* True if the second profile of contexts counts calls. */
static bool has_counted_contexts(const struct sl_source_work *w)
{
    return w->tree.n_costs > 1 && !w->profiles[1]->metric->weigh;
}

bool sl_source_merge_contexts(struct sl_source_work *w)
{
    struct sl_context_tree *tree = &w->tree;
    uint32_t *source = calloc(tree->n + 1, sizeof *source);
    for (uint32_t i = 0; source && i < tree->n; i++)
        source[i] = is_part_of_caller(w, i) ? SL_NO_INDEX : source_of(w, i);
    for (uint32_t i = 0; source && i < tree->n; i++)
        tree->context[i].function = source[i];
    free(source);
    return source && !sl_context_tree_merge(tree, w->f);
}

/* Adds inclusive costs of functions, and lists the calls between them. Each event counts once per
 * function and per arc, even if it is on the stack several times (context_tree.h). */
static bool add_contexts(struct sl_source_work *w, struct sl_arc_costs **arc, size_t *n)
{
    const struct sl_context_tree *tree = &w->tree;
    uint32_t *source = calloc(tree->n + 1, sizeof *source);
    uint32_t *covered = calloc(w->all->n + 1, sizeof *covered);
    bool good = source && covered;
    for (uint32_t i = 0; good && i < tree->n; i++) {
        const struct sl_context *c = &tree->context[i];
        source[i] = source_of(w, i);
        if (has_counted_contexts(w) && is_no_call(w, i))
            tree->cost[1][i] = 0;
        if (source[i] == SL_NO_INDEX || i < covered[source[i]])
            continue;
        w->all->function[source[i]].inclusive += sl_context_cost(tree, 0, i);
        covered[source[i]] = c->end;
    }
    good = good && sl_context_arcs(tree, source, arc, n);
    free(source);
    free(covered);
    return good;
}

/* ---- call instructions of these calls ---- */

static int by_pair(const void *a, const void *b)
{
    const struct sl_source_site *x = a, *y = b;
    return sl_order(x->pair, y->pair, sl_order((uintptr_t)x->frame, (uintptr_t)y->frame, 0));
}

/* The call instructions from one function to another: returns the first one, and their number in
 * *n. */
static size_t find_sites(const struct sl_source_work *w, uint32_t caller, uint32_t callee,
                         size_t *n)
{
    uint64_t pair = pair_of(caller, callee);
    size_t first = SL_LOWER_BOUND(w->site, w->n_sites, struct sl_source_site, pair, pair);
    for (*n = 0; first + *n < w->n_sites && w->site[first + *n].pair == pair;)
        ++*n;
    return first;
}

static bool divide_arc(struct sl_source_work *w, const struct sl_arc_costs *arc)
{
    size_t n, first = find_sites(w, arc->caller, arc->callee, &n);
    if (!n) /* indirect call */
        first = find_sites(w, arc->caller, SL_NO_INDEX, &n);
    const struct sl_source_site *site = w->site ? w->site + first : NULL;
    uint64_t whole = 0, before = 0, calls = has_counted_contexts(w) ? arc->calls : 0;
    bool shared = n && site[0].frame != site[n - 1].frame;
    for (size_t i = 0; i < n; i++)
        whole += site[i].weight;
    if (!whole)
        return sl_source_add_call(w, arc->callee, arc->caller, arc->inlined, arc->inclusive, calls);
    for (size_t i = 0; i < n; i++) {
        uint64_t part = sl_cost_part(arc->inclusive, before, site[i].weight, whole);
        struct sl_source_frame *frame = site[i].frame
                                            ? &w->frame[site[i].frame - w->costs.lines.inlined]
                                            : NULL;
        uint64_t done = before;
        before += site[i].weight;
        for (const struct sl_db_inlined *in = site[i].frame; in; in = in->parent) {
            struct sl_source_frame *around = &w->frame[in - w->costs.lines.inlined];
            around->again += around->source == arc->callee ? part : 0;
        }
        if (frame) {
            frame->called += part;
            frame->shared = frame->shared || shared;
        }
        if (!sl_source_add_call(w, arc->callee, frame ? frame->source : arc->caller, false, part,
                                sl_cost_part(calls, done, site[i].weight, whole)))
            return false;
    }
    return true;
}

/* ---- numbers of calls, from an exact profile of calls ---- */

static uint32_t source_of_span(const struct sl_source_work *w, const struct sl_db_span *span)
{
    return span->inlined && w->frame ? w->frame[span->inlined - w->costs.lines.inlined].source
                                     : source_at(w, span->function->start);
}

static void count_call(struct sl_source_work *w, const struct sl_transfer_count *call)
{
    const struct sl_db_span *span = sl_db_span_at(&w->costs.lines, call->from);
    uint32_t callee = source_at(w, call->to), caller = span ? source_of_span(w, span) : SL_NO_INDEX;
    struct sl_source_function *function = callee == SL_NO_INDEX ? NULL : &w->all->function[callee];
    if (!function)
        return;
    function->calls += call->count;
    for (size_t i = 0; i < function->n_callers; i++)
        if (function->caller[i].function == caller && !function->caller[i].inlined)
            function->caller[i].calls += call->count;
}

/* A function is also entered by tail calls, which are jumps: its first instruction is executed more
 * often than it is called. */
static void add_jumps(struct sl_source_work *w, const struct sl_source_base *base)
{
    struct sl_source_function *function = base->source == SL_NO_INDEX
                                              ? NULL
                                              : &w->all->function[base->source];
    if (function && !base->derived && base->entries > function->calls)
        function->calls = base->entries;
}

static bool add_counted_calls(struct sl_source_work *w)
{
    struct sl_transfer_counts calls = {0};
    const struct sl_db_profiles *profiles = &w->database->profiles;
    w->all->has_calls = sl_transfer_counts_profile(profiles, SL_FIELD_CALLEE, true) != NULL;
    bool good = !sl_transfer_counts_load_first(&calls, w->database, SL_FIELD_CALLEE, true, 0, w->f);
    for (size_t i = 0; i < calls.n && good; i++)
        count_call(w, &calls.transfer[i]);
    sl_transfer_counts_free(&calls);
    for (size_t i = 0; i < w->n_bases && w->all->has_calls; i++)
        add_jumps(w, &w->base[i]);
    return good;
}

static void add_arc_calls(struct sl_source_work *w, const struct sl_arc_costs *arc, size_t n)
{
    w->all->has_calls = true;
    for (size_t i = 0; i < n; i++)
        if (arc[i].callee != SL_NO_INDEX)
            w->all->function[arc[i].callee].calls += arc[i].calls;
}

bool sl_source_calls_finish(struct sl_source_work *w)
{
    struct sl_arc_costs *arc = NULL;
    size_t n = 0;
    bool good = !w->all->has_inclusive || add_contexts(w, &arc, &n);
    SL_SORT(w->site, w->n_sites, by_pair);
    for (size_t i = 0; i < n && good; i++)
        if (arc[i].caller != SL_NO_INDEX && arc[i].caller != arc[i].callee)
            good = divide_arc(w, &arc[i]);
    if (good && has_counted_contexts(w))
        add_arc_calls(w, arc, n);
    else
        good = good && add_counted_calls(w);
    free(arc);
    return good;
}
