/* Workload: the hash function SHA-1 (FIPS 180-4), with 80 rounds of rotations and additions over
 * five words for every 64 bytes of a message. The program checks it with the examples in the
 * standard and in RFC 3174.
 *
 * Each round hashes 8 KB and writes the digest over their beginning. */
#include "workload.h"

struct sha {
    uint32_t state[5];
    uint64_t bytes;
    uint8_t block[64];
};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* The message's 16 words and 64 more computed from them. */
PART void expand(uint32_t word[80], const uint8_t block[64])
{
    for (uint32_t t = 0; t < 16; t++)
        word[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                  (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (uint32_t t = 16; t < 80; t++)
        word[t] = rotate(word[t - 3] ^ word[t - 8] ^ word[t - 14] ^ word[t - 16], 1);
}

static uint32_t choose(uint32_t t, uint32_t b, uint32_t c, uint32_t d)
{
    if (t < 20)
        return ((b & c) | (~b & d)) + 0x5a827999;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (t < 60)
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

PART void compress(uint32_t state[5], const uint8_t block[64])
{
    uint32_t word[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    expand(word, block);
    for (uint32_t t = 0; t < 80; t++) {
        uint32_t next = rotate(a, 5) + choose(t, b, c, d) + e + word[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

PART void begin(struct sha *s)
{
    *s = (struct sha){{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, 0, {0}};
}

PART void update(struct sha *s, const uint8_t *data, uint32_t n)
{
    while (n) {
        uint32_t have = (uint32_t)(s->bytes % 64), take = n < 64 - have ? n : 64 - have;
        memcpy(s->block + have, data, take);
        s->bytes += take;
        data += take;
        n -= take;
        if (s->bytes % 64 == 0)
            compress(s->state, s->block);
    }
}

/* Pads with a bit that is 1, zeros up to the end of a block, and the length in bits there. */
PART void finish(struct sha *s, uint8_t digest[20])
{
    static const uint8_t padding[64] = {0x80};
    uint8_t length[8];
    for (uint32_t i = 0; i < 8; i++)
        length[i] = (uint8_t)(s->bytes * 8 >> (56 - 8 * i));
    update(s, padding, (uint32_t)(64 - (s->bytes + 8) % 64));
    update(s, length, sizeof length);
    for (uint32_t i = 0; i < 20; i++)
        digest[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* Hashes the text `times` times in a row and compares the digest. */
PART void known(const char *text, uint32_t times, const char *expected)
{
    struct sha s;
    uint8_t digest[20];
    char hex[41];
    begin(&s);
    for (uint32_t i = 0; i < times; i++)
        update(&s, (const uint8_t *)text, (uint32_t)strlen(text));
    finish(&s, digest);
    for (uint32_t i = 0; i < 20; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    if (strcmp(hex, expected))
        workload_wrong("sha", "the digest of a known message of bytes", (uint32_t)s.bytes);
}

int main(int argc, char **argv)
{
    static uint8_t data[8192];
    uint32_t rounds = workload_rounds(argc, argv, 25), seed = 4, sum = 0;
    known("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d");
    known("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
          "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    known("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    known("0123456701234567012345670123456701234567012345670123456701234567", 10,
          "dea356a2cddd90c7a7ecedc5ebb563934f460452");
    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)workload_random(&seed);
    for (uint32_t round = 0; round < rounds; round++) {
        struct sha s;
        begin(&s);
        update(&s, data, sizeof data);
        finish(&s, data);
    }
    for (uint32_t i = 0; i < 20; i++)
        sum = workload_mix(sum, data[i]);
    return workload_done("sha", sum);
}
/* SPDX-License-Identifier: MIT */
