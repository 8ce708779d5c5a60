/* Workload: the core of a JPEG codec for gray pictures (ITU-T T.81, baseline), without file
 * headers. The steps are the cosine transform of 8 by 8 squares, quantization, zigzag order,
 * Huffman coding with the tables in annex K of the standard, and the inverse of each step.
 *
 * The program checks three codes that the standard spells out, that every coefficient is
 * decoded exactly, and that the decoded picture is near the original. */
#include "workload.h"

#define SIDE 64u
#define N_BLOCKS (SIDE / 8 * (SIDE / 8))

static const uint8_t quantum[64] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
};

/* A Huffman code: the number of codes of 1 to 16 bits, and the symbols they denote, in order. */
struct code {
    uint8_t lengths[16], n, symbol[162];
    uint16_t bits[256]; /* by symbol */
    uint8_t length[256];
};

static struct code dc = {{0, 1, 5, 1, 1, 1, 1, 1, 1}, 12,
                         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0}, {0}};
static struct code ac = {
    {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125}, 162,
    {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
     0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
     0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
     0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
     0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
     0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
     0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
     0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
     0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
     0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
     0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}, {0}, {0}};

static int32_t basis[8][8]; /* by frequency, by position; in 1/8192 */
static uint8_t zigzag[64];
static uint8_t picture[SIDE][SIDE], again[SIDE][SIDE];
static int16_t coefficient[N_BLOCKS][64], decoded[N_BLOCKS][64];

static struct stream {
    uint8_t byte[4 * SIDE * SIDE]; /* capacity for the longest codes */
    uint32_t at; /* position in bits */
} stream;

PART void make_code(struct code *c)
{
    uint32_t bits = 0, k = 0;
    for (uint32_t length = 1; length <= 16; length++, bits <<= 1)
        for (uint32_t i = 0; i < c->lengths[length - 1]; i++, k++) {
            c->bits[c->symbol[k]] = (uint16_t)bits++;
            c->length[c->symbol[k]] = (uint8_t)length;
        }
    if (k != c->n)
        workload_wrong("jpeg", "the number of codes", k);
}

PART void make_tables(void)
{
    static const int32_t half_cosine[9] = {4096, 4017, 3784, 3406, 2896, 2276, 1567, 799, 0};
    for (uint32_t f = 0; f < 8; f++)
        for (uint32_t x = 0; x < 8; x++) {
            uint32_t angle = (2 * x + 1) * f % 32; /* of 32 in a circle */
            angle = angle > 16 ? 32 - angle : angle;
            basis[f][x] = !f          ? half_cosine[4]
                          : angle > 8 ? -half_cosine[16 - angle]
                                      : half_cosine[angle];
        }
    for (uint32_t sum = 0, k = 0; sum < 15; sum++) /* diagonals, up and down in turn */
        for (uint32_t i = 0; i <= sum; i++) {
            uint32_t y = sum % 2 ? i : sum - i, x = sum - y;
            if (x < 8 && y < 8)
                zigzag[k++] = (uint8_t)(8 * y + x);
        }
    make_code(&dc);
    make_code(&ac);
    if (ac.bits[0x00] != 0xa || ac.length[0x00] != 4 || ac.bits[0xf0] != 0x7f9 ||
        ac.length[0xf0] != 11 || ac.bits[0xfa] != 0xfffe || ac.length[0xfa] != 16)
        workload_wrong("jpeg", "the standard's codes", 0);
}

/* Transforms each line of a square, from x[8 * i + j] to x[8 * j + i]: two calls transform all. */
PART void transform(const int32_t *from, int32_t *to, int32_t shift)
{
    for (uint32_t i = 0; i < 8; i++, from += 8, to++)
        for (uint32_t f = 0; f < 8; f++) {
            int32_t sum = 1 << (shift - 1);
            for (uint32_t x = 0; x < 4; x++) /* the other half has the same or the opposite sign */
                sum += basis[f][x] * (f % 2 ? from[x] - from[7 - x] : from[x] + from[7 - x]);
            to[8 * f] = sum >> shift;
        }
}

PART void transform_back(const int32_t *from, int32_t *to, int32_t shift)
{
    for (uint32_t i = 0; i < 8; i++, from += 8, to++)
        for (uint32_t x = 0; x < 4; x++) {
            int32_t even = 1 << (shift - 1), odd = 0;
            for (uint32_t f = 0; f < 8; f += 2) {
                even += basis[f][x] * from[f];
                odd += basis[f + 1][x] * from[f + 1];
            }
            to[8 * x] = (even + odd) >> shift;
            to[8 * (7 - x)] = (even - odd) >> shift;
        }
}

PART void quantize(const int32_t *from, int16_t *to)
{
    for (uint32_t k = 0; k < 64; k++) {
        int32_t x = from[zigzag[k]], q = quantum[zigzag[k]];
        to[k] = (int16_t)((x < 0 ? x - q / 2 : x + q / 2) / q);
    }
}

PART void dequantize(const int16_t *from, int32_t *to)
{
    for (uint32_t k = 0; k < 64; k++)
        to[zigzag[k]] = from[k] * quantum[zigzag[k]];
}

PART void put_bits(uint32_t bits, uint32_t n)
{
    while (n--) {
        if (stream.at % 8 == 0)
            stream.byte[stream.at / 8] = 0;
        stream.byte[stream.at / 8] |= (uint8_t)((bits >> n & 1) << (7 - stream.at % 8));
        stream.at++;
    }
}

static uint32_t get_bit(void)
{
    uint32_t bit = stream.byte[stream.at / 8] >> (7 - stream.at % 8) & 1;
    stream.at++;
    return bit;
}

/* The number of bits of a magnitude, then its bits; for a negative number, of x - 1. */
PART void put_number(const struct code *c, uint32_t run, int32_t x)
{
    uint32_t magnitude = (uint32_t)(x < 0 ? -x : x), size = 0;
    while (magnitude >> size)
        size++;
    put_bits(c->bits[run << 4 | size], c->length[run << 4 | size]);
    put_bits((uint32_t)(x < 0 ? x - 1 : x) & ((1u << size) - 1), size);
}

PART uint32_t get_symbol(const struct code *c)
{
    uint32_t bits = 0, first = 0, k = 0;
    for (uint32_t length = 1; length <= 16; length++) {
        bits = bits << 1 | get_bit();
        if (bits - first < c->lengths[length - 1])
            return c->symbol[k + bits - first];
        k += c->lengths[length - 1];
        first = (first + c->lengths[length - 1]) << 1;
    }
    workload_wrong("jpeg", "no code at bit", stream.at);
    return 0;
}

PART int32_t get_number(uint32_t size)
{
    int32_t x = 0;
    for (uint32_t i = 0; i < size; i++)
        x = x << 1 | (int32_t)get_bit();
    return size && !(x >> (size - 1)) ? x - (1 << size) + 1 : x;
}

PART void encode(const int16_t *from, int32_t before)
{
    uint32_t run = 0;
    put_number(&dc, 0, from[0] - before);
    for (uint32_t k = 1; k < 64; k++) {
        if (!from[k]) {
            run++;
            continue;
        }
        for (; run > 15; run -= 16)
            put_bits(ac.bits[0xf0], ac.length[0xf0]);
        put_number(&ac, run, from[k]);
        run = 0;
    }
    if (run)
        put_bits(ac.bits[0], ac.length[0]);
}

PART void decode(int16_t *to, int32_t before)
{
    memset(to, 0, 64 * sizeof *to);
    to[0] = (int16_t)(before + get_number(get_symbol(&dc)));
    for (uint32_t k = 1; k < 64; k++) {
        uint32_t symbol = get_symbol(&ac);
        if (!symbol)
            return;
        k += symbol >> 4;
        if (k < 64 && symbol & 15)
            to[k] = (int16_t)get_number(symbol & 15);
    }
}

/* Slopes, a disc and some noise. */
PART void paint(uint32_t *seed, int32_t centre)
{
    for (int32_t y = 0; y < (int32_t)SIDE; y++)
        for (int32_t x = 0; x < (int32_t)SIDE; x++) {
            int32_t distance2 = (x - centre) * (x - centre) + (y - 30) * (y - 30);
            picture[y][x] = (uint8_t)(2 * x + y / 2 + (distance2 < 300 ? 60 : 0) +
                                      (int32_t)(workload_random(seed) >> 29));
        }
}

PART void compress(void)
{
    int32_t square[64], half[64];
    for (uint32_t b = 0; b < N_BLOCKS; b++) {
        uint32_t left = 8 * (b % (SIDE / 8)), top = 8 * (b / (SIDE / 8));
        for (uint32_t i = 0; i < 64; i++)
            square[i] = picture[top + i / 8][left + i % 8] - 128;
        transform(square, half, 10);
        transform(half, square, 16);
        quantize(square, coefficient[b]);
        encode(coefficient[b], b ? coefficient[b - 1][0] : 0);
    }
}

PART void expand(void)
{
    int32_t square[64], half[64];
    for (uint32_t b = 0; b < N_BLOCKS; b++) {
        uint32_t left = 8 * (b % (SIDE / 8)), top = 8 * (b / (SIDE / 8));
        decode(decoded[b], b ? decoded[b - 1][0] : 0);
        dequantize(decoded[b], square);
        transform_back(square, half, 10);
        transform_back(half, square, 16);
        for (uint32_t i = 0; i < 64; i++) {
            int32_t x = square[i] + 128;
            again[top + i / 8][left + i % 8] = (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
        }
    }
}

PART void check(void)
{
    uint32_t off = 0;
    if (memcmp(coefficient, decoded, sizeof decoded))
        workload_wrong("jpeg", "coefficients from bits", stream.at);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        int32_t d = (&picture[0][0])[i] - (&again[0][0])[i];
        off += (uint32_t)(d * d);
    }
    if (off > SIDE * SIDE * 40) /* 32 dB */
        workload_wrong("jpeg", "the picture's squared error", off / (SIDE * SIDE));
}

int main(int argc, char **argv)
{
    uint32_t rounds = workload_rounds(argc, argv, 8), seed = 12, sum = 0;
    make_tables();
    for (uint32_t round = 0; round < rounds; round++) {
        paint(&seed, (int32_t)(round % 40) + 10);
        stream.at = 0;
        compress();
        uint32_t bits = stream.at;
        stream.at = 0;
        expand();
        if (stream.at != bits)
            workload_wrong("jpeg", "the bits that were read", stream.at);
        check();
        for (uint32_t i = 0; i < bits / 8; i++)
            sum = workload_mix(sum, stream.byte[i]);
    }
    return workload_done("jpeg", sum);
}
/* SPDX-License-Identifier: MIT */
