/* How a thread came to a block: by which branch, if by one. What a branch did is decided
 * by the block that comes next, and not every pair of blocks is what the program did: a
 * signal's handler begins and ends between any two. A pair that the block's end rules out
 * is taken for that, and the branch that was interrupted is never judged. */
#ifndef SL_ARRIVAL_H
#define SL_ARRIVAL_H

#include "code.h"
#include "predictor.h"

enum sl_arrival {
    SL_ARRIVED_ANYHOW,   /* nothing is known: the first block, a gap, a signal */
    SL_ARRIVED_STRAIGHT, /* from the instruction in front of it, or another round of `rep` */
    SL_ARRIVED_BY_BRANCH,
};

/* A thread's place in its flow. */
struct sl_arrival_place {
    uint32_t block;  /* whose end decides; SL_NO_INDEX: unknown */
    bool in_slot;    /* the delay slot of its branch was a block of its own */
    uint64_t behind; /* address behind it, or behind that slot */
};

static inline void sl_arrival_forget(struct sl_arrival_place *place)
{
    place->block = SL_NO_INDEX;
}

/* Moves the thread to `next`. `branch` is filled if it came by one. */
enum sl_arrival sl_arrival_step(const struct sl_code *code, struct sl_arrival_place *place,
                                uint32_t next, struct sl_retired_branch *branch);

#endif
