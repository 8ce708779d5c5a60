/* SPDX-License-Identifier: MIT */
/* Arrivals: how a thread reached a block, and which branch it retired on the way.
 *
 * The outcome of a branch is known from the next block. Not every pair of blocks is a transfer of
 * the program: a signal handler may begin or end between any two blocks. A pair that the end of the
 * first block rules out is taken as such an interruption, and the interrupted branch is not
 * predicted. */
#ifndef SL_ARRIVAL_H
#define SL_ARRIVAL_H

#include "code.h"
#include "predictor.h"

enum sl_arrival {
    SL_ARRIVED_ANYHOW,   /* unknown: the first block, after a gap, a signal */
    SL_ARRIVED_STRAIGHT, /* fell through, or next iteration of `rep` */
    SL_ARRIVED_BY_BRANCH,
};

/* The position of a thread. */
struct sl_arrival_place {
    uint32_t block;  /* the current block; SL_NO_INDEX: unknown */
    bool in_slot;    /* the delay slot of its branch is a block of its own */
    uint64_t behind; /* address after the block, or after that delay slot */
};

static inline void sl_arrival_forget(struct sl_arrival_place *place)
{
    place->block = SL_NO_INDEX;
}

static inline uint64_t sl_arrival_last_pc(const struct sl_code *code, uint32_t block)
{
    const struct sl_statics *statics = code->statics;
    const struct sl_block *b = &statics->block[block];
    return statics->insn[statics->block_insn[b->insns_at + b->n_insns - 1u]].pc;
}

/* Classifies the transfer from the current block to `pc`; fills *b if it is a branch. */
static inline enum sl_arrival sl_arrival_at(const struct sl_code *code,
                                            const struct sl_arrival_place *place, uint64_t pc,
                                            struct sl_retired_branch *b)
{
    const struct sl_block_end *end = &code->end[place->block];
    bool taken = true;
    switch (end->branch) {
    case SL_BRANCH_NONE:
        if (pc == place->behind ||
            (end->flags & SL_INSN_REPEATS && pc == sl_arrival_last_pc(code, place->block)))
            return SL_ARRIVED_STRAIGHT;
        return SL_ARRIVED_ANYHOW;
    case SL_BRANCH_CONDITIONAL:
        taken = pc == end->target;
        if (!taken && pc != place->behind)
            return SL_ARRIVED_ANYHOW;
        break;
    case SL_BRANCH_JUMP:
    case SL_BRANCH_CALL:
        if (pc != end->target)
            return SL_ARRIVED_ANYHOW;
        break;
    default:
        break;
    }
    *b = (struct sl_retired_branch){.pc = end->branch_pc,
                                    .next = place->behind,
                                    .kind = end->branch,
                                    .taken = taken,
                                    .target = end->branch == SL_BRANCH_CONDITIONAL ? end->target
                                                                                   : pc};
    return SL_ARRIVED_BY_BRANCH;
}

/* Moves the thread to block `next`. Fills *branch if the result is SL_ARRIVED_BY_BRANCH. */
static inline enum sl_arrival sl_arrival_step(const struct sl_code *code,
                                              struct sl_arrival_place *place, uint32_t next,
                                              struct sl_retired_branch *branch)
{
    enum sl_arrival how = SL_ARRIVED_ANYHOW;
    uint64_t pc = code->statics->block[next].pc;
    if (place->block != SL_NO_INDEX) {
        bool in_slot = code->end[place->block].slot_missing && !place->in_slot;
        if (in_slot && pc == place->behind) {
            place->in_slot = true;
            place->behind = code->end[next].next;
            return SL_ARRIVED_STRAIGHT;
        }
        how = sl_arrival_at(code, place, pc, branch);
    }
    *place = (struct sl_arrival_place){.block = next, .behind = code->end[next].next};
    return how;
}

#endif
