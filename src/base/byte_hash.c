/* SPDX-License-Identifier: MIT */
/* Hash functions of the modelled hardware tables (byte_hash.h). A hash function is computed
 * directly from its definition, or up to four hash functions are computed at once with lookup
 * tables. */
#include "byte_hash.h"

#include <string.h>

#include "random.h"

void sl_byte_table(uint8_t table[256], uint64_t seed, unsigned k)
{
    uint64_t state = seed + k * UINT64_C(0xd1b54a32d192ed03), word = 0;
    for (unsigned i = 0; i < 256; i++, word >>= 8) {
        if (i % 8 == 0)
            word = sl_random_next(&state);
        table[i] = (uint8_t)word;
    }
}

static uint64_t randomize(const uint8_t table[256], uint64_t word, unsigned bits)
{
    uint64_t replaced = 0;
    for (unsigned position = 0; position < bits; position += 8)
        replaced |= (uint64_t)table[word >> position & 255] << position;
    return replaced;
}

uint32_t sl_byte_hash_words(const uint8_t table[256], unsigned bits, unsigned word, uint64_t pc,
                            uint64_t value)
{
    uint64_t flipped = __builtin_bswap64(randomize(table, pc, word)) >> (64 - word);
    return (uint32_t)sl_xorfold(flipped ^ randomize(table, value, word), bits);
}

void sl_packed_init_words(struct sl_packed_hash *hash, uint64_t seed, unsigned first, unsigned n,
                          unsigned bits, unsigned word)
{
    unsigned bytes = word / 8;
    memset(hash, 0, sizeof *hash);
    for (unsigned k = 0; k < n; k++) {
        uint8_t table[256];
        sl_byte_table(table, seed, first + k);
        for (unsigned position = 0; position < bytes; position++)
            for (unsigned byte = 0; byte < 256; byte++) {
                uint64_t random = (uint64_t)table[byte];
                uint64_t of_value = sl_xorfold(random << 8 * position, bits);
                uint64_t of_pc = sl_xorfold(random << 8 * (bytes - 1 - position), bits);
                hash->value[position][byte] |= of_value << 16 * k;
                hash->pc[position][byte] |= of_pc << 16 * k;
            }
    }
}

void sl_packed_add_tag(struct sl_packed_hash *hash, unsigned k, unsigned bits, unsigned word)
{
    for (unsigned position = 0; position < word / 8; position++)
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t tag = sl_xorfold((uint64_t)byte << 8 * position, bits) << 16 * k;
            hash->value[position][byte] |= tag;
            hash->pc[position][byte] |= tag;
        }
}
