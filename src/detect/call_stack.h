/* SPDX-License-Identifier: MIT */
/* The call stack of a thread: who called, and where that returns to.
 *
 * A return goes back to the latest call that returns to where it leads, over those above
 * it: longjmp and exceptions leave several functions at once. (A stack in hardware, as the
 * function profiler's document has it, would pop one and be wrong from then on.)
 *
 * It holds `limit` calls. One more, and the oldest is forgotten, as by return-address
 * stacks of processors; returns to a call that was forgotten lead nowhere.
 *
 * A call is mostly found at the top. A program that switches between stacks of its own has
 * returns that fit no call, each of which would look through all of them; and longjmp may
 * leave a million at once. So whoever has to look far makes an index, for all calls that are
 * there, which later ones add to. Each call comes into it at most once, and is taken out
 * when another takes its place on the stack:
 *
 *     call     | f | g | f | h | f |        those made by f, the latest last
 *     before     0       1       3          the place of the one before, counted from 1
 *     last[f]                    5                                                     */
#ifndef SL_CALL_STACK_H
#define SL_CALL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index_map.h"

#define SL_CALL_STACK_MAX (1u << 20)

struct sl_call {
    uint64_t returns_to;
    uint32_t function; /* that made it */
    uint32_t began;    /* the last that was entered at its start before, without a call */
    uint32_t unit;     /* what that function is charged as (activation.h) */
};

struct sl_call_index {
    uint64_t end; /* the calls in front of this place are in it, if they are on the stack */
    struct sl_index_map keys;
    uint64_t *last; /* by key: 1 + the place of the latest, 0: none */
    struct {
        uint64_t place[2]; /* likewise of the one before with the same key */
    } * before;            /* as sl_call_stack.call */
    size_t room_last, room_before;
};

struct sl_call_stack {
    struct sl_call *call; /* a ring: the latest at (top - 1) % its size */
    size_t room;
    uint64_t top;
    uint32_t depth, limit;
    uint32_t mask; /* of the ring's indices, once it has its full size */
    struct sl_call_index index;
};

/* 1 <= limit <= SL_CALL_STACK_MAX. */
void sl_call_stack_init(struct sl_call_stack *stack, uint32_t limit);

/* The i-th, from 0, the latest, to depth - 1. */
static inline struct sl_call *sl_call_stack_at(const struct sl_call_stack *stack, uint32_t i)
{
    return &stack->call[(stack->top - 1 - i) & stack->mask];
}

/* Where one is forgotten, it is copied to `forgotten` and *forgets is set. False when memory
 * ran out: the stack is as before. */
bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call, struct sl_call *forgotten,
                        bool *forgets);

/* The latest call that returns there, as for sl_call_stack_at; `depth` if there is none. */
uint32_t sl_call_stack_find(struct sl_call_stack *stack, uint64_t returns_to);

/* The latest call that the function made, in the same way. */
uint32_t sl_call_stack_find_maker(struct sl_call_stack *stack, uint32_t function);

/* Takes the latest n exits. */
static inline void sl_call_stack_pop(struct sl_call_stack *stack, uint32_t n)
{
    stack->depth -= n;
    stack->top -= n;
}

void sl_call_stack_free(struct sl_call_stack *stack);

#endif
