/* SPDX-License-Identifier: MIT */
/* Control flow of a thread: classifies the transfer from each block to the next, for example as a
 * call or as the entry of a signal handler.
 *
 * For each pair (block, next block) a client computes a 32-bit *meaning* once. Most blocks have at
 * most two successors, whose meanings are stored with the block, so that a known pair costs two
 * comparisons. Other pairs, mostly returns, are in a hash table, which is read through a small
 * direct-mapped cache. The pair used last is also in the block's second slot.
 *
 * Not every pair is a transfer that the program made:
 *
 *   - A signal handler may be entered after any block. A pair that the block's end rules out
 *     (neither fall-through nor target) counts as the entry of a handler: the block is interrupted,
 *     and the transfer counts when control returns to where the block would have gone. Handlers may
 *     interrupt handlers, or follow each other directly. After an indirect branch or a return
 *     no pair is ruled out: the entry of the handler counts as its target.
 *   - QEMU re-enters a repeated x86 instruction for every round: not a transfer.
 *   - A MIPS delay slot may be a block of its own (at the end of a page): the two are joined into
 *     one additional block of the flow. */
#ifndef SL_FLOW_H
#define SL_FLOW_H

#include "code.h"

#define SL_FLOW_NOTHING UINT32_MAX       /* a meaning: no transfer */
#define SL_FLOW_UNKNOWN (UINT32_MAX - 1) /* internal: not in the slots of the block */
#define SL_FLOW_NONE UINT32_MAX          /* a block: unknown */
#define SL_FLOW_INTERRUPTED_MAX 16u /* interrupted blocks of a thread; more drop the outermost */

/* The successors of a block: the first one that occurred, and the latest other one. */
struct sl_flow_successors {
    uint32_t next[2];
    uint32_t meaning[2];
};

/* The direct-mapped cache of `others`, sized for the L2 cache. */
#define SL_FLOW_RECENT_LOG2 14
struct sl_flow_pair {
    uint32_t from, next, meaning;
};

/* Whether a transfer began or ended a signal handler. */
enum sl_flow_signal {
    SL_FLOW_NO_SIGNAL,
    SL_FLOW_BEGAN, /* a handler began; the interrupted block is the last in `interrupted` */
    SL_FLOW_ENDED, /* a handler ended; its block was interrupted[n_interrupted] */
};

/* The position of a thread in the control flow. */
struct sl_flow_thread {
    uint32_t block; /* current block; SL_FLOW_NONE: unknown */
    uint32_t n_interrupted;
    struct {
        uint32_t block;
        uint32_t tag;                       /* free for the client */
    } interrupted[SL_FLOW_INTERRUPTED_MAX]; /* blocks interrupted by signals, innermost last */
    enum sl_flow_signal signal;             /* until the client clears it */
};

struct sl_flow {
    const struct sl_code *code;
    /* Returns the meaning of a transfer from block `from`, which ends in `end`, to block `next`.
     * Called once per pair. Joined blocks have ids that no other block has. */
    uint32_t (*meaning)(void *context, const struct sl_block_end *end, uint32_t from,
                        uint32_t next);
    void *context;
    struct sl_flow_successors *successors; /* by block */
    size_t n_blocks, successors_capacity;
    struct sl_index_map others; /* other pairs, and joined blocks */
    uint32_t *other;            /* meaning or joined block, by index in `others` */
    size_t other_capacity;
    struct sl_block_end *joined; /* ends of joined blocks, whose ids count down from the top */
    size_t n_joined, joined_capacity;
    bool out_of_memory;
    struct sl_flow_pair recent[1 << SL_FLOW_RECENT_LOG2]; /* by hash */
};

/* `context` is passed to `meaning`. Allocates nothing. */
void sl_flow_init(struct sl_flow *flow, const struct sl_code *code,
                  uint32_t (*meaning)(void *, const struct sl_block_end *, uint32_t, uint32_t),
                  void *context);
/* Reads blocks that are new since the last call. Returns 0 or SL_ENOMEM, also if `out_of_memory` is
 * set. */
int sl_flow_sync(struct sl_flow *flow, struct sl_failure *f);
void sl_flow_free(struct sl_flow *flow);

/* The end of a block, joined or not. */
const struct sl_block_end *sl_flow_end(const struct sl_flow *flow, uint32_t block);

/* The meaning of a pair that occurred before; SL_FLOW_UNKNOWN: it did not. */
uint32_t sl_flow_known(const struct sl_flow *flow, uint32_t from, uint32_t next);

/* Slow path of sl_flow_step(): moves the thread to `next` and returns the meaning. Sets
 * thread->signal if a handler began or ended, and flow->out_of_memory if out of memory. */
uint32_t sl_flow_step_slow(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t next);

/* The meaning of a pair in the slots of its block; SL_FLOW_UNKNOWN for any other. The arguments
 * `successors` and `n_successors` are flow->successors and flow->n_blocks: loops hold them in
 * registers. */
static inline uint32_t sl_flow_cached(const struct sl_flow_successors *successors,
                                      size_t n_successors, uint32_t block, uint32_t next)
{
    if (block >= n_successors)
        return SL_FLOW_UNKNOWN;
    successors += block;
    /* Without a branch: which of the two it is cannot be predicted. */
    unsigned second = successors->next[1] == next;
    return successors->next[second] == next ? successors->meaning[second] : SL_FLOW_UNKNOWN;
}

/* Moves the thread to `next`. Returns the meaning of the transfer, SL_FLOW_NOTHING if none. */
static inline uint32_t sl_flow_step(struct sl_flow *flow, struct sl_flow_thread *thread,
                                    uint32_t next)
{
    uint32_t meaning = sl_flow_cached(flow->successors, flow->n_blocks, thread->block, next);
    if (meaning == SL_FLOW_UNKNOWN)
        return sl_flow_step_slow(flow, thread, next);
    thread->block = next;
    return meaning;
}

#endif
