/* Workload: AES encryption with 128-bit keys (FIPS 197), byte by byte. The only tables are the
 * S-box and its inverse, which the program computes. The program checks the cipher with the example
 * in appendix C.1 of the standard.
 *
 * In each round the program encrypts a buffer and decrypts it again in CBC mode, which mixes
 * every block with the one before; the plain text must come back. The 16 bytes of a block are
 * a square of 4 by 4, column by column. */
#include "workload.h"

#define BLOCK 16u
#define N_ROUNDS 10u
#define KEY_BYTES (BLOCK * (N_ROUNDS + 1))
#define N_BLOCKS 16u

static uint8_t forward[256], backward[256]; /* the S-box and its inverse */

/* Multiplies by x in the field of 256 elements: polynomials modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t twice(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1, a = twice(a))
        product ^= (uint8_t)((b & 1) * a);
    return product;
}

/* p takes the values of all elements but 0, as powers of 3, and q those of their inverses. */
PART void make_s_box(void)
{
    uint8_t p = 1, q = 1;
    forward[0] = 0x63;
    do {
        p ^= twice(p);
        q = times(q, 0xf6); /* 1 / 3 */
        uint8_t b = (uint8_t)(q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^
                              (q << 4 | q >> 4));
        forward[p] = b ^ 0x63;
    } while (p != 1);
    for (uint32_t i = 0; i < 256; i++)
        backward[forward[i]] = (uint8_t)i;
}

PART void expand_key(uint8_t expanded[KEY_BYTES], const uint8_t key[BLOCK])
{
    uint8_t constant = 1;
    memcpy(expanded, key, BLOCK);
    for (uint32_t i = BLOCK; i < KEY_BYTES; i += 4) {
        uint8_t word[4];
        memcpy(word, expanded + i - 4, 4);
        if (i % BLOCK == 0) {
            uint8_t first = word[0];
            word[0] = forward[word[1]] ^ constant;
            word[1] = forward[word[2]];
            word[2] = forward[word[3]];
            word[3] = forward[first];
            constant = twice(constant);
        }
        for (uint32_t j = 0; j < 4; j++)
            expanded[i + j] = expanded[i + j - BLOCK] ^ word[j];
    }
}

PART void add_key(uint8_t s[BLOCK], const uint8_t key[BLOCK])
{
    for (uint32_t i = 0; i < BLOCK; i++)
        s[i] ^= key[i];
}

PART void substitute(uint8_t s[BLOCK], const uint8_t box[256])
{
    for (uint32_t i = 0; i < BLOCK; i++)
        s[i] = box[s[i]];
}

/* Row r moves by r columns to the left; if step is 3, by 4 - r, which is the inverse. */
PART void shift_rows(uint8_t s[BLOCK], uint32_t step)
{
    uint8_t before[BLOCK];
    memcpy(before, s, BLOCK);
    for (uint32_t i = 0; i < BLOCK; i++)
        s[i] = before[(i + 4 * step * (i % 4)) % BLOCK];
}

PART void mix_columns(uint8_t s[BLOCK])
{
    for (uint8_t *c = s; c < s + BLOCK; c += 4) {
        uint8_t first = c[0], all = c[0] ^ c[1] ^ c[2] ^ c[3];
        c[0] ^= all ^ twice(c[0] ^ c[1]);
        c[1] ^= all ^ twice(c[1] ^ c[2]);
        c[2] ^= all ^ twice(c[2] ^ c[3]);
        c[3] ^= all ^ twice(c[3] ^ first);
    }
}

PART void unmix_columns(uint8_t s[BLOCK])
{
    for (uint8_t *c = s; c < s + BLOCK; c += 4) {
        uint8_t u = twice(twice(c[0] ^ c[2])), v = twice(twice(c[1] ^ c[3]));
        c[0] ^= u;
        c[1] ^= v;
        c[2] ^= u;
        c[3] ^= v;
    }
    mix_columns(s);
}

PART void encrypt(uint8_t s[BLOCK], const uint8_t key[KEY_BYTES])
{
    add_key(s, key);
    for (uint32_t round = 1; round <= N_ROUNDS; round++) {
        substitute(s, forward);
        shift_rows(s, 1);
        if (round < N_ROUNDS)
            mix_columns(s);
        add_key(s, key + BLOCK * round);
    }
}

PART void decrypt(uint8_t s[BLOCK], const uint8_t key[KEY_BYTES])
{
    for (uint32_t round = N_ROUNDS; round > 0; round--) {
        add_key(s, key + BLOCK * round);
        if (round < N_ROUNDS)
            unmix_columns(s);
        shift_rows(s, 3);
        substitute(s, backward);
    }
    add_key(s, key);
}

PART void known(void)
{
    static const uint8_t cipher[BLOCK] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                          0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t key[BLOCK], expanded[KEY_BYTES], plain[BLOCK], text[BLOCK];
    for (uint32_t i = 0; i < BLOCK; i++) {
        key[i] = (uint8_t)i;
        text[i] = plain[i] = (uint8_t)(0x11 * i);
    }
    expand_key(expanded, key);
    encrypt(text, expanded);
    if (memcmp(text, cipher, BLOCK))
        workload_wrong("aes", "the standard's example, encrypted", 0);
    decrypt(text, expanded);
    if (memcmp(text, plain, BLOCK))
        workload_wrong("aes", "the standard's example, decrypted", 0);
}

PART void encrypt_chain(uint8_t *text, const uint8_t key[KEY_BYTES], const uint8_t start[BLOCK])
{
    for (uint32_t i = 0; i < N_BLOCKS; i++, start = text, text += BLOCK) {
        add_key(text, start);
        encrypt(text, key);
    }
}

PART void decrypt_chain(uint8_t *text, const uint8_t key[KEY_BYTES], const uint8_t start[BLOCK])
{
    for (uint32_t i = N_BLOCKS; i-- > 0;) {
        decrypt(text + BLOCK * i, key);
        add_key(text + BLOCK * i, i ? text + BLOCK * (i - 1) : start);
    }
}

int main(int argc, char **argv)
{
    static uint8_t text[BLOCK * N_BLOCKS], again[BLOCK * N_BLOCKS], expanded[KEY_BYTES];
    uint8_t key[BLOCK] = {0}, start[BLOCK] = {0};
    uint32_t rounds = workload_rounds(argc, argv, 25), seed = 5, sum = 0;
    make_s_box();
    known();
    for (uint32_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)workload_random(&seed);
    for (uint32_t round = 0; round < rounds; round++) {
        expand_key(expanded, key);
        memcpy(again, text, sizeof text);
        encrypt_chain(text, expanded, start);
        memcpy(key, text + sizeof text - BLOCK, BLOCK); /* key of the next round */
        for (uint32_t i = 0; i < BLOCK; i++)
            sum = workload_mix(sum, key[i]);
        decrypt_chain(text, expanded, start);
        if (memcmp(text, again, sizeof text))
            workload_wrong("aes", "decrypted text in round", round);
    }
    return workload_done("aes", sum);
}
/* SPDX-License-Identifier: MIT */
