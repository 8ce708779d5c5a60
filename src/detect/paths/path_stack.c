/* SPDX-License-Identifier: MIT */
/* Path stack of a thread, a stack of unfinished paths: handles overflow, unwinding and signal
 * handlers. path_stack.h describes the stack. */
#include "path_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SPILL_MAX (UINT64_C(1) << 20) /* entries; deeper stacks drop their oldest */

/* Grows to `capacity` entries, a power of two, and moves the entries to their slots. */
static bool set_capacity(struct sl_path_stack *s, uint64_t capacity)
{
    struct sl_path_entry *entry = calloc(capacity, sizeof *entry);
    uint32_t *inner = s->extend ? calloc(capacity * s->extend, sizeof *inner) : NULL;
    if (!entry || (s->extend && !inner)) {
        free(entry);
        free(inner);
        return false;
    }
    for (uint64_t p = s->bottom; p < s->top; p++) {
        entry[p & (capacity - 1)] = s->entry[p & s->mask];
        if (inner)
            memcpy(inner + (p & (capacity - 1)) * s->extend, s->inner + (p & s->mask) * s->extend,
                   s->extend * sizeof *inner);
    }
    free(s->entry);
    free(s->inner);
    s->entry = entry;
    s->inner = inner;
    s->mask = capacity - 1;
    return true;
}

bool sl_path_stack_init(struct sl_path_stack *s, const struct sl_path_config *config)
{
    *s = (struct sl_path_stack){.size = config->stack,
                                .spills = config->overflow,
                                .extend = config->kind == SL_PATH_PROCEDURE ? config->extend : 0};
    uint64_t capacity = 1;
    while (capacity < s->size)
        capacity *= 2;
    return set_capacity(s, capacity);
}

void sl_path_stack_free(struct sl_path_stack *s)
{
    free(s->entry);
    free(s->inner);
}

/* The floor is the base of the innermost handler that is still active. */
static void set_floor(struct sl_path_stack *s)
{
    s->floor = s->bottom;
    for (uint32_t i = 0; i < s->n_levels; i++)
        if (s->level[i].base != SL_PATH_LEFT && s->level[i].base > s->floor)
            s->floor = s->level[i].base;
}

void sl_path_stack_overflow(struct sl_path_stack *s)
{
    uint64_t depth = s->top - s->bottom;
    bool capacity = depth <= s->mask;
    if (s->spills && !capacity && depth < SPILL_MAX) {
        capacity = set_capacity(s, 2 * (s->mask + 1));
        s->out_of_memory |= !capacity;
    }
    if (s->spills && capacity) {
        s->counts.spilled++;
        return;
    }
    s->bottom++;
    s->counts.lost++;
    set_floor(s);
}

void sl_path_stack_cut(struct sl_path_stack *s)
{
    s->counts.dropped += s->top - s->bottom;
    s->top = s->bottom = s->floor = s->since = 0;
    s->n_levels = 0;
}

void sl_path_stack_interrupt(struct sl_path_stack *s, uint32_t handler)
{
    if (s->n_levels == SL_FLOW_INTERRUPTED_MAX)
        memmove(s->level, s->level + 1, --s->n_levels * sizeof *s->level);
    s->level[s->n_levels].base = s->top;
    s->level[s->n_levels].since = s->since;
    s->level[s->n_levels++].from = s->from;
    s->floor = s->top;
    s->since = 0;
    s->from = handler;
    sl_path_stack_push(s, handler, SL_PATH_ANYWHERE);
}

void sl_path_stack_resume(struct sl_path_stack *s, uint32_t level)
{
    uint64_t base = s->level[level].base;
    assert(level < s->n_levels);
    s->n_levels = level;
    if (base != SL_PATH_LEFT) {
        s->since = s->level[level].since;
        s->from = s->level[level].from;
        if (base < s->bottom)
            base = s->bottom;
        s->counts.dropped += s->top - base;
        s->top = base;
    }
    set_floor(s);
}

/* Makes the entry at position p the top, without its extension from the n-th call on. Handlers
 * above it are left. */
static void unwind_to(struct sl_path_stack *s, uint64_t p, uint32_t n)
{
    s->counts.unwound += s->top - (p + 1);
    s->top = p + 1;
    if (s->inner)
        sl_path_stack_top(s)->extension = n;
    if (s->top > s->floor)
        return;
    for (uint32_t i = 0; i < s->n_levels; i++)
        if (s->level[i].base >= s->top)
            s->level[i].base = SL_PATH_LEFT;
    set_floor(s);
}

void sl_path_stack_unwind(struct sl_path_stack *s, uint32_t address)
{
    for (uint64_t p = s->top; p-- > s->bottom;) {
        const struct sl_path_entry *e = &s->entry[p & s->mask];
        for (uint32_t n = s->inner ? e->extension : 0; n > 0; n--)
            if (s->inner[(p & s->mask) * s->extend + n - 1] == address) {
                unwind_to(s, p, n);
                return;
            }
        if (e->expects == address) {
            unwind_to(s, p, 0);
            return;
        }
    }
    s->counts.purged += s->top - s->floor;
    s->top = s->floor;
}
