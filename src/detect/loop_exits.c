/* SPDX-License-Identifier: MIT */
/* Faster implementation of the detector `loop` (loop.c). It visits only the transfers in a chunk of
 * the event stream that may change the current function or loop (loop exits, block_pairs.h).
 * Between two of these transfers, control falls through within one function, so that no loop is
 * entered or left.
 *
 * sl_loop_step() decides what an exit does. The result is memoized by block pair (struct
 * sl_loop_exit_memo), with the units before and after:
 *
 *     turn      within the function, to one of its units, usually the same
 *     jump      to the start of another function
 *     call      the same, with a push of the return address
 *     return    to the unit that made the last call, if the return address matches
 *
 * Falling through could leave a loop after all if the code has changed since the loop was found: a
 * block that begins in the loop extends beyond its branch. The unit then does not contain the block
 * that an exit comes from. No exit of such a block is memoized for this unit. So it is enough to
 * check exits that are not memoized and the end of a chunk, and to follow these block by block. */
#include "activation_cursor.h"
#include "grow.h"
#include "loop.h"
#include "block_pairs.h"

enum { UNSEEN, TURN, JUMP, CALL, RETURN, OTHER };

#define STAYS 2u /* so that 0 denotes no unit */
struct sl_loop_exit_memo {
    uint64_t address; /* return address of a call; target of a return */
    uint32_t stays;   /* STAYS + the last unit that the exit did not change; 0: none */
    uint32_t kind;
    uint32_t from, to; /* units */
    uint32_t function; /* entered by a call; else that of the block's symbol */
    uint32_t loop;     /* of the short backward branch */
    uint32_t iterates; /* 1: an iteration that counts */
};

/* Fast path: the exit as memoized; returns false if it does not apply. */
static inline bool follow_memo(const struct sl_loop *s, struct sl_activation_cursor *c,
                               const struct sl_loop_exit_memo *p)
{
    switch (p->kind) {
    case TURN:
        c->unit = p->to;
        return true;
    case RETURN: {
        const struct sl_call *call = sl_cursor_last(c);
        if (!c->depth || call->returns_to != p->address || call->unit == SL_NO_INDEX ||
            (call->function != p->function && p->function != SL_NO_INDEX) ||
            !sl_loop_contains(&s->region[call->unit], p->address))
            return false;
        sl_cursor_return(c);
        return true;
    }
    case CALL:
        if (!sl_cursor_push(c, p->address))
            return false;
        break;
    case JUMP:
        break;
    default:
        return false;
    }
    c->function = c->began = p->function;
    c->unit = p->to;
    return true;
}

/* The unit that a turn leads to from that unit. */
static bool turn(struct sl_loop *s, struct sl_loop_exit_memo *p, uint32_t unit, uint32_t block,
                 bool weighed)
{
    struct sl_loop_turn its = sl_loop_turn(s, unit, block, p->loop);
    p->to = its.to;
    p->iterates = p->loop != SL_NO_INDEX && !weighed && (its.enters || !s->config.entries);
    p->stays = its.to == unit && !p->iterates ? STAYS + unit : 0;
    return its.to != SL_NO_INDEX;
}

static bool is_within(const struct sl_loop *s, const struct sl_loop_exit_memo *p, uint32_t unit)
{
    return p->function == s->activations.unit[unit].function || p->function == SL_NO_INDEX;
}

/* True if an exit memoized for another unit has the same kind from this unit. */
static bool renew(struct sl_loop *s, struct sl_loop_exit_memo *p, uint32_t unit,
                  uint32_t from_block, uint32_t block, bool weighed)
{
    if (p->kind == UNSEEN || p->kind == OTHER || unit == SL_NO_INDEX ||
        !sl_loop_contains(&s->region[unit], s->pc[from_block]) ||
        (p->kind == TURN && (!is_within(s, p, unit) || !turn(s, p, unit, block, weighed))) ||
        (p->kind == JUMP && is_within(s, p, unit)))
        return false;
    p->from = unit;
    return true;
}

/* Memoizes the exit from the block and unit `from`, which the thread has just made. */
static void memoize(struct sl_loop *s, const struct sl_activation *t, struct sl_loop_exit_memo *p,
                    uint32_t from_block, uint32_t from, uint32_t block, bool weighed)
{
    struct sl_activations *a = &s->activations;
    const struct sl_block_end *end = sl_flow_end(&a->flow, from_block);
    uint64_t pc = s->pc[block];
    uint32_t word = a->flow.meaning(a->flow.context, end, from_block, block);
    uint32_t symbol_function = a->of_block[block],
             loop = sl_loop_is_back(word) ? word - SL_TRANSFER_OWN : SL_NO_INDEX;
    *p = (struct sl_loop_exit_memo){.kind = OTHER,
                                    .from = from,
                                    .to = t->unit,
                                    .address = pc,
                                    .function = symbol_function,
                                    .loop = loop};
    if (word == SL_TRANSFER_RETURN) {
        p->kind = RETURN;
    } else if (word >= SL_TRANSFER_CALL && loop == SL_NO_INDEX) {
        p->kind = CALL;
        p->address = end->next;
        p->function = t->function;
    } else if (is_within(s, p, from)) {
        p->kind = turn(s, p, from, block, weighed) ? TURN : OTHER;
    } else if (loop == SL_NO_INDEX && a->functions.pc[symbol_function] == pc) {
        p->kind = JUMP;
    }
}

/* Slow path of an exit, with or without a pair. */
static void step(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                 uint32_t k, struct sl_events *out)
{
    uint32_t i = slice->exits->block_index[k], pair = slice->exits->pair[k];
    uint32_t from_block = t->flow.block, from = t->unit;
    sl_loop_step(s, t, slice, i, out);
    if (pair < s->exit_memos_capacity && s->exit_memo[pair].kind == UNSEEN && from != SL_NO_INDEX &&
        t->unit != SL_NO_INDEX)
        memoize(s, t, &s->exit_memo[pair], from_block, from, slice->chunk->block[i],
                slice->block_weight);
}

/* True if the thread, at block `at` before block `low` of the chunk, leaves its unit before block
 * `high`. */
static bool has_left(const struct sl_loop *s, const struct sl_activation *t,
                     const struct sl_chunk *chunk, uint32_t low, uint32_t high)
{
    return high > low && t->unit != SL_NO_INDEX &&
           !sl_loop_contains(&s->region[t->unit], s->pc[chunk->block[high - 1]]);
}

/* Goes block by block from `low` to `high`, from block `at`; subtracts the weight of these blocks
 * first, which was already added. */
static __attribute__((noinline)) void follow_blocks(struct sl_loop *s, struct sl_activation *t,
                                                    const struct sl_slice *slice, uint32_t low,
                                                    uint32_t high, uint32_t at,
                                                    struct sl_events *out)
{
    const uint32_t *block = slice->chunk->block;
    const uint16_t *size = s->activations.env->statics->block_size;
    bool weighed = slice->block_weight;
    for (uint32_t i = low; i < high && weighed; i++)
        t->account.weight -= size[block[i]];
    t->flow.block = at;
    for (uint32_t i = low; i < high; i++) {
        sl_loop_step(s, t, slice, i, out);
        t->account.weight += weighed ? size[block[i]] : 0;
    }
}

void sl_loop_feed_exits(struct sl_loop *s, struct sl_activation *t, const struct sl_slice *slice,
                        struct sl_events *out)
{
    const struct sl_exits *exits = slice->exits;
    const uint32_t *block = slice->chunk->block;
    const bool weighed = slice->block_weight;
    bool fast = !out->position && !out->part;
    if (fast && !SL_GROW(s->exit_memo, s->exit_memos_capacity, exits->n_pairs)) {
        s->activations.out_of_memory = true;
        return;
    }
    const size_t n_memos = fast ? s->exit_memos_capacity : 0;
    uint32_t n_blocks = slice->chunk->n_blocks, done = 0, next_index = 0, at = t->flow.block;
    struct sl_activation_cursor c;
    sl_cursor_load(t, &c);
    for (uint32_t k = 0; k < exits->n; k++) {
        /* An exit that changes nothing need not be recorded: it may be followed again. */
        uint32_t i = exits->block_index[k], unit = c.unit;
        if (exits->pair[k] < n_memos && s->exit_memo[exits->pair[k]].stays == STAYS + unit)
            continue;
        c.weight += weighed ? exits->instructions_before[k] - done : 0;
        done = exits->instructions_before[k];
        struct sl_loop_exit_memo *p = &s->exit_memo[exits->pair[k]];
        if (exits->pair[k] < n_memos &&
            (p->from == unit ||
             renew(s, p, unit, i > next_index ? block[i - 1] : at, block[i], weighed)) &&
            follow_memo(s, &c, p)) {
            if (c.unit != unit && weighed) {
                out->tuple_id[out->n] = s->activations.unit[unit].tuple;
                out->weight[out->n] = c.weight;
                out->n += c.weight != 0;
                c.weight = 0;
            }
            if (p->iterates)
                out->tuple_id[out->n++] = s->activations.unit[c.unit].tuple;
            at = block[i];
        } else {
            sl_cursor_store(t, &c);
            if (has_left(s, t, slice->chunk, next_index, i))
                follow_blocks(s, t, slice, next_index, i, at, out);
            t->flow.block = i > next_index ? block[i - 1] : at;
            step(s, t, slice, k, out);
            sl_cursor_load(t, &c);
            at = t->flow.block;
        }
        next_index = i + 1;
    }
    c.weight += weighed ? exits->instructions - done : 0;
    sl_cursor_store(t, &c);
    if (has_left(s, t, slice->chunk, next_index, n_blocks))
        follow_blocks(s, t, slice, next_index, n_blocks, at, out);
    t->flow.block = n_blocks > next_index ? block[n_blocks - 1] : at;
}
