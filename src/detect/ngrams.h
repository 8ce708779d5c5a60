/* SPDX-License-Identifier: MIT */
/* Cache of block n-grams, which are sequences of eight consecutive blocks. Detectors process a
 * cached n-gram as a unit instead of block by block.
 *
 * A chunk is divided into sequences of eight blocks (seven transfers) that overlap by one block:
 *
 *     chunk         b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ...
 *     n-gram 0      |---------------------|
 *     n-gram 1                           |--------- ...      n-gram k begins at block 7 k
 *
 * Programs repeat themselves: with 16,384 slots (1 MiB), 99 % of the n-grams of bzip2 and 95 % of
 * those of lua are hits. (Not a compiler's superblock: a superblock may be left early, an n-gram
 * matches completely or not at all.)
 *
 *     hash of 8 block ids ─► slot ─┬─ same 8 blocks: hit, the slot keeps its serial
 *                                  └─ others: replaced, the slot gets a new serial
 *
 * Clients (block_pairs.c, path_feed.c) store their own record per slot and compare its serial with
 * the one in sl_ngram_ref: equal means that the record describes these eight blocks. What they
 * cache may depend on the blocks alone, never on the thread or the history. */
#ifndef SL_NGRAMS_H
#define SL_NGRAMS_H

#include "event.h"

#include <stdbool.h>

#define SL_NGRAM_TRANSFERS 7u
#define SL_NGRAM_BLOCKS (SL_NGRAM_TRANSFERS + 1)
#define SL_NGRAM_SLOTS_LOG2 14
#define SL_NGRAM_SLOTS (UINT32_C(1) << SL_NGRAM_SLOTS_LOG2)
#define SL_NGRAMS_MAX ((SL_CHUNK_BLOCKS - 1) / SL_NGRAM_TRANSFERS) /* of a chunk */

struct sl_ngrams {
    struct sl_ngram *ngram; /* by slot */
    uint32_t serial;        /* the last one that was assigned */
};

struct sl_ngram_ref {
    uint32_t slot;
    uint32_t serial; /* 0: never cache this one (serials have run out) */
};

/* Clients prefetch the record this many n-grams ahead. The array is padded with slot 0, so that
 * the last ones need no bounds check. */
#define SL_NGRAM_PREFETCH 8u
struct sl_ngram_refs {
    uint32_t n;
    struct sl_ngram_ref ref[SL_NGRAMS_MAX + SL_NGRAM_PREFETCH];
};

/* Returns false if out of memory; sl_ngrams_free() is allowed in either case. */
bool sl_ngrams_init(struct sl_ngrams *ngrams);
void sl_ngrams_free(struct sl_ngrams *ngrams);

/* Finds the n-grams of a chunk. size[b] is the number of instructions of block b. Returns the
 * number of instructions of the whole chunk. */
uint32_t sl_ngrams_find(struct sl_ngrams *ngrams, const struct sl_chunk *chunk,
                        const uint16_t *size, struct sl_ngram_refs *refs);

#endif
