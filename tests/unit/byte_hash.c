/* SPDX-License-Identifier: MIT */
/* Unit tests of the hash functions of the hardware tables. They give the same hashes as a plain
 * implementation that works bit by bit. Computing several functions at once gives the same hashes
 * as computing them one by one. The functions use tables of random bytes, whose contents must never
 * change. */
#include <stdbool.h>
#include <string.h>

#include "byte_hash.h"
#include "random.h"
#include "tap.h"

#define WORDS 400u

static uint64_t word[WORDS];

/* Zero, all ones, single bits, single bytes, addresses, small numbers; the rest random. */
static void make_words(void)
{
    uint64_t random = 7;
    for (size_t i = 0; i < WORDS; i++)
        word[i] = i < 64    ? UINT64_C(1) << i
                  : i < 128 ? ~(UINT64_C(1) << (i - 64))
                  : i < 136 ? UINT64_C(255) << 8 * (i - 128)
                  : i < 160 ? UINT64_C(0x400000) + 4 * i
                  : i < 180 ? UINT64_C(0x7ffff7dd0000) + 16 * i
                  : i < 220 ? i - 180
                            : sl_random_next(&random);
    word[220] = UINT64_MAX;
}

/* ---- the definition, from bytes and bits ---- */

/* Byte b of the word before folding, then every bit to its place in a chunk. */
static uint32_t by_bits(const uint8_t table[256], unsigned bits, uint64_t pc, uint64_t value)
{
    uint8_t in_pc[8], in_value[8];
    uint32_t index = 0;
    for (unsigned b = 0; b < 8; b++) {
        in_pc[b] = (uint8_t)(pc >> 8 * b);
        in_value[b] = (uint8_t)(value >> 8 * b);
    }
    for (unsigned i = 0; i < 64 && bits; i++) {
        unsigned b = i / 8;
        unsigned bit = (table[in_pc[7 - b]] ^ table[in_value[b]]) >> i % 8 & 1;
        index ^= bit << i % bits;
    }
    return index;
}

static void plain(void)
{
    bool same = true, bounded = true, cancels = true;
    for (unsigned k = 0; k < SL_BYTE_HASH_MAX; k++) {
        uint8_t table[256];
        sl_byte_table(table, SL_BYTE_HASH_SEED, k);
        for (unsigned bits = 0; bits <= SL_BYTE_HASH_BITS; bits++)
            for (size_t i = 0; i < WORDS; i++) {
                uint64_t pc = word[i], value = word[i * 7 % WORDS];
                uint32_t index = sl_byte_hash(table, bits, pc, value);
                same = same && index == by_bits(table, bits, pc, value);
                bounded = bounded && index >> bits == 0;
                cancels = cancels && !sl_byte_hash(table, bits, pc, __builtin_bswap64(pc));
            }
    }
    ok(same, "the index is what bytes and bits give, one by one, for 0 to %d bits",
       SL_BYTE_HASH_BITS);
    ok(bounded, "and within the table");
    ok(cancels, "a value that is the pc in reverse cancels it: index 0");
}

static void folding(void)
{
    bool good = true;
    for (unsigned bits = 1; bits <= 64; bits++)
        for (size_t i = 0; i < WORDS; i++) {
            uint64_t folded = 0;
            for (unsigned at = 0; at < 64; at++)
                folded ^= (word[i] >> at & 1) << at % bits;
            good = good && sl_xorfold(word[i], bits) == folded;
        }
    ok(good && sl_xorfold(UINT64_MAX, 0) == 0, "xorfold: as bit by bit, for 0 to 64 bits");
}

/* ---- the packed form ---- */

static bool packed_same(const struct sl_packed_hash *hash, uint64_t seed, unsigned first,
                        unsigned n, unsigned bits, unsigned word_bits)
{
    for (unsigned k = 0; k < SL_PACKED_FUNCTIONS; k++) {
        uint8_t table[256];
        sl_byte_table(table, seed, first + k);
        for (size_t i = 0; i < WORDS; i++) {
            uint64_t pc = word[i * 3 % WORDS], value = word[i];
            uint64_t packed = sl_packed_pc(hash, pc) ^ sl_packed_value(hash, value);
            uint64_t index = k < n ? sl_byte_hash_words(table, bits, word_bits, pc, value) : 0;
            if ((packed >> 16 * k & 0xffff) != index)
                return false;
        }
    }
    return true;
}

static void packed(void)
{
    static struct sl_packed_hash hash;
    for (unsigned first = 0; first < SL_BYTE_HASH_MAX; first += SL_PACKED_FUNCTIONS) {
        bool same = true;
        for (unsigned bits = 0; bits <= SL_PACKED_BITS; bits++)
            for (unsigned n = 1; n <= SL_PACKED_FUNCTIONS; n++) {
                uint64_t seed = bits % 2 ? SL_BYTE_HASH_SEED : 1000 * bits + n;
                sl_packed_init(&hash, seed, first, n, bits);
                same = same && packed_same(&hash, seed, first, n, bits, 64);
                sl_packed_init_words(&hash, seed, first, n, bits, 32);
                same = same && packed_same(&hash, seed, first, n, bits, 32);
            }
        ok(same,
           "packed: functions %u to %u, 0 to %d bits, 1 to 4 at a time: the plain index in "
           "each field, 0 in unused ones",
           first, first + SL_PACKED_FUNCTIONS - 1, SL_PACKED_BITS);
    }
}

/* Words of 32 bits, from scratch: the bytes of both, one after the other. */
static void halves(void)
{
    uint8_t table[256];
    bool same = true, blind = true;
    sl_byte_table(table, SL_BYTE_HASH_SEED, 3);
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t pc = word[i * 5 % WORDS], value = word[i], folded = 0;
        for (unsigned low = 0, high = 24; low < 32; low += 8, high -= 8)
            folded ^= (uint64_t)(table[pc >> low & 255] ^ table[value >> high & 255]) << high;
        uint32_t index = (uint32_t)((folded ^ folded >> 11 ^ folded >> 22) & 2047);
        same &= sl_byte_hash_words(table, 11, 32, pc, value) == index;
        pc ^= UINT64_C(9) << 40;
        blind &= sl_byte_hash_words(table, 11, 32, pc, value | UINT64_C(7) << 60) == index;
    }
    ok(same, "words of 32 bits: 4 bytes are replaced, and 4 are reversed");
    ok(blind, "words of 32 bits: the upper halves make no difference");
}

static void packed_tags(void)
{
    static struct sl_packed_hash hash, with_tag;
    bool tags = true, others = true;
    sl_packed_init(&hash, SL_BYTE_HASH_SEED, 0, 1, 11);
    for (unsigned bits = 1; bits <= SL_PACKED_BITS; bits++) {
        unsigned k = 1 + bits % 3;
        with_tag = hash;
        sl_packed_add_tag(&with_tag, k, bits, 64);
        for (size_t i = 0; i < WORDS; i++) {
            uint64_t pc = word[i * 3 % WORDS], value = word[i];
            uint64_t index = sl_packed_pc(&hash, pc) ^ sl_packed_value(&hash, value);
            uint64_t both = sl_packed_pc(&with_tag, pc) ^ sl_packed_value(&with_tag, value);
            tags = tags && (both >> 16 * k & 0xffff) == sl_xorfold(pc ^ value, bits);
            others = others && (both & ~(UINT64_C(0xffff) << 16 * k)) == index;
        }
    }
    ok(tags, "packed: a field may hold the tag instead, xorfold(pc ^ value), of 1 to %d bits",
       SL_PACKED_BITS);
    ok(others, "packed: which leaves the others alone");
}

static void linear(void)
{
    uint8_t table[256];
    bool halves = true, bytes = true;
    uint64_t random = 9;
    sl_byte_table(table, SL_BYTE_HASH_SEED, 2);
    for (size_t i = 0; i < 20000; i++) {
        uint64_t a = sl_random_next(&random), b = sl_random_next(&random);
        uint64_t c = sl_random_next(&random), d = sl_random_next(&random);
        unsigned bits = 1 + (unsigned)(i % SL_BYTE_HASH_BITS);
        uint64_t mask = UINT64_C(255) << 8 * (i % 8);
        halves = halves && (sl_byte_hash(table, bits, a, b) ^ sl_byte_hash(table, bits, a, d)) ==
                               (sl_byte_hash(table, bits, c, b) ^ sl_byte_hash(table, bits, c, d));
        /* b and d with one byte exchanged for that of c. */
        uint64_t from = (d & ~mask) | (b & mask), to = (d & ~mask) | (c & mask);
        uint64_t with = (b & ~mask) | (c & mask);
        bytes = bytes &&
                (sl_byte_hash(table, bits, a, b) ^ sl_byte_hash(table, bits, a, with)) ==
                    (sl_byte_hash(table, bits, a, from) ^ sl_byte_hash(table, bits, a, to));
    }
    ok(halves, "linear: what a change of the value does to the index does not depend on the pc");
    ok(bytes, "linear: nor what a change of one byte does on the other bytes");
}

/* ---- the tables ---- */

static void tables(void)
{
    static uint8_t table[3 * SL_BYTE_HASH_MAX][256];
    static const uint64_t seed[3] = {SL_BYTE_HASH_SEED, 2, UINT64_MAX};
    bool differ = true, varied = true;
    for (unsigned t = 0; t < 3 * SL_BYTE_HASH_MAX; t++) {
        bool seen[256] = {false};
        unsigned distinct = 0;
        sl_byte_table(table[t], seed[t / SL_BYTE_HASH_MAX], t % SL_BYTE_HASH_MAX);
        for (unsigned i = 0; i < 256; i++) {
            distinct += !seen[table[t][i]];
            seen[table[t][i]] = true;
        }
        /* 256 draws of 256 bytes leave 94 out, give or take 5 (one sigma). */
        varied = varied && distinct > 130 && distinct < 195;
        for (unsigned other = 0; other < t; other++) {
            unsigned agree = 0;
            for (unsigned i = 0; i < 256; i++)
                agree += table[t][i] == table[other][i];
            differ = differ && agree < 16;
        }
    }
    ok(differ, "the tables of all functions and of three seeds are alike no more than by chance");
    ok(varied, "each has as many different bytes as random ones have");
}

/* FNV-1a (64 bits) over tables 0 to 15 of the default seed, one after the other, and
 * some indices; by a transcription of byte_hash.h's description into another language. */
static void golden(void)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    uint8_t table[SL_BYTE_HASH_MAX][256];
    for (unsigned k = 0; k < SL_BYTE_HASH_MAX; k++) {
        sl_byte_table(table[k], SL_BYTE_HASH_SEED, k);
        for (unsigned i = 0; i < 256; i++)
            digest = (digest ^ table[k][i]) * UINT64_C(0x100000001b3);
    }
    static const uint8_t first[8] = {193, 92, 2, 137, 236, 45, 10, 145};
    ok(!memcmp(table[0], first, 8), "the default table 0 begins as ever");
    ok(digest == UINT64_C(0x9711deec134c8815), "the default tables are what they ever were");
    ok(sl_byte_hash(table[0], 11, 0x400000, 0) == 1158 &&
           sl_byte_hash(table[0], 11, 0x401136, 0x7fffffffe0d8) == 281 &&
           sl_byte_hash(table[3], 9, UINT64_MAX - 15, 1) == 498 &&
           sl_byte_hash(table[15], 24, 0x123456789abcdef0, 0xfedcba9876543210) == 5268308,
       "and so are indices");
}

/* How much more often two of 1,024 pcs in a row times 1,024 small values share an index
 * than they would by chance: chi-square over the number of tuples. Only four bytes vary,
 * each through a table that leaves out a third of all bytes; no random function. */
static double excess(const uint8_t table[256], unsigned bits)
{
    static uint32_t seen[1 << 16];
    const double expected = 0x1p20 / (double)(1u << bits);
    double chi2 = 0;
    memset(seen, 0, sizeof seen);
    for (uint64_t pc = 0; pc < 1024; pc++)
        for (uint64_t value = 0; value < 1024; value++)
            seen[sl_byte_hash(table, bits, 0x400000 + 4 * pc, value)]++;
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        chi2 += (seen[i] - expected) * (seen[i] - expected) / expected;
    return chi2 / 0x1p20;
}

static void distribution(void)
{
    for (unsigned bits = 8; bits <= 12; bits++) {
        double worst = 0;
        for (unsigned k = 0; k < 4; k++) {
            uint8_t table[256];
            sl_byte_table(table, SL_BYTE_HASH_SEED, k);
            double e = excess(table, bits);
            worst = e > worst ? e : worst;
        }
        ok(worst < 0.25,
           "tuples near each other spread over 2^%u indices: at most 1.25 times as "
           "many meet as by chance (%.3f)",
           bits, 1 + worst);
    }
}

int main(void)
{
    make_words();
    plain();
    folding();
    packed();
    halves();
    packed_tags();
    linear();
    tables();
    golden();
    distribution();
    return done_testing();
}
