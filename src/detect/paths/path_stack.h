/* SPDX-License-Identifier: MIT */
/* The path stack of one thread: the paths that are under way, innermost on top.
 *
 *     entry    | path | events | expects | extension |
 *
 * `path` is the path as far as it goes, `events` what was counted along it, `expects`
 * the address that a return from the procedure it is in has to go to, and `extension`
 * how many backward branches or calls it went on through. Addresses are numbers of the
 * detector's. Entries are at positions that count up; position p is in entry[p & mask].
 * Those below `bottom` are lost: of a full `ring` the oldest, of a stack that spills
 * none up to SPILL_MAX.
 *
 * A path that went on into calls expects, innermost first, to return from each: these
 * addresses are in `inner`, `extend` of them for each entry.
 *
 * A return that the top entry does not expect (longjmp, exceptions, stacks switched in
 * user space) unwinds to the entry that expects it; if none does, all are gone. What
 * is unwound is no finished path.
 *
 * A signal handler has a stack of its own on top of the interrupted one, from `floor`
 * up: it cannot take from below what it did not put there, and when it ends, all is as
 * it was. But if a return fits an entry below the floor, the handler was left by a
 * jump, and the stack is unwound to there. */
#ifndef SL_PATH_STACK_H
#define SL_PATH_STACK_H

#include "flow.h"
#include "path_control.h"
#include "path_descriptor.h"

#define SL_PATH_ANYWHERE UINT32_MAX /* what `expects` is where it is not known: any return fits */
#define SL_PATH_LEFT UINT64_MAX

/* A path under way: the block that it starts with, and its trail. */
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

/* What a detector counts about its stacks. */
struct sl_path_counts {
    uint64_t lost;       /* entries that had to make room in a full stack */
    uint64_t spilled;    /* that went to memory instead */
    uint64_t unwound;    /* dropped because a return fitted an older one */
    uint64_t purged;     /* dropped because a return fitted none */
    uint64_t dropped;    /* left behind by a signal handler, or cut off by a gap in the stream */
    uint64_t unfinished; /* still under way */
};

struct sl_path_stack {
    struct sl_path_entry *entry;
    uint32_t *inner;             /* NULL where paths do not go on into calls */
    uint64_t mask;               /* room - 1 */
    uint64_t top, bottom, floor; /* positions; the top entry is at top - 1 */
    uint64_t size;               /* entries before it is full */
    uint64_t extend;             /* addresses in `inner` for each entry */
    bool spills;
    bool out_of_memory;
    uint64_t since; /* the block event counter: events since the last branch */
    uint32_t from;  /* block that was executed behind the last branch */
    uint32_t n_levels;
    struct {
        uint64_t base; /* floor of the handler; SL_PATH_LEFT: it was left by a jump */
        uint64_t since;
        uint32_t from;
    } level[SL_FLOW_WAITING]; /* handlers under way, innermost last */
    struct sl_path_counts counts;
};

/* An empty stack, with its first memory; false if there is none. */
bool sl_path_stack_init(struct sl_path_stack *stack, const struct sl_path_config *config);
void sl_path_stack_free(struct sl_path_stack *stack);

/* Drops everything: nothing is known of what comes. */
void sl_path_stack_cut(struct sl_path_stack *stack);

/* A signal handler begins, or the one that runs at `level` (0: the outermost) ends. */
void sl_path_stack_interrupt(struct sl_path_stack *stack, uint32_t handler);
void sl_path_stack_resume(struct sl_path_stack *stack, uint32_t level);

/* Unwinds to the entry that expects to return to `address`; purges if there is none. */
void sl_path_stack_unwind(struct sl_path_stack *stack, uint32_t address);

/* Makes room for one entry more in a full stack: spills, or loses the oldest. */
void sl_path_stack_overflow(struct sl_path_stack *stack);

static inline bool sl_path_stack_empty(const struct sl_path_stack *stack)
{
    return stack->top == stack->floor;
}

/* The entry on top; the stack is not empty. */
static inline struct sl_path_entry *sl_path_stack_top(const struct sl_path_stack *stack)
{
    return &stack->entry[(stack->top - 1) & stack->mask];
}

/* The address that the innermost return of the top entry is expected to go to. */
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
