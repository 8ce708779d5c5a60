#include "call_stack.h"

#include <assert.h>
#include <stdlib.h>

#include "grow.h"

/* A program that switches between stacks of its own has returns that fit no call: each
 * looks through all of them. Nothing unwinds farther. */
#define SEARCH_MAX 65536u

void sl_call_stack_init(struct sl_call_stack *stack, uint32_t limit)
{
    assert(limit >= 1 && limit <= SL_CALL_STACK_MAX);
    *stack = (struct sl_call_stack){.limit = limit};
    while (stack->mask + 1 < limit)
        stack->mask = 2 * stack->mask + 1;
}

bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call,
                        struct sl_call *forgotten, bool *forgets)
{
    uint64_t size = stack->mask + UINT64_C(1);
    size_t need = (size_t)(stack->top < size ? stack->top + 1 : size);
    *forgets = stack->depth == stack->limit;
    if (*forgets)
        *forgotten = *sl_call_stack_at(stack, stack->depth - 1);
    if (!SL_GROW(stack->call, stack->room, need))
        return false;
    stack->call[stack->top++ & stack->mask] = call;
    stack->depth += !*forgets;
    return true;
}

uint32_t sl_call_stack_find(const struct sl_call_stack *stack, uint64_t returns_to)
{
    uint32_t n = stack->depth < SEARCH_MAX ? stack->depth : SEARCH_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (sl_call_stack_at(stack, i)->returns_to == returns_to)
            return i;
    return stack->depth;
}

uint32_t sl_call_stack_find_maker(const struct sl_call_stack *stack, uint32_t function)
{
    uint32_t n = stack->depth < SEARCH_MAX ? stack->depth : SEARCH_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (sl_call_stack_at(stack, i)->function == function)
            return i;
    return stack->depth;
}

void sl_call_stack_free(struct sl_call_stack *stack)
{
    free(stack->call);
}
