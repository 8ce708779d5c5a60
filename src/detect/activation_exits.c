/* SPDX-License-Identifier: MIT */
/* The current function from one function exit to the next (block_pairs.h): between two exits a
 * thread stays in one function.
 *
 * sl_activations_step() decides what an exit does. Most exits are of four kinds, memoized by block
 * pair (struct sl_jump):
 *
 *     call      pushes, and enters a unit; the unit is memoized for the last unit it was called
 * from jump      to the start of a function: the same without a push return    to the return
 * address of the top of the stack, in the function that made that call stay      to the middle of
 * the current function, or to code without a symbol
 *
 * So a common exit costs one lookup by pair and one at the top of the stack. */
#include "activation_cursor.h"
#include "grow.h"
#include "block_pairs.h"

enum { UNSEEN, CALL, JUMP, RETURN, STAY };
#define NOWHERE (SL_NO_INDEX - 1) /* not a unit */

/* The unit that a call or jump enters, if it comes from another unit than the last time. */
static __attribute__((noinline)) uint32_t look(struct sl_activations *s, struct sl_jump *j,
                                               uint32_t unit)
{
    uint32_t to = s->unit_of(s->context, unit, j->function, j->kind == CALL);
    sl_account_know(&s->account, to);
    if (to != SL_NO_INDEX && !s->unit[to].stands_in) {
        j->from = unit;
        j->to = to;
    }
    return to;
}

/* Fast path of an exit; returns false if it does not apply. `units`: units are not just functions.
 */
static inline __attribute__((always_inline)) bool
go(struct sl_activations *s, struct sl_activation_cursor *c, struct sl_jump *j, bool units)
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
    c->unit = !units ? j->function : j->from == c->unit ? j->to : look(s, j, c->unit);
    return true;
}

/* Memoizes the exit from block `from`. */
static void keep(struct sl_activations *s, struct sl_jump *j, uint32_t from, uint32_t block)
{
    const struct sl_block_end *end = sl_flow_end(&s->flow, from);
    uint64_t pc = s->watch->statics->block[block].pc;
    uint32_t transfer = sl_activations_meaning(s, end), here = s->of_block[block];
    *j = (struct sl_jump){.address = pc, .function = here, .kind = STAY, .from = NOWHERE};
    if (transfer == SL_TRANSFER_RETURN) {
        j->kind = RETURN;
    } else if (transfer >= SL_TRANSFER_CALL) {
        j->kind = CALL;
        j->address = end->next;
        j->function = sl_activations_entered(s, block);
    } else if (here != SL_NO_INDEX && s->functions.pc[here] == pc) {
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
    sl_account_know(&s->account, t->unit);
    if (pair < s->jumps_capacity && s->jump[pair].kind == UNSEEN)
        keep(s, &s->jump[pair], from, slice->chunk->block[i]);
}

/* Charges the unit that is left, as sl_account_charge() does. */
static inline __attribute__((always_inline)) void charge(struct sl_account *a,
                                                         struct sl_activation_cursor *c,
                                                         uint32_t unit, bool same_function,
                                                         struct sl_events *out, bool tallied)
{
    if (tallied) {
        struct sl_totals *tally = &a->tally[unit];
        tally->weight += c->weight;
        tally->times += c->weight != 0;
        tally->within += same_function && c->weight;
    } else {
        out->number[out->n] = unit;
        out->weight[out->n] = c->weight;
        out->n += c->weight != 0;
    }
    c->weight = 0;
}

static inline __attribute__((always_inline)) void
walk(struct sl_activations *s, struct sl_activation *t, const struct sl_slice *slice,
     struct sl_events *out, bool usual, bool units, bool tallied)
{
    const struct sl_exits *exits = slice->exits;
    const uint32_t *block = slice->chunk->block;
    struct sl_jump *const jump = s->jump;
    const size_t n_jumps = s->jumps_capacity;
    const bool weighed = slice->block_weight;
    uint32_t n_blocks = slice->chunk->n_blocks, done = 0, behind = 0, at = t->flow.block;
    struct sl_activation_cursor c;
    sl_cursor_load(t, &c);
    for (uint32_t k = 0; k < exits->n; k++) {
        uint32_t i = exits->block_index[k], unit = c.unit, function = c.function;
        c.weight += weighed ? exits->instructions_before[k] - done : 0;
        done = exits->instructions_before[k];
        if (usual && exits->pair[k] < n_jumps && go(s, &c, &jump[exits->pair[k]], units)) {
            if (c.unit != unit)
                charge(&s->account, &c, unit, c.function == function, out, tallied);
            at = block[i];
        } else {
            t->flow.block = i > behind ? block[i - 1] : at;
            sl_cursor_store(t, &c);
            step(s, t, slice, k, out);
            sl_cursor_load(t, &c);
            at = t->flow.block;
        }
        behind = i + 1;
    }
    c.weight += weighed ? exits->instructions - done : 0;
    sl_cursor_store(t, &c);
    t->flow.block = n_blocks > behind ? block[n_blocks - 1] : at;
}

void sl_activations_feed_exits(struct sl_activations *s, struct sl_activation *t,
                               const struct sl_slice *slice, struct sl_events *out)
{
    /* The tuple ids of these detectors are their units. */
    bool usual = slice->block_weight && !s->config.inclusive && !out->place && !out->part;
    if (usual && !SL_GROW(s->jump, s->jumps_capacity, slice->exits->n_pairs)) {
        s->out_of_memory = true;
        return;
    }
    if (!usual)
        walk(s, t, slice, out, false, false, false);
    else if (s->unit_of && s->account.tallied)
        walk(s, t, slice, out, true, true, true);
    else if (s->unit_of)
        walk(s, t, slice, out, true, true, false);
    else if (s->account.tallied)
        walk(s, t, slice, out, true, false, true);
    else
        walk(s, t, slice, out, true, false, false);
}
