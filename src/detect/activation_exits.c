/* SPDX-License-Identifier: MIT */
/* The stream from one step that leads away to the next (block_pairs.h): what lies between two of
 * them stays in one function.
 *
 * What a step does is decided by sl_activations_step. Most are of four kinds, which are known by
 * their pair of blocks:
 *
 *     call      from one unit to another, which is kept for the one that it was made by the last
 *               time
 *     jump      to where a function begins: likewise, but nothing is pushed
 *     return    to where the last call on the stack returns to, which its function made
 *     stay      to the middle of the function, or to code that is of none
 *
 * So the usual step is one look at what is kept and one at the top of the stack. */
#include "activation_cursor.h"
#include "grow.h"
#include "block_pairs.h"

enum { UNSEEN, CALL, JUMP, RETURN, STAY };
#define NOWHERE (SL_NO_INDEX - 1) /* no unit's number */

/* The unit that a call or jump leads to from another than the last time. */
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

/* The step as it is usually; false if it is not. `units`: there are others than functions. */
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

/* Keeps what the step from the block `from` was. */
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

/* A step of any kind, by pair, or of none. */
static __attribute__((noinline)) void step(struct sl_activations *s, struct sl_activation *t,
                                           const struct sl_slice *slice, uint32_t k,
                                           struct sl_events *out)
{
    uint32_t i = slice->exits->block_index[k], pair = slice->exits->pair[k];
    uint32_t from = t->flow.block;
    sl_activations_step(s, t, slice, i, out);
    sl_account_know(&s->account, t->unit);
    if (pair < s->room_jumps && s->jump[pair].kind == UNSEEN)
        keep(s, &s->jump[pair], from, slice->chunk->block[i]);
}

/* The unit is left: its weight is charged, as sl_account_charge does. */
static inline __attribute__((always_inline)) void charge(struct sl_account *a,
                                                         struct sl_activation_cursor *c,
                                                         uint32_t unit, bool same_function,
                                                         struct sl_events *out, bool tallied)
{
    if (tallied) {
        struct sl_tally *tally = &a->tally[unit];
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
    const size_t n_jumps = s->room_jumps;
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
    /* Units of these detectors are charged by their own numbers. */
    bool usual = slice->block_weight && !s->config.inclusive && !out->place && !out->part;
    if (usual && !SL_GROW(s->jump, s->room_jumps, slice->exits->n_pairs)) {
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
