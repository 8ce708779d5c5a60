/* SPDX-License-Identifier: MIT */
/* Path stack of a thread: a stack of its unfinished paths, with the innermost on top.
 *
 *     entry    | path | events | expects | extension |
 *
 * `path` is the path so far, `events` its event counter, `expects` the return address of the
 * procedure it is in, and `extension` the number of backward branches or calls that it was extended
 * through. Addresses are ids of the detector. Positions count up; position p is in entry[p & mask].
 * Entries below `bottom` are lost: the oldest of a full ring; of a stack that spills, none up to
 * SPILL_MAX.
 *
 * A path that was extended into calls expects to return from each, innermost first: these addresses
 * are in `inner`, `extend` per entry.
 *
 * A return that the top entry does not expect (longjmp, exceptions, stacks switched in user space)
 * unwinds to the entry that expects it; if there is none, the stack is purged. Unwound paths are
 * not finished paths.
 *
 * A signal handler has its own stack on top of the interrupted one, from `floor` up: it cannot pop
 * entries below it, and at its end the stack is as before. But if a return matches an entry below
 * the floor, the handler was left by a jump, and the stack is unwound to that entry. */
#ifndef SL_PATH_STACK_H
#define SL_PATH_STACK_H

#include "flow.h"
#include "path_control.h"
#include "path_descriptor.h"

#define SL_PATH_ANYWHERE UINT32_MAX /* `expects` is unknown: any return matches */
#define SL_PATH_LEFT UINT64_MAX

/* A path in flight: its first block and its trail. */
#define SL_PATH_TRAIL ((UINT64_C(1) << SL_PATH_TRAIL_BITS) - 1)
static inline uint64_t sl_path_begin(uint32_t block)
{
    return (uint64_t)block << SL_PATH_TRAIL_BITS | 1;
}

struct sl_path_entry {
    uint64_t path;
    uint64_t events;
    uint32_t expects;
    uint32_t extension;
};

/* Paths that are no events, and overflows of the stack. */
struct sl_path_counts {
    uint64_t lost;       /* entries dropped from a full stack */
    uint64_t spilled;    /* entries moved to memory instead */
    uint64_t unwound;    /* dropped because a return matched an older one */
    uint64_t purged;     /* dropped because a return matched none */
    uint64_t dropped;    /* left by a signal handler, or at a gap in the stream */
    uint64_t unfinished; /* still in flight */
};

struct sl_path_stack {
    struct sl_path_entry *entry;
    uint32_t *inner;             /* NULL if paths are not extended into calls */
    uint64_t mask;               /* capacity - 1 */
    uint64_t top, bottom, floor; /* positions; the top entry is at top - 1 */
    uint64_t size;               /* entries of a full stack */
    uint64_t extend;             /* addresses per entry in `inner` */
    bool spills;
    bool out_of_memory;
    uint64_t since; /* the block event counter: events since the last branch */
    uint32_t from;  /* block executed after the last branch */
    uint32_t n_levels;
    struct {
        uint64_t base; /* floor of the handler; SL_PATH_LEFT: it was left by a jump */
        uint64_t since;
        uint32_t from;
    } level[SL_FLOW_INTERRUPTED_MAX]; /* active handlers, innermost last */
    struct sl_path_counts counts;
};

/* Returns false if out of memory. */
bool sl_path_stack_init(struct sl_path_stack *stack, const struct sl_path_config *config);
void sl_path_stack_free(struct sl_path_stack *stack);

/* Drops all entries, at a gap in the stream. */
void sl_path_stack_cut(struct sl_path_stack *stack);

/* A signal handler begins, or the one that runs at `level` (0: the outermost) ends. */
void sl_path_stack_interrupt(struct sl_path_stack *stack, uint32_t handler);
void sl_path_stack_resume(struct sl_path_stack *stack, uint32_t level);

/* Unwinds to the entry that expects to return to `address`; purges if there is none. */
void sl_path_stack_unwind(struct sl_path_stack *stack, uint32_t address);

/* Frees an entry of a full stack: spills or drops the oldest one. */
void sl_path_stack_overflow(struct sl_path_stack *stack);

static inline bool sl_path_stack_empty(const struct sl_path_stack *stack)
{
    return stack->top == stack->floor;
}

/* The entry on top; the stack must not be empty. */
static inline struct sl_path_entry *sl_path_stack_top(const struct sl_path_stack *stack)
{
    return &stack->entry[(stack->top - 1) & stack->mask];
}

/* The return address that the top entry expects next. */
static inline uint32_t *sl_path_stack_expected(const struct sl_path_stack *stack)
{
    struct sl_path_entry *e = sl_path_stack_top(stack);
    return stack->inner && e->extension
               ? &stack->inner[((stack->top - 1) & stack->mask) * stack->extend + e->extension - 1]
               : &e->expects;
}

static inline void sl_path_stack_push(struct sl_path_stack *stack, uint32_t block, uint32_t expects)
{
    if (stack->top - stack->bottom >= stack->size)
        sl_path_stack_overflow(stack);
    stack->entry[stack->top++ & stack->mask] = (struct sl_path_entry){.path = sl_path_begin(block),
                                                                      .expects = expects};
}

#endif
