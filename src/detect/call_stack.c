/* SPDX-License-Identifier: MIT */
/* The call stack of a thread, with an index for long searches (call_stack.h). */
#include "call_stack.h"

#include <assert.h>
#include <stdlib.h>

#include "grow.h"

/* Depth of a linear search before the index is built. */
#define NEAR 64u

void sl_call_stack_init(struct sl_call_stack *stack, uint32_t limit)
{
    assert(limit >= 1 && limit <= SL_CALL_STACK_MAX);
    *stack = (struct sl_call_stack){.limit = limit};
    while (stack->mask + 1 < limit)
        stack->mask = 2 * stack->mask + 1;
}

/* ---- the index ---- */

/* The two keys of a call: return address and caller. */
enum { BY_RETURN, BY_MAKER, WAYS };

static uint64_t key_of(const struct sl_call *call, unsigned way)
{
    return way == BY_RETURN ? call->returns_to : call->function;
}

/* Adds the first call that is not in the index. */
static bool index_next(struct sl_call_stack *stack)
{
    struct sl_call_index *index = &stack->index;
    size_t at = index->end & stack->mask;
    uint32_t key[WAYS];
    for (unsigned way = 0; way < WAYS; way++) {
        key[way] = sl_index_add(&index->keys, key_of(&stack->call[at], way), way);
        if (key[way] == SL_NO_INDEX ||
            !SL_GROW(index->last, index->last_capacity, (size_t)key[way] + 1))
            return false;
    }
    index->end++;
    for (unsigned way = 0; way < WAYS; way++) {
        index->before[at].place[way] = index->last[key[way]];
        index->last[key[way]] = index->end;
    }
    return true;
}

static bool index_all(struct sl_call_stack *stack)
{
    struct sl_call_index *index = &stack->index;
    uint64_t bottom = stack->top - stack->depth;
    bool done = SL_GROW(index->before, index->before_capacity, stack->capacity);
    if (index->end < bottom)
        index->end = bottom;
    while (done && index->end < stack->top)
        done = index_next(stack);
    return done;
}

/* Removes the calls that were popped, the latest first; their slots are not yet overwritten. */
static void unindex(struct sl_call_stack *stack)
{
    struct sl_call_index *index = &stack->index;
    while (index->end > stack->top) {
        size_t at = --index->end & stack->mask;
        for (unsigned way = 0; way < WAYS; way++) {
            uint32_t key = sl_index_find(&index->keys, key_of(&stack->call[at], way), way);
            index->last[key] = index->before[at].place[way];
        }
    }
}

static uint32_t find_indexed(struct sl_call_stack *stack, uint64_t key, unsigned way)
{
    uint32_t number = sl_index_find(&stack->index.keys, key, way);
    uint64_t place = number == SL_NO_INDEX ? 0 : stack->index.last[number];
    return place > stack->top - stack->depth ? (uint32_t)(stack->top - place) : stack->depth;
}

static uint32_t find(struct sl_call_stack *stack, uint64_t key, unsigned way)
{
    for (uint32_t i = 0; i < stack->depth; i++) {
        if (i == NEAR) {
            unindex(stack);
            if (index_all(stack))
                return find_indexed(stack, key, way);
            /* Out of memory for the index: linear search. */
        }
        if (key_of(sl_call_stack_at(stack, i), way) == key)
            return i;
    }
    return stack->depth;
}

uint32_t sl_call_stack_find(struct sl_call_stack *stack, uint64_t returns_to)
{
    return find(stack, returns_to, BY_RETURN);
}

uint32_t sl_call_stack_find_maker(struct sl_call_stack *stack, uint32_t function)
{
    return find(stack, function, BY_MAKER);
}

/* ---- calls ---- */

bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call, struct sl_call *forgotten,
                        bool *forgets)
{
    uint64_t size = stack->mask + UINT64_C(1);
    size_t need = (size_t)(stack->top < size ? stack->top + 1 : size);
    *forgets = stack->depth == stack->limit;
    if (*forgets)
        *forgotten = *sl_call_stack_at(stack, stack->depth - 1);
    if (!SL_GROW(stack->call, stack->capacity, need))
        return false;
    if (__builtin_expect(stack->index.end > stack->top, 0))
        unindex(stack);
    stack->call[stack->top++ & stack->mask] = call;
    stack->depth += !*forgets;
    return true;
}

void sl_call_stack_free(struct sl_call_stack *stack)
{
    free(stack->call);
    free(stack->index.before);
    free(stack->index.last);
    sl_index_free(&stack->index.keys);
}
