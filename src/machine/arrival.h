/* SPDX-License-Identifier: MIT */
/* How a thread reached a block: by fall-through, by a branch (and by which one), or in an unknown
 * way.
 *
 * The outcome of a branch is known from the next block. Not every pair of blocks is a transfer of
 * the program: a signal handler may begin or end between any two blocks. If the first block cannot
 * continue at the second one, the pair counts as an interruption, and the interrupted branch is not
 * predicted. */
#ifndef SL_ARRIVAL_H
#define SL_ARRIVAL_H

#include "code.h"
#include "predictor.h"

enum sl_arrival {
    SL_ARRIVED_UNKNOWN,      /* the first block, after a gap, a signal */
    SL_ARRIVED_FALL_THROUGH, /* fell through, or next iteration of `rep` */
    SL_ARRIVED_BY_BRANCH,
};

/* The position of a thread. */
struct sl_thread_position {
    uint32_t block;   /* the current block; SL_NO_INDEX: unknown */
    bool in_slot;     /* the delay slot of its branch is a block of its own */
    uint64_t next_pc; /* address after the block, or after that delay slot */
};

static inline void sl_arrival_reset(struct sl_thread_position *position)
{
    position->block = SL_NO_INDEX;
}

/* Classifies the transfer from the current block to `pc`; fills *b if it is a branch. */
static inline enum sl_arrival sl_arrival_at(const struct sl_code *code,
                                            const struct sl_thread_position *position, uint64_t pc,
                                            struct sl_retired_branch *b)
{
    const struct sl_block_end *end = &code->end[position->block];
    bool conditional = end->branch == SL_BRANCH_CONDITIONAL;
    if (end->branch == SL_BRANCH_NONE && end->flags & SL_INSN_REPEATS &&
        pc == sl_block_last_pc(code->statics, position->block))
        return SL_ARRIVED_FALL_THROUGH;
    if (!sl_block_end_leads_to(end, position->next_pc, pc))
        return SL_ARRIVED_UNKNOWN;
    if (end->branch == SL_BRANCH_NONE)
        return SL_ARRIVED_FALL_THROUGH;
    *b = (struct sl_retired_branch){.pc = end->branch_pc,
                                    .next = position->next_pc,
                                    .kind = end->branch,
                                    .taken = !conditional || pc == end->target,
                                    .target = conditional ? end->target : pc};
    return SL_ARRIVED_BY_BRANCH;
}

/* Moves the thread to block `next`. Fills *branch if the result is SL_ARRIVED_BY_BRANCH. */
static inline enum sl_arrival sl_arrival_step(const struct sl_code *code,
                                              struct sl_thread_position *position, uint32_t next,
                                              struct sl_retired_branch *branch)
{
    enum sl_arrival how = SL_ARRIVED_UNKNOWN;
    uint64_t pc = code->statics->block[next].pc;
    if (position->block != SL_NO_INDEX) {
        bool in_slot = code->end[position->block].slot_missing && !position->in_slot;
        if (in_slot && pc == position->next_pc) {
            position->in_slot = true;
            position->next_pc = code->end[next].next;
            return SL_ARRIVED_FALL_THROUGH;
        }
        how = sl_arrival_at(code, position, pc, branch);
    }
    *position = (struct sl_thread_position){.block = next, .next_pc = code->end[next].next};
    return how;
}

#endif
