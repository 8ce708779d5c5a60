/* SPDX-License-Identifier: MIT */
/* Faster implementation of the function tracker in activation.c. It visits only the function exits
 * in a chunk of the event stream. A function exit is a transfer that may change the current
 * function (block_pairs.h); between two exits, a thread stays in one function.
 *
 * sl_activations_step() decides what an exit does. Most exits have one of four kinds, which are
 * memoized by block pair (struct sl_exit_memo):
 *
 *     call     pushes, and enters a unit. Memoized with the unit that it was last called from.
 *     jump     leads to the start of a function: the same without a push.
 *     return   leads to the return address of the top of the stack, in the function that made
 *              that call.
 *     stay     leads to the middle of the current function, or to code without a symbol.
 *
 * So a common exit costs one lookup by pair and one at the top of the stack. */
#include "activation_cursor.h"
#include "grow.h"
#include "block_pairs.h"

enum { UNSEEN, CALL, JUMP, RETURN, STAY };
#define NOWHERE (SL_NO_INDEX - 1) /* not a unit */

/* The unit that a call or jump enters if it is made in another unit than the memoized one. */
static __attribute__((noinline)) uint32_t find_unit(struct sl_activations *s,
                                                    struct sl_exit_memo *j, uint32_t unit)
{
    uint32_t to = s->unit_of(s, unit, j->function, j->kind == CALL);
    sl_account_reserve(&s->account, to);
    if (to != SL_NO_INDEX && !s->unit[to].shared) {
        j->from = unit;
        j->to = to;
    }
    return to;
}

/* Fast path of an exit; false if it does not apply. `units`: units are not just functions. */
static inline __attribute__((always_inline)) bool follow_memo(struct sl_activations *s,
                                                              struct sl_activation_cursor *c,
                                                              struct sl_exit_memo *j, bool units)
{
    if (j->kind == RETURN) {
        if (!c->depth || c->function == SL_NO_INDEX)
            return false;
        const struct sl_call *call = sl_cursor_last(c);
        if (call->returns_to != j->address ||
            (call->function != j->function && j->function != SL_NO_INDEX))
            return false;
        sl_cursor_return(c);
        return true;
    }
    if (j->kind == CALL) {
        if (!sl_cursor_push(c, j->address))
            return false;
    } else {
        if (j->kind == UNSEEN || c->function == SL_NO_INDEX)
            return false;
        if (j->function == c->function)
            return true;
        if (j->kind == STAY)
            return j->function == SL_NO_INDEX;
    }
    c->function = c->began = j->function;
    c->unit = !units ? j->function : j->from == c->unit ? j->to : find_unit(s, j, c->unit);
    return true;
}

/* Memoizes the exit from block `from`. */
static void memoize(struct sl_activations *s, struct sl_exit_memo *j, uint32_t from, uint32_t block)
{
    const struct sl_block_end *end = sl_flow_end(&s->flow, from);
    uint64_t pc = s->env->statics->block[block].pc;
    uint32_t transfer = sl_activations_meaning(s, end), symbol_function = s->of_block[block];
    *j = (struct sl_exit_memo){
        .address = pc, .function = symbol_function, .kind = STAY, .from = NOWHERE};
    if (transfer == SL_TRANSFER_RETURN) {
        j->kind = RETURN;
    } else if (transfer >= SL_TRANSFER_CALL) {
        j->kind = CALL;
        j->address = end->next;
        j->function = sl_activations_entered(s, block);
    } else if (symbol_function != SL_NO_INDEX && s->functions.pc[symbol_function] == pc) {
        j->kind = JUMP;
    }
}

/* Slow path of an exit, with or without a pair. */
static __attribute__((noinline)) void step(struct sl_activations *s, struct sl_activation *t,
                                           const struct sl_slice *slice, uint32_t k,
                                           struct sl_events *out)
{
    uint32_t i = slice->exits->block_index[k], pair = slice->exits->pair[k];
    uint32_t from = t->flow.block;
    sl_activations_step(s, t, slice, i, out);
    sl_account_reserve(&s->account, t->unit);
    if (pair < s->exit_memos_capacity && s->exit_memo[pair].kind == UNSEEN)
        memoize(s, &s->exit_memo[pair], from, slice->chunk->block[i]);
}

/* Charges the unit that is left, as sl_account_charge() does. */
static inline __attribute__((always_inline)) void charge(struct sl_account *a,
                                                         struct sl_activation_cursor *c,
                                                         uint32_t unit, bool same_function,
                                                         struct sl_events *out, bool keep_totals)
{
    if (keep_totals) {
        struct sl_totals *totals = &a->totals[unit];
        totals->weight += c->weight;
        totals->times += c->weight != 0;
        totals->within += same_function && c->weight;
    } else {
        out->tuple_id[out->n] = unit;
        out->weight[out->n] = c->weight;
        out->n += c->weight != 0;
    }
    c->weight = 0;
}

static inline __attribute__((always_inline)) void
follow_exits(struct sl_activations *s, struct sl_activation *t, const struct sl_slice *slice,
             struct sl_events *out, size_t n_memos, bool units, bool keep_totals)
{
    const struct sl_exits *exits = slice->exits;
    const uint32_t *block = slice->chunk->block;
    struct sl_exit_memo *const memo = s->exit_memo;
    const bool weighed = slice->block_weight;
    uint32_t n_blocks = slice->chunk->n_blocks, done = 0, next_index = 0, at = t->flow.block;
    struct sl_activation_cursor c;
    sl_cursor_load(t, &c);
    for (uint32_t k = 0; k < exits->n; k++) {
        uint32_t i = exits->block_index[k], unit = c.unit, function = c.function;
        c.weight += weighed ? exits->instructions_before[k] - done : 0;
        done = exits->instructions_before[k];
        if (exits->pair[k] < n_memos && follow_memo(s, &c, &memo[exits->pair[k]], units)) {
            if (c.unit != unit)
                charge(&s->account, &c, unit, c.function == function, out, keep_totals);
            at = block[i];
        } else {
            t->flow.block = i > next_index ? block[i - 1] : at;
            sl_cursor_store(t, &c);
            step(s, t, slice, k, out);
            sl_cursor_load(t, &c);
            at = t->flow.block;
        }
        next_index = i + 1;
    }
    c.weight += weighed ? exits->instructions - done : 0;
    sl_cursor_store(t, &c);
    t->flow.block = n_blocks > next_index ? block[n_blocks - 1] : at;
}

void sl_activations_feed_exits(struct sl_activations *s, struct sl_activation *t,
                               const struct sl_slice *slice, struct sl_events *out)
{
    /* The tuple ids of these detectors are their units. */
    bool fast = slice->block_weight && !s->config.inclusive && !out->position && !out->part;
    if (fast && !SL_GROW(s->exit_memo, s->exit_memos_capacity, slice->exits->n_pairs)) {
        s->out_of_memory = true;
        return;
    }
    size_t n_memos = fast ? s->exit_memos_capacity : 0;
    if (s->unit_of && s->account.keep_totals)
        follow_exits(s, t, slice, out, n_memos, true, true);
    else if (s->unit_of)
        follow_exits(s, t, slice, out, n_memos, true, false);
    else if (s->account.keep_totals)
        follow_exits(s, t, slice, out, n_memos, false, true);
    else
        follow_exits(s, t, slice, out, n_memos, false, false);
}
