/* SPDX-License-Identifier: MIT */
/* Phrases: eight blocks that follow one another in a chunk, seven steps. Programs repeat
 * themselves, so that nearly all phrases that begin at every seventh block came before (of bzip2 99
 * %, of lua 95 %, with 16,384 of them kept: 1 MiB): what is done for one is then known from the
 * last time, and done at once.
 *
 *     chunk      b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 ...
 *     phrases    |---------------------|
 *                                     |--------- ...
 *
 * A phrase that comes to the place of another, by a hash, takes it, and gets a serial number that
 * none had before. Whoever keeps something of phrases does so by their places, with these numbers;
 * what it keeps may depend on nothing but the blocks. Phrases are found once for all of them. */
#ifndef SL_PHRASES_H
#define SL_PHRASES_H

#include "event.h"

#include <stdbool.h>

#define SL_PHRASE_STEPS 7u
#define SL_PHRASE_BLOCKS (SL_PHRASE_STEPS + 1)
#define SL_PHRASE_PLACES_LOG2 14
#define SL_PHRASE_PLACES (UINT32_C(1) << SL_PHRASE_PLACES_LOG2)

struct sl_phrases {
    struct sl_phrase *phrase; /* by place */
    uint32_t serial;          /* the last one's */
};

/* The phrases of a chunk. The k-th begins with block 7 k. */
struct sl_phrase_use {
    uint32_t place;
    uint32_t serial; /* 0: it is not known, and will not be */
};
/* What is kept of phrases is asked for so many of them ahead; behind the last of a chunk, there is
 * one to ask for. */
#define SL_PHRASES_AHEAD 8u
struct sl_phrase_uses {
    uint32_t n;
    struct sl_phrase_use use[(SL_CHUNK_BLOCKS - 1) / SL_PHRASE_STEPS + SL_PHRASES_AHEAD];
};

bool sl_phrases_init(struct sl_phrases *phrases); /* false without memory */
void sl_phrases_free(struct sl_phrases *phrases);

/* Finds those of a chunk; returns its instructions, by the sizes of blocks. */
uint32_t sl_phrases_find(struct sl_phrases *phrases, const struct sl_chunk *chunk,
                         const uint16_t *size, struct sl_phrase_uses *uses);

#endif
