/* SPDX-License-Identifier: MIT */
/* Detector `loop`: counts iterations of loops and charges costs to them. Tuple: <first address of
 * the loop, address of its branch>, or, for code in no loop, <first address of the function, 0>.
 *
 * Loops are found as the function profiler's paper suggests: "profilable regions are associated
 * with loops, and an iteration of a loop is indicated by the execution of a short backwards
 * branch".
 *
 *   - A short backward branch is a conditional branch or direct jump that is taken, to its own
 *     address or a lower one, at most `span` bytes away, within one function's symbol (with `tail`;
 *     without it, and in code without symbols, only `span` limits it).
 *   - It defines a loop: all addresses from its target, the head, to itself, the tail. Two branches
 *     to the same head (`continue`) define two loops, one of which contains the other.
 *   - Each activation of a function has a stack of loops, empty at first (activation.h). When
 *     control reaches an address other than by a call, all loops that do not contain it are left.
 *     At a short backward branch, also those that do not contain the branch are left, and then
 *     its loop is entered unless it is the innermost. So each loop on the stack contains those
 *     above it.
 *   - While a callee executes, its caller's loops are suspended. A tail call leaves them, as does
 *     code that the compiler moved out of the function (f.cold).
 *
 * `count` counts iterations: short backward branches. A loop whose body is executed n times has n -
 * 1 of them, because no branch marks the first execution, which is charged to the enclosing loop or
 * function. With `entries`, `count` counts entries. Any other metric is charged to the innermost
 * loop, in one event at each change, so that the entries of the profile add up to the run. With
 * `inclusive`, it is charged to all loops of the activation, its function, and all of its callers'
 * loops and functions, once each.
 *
 * Not modelled: hardware would have registers for only one or two loops per activation. The table
 * `leap` cannot store these tuples: it must know all of them in advance, by one field. On an
 * embedded program its list of functions can contain loop heads instead. */
#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "loop.h"

#define C struct sl_loop_config
static const struct sl_option options[] = {
    SL_UNSIGNED_FLAGS(C, span, "64K", 1, UINT64_C(1) << 40, SL_OPTION_BYTES,
                      "maximum distance in bytes from a backward branch to its target"),
    SL_BOOL(C, entries, "0", "1: count how often loops are entered instead of iterations"),
    SL_BOOL(C, inclusive, "0",
            "1: inclusive costs; a loop is also charged with the costs of inner loops and callees"),
    SL_OPTION_TAIL(C),
    SL_OPTION_DEPTH(C),
    SL_OPTIONS_END,
};
#undef C

/* ---- short backward branches ---- */

static bool same_function(const struct sl_loop *s, uint64_t branch, uint32_t next)
{
    const struct sl_activations *a = &s->activations;
    uint32_t symbol_function = a->of_block[next];
    return !a->config.tail ||
           sl_symbols_function(a->env->symbols, branch) ==
               (symbol_function == SL_NO_INDEX ? 0 : a->functions.pc[symbol_function]);
}

static uint32_t meaning(void *context, const struct sl_block_end *end, uint32_t from, uint32_t next)
{
    struct sl_loop *s = context;
    const struct sl_activations *a = &s->activations;
    uint32_t plain = sl_activations_meaning(&s->activations, end);
    uint64_t head = s->activations.env->statics->block[next].pc, tail = end->branch_pc;
    bool direct = end->branch == SL_BRANCH_CONDITIONAL || end->branch == SL_BRANCH_JUMP;
    if (plain != SL_TRANSFER_PLAIN)
        return plain;
    if (!direct || head != end->target || head > tail || tail - head > s->config.span ||
        !same_function(s, tail, next))
        return from < a->n_blocks && a->of_block[from] == a->of_block[next] ? SL_TRANSFER_STAY
                                                                            : plain;
    uint32_t tuple_id = sl_dictionary_add(&s->loops, head, tail);
    if (tuple_id >= SL_FLOW_UNKNOWN - SL_TRANSFER_OWN) {
        s->activations.out_of_memory = true;
        return plain;
    }
    return SL_TRANSFER_OWN + tuple_id;
}

/* ---- units ---- */

/* Adds a unit; returns false if out of memory. */
static bool add_unit(struct sl_loop *s, uint32_t unit, uint32_t outer, uint32_t function,
                     uint32_t loop)
{
    bool is_loop = loop != SL_NO_INDEX;
    uint64_t head = is_loop ? s->loops.pc[loop] : 0, tail = is_loop ? s->loops.value[loop] : 0;
    uint64_t first = is_loop ? head : s->activations.functions.pc[function];
    uint32_t tuple = sl_dictionary_add(&s->activations.tuples, first, tail);
    bool capacity = SL_GROW(s->activations.unit, s->activations.units_capacity, (size_t)unit + 1) &&
                    SL_GROW(s->region, s->regions_capacity, (size_t)unit + 1);
    if (!capacity || tuple == SL_NO_INDEX)
        return false;
    s->activations.unit[unit] = (struct sl_charge_target){function, tuple, outer, false};
    s->region[unit] = (struct sl_loop_region){head, is_loop ? tail - head : UINT64_MAX, loop};
    return true;
}

static uint32_t unit_in(struct sl_loop *s, uint32_t outer, uint32_t function, uint32_t loop)
{
    size_t before = s->unit_ids.n_keys;
    uint32_t unit = sl_index_add(&s->unit_ids, outer, loop == SL_NO_INDEX ? function : loop);
    if (unit != SL_NO_INDEX &&
        (s->unit_ids.n_keys == before || add_unit(s, unit, outer, function, loop)))
        return unit;
    s->activations.out_of_memory = true;
    return SL_NO_INDEX;
}

/* A function that is entered is in none of its loops. */
static uint32_t unit_of(struct sl_activations *a, uint32_t from, uint32_t function, bool called)
{
    (void)from, (void)called;
    return unit_in((struct sl_loop *)a, SL_NO_INDEX, function, SL_NO_INDEX);
}

/* ---- the stream ---- */

/* The unit after a transfer to the block; `loop` is the loop of its short backward branch. */
struct sl_loop_turn sl_loop_turn(struct sl_loop *s, uint32_t from, uint32_t block, uint32_t loop)
{
    uint64_t key = ((uint64_t)from << 32 | block) ^ (uint64_t)loop << 20;
    struct sl_loop_turn *cached =
        &s->recent[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SL_LOOP_RECENT_LOG2)];
    if (cached->unit == from && cached->block == block && cached->loop == loop)
        return *cached;
    bool back = loop != SL_NO_INDEX;
    uint64_t pc = s->pc[block], tail = back ? s->loops.value[loop] : pc;
    uint32_t unit = from;
    while (!sl_loop_contains(&s->region[unit], pc) || !sl_loop_contains(&s->region[unit], tail))
        unit = s->activations.unit[unit].outer;
    bool enters = back && s->region[unit].loop != loop;
    if (enters)
        unit = unit_in(s, unit, s->activations.unit[from].function, loop);
    struct sl_loop_turn made = {from, block, loop, unit, enters};
    if (unit != SL_NO_INDEX)
        *cached = made;
    return made;
}

static void emit_iteration(const struct sl_loop *s, const struct sl_activation *t, uint32_t i,
                           struct sl_events *out)
{
    if (out->position)
        out->position[out->n] = i + 1;
    out->tuple_id[out->n++] = sl_activations_tuple(&s->activations, t->unit);
}

void sl_loop_step(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                  uint32_t i, struct sl_events *out)
{
    struct sl_activations *a = &s->activations;
    uint32_t block = slice->chunk->block[i], before = t->unit;
    uint32_t transfer = sl_flow_step(&a->flow, &t->flow, block);
    uint32_t loop = sl_loop_is_back(transfer) ? transfer - SL_TRANSFER_OWN : SL_NO_INDEX;
    struct sl_account_out to = {out, i + 1};
    bool back = loop != SL_NO_INDEX, active = slice->active && a->chosen[block];
    sl_activations_follow(a, t, back ? SL_TRANSFER_PLAIN : transfer, block, to);
    if (t->unit != SL_NO_INDEX && (back || !sl_loop_contains(&s->region[t->unit], s->pc[block]))) {
        struct sl_loop_turn its = sl_loop_turn(s, t->unit, block, loop);
        if (its.to != SL_NO_INDEX && its.to != t->unit)
            sl_activations_change(a, t, its.to, to);
        if (back && !slice->block_weight && active && (its.enters || !s->config.entries))
            emit_iteration(s, t, i, out);
    }
    if (t->unit != before)
        sl_account_charge(&a->account, &t->account, sl_activations_tuple(a, before), to);
}

/* The same, and adds the weight of the block. */
static void step(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                 uint32_t i, struct sl_events *out)
{
    sl_loop_step(s, t, slice, i, out);
    if (slice->block_weight && slice->active && s->activations.chosen[slice->chunk->block[i]])
        t->account.weight += slice->block_weight[i];
}

/* The region of the thread's current unit. */
static struct sl_loop_region region_of(const struct sl_loop *s, const struct sl_activation *t)
{
    static const struct sl_loop_region nowhere = {UINT64_MAX, 0, SL_NO_INDEX};
    return t->unit == SL_NO_INDEX ? nowhere : s->region[t->unit];
}

/* True if a plain transfer to the block stays in the function: code without a symbol belongs to the
 * function that reaches it. */
static inline bool same_as_before(const struct sl_activations *a, const struct sl_activation *t,
                                  uint32_t block)
{
    uint32_t symbol_function = a->of_block[block];
    return symbol_function == t->function || symbol_function == SL_NO_INDEX;
}

/* Like `step`, for a transfer within a function that enters or leaves a loop. */
static inline void step_within(struct sl_loop *s, struct sl_activation *t,
                               const struct sl_slice *slice, uint32_t i, uint32_t loop,
                               struct sl_events *out)
{
    struct sl_activations *a = &s->activations;
    struct sl_loop_turn its = sl_loop_turn(s, t->unit, slice->chunk->block[i], loop);
    if (its.to != SL_NO_INDEX && its.to != t->unit) {
        sl_account_charge(&a->account, &t->account, sl_activations_tuple(a, t->unit),
                          (struct sl_account_out){out, i + 1});
        t->unit = its.to;
    }
    if (loop != SL_NO_INDEX && !slice->block_weight && (its.enters || !s->config.entries))
        emit_iteration(s, t, i, out);
}

/* A slice whose blocks all count. Most transfers stay in the innermost loop or begin another
 * iteration of it. sl_activations_feed() says why these need no check of the function. */
static __attribute__((always_inline)) inline void feed_all(struct sl_loop *s,
                                                           struct sl_activation *t,
                                                           const struct sl_slice *slice,
                                                           struct sl_events *out, bool weighed)
{
    /* Copies, so that the compiler knows that no store changes them. */
    const struct sl_activations *const a = &s->activations;
    const struct sl_flow_successors *const successors = a->flow.successors;
    const size_t n_successors = a->flow.n_blocks;
    const uint32_t *const block = slice->chunk->block;
    const uint64_t *const weight = slice->block_weight, *const pc = s->pc;
    const bool iterations = !weighed && !s->config.entries;
    const bool within = !s->config.inclusive; /* no other loop is charged */
    struct sl_loop_region region = region_of(s, t);
    uint32_t at = t->flow.block;
    uint64_t sum = 0;
    for (uint32_t i = slice->block_low; i < slice->block_high; i++) {
        uint32_t next = block[i], word = sl_flow_cached(successors, n_successors, at, next);
        bool stays = word == SL_TRANSFER_STAY && sl_loop_contains(&region, pc[next]);
        bool again = word - SL_TRANSFER_OWN == region.loop && same_as_before(a, t, next);
        if (stays || again) {
            at = next;
            if (weighed)
                sum += weight[i];
            else if (again && iterations)
                emit_iteration(s, t, i, out);
        } else if (within && t->unit != SL_NO_INDEX && same_as_before(a, t, next) &&
                   (word == SL_TRANSFER_STAY || sl_loop_is_back(word))) {
            t->account.weight += sum;
            sum = weighed ? weight[i] : 0;
            step_within(s, t, slice, i,
                        sl_loop_is_back(word) ? word - SL_TRANSFER_OWN : SL_NO_INDEX, out);
            at = next;
            region = region_of(s, t);
        } else {
            t->flow.block = at;
            t->account.weight += sum;
            sum = 0;
            step(s, t, slice, i, out);
            at = t->flow.block;
            region = region_of(s, t);
        }
    }
    t->flow.block = at;
    t->account.weight += sum;
}

static int feed(void *state, const struct sl_slice *slice, struct sl_events *out,
                struct sl_failure *f)
{
    struct sl_loop *s = state;
    struct sl_activations *a = &s->activations;
    struct sl_activation *t = sl_activations_thread(a, slice, out);
    if (!t)
        return sl_out_of_memory(f);
    if (slice->exits)
        sl_loop_feed_exits(s, t, slice, out);
    else if (!slice->active || a->env->selection->by_range || a->env->selection->by_class)
        for (uint32_t i = slice->block_low; i < slice->block_high; i++)
            step(s, t, slice, i, out);
    else if (slice->block_weight)
        feed_all(s, t, slice, out, true);
    else
        feed_all(s, t, slice, out, false);
    return sl_activations_failed(a) ? sl_out_of_memory(f) : 0;
}

/* ---- the detector ---- */

static int init(void *state, const void *config, const struct sl_detector_env *env,
                struct sl_failure *f)
{
    struct sl_loop *s = state;
    (void)f;
    s->config = *(const struct sl_loop_config *)config;
    sl_activations_init(&s->activations,
                        &(struct sl_activation_config){.tail = s->config.tail,
                                                       .inclusive = s->config.inclusive,
                                                       .repair = true,
                                                       .depth = s->config.depth},
                        env);
    sl_flow_init(&s->activations.flow, env->code, meaning, s);
    s->activations.unit_of = unit_of;
    for (size_t i = 0; i < sizeof s->recent / sizeof *s->recent; i++)
        s->recent[i].unit = SL_NO_INDEX;
    return 0;
}

static int sync(void *state, struct sl_failure *f)
{
    struct sl_loop *s = state;
    const struct sl_statics *statics = s->activations.env->statics;
    if (!SL_GROW(s->pc, s->pcs_capacity, statics->n_blocks))
        return sl_out_of_memory(f);
    for (; s->n_blocks < statics->n_blocks; s->n_blocks++)
        s->pc[s->n_blocks] = statics->block[s->n_blocks].pc;
    return sl_activations_sync(&s->activations, f);
}

/* Inclusive costs need every transfer. */
static bool exits_usable(const void *config)
{
    const struct sl_loop_config *c = config;
    return c->tail && !c->inclusive;
}

static int resolve(void *config, struct sl_failure *f)
{
    const struct sl_loop_config *c = config;
    if (c->entries && c->inclusive)
        return sl_fail(
            f, SL_EUSAGE,
            "entries=1 counts entries, but inclusive=1 needs costs: use only one of them");
    return 0;
}

/* Also refuses the metric `count`: iterations are no cost. */
static bool inclusive(const void *config)
{
    return ((const struct sl_loop_config *)config)->inclusive;
}

static void close_loop(void *state)
{
    struct sl_loop *s = state;
    sl_activations_free(&s->activations);
    sl_dictionary_free(&s->loops);
    sl_index_free(&s->unit_ids);
    free(s->region);
    free(s->pc);
    free(s->exit_memo);
}

static const struct sl_detector_exits exits = {.usable = exits_usable, .loop_exits = true};
static const struct sl_detector_facts facts = {.warning = sl_activations_warning};

const struct sl_detector_kind sl_detector_loop = {
    .name = "loop",
    .summary = "loops, recognized by short backward branches: <first pc, pc of the branch>",
    .plural = "loops",
    SL_ACTIVATION_KIND,
    .first = SL_FIELD_LOOP,
    .second = {"branch", NULL, SL_FIELD_BACK},
    .no_only = "the detector charges whole loops, not single instructions",
    .config_size = sizeof(struct sl_loop_config),
    .state_size = sizeof(struct sl_loop),
    .inclusive = inclusive,
    .resolve = resolve,
    .sync = sync,
    .feed = feed,
    .total_weight = sl_activations_total_weight,
    .close = close_loop,
};
