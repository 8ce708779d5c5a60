/* SPDX-License-Identifier: MIT */
#include "phrases.h"

#include <stdlib.h>
#include <string.h>

/* Places are asked for so many phrases ahead of their use. */
#define AHEAD 16u

struct sl_phrase {
    _Alignas(64) uint32_t block[SL_PHRASE_BLOCKS];
    uint32_t serial;
    uint32_t instructions; /* of all but the first block */
};

bool sl_phrases_init(struct sl_phrases *p)
{
    *p = (struct sl_phrases){
        .phrase = aligned_alloc(_Alignof(struct sl_phrase), SL_PHRASE_PLACES * sizeof *p->phrase)};
    if (p->phrase) /* no block has such a number */
        memset(p->phrase, 0xff, SL_PHRASE_PLACES * sizeof *p->phrase);
    return p->phrase;
}

void sl_phrases_free(struct sl_phrases *p)
{
    free(p->phrase);
}

/* Two blocks of a phrase. */
static uint64_t two(const uint32_t *block, unsigned i)
{
    uint64_t both;
    memcpy(&both, block + i, sizeof both);
    return both;
}

static uint32_t place_of(const uint32_t *block)
{
    uint64_t a = two(block, 0) + (two(block, 4) << 16 | two(block, 4) >> 48);
    uint64_t b = two(block, 2) + (two(block, 6) << 16 | two(block, 6) >> 48);
    uint64_t sum = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint32_t)(sum >> (64 - SL_PHRASE_PLACES_LOG2));
}

static bool same(const uint32_t *a, const uint32_t *b)
{
    return !((two(a, 0) ^ two(b, 0)) | (two(a, 2) ^ two(b, 2)) | (two(a, 4) ^ two(b, 4)) |
             (two(a, 6) ^ two(b, 6)));
}

static uint32_t instructions_of(const uint32_t *block, uint32_t n, const uint16_t *size)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += size[block[i]];
    return sum;
}

static __attribute__((noinline)) void take_place(struct sl_phrases *p, struct sl_phrase *phrase,
                                                 const uint32_t *block, const uint16_t *size)
{
    memcpy(phrase->block, block, sizeof phrase->block);
    p->serial += p->serial != UINT32_MAX;
    phrase->serial = p->serial != UINT32_MAX ? p->serial : 0;
    phrase->instructions = instructions_of(block + 1, SL_PHRASE_STEPS, size);
}

uint32_t sl_phrases_find(struct sl_phrases *p, const struct sl_chunk *chunk, const uint16_t *size,
                         struct sl_phrase_uses *uses)
{
    const uint32_t *block = chunk->block;
    struct sl_phrase_use *use = uses->use;
    uses->n = 0;
    if (!chunk->n_blocks)
        return 0;
    const uint32_t n = uses->n = (chunk->n_blocks - 1) / SL_PHRASE_STEPS;
    memset(use + n, 0, SL_PHRASES_AHEAD * sizeof *use);
    uint32_t sum = size[block[0]];
    for (uint32_t i = 0; i < n && i < AHEAD; i++)
        use[i].place = place_of(block + i * SL_PHRASE_STEPS);
    for (uint32_t i = 0; i < n; i++, block += SL_PHRASE_STEPS) {
        if (i + AHEAD < n) {
            use[i + AHEAD].place = place_of(block + AHEAD * SL_PHRASE_STEPS);
            __builtin_prefetch(&p->phrase[use[i + AHEAD].place]);
        }
        struct sl_phrase *phrase = &p->phrase[use[i].place];
        if (__builtin_expect(!same(phrase->block, block), 0))
            take_place(p, phrase, block, size);
        use[i].serial = phrase->serial;
        sum += phrase->instructions;
    }
    return sum + instructions_of(block + 1, chunk->n_blocks - 1 - n * SL_PHRASE_STEPS, size);
}
