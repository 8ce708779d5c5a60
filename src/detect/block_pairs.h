/* SPDX-License-Identifier: MIT */
/* Block pairs and function exits: one pass over a chunk of the event stream counts pairs of
 * consecutive blocks and lists the transfers that may leave a function. Several detectors use these
 * counts and lists.
 *
 * For example:
 *
 *     chunk         b0   b1   b2   b3   b4   b5 ...
 *     pair ids         0    1    2    0    1        numbered in order of first appearance
 *     pair counts   [0] = 2, [1] = 2, [2] = 1
 *     exits                       b3               b2 ends in a recursive call, so b3 is b0 again:
 *                                                  pair 2, after the instructions of b0 .. b2
 *
 * `block`, `edge` and `call` are functions of the pair counts: they read them once, after the run.
 * `function`, `context` and `loop` read the exits of each chunk: between two exits a thread stays
 * in one function, so that its cost is one subtraction.
 *
 * A function exit is a transfer that may change the current function: a call, a return, a transfer
 * into another symbol, or one that is no ordinary pair (signal handlers, MIPS delay slots, a
 * thread's first block). With need_loop_exits, also every transfer that does not fall through or
 * that ends a loop.
 *
 * Cost: one lookup in the flow graph (flow.h) and one increment per block; per n-gram
 * (ngrams.h) if it was seen before. */
#ifndef SL_BLOCK_PAIRS_H
#define SL_BLOCK_PAIRS_H

#include "flow.h"
#include "ngrams.h"
#include "detector_state.h"

/* The exits of an n-gram are written as a block of SL_NGRAM_BLOCKS, so that the arrays extend
 * beyond the last exit. */
#define SL_EXITS_MAX (SL_CHUNK_BLOCKS + SL_NGRAM_BLOCKS)

/* The function exits of one chunk. */
struct sl_exits {
    uint32_t n;
    size_t n_pairs;                             /* pair ids below are < n_pairs */
    uint32_t block_index[SL_EXITS_MAX];         /* of the block entered, in the chunk */
    uint32_t pair[SL_EXITS_MAX];                /* SL_NO_INDEX: no pair, look it up in the flow */
    uint32_t instructions_before[SL_EXITS_MAX]; /* in the chunk, before that block */
    uint32_t instructions;                      /* of the whole chunk */
    struct sl_ngram_refs ngrams;
};
_Static_assert(SL_CHUNK_BLOCKS *(uint64_t)UINT16_MAX < UINT32_MAX, "a chunk's instructions fit");

struct sl_block_pair {
    uint32_t from, next; /* `from` may be a joined block (flow.h) */
};

struct sl_block_pairs {
    const struct sl_detector_env *env;
    struct sl_flow flow;
    struct sl_threads threads;
    struct sl_block_pair *pair; /* by pair id */
    uint64_t *count;            /* by pair id; complete after sl_block_pairs_flush() */
    size_t n_pairs, pairs_capacity, counts_capacity;
    struct sl_ngrams ngrams;
    struct sl_ngram_pairs *cached; /* by n-gram slot: its pairs and exits */
    /* By block: entries that are no transfer (first block of a thread or a signal handler, next
     * round of a repeated x86 instruction). */
    uint64_t *entries_without_pair;
    uint64_t *function; /* by block: start address of its symbol, 0 without a symbol */
    size_t n_blocks, entries_capacity, functions_capacity;
    /* Set before the first chunk. Without need_counts and need_exits, only n-grams are found. */
    bool need_counts, need_exits, need_loop_exits;
};

/* Returns false if out of memory; sl_block_pairs_free() is allowed in either case. `env` must
 * outlive the pairs. */
bool sl_block_pairs_init(struct sl_block_pairs *pairs, const struct sl_detector_env *env);

/* Reads blocks that are new since the last call. Call before the chunk that uses them. Returns 0 or
 * SL_ENOMEM. */
int sl_block_pairs_sync(struct sl_block_pairs *pairs, struct sl_failure *f);

/* Runs a chunk. Fills exits->ngrams and exits->instructions in any case, the exits themselves only
 * with need_exits. Returns 0 or SL_ENOMEM. */
int sl_block_pairs_run(struct sl_block_pairs *pairs, const struct sl_chunk *chunk,
                       struct sl_exits *exits, struct sl_failure *f);

/* Adds the counts that are cached per n-gram to pairs->count. May be called at any time between
 * chunks. */
void sl_block_pairs_flush(struct sl_block_pairs *pairs);

void sl_block_pairs_free(struct sl_block_pairs *pairs);

#endif
