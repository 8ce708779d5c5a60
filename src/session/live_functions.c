/* SPDX-License-Identifier: MIT */
/* Costs of functions so far, while a session runs. The source is a profile of calling contexts:
 *
 *     detector ── totals or events, and costs ──► costs by context ──► self, total by function
 *                 that are not charged yet
 *
 * The tuple of a context names its caller, and callers have lower tuple ids. So one pass from the
 * highest id to the lowest adds the costs of each context to its caller's. The total cost of a
 * function is that of its contexts without those below another context of the function, so that
 * recursion does not count twice. If the detector keeps totals (plan.c), events cost no more. */
#include <stdlib.h>

#include "context_name.h"
#include "failure.h"
#include "grow.h"
#include "session.h"

struct sl_live_context {
    uint32_t caller, function; /* caller: SL_NO_INDEX: none */
    bool is_outermost;         /* no context of the same function is above it */
    uint64_t self, total;
};

static bool has_callers(const struct sl_group *g)
{
    return g->detectors.member[0].kind->second.type == SL_FIELD_CALLERS;
}

bool sl_live_costs_find(struct sl_live_costs *c, struct sl_profile *profile, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sl_group *g = profile[i].group;
        const struct sl_detector_slot *d = &g->detectors.member[0];
        bool usable = g->detectors.n_members == 1 && d->kind->exits &&
                      d->kind->exits->emit_pending && !g->on_batch &&
                      !(d->kind->inclusive && d->kind->inclusive(d->config));
        if (usable && (!c->group || has_callers(g) > has_callers(c->group)))
            c->group = g;
    }
    return c->group;
}

static void count_batch(void *costs, const struct sl_batch *batch)
{
    struct sl_live_costs *c = costs;
    c->out_of_memory |= !SL_GROW(c->counted, c->counted_capacity, batch->names->n);
    for (size_t i = 0; i < batch->n && !c->out_of_memory; i++)
        c->counted[batch->tuple_id[i]] += batch->weight ? batch->weight[i] : 1;
}

void sl_live_costs_start(struct sl_live_costs *c)
{
    if (!c->group || c->group->plan >= SL_PLAN_EXIT_TOTALS)
        return;
    c->group->on_batch = count_batch;
    c->group->on_batch_context = c;
}

/* Adds the next context. Returns false if out of memory. */
static bool add_context(struct sl_live_costs *c, uint64_t pc, uint64_t callers)
{
    uint64_t above = sl_context_caller(callers), name = sl_context_name(callers, pc);
    uint32_t caller = above == SL_CONTEXT_NONE ? SL_NO_INDEX : sl_index_find(&c->names, above, 0);
    bool inlined = sl_context_depth(callers) && caller != SL_NO_INDEX, outermost = true;
    uint32_t function = inlined ? c->context[caller].function : sl_index_add(&c->addresses, pc, 0);
    if (function == SL_NO_INDEX || !SL_GROW(c->context, c->context_capacity, c->n + 1) ||
        !SL_GROW(c->function, c->function_capacity, (size_t)function + 1))
        return false;
    /* A name that is equal to another by chance must not shift the indices of later ones. */
    if (sl_index_add(&c->names, name, 0) != c->n && sl_index_add(&c->names, name, c->n) != c->n)
        return false;
    for (uint32_t at = caller; at != SL_NO_INDEX && outermost; at = c->context[at].caller)
        outermost = c->context[at].function != function;
    c->context[c->n++] = (struct sl_live_context){caller, function, outermost, 0, 0};
    if (!inlined)
        c->function[function].address = pc;
    return true;
}

static void add_cost(void *costs, uint32_t tuple_id, uint64_t times, uint64_t weight)
{
    struct sl_live_costs *c = costs;
    (void)times;
    c->context[tuple_id].self += weight;
}

static void add_up(struct sl_live_costs *c, struct sl_live_functions *out)
{
    for (size_t i = 0; i < out->n; i++)
        c->function[i].self = c->function[i].total = 0;
    for (size_t i = c->n; i-- > 0;) {
        struct sl_live_context *at = &c->context[i];
        uint64_t total = at->total + at->self;
        c->function[at->function].self += at->self;
        c->function[at->function].total += at->is_outermost ? total : 0;
        if (at->caller != SL_NO_INDEX)
            c->context[at->caller].total += total;
        out->weight += at->self;
        at->self = at->total = 0;
    }
}

int sl_session_functions(struct sl_session *s, struct sl_live_functions *out, struct sl_failure *f)
{
    SL_REQUIRE(f, s && out);
    struct sl_live_costs *c = &s->live.functions;
    *out = (struct sl_live_functions){0};
    if (!c->group)
        return sl_fail(f, SL_EUSAGE, "no profile has functions: add context");
    if (!s->started)
        return 0;
    sl_worker_pool_wait(&s->pool);
    struct sl_tuple_names names;
    const struct sl_detector_slot *d = &c->group->detectors.member[0];
    const struct sl_total_sink sink = {add_cost, c};
    d->kind->names(d->state, &names);
    while (c->n < names.n)
        if (!add_context(c, names.pc[c->n], names.value ? names.value[c->n] : SL_CONTEXT_NONE))
            return sl_out_of_memory(f);
    if (c->out_of_memory)
        return sl_out_of_memory(f);
    if (c->group->plan == SL_PLAN_EXIT_TOTALS)
        d->kind->exits->emit_totals(d->state, sink);
    for (size_t i = 0; i < c->n && i < c->counted_capacity; i++)
        c->context[i].self += c->counted[i];
    d->kind->exits->emit_pending(d->state, sink);
    *out = (struct sl_live_functions){c->function, c->addresses.n_keys, 0, has_callers(c->group),
                                      d->metric->name};
    add_up(c, out);
    return 0;
}

void sl_session_function_place(struct sl_session *s, uint64_t address,
                               struct sl_function_place *place)
{
    struct sl_db_location at;
    if (!s || !s->symbols || !place)
        return;
    sl_symbols_place(s->symbols, address, &at);
    *place = (struct sl_function_place){sl_db_symbol(&at), at.object, at.file, at.line};
}
