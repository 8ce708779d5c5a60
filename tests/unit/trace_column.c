/* SPDX-License-Identifier: MIT */
/* Unit tests of the columns of a trace: the vectorized encoder writes the same bytes as the simple
 * encoder, and the decoder reads these bytes correctly, also in pieces. */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "tap.h"
#include "trace_codec.h"

#define MOST 200u

/* Numbers as programs load them: repeated, in strides, small, and anything. */
static void make(uint64_t *number, size_t n, uint64_t *random)
{
    uint64_t stride = sl_random_below(random, 20);
    for (size_t i = 0; i < n; i++)
        switch (sl_random_below(random, 4)) {
        case 0:
            number[i] = i ? number[i - 1] : 0;
            break;
        case 1:
            number[i] = (i ? number[i - 1] : 0) + stride;
            break;
        default:
            number[i] = sl_random_next(random) >> sl_random_below(random, 65) % 64;
            number[i] *= sl_random_below(random, 8) != 0;
        }
}

static bool same(const uint64_t *number, size_t n, bool zigzag)
{
    uint8_t code[2][MOST + 1], bytes[2][8 * MOST + SL_TRACE_COLUMN_MARGIN];
    size_t size[2];
    memset(code, 0xee, sizeof code);
    for (int plain = 0; plain < 2; plain++)
        size[plain] = (size_t)(sl_trace_put_column(number, n, zigzag, plain, code[plain],
                                                   bytes[plain]) -
                               bytes[plain]);
    return size[0] == size[1] && !memcmp(code[0], code[1], MOST + 1) &&
           !memcmp(bytes[0], bytes[1], size[0]);
}

/* Reads a column in pieces, as numbers that are `row` apart. */
static bool read_back(const uint64_t *number, size_t n, bool zigzag, uint64_t *random)
{
    uint8_t code[MOST + 1], bytes[8 * MOST + SL_TRACE_COLUMN_MARGIN] = {0};
    uint64_t back[3 * MOST];
    size_t row = 1 + sl_random_below(random, 3);
    uint8_t *end = sl_trace_put_column(number, n, zigzag, true, code, bytes);
    struct sl_column_position at = {.bytes = bytes};
    for (size_t i = 0, piece; i < n; i += piece) {
        piece = 1 + sl_random_below(random, 40);
        piece = piece < n - i ? piece : n - i;
        sl_trace_get_column(back + i * row, row, piece, zigzag, code + i, &at);
    }
    bool equal = at.bytes == end;
    for (size_t i = 0; i < n; i++)
        equal = equal && back[i * row] == number[i];
    return equal;
}

/* A column that strides for long, which has a form of its own. */
static void make_stride(uint64_t *number, size_t n, uint64_t *random)
{
    uint64_t first = sl_random_next(random), stride = sl_random_next(random);
    for (size_t i = 0; i < n; i++)
        number[i] = sl_random_below(random, 30) ? first + i * stride : 7;
}

/* What the page says, for a column that has each kind of code. */
static void by_hand(bool plain)
{
    static const uint64_t number[] = {0, 7, 14, 14, 0x1234, 0, 0, 0, 1, UINT64_MAX, 255, 256};
    static const uint8_t codes[] = {0, 3, 1, 0, 4, 2, 0, 0, 3, 10, 3, 4};
    static const uint8_t literals[] = {7,   0x34, 0x12, 1,   255, 255, 255, 255,
                                       255, 255,  255,  255, 255, 0,   1};
    uint8_t code[12], bytes[96 + SL_TRACE_COLUMN_MARGIN];
    size_t size = (size_t)(sl_trace_put_column(number, 12, false, plain, code, bytes) - bytes);
    ok(!memcmp(code, codes, sizeof codes) && size == sizeof literals &&
           !memcmp(bytes, literals, size),
       "codes and literals are those of the page%s", plain ? ", plain" : "");
}

/* Bytes of two codes each, nearly all of them known. */
static void sizes(uint64_t *random)
{
    unsigned good = 0, tries = 4000, unknown = 0;
    for (unsigned i = 0; i < tries; i++) {
        uint8_t codes[MOST];
        uint64_t sum = 0;
        for (size_t k = 0; k < MOST; k++)
            codes[k] = (uint8_t)(sl_random_below(random, 11) | sl_random_below(random, 11) << 4);
        if (i % 2)
            codes[sl_random_below(random, MOST)] = (uint8_t)(11 + sl_random_below(random, 245));
        size_t at = sl_random_below(random, MOST), n = sl_random_below(random, MOST);
        for (size_t k = at; k < at + n; k++) {
            unsigned code = codes[k / 2] >> 4 * (k % 2) & 15;
            sum += code > 10 ? UINT64_C(1) << 40 : code > 2 ? code - 2 : 0;
        }
        uint64_t plain = sl_trace_literals_size(codes, at, n, true);
        uint64_t wide = sl_trace_literals_size(codes, at, n, false);
        good += plain == sum && (wide == sum || (wide >> 40 && sum >> 40));
        unknown += sum >> 40 != 0;
    }
    ok(good == tries && unknown, "%u of %u lengths of literals, %u with codes that are unknown",
       good, tries, unknown);
}

int main(void)
{
    uint64_t random = 7, number[MOST];
    by_hand(false);
    by_hand(true);
    sizes(&random);
    for (int zigzag = 0; zigzag < 2; zigzag++) {
        unsigned good = 0, tries = 0, read = 0;
        for (size_t n = 0; n <= MOST; n++)
            for (int i = 0; i < 40; i++, tries++) {
                (i % 4 ? make : make_stride)(number, n, &random);
                good += same(number, n, zigzag);
                read += read_back(number, n, zigzag, &random);
            }
        ok(good == tries, "%u of %u columns of %s are the same with and without long vectors", good,
           tries, zigzag ? "differences" : "numbers");
        ok(read == tries, "%u are read back", read);
    }
    return done_testing();
}
