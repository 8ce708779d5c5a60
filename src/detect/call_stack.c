/* SPDX-License-Identifier: MIT */
/* Call stack of a thread, with an index that makes long searches for a return address fast.
 * call_stack.h describes the stack and the index. */
#include "call_stack.h"

#include <assert.h>
#include <stdlib.h>

#include "grow.h"

/* Calls that are searched linearly before the index is built. */
#define NEAR 64u

void sl_call_stack_init(struct sl_call_stack *stack, uint32_t limit)
{
    assert(limit >= 1 && limit <= SL_CALL_STACK_MAX);
    *stack = (struct sl_call_stack){.limit = limit};
    while (stack->mask + 1 < limit)
        stack->mask = 2 * stack->mask + 1;
}

/* ---- the index ---- */

static uint64_t key_of(const struct sl_call *call, unsigned by)
{
    return by == SL_CALL_BY_RETURN ? call->returns_to : call->function;
}

/* Adds the first call that is not in the index. */
static bool index_next(struct sl_call_stack *stack)
{
    struct sl_call_index *index = &stack->index;
    size_t at = index->end & stack->mask;
    uint32_t key[SL_CALL_KEYS];
    for (unsigned by = 0; by < SL_CALL_KEYS; by++) {
        key[by] = sl_index_add(&index->keys, key_of(&stack->call[at], by), by);
        if (key[by] == SL_NO_INDEX ||
            !SL_GROW(index->last, index->last_capacity, (size_t)key[by] + 1))
            return false;
    }
    index->end++;
    for (unsigned by = 0; by < SL_CALL_KEYS; by++) {
        index->before[at].position[by] = index->last[key[by]];
        index->last[key[by]] = index->end;
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
        for (unsigned by = 0; by < SL_CALL_KEYS; by++) {
            uint32_t key = sl_index_find(&index->keys, key_of(&stack->call[at], by), by);
            index->last[key] = index->before[at].position[by];
        }
    }
}

static uint32_t find_indexed(struct sl_call_stack *stack, uint64_t key, unsigned by)
{
    uint32_t key_index = sl_index_find(&stack->index.keys, key, by);
    uint64_t position = key_index == SL_NO_INDEX ? 0 : stack->index.last[key_index];
    return position > stack->top - stack->depth ? (uint32_t)(stack->top - position) : stack->depth;
}

uint32_t sl_call_stack_find(struct sl_call_stack *stack, uint64_t key, enum sl_call_key by)
{
    for (uint32_t i = 0; i < stack->depth; i++) {
        if (i == NEAR) {
            unindex(stack);
            if (index_all(stack))
                return find_indexed(stack, key, by);
            /* Out of memory for the index: linear search. */
        }
        if (key_of(sl_call_stack_at(stack, i), by) == key)
            return i;
    }
    return stack->depth;
}

/* ---- calls ---- */

bool sl_call_stack_push(struct sl_call_stack *stack, struct sl_call call, struct sl_call *dropped,
                        bool *drops)
{
    uint64_t size = stack->mask + UINT64_C(1);
    size_t need = (size_t)(stack->top < size ? stack->top + 1 : size);
    *drops = stack->depth == stack->limit;
    if (*drops)
        *dropped = *sl_call_stack_at(stack, stack->depth - 1);
    if (!SL_GROW(stack->call, stack->capacity, need))
        return false;
    if (__builtin_expect(stack->index.end > stack->top, 0))
        unindex(stack);
    stack->call[stack->top++ & stack->mask] = call;
    stack->depth += !*drops;
    return true;
}

void sl_call_stack_free(struct sl_call_stack *stack)
{
    free(stack->call);
    free(stack->index.before);
    free(stack->index.last);
    sl_index_free(&stack->index.keys);
}
