/* SPDX-License-Identifier: MIT */
/* Call stack of a thread: for each active call, the calling function and the return address.
 *
 * A return pops to the latest call with its return address and drops the calls above it, because
 * longjmp and exceptions leave several functions at once. (A stack in hardware, as in the function
 * profiler's paper, pops one call and is wrong from then on.)
 *
 * The stack holds `limit` calls. One more drops the oldest, as the return-address stacks of
 * processors do. Returns to a dropped call match no call.
 *
 * The matching call is usually on top. A program that switches between stacks of its own has
 * returns that match no call, each of which would search the whole stack, and longjmp may leave a
 * million calls at once. So the first long search builds an index of all calls on the stack, to
 * which later ones are added. Each call is added at most once, and removed when another takes its
 * slot:
 *
 *     call     | f | g | f | h | f |        calls made by f, the latest last
 *     before     0       1       3          1 + position of the previous one, 0: none
 *     last[f]                    5 */
#ifndef SL_CALL_STACK_H
#define SL_CALL_STACK_H

#include <stdbool.h>

#include "index_map.h"

#define SL_CALL_STACK_MAX (1u << 20)

struct sl_call {
    uint64_t returns_to;
    uint32_t function; /* the caller */
    uint32_t began;    /* sl_activation.began of the caller */
    uint32_t unit;     /* of the caller (activation.h) */
};

/* The keys by which a call is searched. */
enum sl_call_key { SL_CALL_BY_RETURN, SL_CALL_BY_CALLER, SL_CALL_KEYS };

struct sl_call_index {
    uint64_t end; /* calls at lower positions are in the index, if they are on the stack */
    struct sl_index_map keys;
    uint64_t *last; /* by key: 1 + position of the latest call; 0: none */
    struct {
        uint64_t position[SL_CALL_KEYS]; /* 1 + position of the previous call with the same key */
    } * before;                          /* by slot of sl_call_stack.call */
    size_t last_capacity, before_capacity;
};

struct sl_call_stack {
    struct sl_call *call; /* ring: the latest call is at (top - 1) & mask */
    size_t capacity;
    uint64_t top;
    uint32_t depth, limit;
    uint32_t mask; /* of the ring at its full size */
    struct sl_call_index index;
};

/* Initializes an empty stack for `limit` calls, 1 to SL_CALL_STACK_MAX. */
void sl_call_stack_init(struct sl_call_stack *stack, uint32_t limit);

/* The i-th call from the top: 0 is the latest, depth - 1 the oldest. */
static inline struct sl_call *sl_call_stack_at(const struct sl_call_stack *stack, uint32_t i)
{
    return &stack->call[(stack->top - 1 - i) & stack->mask];
}

/* If the stack is full, copies the oldest call to `dropped`, drops it and sets *drops. Returns
 * false, with the stack unchanged, if out of memory. */
bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call, struct sl_call *dropped,
                        bool *drops);

/* The index for sl_call_stack_at() of the latest call with this return address, or that this
 * function made; `depth`: none. */
uint32_t sl_call_stack_find(struct sl_call_stack *stack, uint64_t key, enum sl_call_key by);

/* Pops the latest n calls. */
static inline void sl_call_stack_pop(struct sl_call_stack *stack, uint32_t n)
{
    stack->depth -= n;
    stack->top -= n;
}

void sl_call_stack_free(struct sl_call_stack *stack);

#endif
