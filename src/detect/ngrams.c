/* SPDX-License-Identifier: MIT */
/* Cache of block n-grams (sequences of eight consecutive blocks): recognizes the sequences that
 * were executed before. ngrams.h describes its use.
 *
 * The cache is direct-mapped. A slot is one cache line and is prefetched LOOKUP_AHEAD lookups
 * before its use. */
#include "ngrams.h"

#include <stdlib.h>
#include <string.h>

/* Slots are prefetched this many n-grams before their use. */
#define LOOKUP_AHEAD 16u

struct sl_ngram {
    _Alignas(64) uint32_t block[SL_NGRAM_BLOCKS];
    uint32_t serial;
    uint32_t instructions; /* of all but the first block */
};

bool sl_ngrams_init(struct sl_ngrams *p)
{
    *p = (struct sl_ngrams){
        .ngram = aligned_alloc(_Alignof(struct sl_ngram), SL_NGRAM_SLOTS * sizeof *p->ngram)};
    if (p->ngram) /* no block has this id */
        memset(p->ngram, 0xff, SL_NGRAM_SLOTS * sizeof *p->ngram);
    return p->ngram;
}

void sl_ngrams_free(struct sl_ngrams *p)
{
    free(p->ngram);
}

/* Two blocks of an n-gram. */
static uint64_t two(const uint32_t *block, unsigned i)
{
    uint64_t both;
    memcpy(&both, block + i, sizeof both);
    return both;
}

static uint32_t slot_of(const uint32_t *block)
{
    uint64_t a = two(block, 0) + (two(block, 4) << 16 | two(block, 4) >> 48);
    uint64_t b = two(block, 2) + (two(block, 6) << 16 | two(block, 6) >> 48);
    uint64_t sum = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint32_t)(sum >> (64 - SL_NGRAM_SLOTS_LOG2));
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

static __attribute__((noinline)) void replace(struct sl_ngrams *p, struct sl_ngram *ngram,
                                              const uint32_t *block, const uint16_t *size)
{
    memcpy(ngram->block, block, sizeof ngram->block);
    p->serial += p->serial != UINT32_MAX;
    ngram->serial = p->serial != UINT32_MAX ? p->serial : 0;
    ngram->instructions = instructions_of(block + 1, SL_NGRAM_TRANSFERS, size);
}

uint32_t sl_ngrams_find(struct sl_ngrams *p, const struct sl_chunk *chunk, const uint16_t *size,
                        struct sl_ngram_refs *refs)
{
    const uint32_t *block = chunk->block;
    struct sl_ngram_ref *ref = refs->ref;
    refs->n = 0;
    if (!chunk->n_blocks)
        return 0;
    const uint32_t n = refs->n = (chunk->n_blocks - 1) / SL_NGRAM_TRANSFERS;
    memset(ref + n, 0, SL_NGRAM_PREFETCH * sizeof *ref);
    uint32_t sum = size[block[0]];
    for (uint32_t i = 0; i < n && i < LOOKUP_AHEAD; i++)
        ref[i].slot = slot_of(block + i * SL_NGRAM_TRANSFERS);
    for (uint32_t i = 0; i < n; i++, block += SL_NGRAM_TRANSFERS) {
        if (i + LOOKUP_AHEAD < n) {
            ref[i + LOOKUP_AHEAD].slot = slot_of(block + LOOKUP_AHEAD * SL_NGRAM_TRANSFERS);
            __builtin_prefetch(&p->ngram[ref[i + LOOKUP_AHEAD].slot]);
        }
        struct sl_ngram *ngram = &p->ngram[ref[i].slot];
        if (__builtin_expect(!same(ngram->block, block), 0))
            replace(p, ngram, block, size);
        ref[i].serial = ngram->serial;
        sum += ngram->instructions;
    }
    return sum + instructions_of(block + 1, chunk->n_blocks - 1 - n * SL_NGRAM_TRANSFERS, size);
}
