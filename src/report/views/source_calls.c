/* SPDX-License-Identifier: MIT */
/* Divides the cost of the calls from one source function to another among the caller's call
 * instructions (source_calls.h). If several of the caller's call instructions call the callee, each
 * gets a part of the cost in proportion to its executions. If none calls the callee directly, the
 * cost is divided among the caller's indirect calls. */
#include "source_calls.h"

#include <stdlib.h>

#include "grow.h"

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
        source[i] = w->of_context ? w->of_context[i] : source_at(w, c->pc);
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
    uint64_t whole = 0, before = 0;
    bool shared = n && site[0].frame != site[n - 1].frame;
    for (size_t i = 0; i < n; i++)
        whole += site[i].weight;
    if (!whole)
        return sl_source_add_call(w, arc->callee, arc->caller, arc->inlined, arc->inclusive);
    for (size_t i = 0; i < n; i++) {
        uint64_t part = sl_cost_part(arc->inclusive, before, site[i].weight, whole);
        struct sl_source_frame *frame = site[i].frame
                                            ? &w->frame[site[i].frame - w->costs.lines.inlined]
                                            : NULL;
        before += site[i].weight;
        for (const struct sl_db_inlined *in = site[i].frame; in; in = in->parent) {
            struct sl_source_frame *around = &w->frame[in - w->costs.lines.inlined];
            around->again += around->source == arc->callee ? part : 0;
        }
        if (frame) {
            frame->called += part;
            frame->shared = frame->shared || shared;
        }
        if (!sl_source_add_call(w, arc->callee, frame ? frame->source : arc->caller, false, part))
            return false;
    }
    return true;
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
    free(arc);
    return good;
}
