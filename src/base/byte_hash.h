/* SPDX-License-Identifier: MIT */
/* Hash functions of the modelled profiling hardware. They map an event, a pair <pc, value> of
 * 64-bit words, to the index of an entry of a hardware table.
 *
 * Function k of a tuple <pc, v>, for a table of 2^bits entries:
 *
 *     index = xorfold(flip(rand_k(pc)) ^ rand_k(v), bits)
 *
 * rand_k replaces each of the 8 bytes of a word through a table of 256 random
 * bytes, one table for each k; flip reverses the bytes; xorfold splits the word
 * into `bits`-wide chunks from its low end (the last may be shorter) and XORs them.
 * For bits = 0 the index is 0.
 *
 * With 32-bit words, as the paper's processor may have had, the upper halves of pc and v are
 * ignored: rand_k replaces 4 bytes, and flip reverses 4. Tuples that differ only in the upper
 * halves have the same index.
 *
 * The tables follow from a seed and are the same on every machine: byte i of table k is byte i % 8
 * (lowest first) of the (i / 8)-th number of splitmix64 (random.h) from the state
 * seed + k * 0xd1b54a32d192ed03. The default seed is SL_BYTE_HASH_SEED.
 *
 * sl_byte_hash() is the plain definition. It is linear over XOR, so that the index is the XOR of 16
 * partial indices, each of which depends on one byte of pc or v. The packed form looks these up for
 * up to four functions at a time: a word has four indices of up to 16 bits, that of function k in
 * bits 16k to 16k + 15. The pc's half is constant for a static instruction and is computed once
 * (sl_packed_pc()); an event costs the value's half.
 *
 *     packed(pc, v) = packed_pc(pc) ^ packed_value(v) */
#ifndef SL_BYTE_HASH_H
#define SL_BYTE_HASH_H

#include <stdint.h>

#include "gpu_inline.h"

#define SL_BYTE_HASH_SEED UINT64_C(1)
#define SL_BYTE_HASH_MAX 16   /* functions */
#define SL_BYTE_HASH_BITS 24  /* of an index, plain form */
#define SL_PACKED_FUNCTIONS 4 /* in a word */
#define SL_PACKED_BITS 16     /* of an index, packed form */
#define SL_BYTE_HASH_WORD 64  /* bits of pc and v by default; 32 is possible */

/* Fills the random byte table of function k. */
void sl_byte_table(uint8_t table[256], uint64_t seed, unsigned k);

/* The plain definition, from the byte table of function k. `word` is 64 or 32. */
uint32_t sl_byte_hash_words(const uint8_t table[256], unsigned bits, unsigned word, uint64_t pc,
                            uint64_t value);

static inline uint32_t sl_byte_hash(const uint8_t table[256], unsigned bits, uint64_t pc,
                                    uint64_t value)
{
    return sl_byte_hash_words(table, bits, SL_BYTE_HASH_WORD, pc, value);
}

/* XOR of the bits-wide chunks of a word, as above.
 *
 * A chunk of twice the width is two chunks: the word is folded on itself, first at `bits` times a
 * power of two that is at least 32, then at half of that, down to `bits`. Bits above the current
 * width are ignored and cleared at the end. */
SL_GPU_INLINE uint64_t sl_xorfold(uint64_t word, unsigned bits)
{
    unsigned width = bits;
    if (bits == 0)
        return 0;
    if (bits >= 64)
        return word;
    while (width < 32)
        width *= 2;
    for (; width >= bits; width /= 2)
        word ^= word >> width;
    return word & ((UINT64_C(1) << bits) - 1);
}

/* Partial indices of functions first .. first + n - 1 (n <= 4), by byte position and byte. 32 KB;
 * the value's half, which every event uses, is first. */
struct sl_packed_hash {
    uint64_t value[8][256];
    uint64_t pc[8][256];
};

void sl_packed_init_words(struct sl_packed_hash *hash, uint64_t seed, unsigned first, unsigned n,
                          unsigned bits, unsigned word);

static inline void sl_packed_init(struct sl_packed_hash *hash, uint64_t seed, unsigned first,
                                  unsigned n, unsigned bits)
{
    sl_packed_init_words(hash, seed, first, n, bits, SL_BYTE_HASH_WORD);
}

/* Puts xorfold(pc ^ v, bits), the tag of tagged tables, into the unused field k. The tag is linear,
 * too, so that it costs nothing in addition to an index. With 32-bit words, of the low halves. */
void sl_packed_add_tag(struct sl_packed_hash *hash, unsigned k, unsigned bits, unsigned word);

static inline uint64_t sl_packed_lookup(const uint64_t part[8][256], uint64_t word)
{
    return part[0][word & 255] ^ part[1][word >> 8 & 255] ^ part[2][word >> 16 & 255] ^
           part[3][word >> 24 & 255] ^ part[4][word >> 32 & 255] ^ part[5][word >> 40 & 255] ^
           part[6][word >> 48 & 255] ^ part[7][word >> 56];
}

static inline uint64_t sl_packed_value(const struct sl_packed_hash *hash, uint64_t value)
{
    return sl_packed_lookup(hash->value, value);
}

static inline uint64_t sl_packed_pc(const struct sl_packed_hash *hash, uint64_t pc)
{
    return sl_packed_lookup(hash->pc, pc);
}

#endif
