/* SPDX-License-Identifier: MIT */
/* Unit tests of the cache of block n-grams (sequences of n blocks), for n-grams whose hashes select
 * the same cache slot. Different n-grams get different serial numbers, whichever block differs, and
 * equal n-grams get the same number. */
#include "ngrams.h"

#include "random.h"
#include "tap.h"

enum { KNOWN = 1 << 20 };

static struct sl_ngrams ngrams;
static struct sl_ngram_refs refs;
static uint16_t size[KNOWN];

static struct sl_ngram_ref find(const uint32_t *block)
{
    struct sl_chunk chunk = {.n_blocks = SL_NGRAM_BLOCKS, .block = block};
    sl_ngrams_find(&ngrams, &chunk, size, &refs);
    return refs.ref[0];
}

/* Another n-gram with the same slot that differs in one block alone. */
static bool find_collision(uint32_t *block, unsigned which, uint32_t slot)
{
    uint32_t own = block[which];
    for (block[which] = 0; block[which] < KNOWN; block[which]++)
        if (block[which] != own && find(block).slot == slot)
            return true;
    return false;
}

int main(void)
{
    uint64_t seed = 5;
    uint32_t first[SL_NGRAM_BLOCKS], other[SL_NGRAM_BLOCKS];
    if (!sl_ngrams_init(&ngrams))
        abort();
    for (unsigned which = 0; which < SL_NGRAM_BLOCKS; which++) {
        for (unsigned i = 0; i < SL_NGRAM_BLOCKS; i++)
            other[i] = first[i] = (uint32_t)sl_random_below(&seed, KNOWN);
        uint32_t slot = find(first).slot;
        bool found = find_collision(other, which, slot);
        struct sl_ngram_ref a = find(first), again = find(first), b = find(other);
        ok(found && a.slot == b.slot && a.serial == again.serial && a.serial != b.serial,
           "n-grams that differ only in block %u are distinguished in one slot", which);
    }
    sl_ngrams_free(&ngrams);
    return done_testing();
}
