/* SPDX-License-Identifier: MIT */
/* From blocks to transfers of control: what a branch did is decided by which
 * block comes next.
 *
 * For each pair (block, next block) a detector computes once what it makes of
 * it, a 32-bit *meaning*; from then on the pair costs two comparisons, because
 * most blocks have at most two successors, which are kept with the block. The
 * other pairs, of returns above all, are in a hash table, the last one used in the
 * second place; those that were used lately are in a small table in front of it.
 *
 * Not every pair is a transfer that the program made:
 *   - a signal handler is entered behind any block. A pair that the block's end
 *     rules out (neither fall-through nor target) is taken for that: the block
 *     waits, and when control comes back to where it would have gone, the
 *     transfer counts. Handlers may interrupt handlers, or follow one another
 *     at once. Behind an indirect branch or a return nothing is ruled out: there
 *     the handler's entry counts as its target.
 *   - QEMU re-enters a repeated x86 instruction for every round: not a transfer.
 *   - a MIPS delay slot may be a block of its own (where a page ends): the two
 *     are joined, as a further block of the flow. */
#ifndef SL_FLOW_H
#define SL_FLOW_H

#include "code.h"

#define SL_FLOW_NOTHING UINT32_MAX    /* a meaning: no event */
#define SL_FLOW_LOOK (UINT32_MAX - 1) /* internal: not an ordinary transfer */
#define SL_FLOW_NONE UINT32_MAX       /* a block: none yet */
#define SL_FLOW_WAITING 16u

struct sl_flow_place {
    uint32_t next[2];
    uint32_t meaning[2];
};

/* A pair that was looked up lately; as many as stay in a core's cache. */
#define SL_FLOW_RECENT_LOG2 14
struct sl_flow_pair {
    uint32_t from, next, meaning;
};

/* What a step had to do with signals, beside its meaning. */
enum sl_flow_signal {
    SL_FLOW_NO_SIGNAL,
    SL_FLOW_BEGAN, /* a handler; what it interrupted is the last that waits */
    SL_FLOW_ENDED, /* what goes on was the first behind those that wait */
};

/* A thread's place in its flow. */
struct sl_flow_thread {
    uint32_t block; /* where it is, SL_FLOW_NONE if unknown */
    uint32_t n_waiting;
    struct {
        uint32_t block;
        uint32_t tag;           /* for the detector to remember something with it */
    } waiting[SL_FLOW_WAITING]; /* interrupted by signals, innermost last */
    enum sl_flow_signal signal; /* stays until the detector clears it */
};

struct sl_flow {
    const struct sl_code *code;
    /* What a transfer from block `from`, which ends so, to block `next` means. Joined blocks
     * have numbers that no other has. */
    uint32_t (*meaning)(void *context, const struct sl_block_end *end, uint32_t from,
                        uint32_t next);
    void *context;
    struct sl_flow_place *place; /* by block */
    size_t n_places, room_places;
    struct sl_index_map others; /* pairs, and joined blocks */
    uint32_t *other;            /* meaning or joined block, by number in `others` */
    size_t room_other;
    struct sl_block_end *joined; /* ends of the joined blocks, numbered down from the top */
    size_t n_joined, room_joined;
    bool out_of_memory;
    struct sl_flow_pair recent[1 << SL_FLOW_RECENT_LOG2]; /* by a hash; what `others` has */
};

void sl_flow_init(struct sl_flow *flow, const struct sl_code *code,
                  uint32_t (*meaning)(void *, const struct sl_block_end *, uint32_t, uint32_t),
                  void *context);
int sl_flow_sync(struct sl_flow *flow, struct sl_failure *f);
void sl_flow_free(struct sl_flow *flow);

/* How a block ends, joined or not. */
const struct sl_block_end *sl_flow_end(const struct sl_flow *flow, uint32_t block);

/* The meaning of a transfer that was made before, SL_FLOW_LOOK if it was not. */
uint32_t sl_flow_known(const struct sl_flow *flow, uint32_t from, uint32_t next);

/* The meaning of an uncommon transfer, and moves the thread on. */
uint32_t sl_flow_look(struct sl_flow *flow, struct sl_flow_thread *thread, uint32_t next);

/* The meaning of a transfer that is kept with its block, SL_FLOW_LOOK of any other. `place`
 * and `n_places` are the flow's: a loop has them in registers. */
static inline uint32_t sl_flow_kept(const struct sl_flow_place *place, size_t n_places,
                                    uint32_t block, uint32_t next)
{
    if (block >= n_places)
        return SL_FLOW_LOOK;
    place += block;
    /* Which of the two it is, no processor can guess: it is not asked to. */
    unsigned second = place->next[1] == next;
    return place->next[second] == next ? place->meaning[second] : SL_FLOW_LOOK;
}

/* Moves the thread to `next`; returns what the transfer means. */
static inline uint32_t sl_flow_step(struct sl_flow *flow, struct sl_flow_thread *thread,
                                    uint32_t next)
{
    uint32_t meaning = sl_flow_kept(flow->place, flow->n_places, thread->block, next);
    if (meaning == SL_FLOW_LOOK)
        return sl_flow_look(flow, thread, next);
    thread->block = next;
    return meaning;
}

#endif
