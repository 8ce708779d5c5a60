/* The call stack of a thread: who called, and where that returns to.
 *
 * A return goes back to the latest call that returns to where it leads, over those above
 * it: longjmp and exceptions leave several functions at once. (A stack in hardware, as the
 * function profiler's document has it, would pop one and be wrong from then on.)
 *
 * It holds `limit` calls. One more, and the oldest is forgotten, as by return-address
 * stacks of processors; returns to a call that was forgotten lead nowhere. */
#ifndef SL_CALL_STACK_H
#define SL_CALL_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SL_CALL_STACK_MAX (1u << 20)

struct sl_call {
    uint64_t returns_to;
    uint32_t function; /* that made it */
    uint32_t began;    /* the last that was entered at its start before, without a call */
    uint32_t unit;     /* what that function is charged as (activation.h) */
};

struct sl_call_stack {
    struct sl_call *call; /* a ring: the latest at (top - 1) % its size */
    size_t room;
    uint64_t top;
    uint32_t depth, limit;
    uint32_t mask; /* of the ring's indices, once it has its full size */
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
bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call,
                        struct sl_call *forgotten, bool *forgets);

/* The call that returns there, as for sl_call_stack_at; `depth` if there is none (or only
 * very far down). */
uint32_t sl_call_stack_find(const struct sl_call_stack *stack, uint64_t returns_to);

/* The latest call that the function made, in the same way. */
uint32_t sl_call_stack_find_maker(const struct sl_call_stack *stack, uint32_t function);

/* Takes the latest n away. */
static inline void sl_call_stack_pop(struct sl_call_stack *stack, uint32_t n)
{
    stack->depth -= n;
    stack->top -= n;
}

void sl_call_stack_free(struct sl_call_stack *stack);

#endif
