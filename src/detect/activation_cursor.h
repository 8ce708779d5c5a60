/* SPDX-License-Identifier: MIT */
/* Cursor for fast access to a thread's call stack: copies of the stack position and of the current
 * function. Inner loops keep the cursor in local variables.
 *
 * activation_exits.c and loop_exits.c process most function exits with this cursor alone. Other
 * exits need the rest of the thread's state: the cursor is stored before them and loaded again
 * after them. */
#ifndef SL_ACTIVATION_CURSOR_H
#define SL_ACTIVATION_CURSOR_H

#include "activation.h"

struct sl_activation_cursor {
    uint32_t function, began, unit;
    uint64_t weight;
    struct sl_call *call;
    uint64_t top;
    uint64_t low, capacity; /* the fast path of a push needs low <= top < low + capacity */
    uint32_t depth, mask;
};

static inline void sl_cursor_load(const struct sl_activation *t, struct sl_activation_cursor *c)
{
    const struct sl_call_stack *s = &t->stack;
    *c = (struct sl_activation_cursor){.function = t->function,
                                       .began = t->began,
                                       .unit = t->unit,
                                       .weight = t->account.weight,
                                       .call = s->call,
                                       .top = s->top,
                                       .depth = s->depth,
                                       .mask = s->mask};
    uint64_t end = s->capacity < s->mask ? s->capacity : s->mask;
    if (s->top < end && s->limit - s->depth < end - s->top)
        end = s->top + s->limit - s->depth;
    c->low = s->index.end;
    c->capacity = c->low < end ? end - c->low : 0;
}

static inline void sl_cursor_store(struct sl_activation *t, const struct sl_activation_cursor *c)
{
    t->function = c->function;
    t->began = c->began;
    t->unit = c->unit;
    t->account.weight = c->weight;
    t->stack.top = c->top;
    t->stack.depth = c->depth;
}

/* The call that a return would pop; requires depth > 0. */
static inline const struct sl_call *sl_cursor_last(const struct sl_activation_cursor *c)
{
    return &c->call[(c->top - 1) & c->mask];
}

/* Fast path of a push. Returns false, without a change, if it does not apply. */
static inline bool sl_cursor_push(struct sl_activation_cursor *c, uint64_t returns_to)
{
    if (c->top - c->low >= c->capacity)
        return false;
    c->call[c->top++ & c->mask] = (struct sl_call){returns_to, c->function, c->began, c->unit};
    c->depth++;
    return true;
}

static inline void sl_cursor_return(struct sl_activation_cursor *c)
{
    const struct sl_call *call = sl_cursor_last(c);
    c->function = call->function;
    c->began = call->began;
    c->unit = call->unit;
    c->top--;
    c->depth--;
}

#endif
