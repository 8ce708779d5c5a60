/* SPDX-License-Identifier: MIT */
/* Steps from block to block, taken once for all detectors that can do with what is here: then
 * a block costs one look at the flow (flow.h) and one increment, however many they are.
 *
 *     chunk      b0 b1 b2 b3 b4 b5 ...
 *     pairs        0  1  2  0  1          numbers of (block, next), in the order in which they came
 *     counts     of each pair; what a step is no transfer for (a handler's first block, a thread's)
 *                counts beside, for its block
 *     away             b3                 steps that may lead out of a function, with the
 *                                         instructions in front of them
 *
 * What the steps of a phrase (phrases.h) come to is kept: their pairs, which are counted when
 * another takes its place, and those that lead away. Where there is none to go by, steps are taken
 * one by one.
 *
 * Detectors whose events are blocks or pairs have all they need in the counts, at the end
 * (sl_detector_kind.sum): `block`, `edge`, `call`. Those that follow calls go from one step away to
 * the next: what lies between them stays in one function, by its symbol. */
#ifndef SL_STEPS_H
#define SL_STEPS_H

#include "detector.h"
#include "flow.h"
#include "phrases.h"
#include "threads.h"

/* What steps of phrases are written by as a whole, so that there has to be room behind the last. */
#define SL_AWAY_MARGIN SL_PHRASE_BLOCKS

/* The steps of a chunk that may lead elsewhere. */
struct sl_away {
    uint32_t n;
    size_t n_pairs;                                /* so far: numbers of pairs are below it */
    uint32_t at[SL_CHUNK_BLOCKS + SL_AWAY_MARGIN]; /* places in the chunk, of blocks led to */
    uint32_t
        pair[SL_CHUNK_BLOCKS + SL_AWAY_MARGIN]; /* SL_NO_INDEX: its follower has to look itself */
    uint32_t before[SL_CHUNK_BLOCKS + SL_AWAY_MARGIN]; /* instructions of the blocks in front */
    uint32_t instructions;                             /* of all */
    struct sl_phrase_uses phrases;
};
_Static_assert(SL_CHUNK_BLOCKS *(uint64_t)UINT16_MAX < UINT32_MAX, "a chunk's instructions fit");

struct sl_pair {
    uint32_t from, next; /* `from` may be a joined block (flow.h) */
};

struct sl_steps {
    const struct sl_watch *watch;
    struct sl_flow flow;
    struct sl_threads threads;
    struct sl_pair *pair;
    uint64_t *count; /* of pairs, without those in phrases */
    size_t n_pairs, room_pairs, room_counts;
    struct sl_phrases phrases;
    struct sl_step_phrase *of_phrase; /* by place */
    uint64_t *beside;                 /* by block: entered by no transfer */
    uint64_t *function;               /* by block: first address by its symbol, 0 without */
    size_t n_blocks, room_beside, room_functions;
    bool unsummed; /* nobody asks for the counts of pairs */
    bool untold;   /* nor for the steps away */
    bool idle;     /* nor for anything but phrases */
    bool loops; /* what goes on elsewhere than at the next address, or ends a loop, leads away, too
                 */
};

/* False without memory; to be freed all the same. */
bool sl_steps_init(struct sl_steps *steps, const struct sl_watch *watch);

/* New static facts. */
int sl_steps_sync(struct sl_steps *steps, struct sl_failure *f);

/* Counts of pairs are right behind this, up to the next chunk. */
void sl_steps_settle(struct sl_steps *steps);

/* How often a pair was taken. */
static inline uint64_t sl_steps_count(const struct sl_steps *steps, size_t pair)
{
    return steps->count[pair];
}

/* Takes those of a chunk; they are counted, and which lead away is told, if anybody asks. Phrases
 * and instructions are told in any case. */
int sl_steps_take(struct sl_steps *steps, const struct sl_chunk *chunk, struct sl_away *away,
                  struct sl_failure *f);

void sl_steps_free(struct sl_steps *steps);

#endif
