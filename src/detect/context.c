/* SPDX-License-Identifier: MIT */
/* Detector `context`: charges costs to functions, separately for each calling context (the chain of
 * callers). Tuple: <first address of the function, hash of the caller's context>.
 *
 * Everything about the call tree follows from such a profile: inclusive costs, the part of a cost
 * that comes from each caller, the cost of several functions together (views/context_tree.h).
 *
 * A context is a node of a tree, a child of its caller's context. So that recursion does not make
 * the tree as deep as the stack, a context records which functions, and which calls of one function
 * by another, are on the stack, but not how often:
 *
 *   - A call of g by f that is not on the stack yet enters a new child.
 *   - A call that is already on the stack adds nothing. It enters a sibling whose callees are
 *     children of the first node with that function since the last new call:
 *
 *     main ─ walk ─ walk ─ visit          walk calls itself any number of times; the third
 *                 └ walk (all deeper)     walk denotes all deeper ones, and their callees
 *                                         are children of the second
 *
 * A jump from one function into another, a tail call, enters a sibling of the function that jumped,
 * because it works for the same caller. With nested=1 it is a call, as in callgrind. Exceptions: a
 * linker's stub is a sibling of its target; a jump back to where control came from returns there.
 *
 * So the path from the root to a context has each call on the stack once or twice, and the number
 * of paths without a new call is bounded.
 *
 * With inlined=1 an inlined function is also a context, a child of the one it is inlined in, and
 * its callees are its children. The weight of a block is divided by instructions (inlined_parts.h).
 * The second field distinguishes such a context from that of a call (context_name.h). It has no
 * count, because nothing is executed to enter it.
 *
 * A context is named by a 64-bit hash of its caller's name and its own address; the name of a
 * missing caller is 0. So a reader can rebuild the tree from the tuples alone (sl_context_name).
 *
 * There are at most `limit` contexts. Beyond that, functions in new contexts are counted with
 * SL_CONTEXT_BEYOND as their caller, and a warning says how often. */
#include <stdlib.h>

#include "activation.h"
#include "context_name.h"
#include "failure.h"
#include "grow.h"
#include "inlined_parts.h"

#define C struct sl_context_config
static const struct sl_option options[] = {
    SL_OPTION_TAIL(C),
    SL_OPTION_DEPTH(C),
    SL_OPTION_REPAIR(C),
    SL_BOOL(C, nested, "0",
            "caller of a tail-called function; 1: the function that makes the tail call; 0: the "
            "caller of the function that makes the tail call"),
    SL_BOOL(C, inlined, "0", "1: an inlined function has its own context"),
    SL_UNSIGNED(C, limit, "1M", 1, 1u << 28,
                "maximum number of contexts; in further contexts, functions are counted without "
                "their callers"),
    SL_OPTIONS_END,
};
#undef C

#define FRAME UINT32_C(0x80000000) /* in `what`: the other bits are an inlined frame */

struct node {
    uint64_t name;
    uint32_t what;          /* function, or FRAME | inlined frame */
    uint32_t host;          /* the context it is inlined in; itself if not inlined */
    uint32_t parent;        /* SL_NO_INDEX: none */
    uint32_t base;          /* the last node on the path from the root whose call was new */
    uint32_t callee_parent; /* parent of its callees: the first node with this function and base */
    /* The inlined frame entered last, and its context. */
    uint32_t entered, inlined_context;
};

#define RECENT_LOG2 14
struct context {
    struct sl_activations activations; /* first: see the members of detectors in activation.h */
    struct sl_context_config config;
    uint64_t beyond;   /* calls */
    struct node *node; /* by unit, which is also the tuple id */
    size_t n, nodes_capacity;
    struct sl_index_map first; /* (base, function) -> index in first_node */
    uint32_t *first_node;
    size_t first_capacity;
    struct sl_inlined_parts parts; /* with inlined=1 */
    /* Cache of enter(), by hash; without contexts beyond the limit. */
    struct recent {
        uint32_t from, function;
        bool called, there;
        uint32_t unit;
    } recent[1 << RECENT_LOG2];
};

/* ---- the tree ---- */

/* True if a call of `what` by the function of `parent` is on the path from the root to `parent`. */
static bool is_on_path(const struct context *s, uint32_t parent, uint32_t what)
{
    uint32_t caller = s->node[parent].what;
    for (uint32_t at = parent; s->node[at].parent != SL_NO_INDEX; at = s->node[at].parent)
        if (s->node[at].what == what && s->node[s->node[at].parent].what == caller)
            return true;
    return false;
}

/* The parent of the callees of a new context. */
static uint32_t find_callee_parent(struct context *s, uint32_t base, uint32_t what, uint32_t fresh)
{
    if (s->node[base].what == what)
        return base;
    size_t before = s->first.n_keys;
    uint32_t index = sl_index_add(&s->first, base, what);
    if (index == SL_NO_INDEX || !SL_GROW(s->first_node, s->first_capacity, (size_t)index + 1)) {
        s->activations.out_of_memory = true;
        return base;
    }
    if (s->first.n_keys > before)
        s->first_node[index] = fresh;
    return s->first_node[index];
}

static void add(struct context *s, uint32_t tuple_id, uint32_t parent, uint32_t function,
                uint32_t what)
{
    s->activations.unit[tuple_id] = (struct sl_charge_target){
        function, tuple_id, SL_NO_INDEX,
        s->activations.tuples.value[tuple_id] == SL_CONTEXT_BEYOND};
    s->node[tuple_id] = (struct node){.name = sl_context_name(s->activations.tuples.value[tuple_id],
                                                              s->activations.tuples.pc[tuple_id]),
                                      .what = what,
                                      .host = what & FRAME ? s->node[parent].host : tuple_id,
                                      .parent = parent,
                                      .base = tuple_id,
                                      .callee_parent = tuple_id,
                                      .entered = SL_NO_INDEX};
    s->n = (size_t)tuple_id + 1;
    if (parent != SL_NO_INDEX && is_on_path(s, parent, what)) {
        uint32_t base = s->node[tuple_id].base = s->node[parent].base;
        s->node[tuple_id].callee_parent = find_callee_parent(s, base, what, tuple_id);
    }
}

/* The context with this tuple, added if it is new. */
static uint32_t context_of(struct context *s, uint64_t pc, uint64_t second, uint32_t parent,
                           uint32_t function, uint32_t what)
{
    uint32_t tuple_id = sl_dictionary_add(&s->activations.tuples, pc, second);
    bool capacity = tuple_id != SL_NO_INDEX &&
                    SL_GROW(s->activations.unit, s->activations.units_capacity,
                            (size_t)tuple_id + 1) &&
                    SL_GROW(s->node, s->nodes_capacity, (size_t)tuple_id + 1);
    if (!capacity) {
        s->activations.out_of_memory = true;
        return SL_NO_INDEX;
    }
    if (tuple_id == s->n)
        add(s, tuple_id, parent, function, what);
    return tuple_id;
}

static bool is_full(const struct context *s, uint64_t pc, uint64_t second)
{
    return s->n >= s->config.limit &&
           sl_index_find(&s->activations.tuples.map, pc, second) == SL_NO_INDEX;
}

/* The context of `function` below `parent`. */
static uint32_t below(struct context *s, uint32_t parent, uint32_t function)
{
    uint64_t pc = s->activations.functions.pc[function];
    uint64_t caller = parent == SL_NO_INDEX ? 0 : s->node[parent].name;
    if (is_full(s, pc, caller)) {
        s->beyond++;
        parent = SL_NO_INDEX;
        caller = SL_CONTEXT_BEYOND;
    }
    return context_of(s, pc, caller, parent, function, function);
}

/* The context of an inlined frame in `host`, below those of its enclosing frames. At the limit, the
 * context of the enclosing one. */
static uint32_t inlined_context(struct context *s, uint32_t host, uint32_t frame_id)
{
    if (frame_id == SL_NO_INDEX)
        return host;
    if (s->node[host].entered == frame_id)
        return s->node[host].inlined_context;
    const struct sl_inlined_frame *frame = &s->parts.frame[frame_id];
    uint32_t outer = inlined_context(s, host, frame->around);
    if (outer == SL_NO_INDEX)
        return outer;
    outer = s->node[outer].callee_parent;
    uint64_t second = s->node[outer].name | frame->depth;
    uint32_t unit = is_full(s, frame->pc, second)
                        ? outer
                        : context_of(s, frame->pc, second, outer,
                                     s->activations.unit[host].function, FRAME | frame_id);
    s->node[host].entered = frame_id;
    s->node[host].inlined_context = unit;
    return unit;
}

/* True for a stub that the linker put between a call and the function. */
static bool is_stub(const struct context *s, uint32_t function)
{
    const struct sl_activations *a = &s->activations;
    return a->env->symbols && sl_symbols_is_stub(a->env->symbols, a->functions.pc[function]);
}

/* The context that a call or jump of `function` enters. */
static uint32_t find_entered(struct context *s, uint32_t from, uint32_t function, bool called)
{
    uint32_t outer = s->node[s->node[from].host].parent;
    if (called)
        return below(s, s->node[from].callee_parent, function);
    if (s->config.nested && outer != SL_NO_INDEX && s->activations.unit[outer].function == function)
        return outer;
    return !s->config.nested || is_stub(s, s->activations.unit[from].function)
               ? below(s, outer, function)
               : below(s, s->node[from].callee_parent, function);
}

static uint32_t unit_of(struct sl_activations *a, uint32_t from, uint32_t function, bool called)
{
    struct context *s = (struct context *)a;
    if (from == SL_NO_INDEX)
        return below(s, SL_NO_INDEX, function);
    uint64_t key = ((uint64_t)from << 32 | function) + called;
    struct recent *r = &s->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_LOG2)];
    if (r->there && r->from == from && r->function == function && r->called == called)
        return r->unit;
    uint32_t unit = find_entered(s, from, function, called);
    if (unit != SL_NO_INDEX && !s->activations.unit[unit].shared)
        *r = (struct recent){from, function, called, true, unit};
    return unit;
}

/* ---- the detector ---- */

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    struct context *s = state;
    const struct sl_context_config *c = config;
    (void)f;
    sl_activations_init(
        &s->activations,
        &(struct sl_activation_config){.tail = c->tail, .depth = c->depth, .repair = c->repair},
        env);
    s->activations.unit_of = unit_of;
    s->config = *c;
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct context *s = state;
    if (s->config.inlined && !sl_inlined_parts_sync(&s->parts, s->activations.env))
        return sl_out_of_memory(f);
    return sl_activations_sync(&s->activations, f);
}

/* The part of a weight for the instructions from `low` to `high` of `all`. The parts add up to the
 * weight. */
static uint64_t part_of_weight(uint64_t weight, uint64_t low, uint64_t high, uint64_t all)
{
    unsigned __int128 whole = weight;
    return (uint64_t)(whole * high / all - whole * low / all);
}

/* Executes a block, frame by frame. `charged`: the unit of the weight that is not yet charged. */
static void execute(struct context *s, struct sl_activation *t, const struct sl_slice *slice,
                    uint32_t i, uint32_t charged, struct sl_account_out to)
{
    struct sl_activations *a = &s->activations;
    uint32_t block = slice->chunk->block[i], host = s->node[t->unit].host;
    bool counts = slice->block_weight && slice->active && a->chosen[block];
    uint64_t done = 0, all = a->env->statics->block[block].n_insns;
    for (size_t p = s->parts.first[block]; p < s->parts.first[block + 1]; p++) {
        const struct sl_inlined_part *part = &s->parts.part[p];
        uint64_t before = done;
        t->unit = inlined_context(s, host, part->frame);
        if (t->unit == SL_NO_INDEX)
            return;
        if (t->unit != charged)
            sl_account_charge(&a->account, &t->account, sl_activations_tuple(a, charged), to);
        charged = t->unit;
        done += part->n_insns;
        if (counts)
            t->account.weight += part_of_weight(slice->block_weight[i], before, done, all);
        for (unsigned k = 0; counts && slice->block_part && k < SL_PARTS; k++)
            t->account.part[k] += part_of_weight(slice->block_part[k][i], before, done, all);
    }
}

static int feed_inlined(struct context *s, const struct sl_slice *slice, struct sl_events *out,
                        struct sl_failure *f)
{
    struct sl_activations *a = &s->activations;
    struct sl_activation *t = sl_activations_thread(a, slice, out);
    if (!t)
        return sl_out_of_memory(f);
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t block = slice->chunk->block[i], before = t->unit;
        uint32_t transfer = sl_flow_step(&a->flow, &t->flow, block);
        struct sl_account_out to = {out, i + 1};
        bool entry = sl_activations_follow(a, t, transfer, block, to);
        if (entry && !slice->block_weight && slice->active && a->chosen[block]) {
            if (out->position)
                out->position[out->n] = i + 1;
            out->tuple_id[out->n++] = sl_activations_tuple(a, t->unit);
        }
        if (t->unit != SL_NO_INDEX)
            execute(s, t, slice, i, before, to);
    }
    return sl_activations_failed(a) ? sl_out_of_memory(f) : 0;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct context *s = state;
    return s->config.inlined ? feed_inlined(s, slice, out, f)
                             : sl_activations_feed(&s->activations, slice, out, f);
}

/* With inlined frames: one event per frame of a block. More than 8 are rare and still fit on
 * average. */
static unsigned max_events_per_block(const void *config)
{
    return ((const struct sl_context_config *)config)->inlined ? 8 : 0;
}

/* Not with inlined functions, which change without a function exit. */
static bool exits_usable(const void *config)
{
    const struct sl_context_config *c = config;
    return c->tail && !c->inlined;
}

static void warning(const void *state, char *out, size_t capacity)
{
    const struct context *s = state;
    sl_activations_warning(&s->activations, out, capacity);
    if (!*out && s->beyond)
        snprintf(out, capacity,
                 "more than %llu contexts: %llu calls are counted without their callers; raise the "
                 "option limit",
                 (unsigned long long)s->config.limit, (unsigned long long)s->beyond);
}

static void close_context(void *state)
{
    struct context *s = state;
    sl_activations_free(&s->activations);
    sl_index_free(&s->first);
    sl_inlined_parts_free(&s->parts);
    free(s->node);
    free(s->first_node);
}

static const struct sl_detector_exits exits = {.usable = exits_usable,
                                               .keep_totals = sl_activations_keep_totals,
                                               .emit_totals = sl_activations_emit_totals,
                                               .emit_pending = sl_activations_emit_pending};
static const struct sl_detector_facts facts = {.warning = warning};

const struct sl_detector_kind sl_detector_context = {
    .name = "context",
    .summary = "functions by calling context: <first pc, context of the caller>",
    .plural = "contexts",
    SL_ACTIVATION_KIND,
    .no_only = "the detector charges whole functions, not single instructions",
    .first = SL_FIELD_FUNCTION,
    .second = {"callers", NULL, SL_FIELD_CALLERS},
    .save_all_entries = true,
    .config_size = sizeof(struct sl_context_config),
    .state_size = sizeof(struct context),
    .max_events_per_block = max_events_per_block,
    .sync = sync,
    .feed = feed,
    .close = close_context,
};
