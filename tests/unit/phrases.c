/* SPDX-License-Identifier: MIT */
/* Phrases that come to the same place by their hash: another phrase gets another serial number
 * whichever of its blocks differs, and the same one keeps its own. */
#include "phrases.h"

#include "random.h"
#include "tap.h"

enum { KNOWN = 1 << 20 };

static struct sl_phrases phrases;
static struct sl_phrase_uses uses;
static uint16_t size[KNOWN];

static struct sl_phrase_use find(const uint32_t *block)
{
    struct sl_chunk chunk = {.n_blocks = SL_PHRASE_BLOCKS, .block = block};
    sl_phrases_find(&phrases, &chunk, size, &uses);
    return uses.use[0];
}

/* Another phrase at the same place, that differs in one block alone. */
static bool find_rival(uint32_t *block, unsigned which, uint32_t place)
{
    uint32_t own = block[which];
    for (block[which] = 0; block[which] < KNOWN; block[which]++)
        if (block[which] != own && find(block).place == place)
            return true;
    return false;
}

int main(void)
{
    uint64_t seed = 5;
    uint32_t first[SL_PHRASE_BLOCKS], other[SL_PHRASE_BLOCKS];
    if (!sl_phrases_init(&phrases))
        abort();
    for (unsigned which = 0; which < SL_PHRASE_BLOCKS; which++) {
        for (unsigned i = 0; i < SL_PHRASE_BLOCKS; i++)
            other[i] = first[i] = (uint32_t)sl_random_below(&seed, KNOWN);
        uint32_t place = find(first).place;
        bool found = find_rival(other, which, place);
        struct sl_phrase_use a = find(first), again = find(first), b = find(other);
        ok(found && a.place == b.place && a.serial == again.serial && a.serial != b.serial,
           "phrases that differ in block %u alone are told apart in one place", which);
    }
    sl_phrases_free(&phrases);
    return done_testing();
}
