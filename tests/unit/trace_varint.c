/* SPDX-License-Identifier: MIT */
/* Unit tests of the varints of a trace: the decoder returns the numbers that the encoder wrote, and
 * refuses a varint that is truncated or has more than 32 bits. */
#include "random.h"
#include "tap.h"
#include "trace_decode.h"

/* Numbers of all lengths: 1 to 32 significant bits. */
static uint32_t some_number(uint64_t *state)
{
    uint64_t r = sl_random_next(state);
    return (uint32_t)r >> (r >> 32) % 32;
}

static void round_trip(void)
{
    enum { TRIALS = 100000 };
    uint8_t bytes[SL_TRACE_VARINT];
    uint64_t state = 1;
    uint32_t wrong = 0, accepted = 0;
    for (int i = 0; i < TRIALS; i++) {
        uint32_t value = some_number(&state), read = 0;
        const uint8_t *end = sl_trace_put_varint(bytes, value);
        struct sl_trace_span s = {bytes, end}, cut = {bytes, end - 1};
        wrong += !sl_trace_varint(&s, &read) || read != value || s.at != end;
        wrong += sl_trace_unzigzag(sl_trace_zigzag(value)) != value;
        accepted += sl_trace_varint(&cut, &read);
    }
    ok(!wrong, "numbers of 1 to 32 bits are read as they were written");
    ok(!accepted, "a varint without its last byte is refused");
    ok(sl_trace_put_varint(bytes, UINT32_MAX) == bytes + SL_TRACE_VARINT, "5 bytes at most");
}

static void too_long(void)
{
    const uint8_t bit_32[] = {0x80, 0x80, 0x80, 0x80, 0x10},
                  six[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0};
    struct sl_trace_span s = {bit_32, bit_32 + sizeof bit_32}, t = {six, six + sizeof six};
    uint32_t read;
    ok(!sl_trace_varint(&s, &read), "bit 32 is refused");
    ok(!sl_trace_varint(&t, &read), "so is a varint of 6 bytes");
}

/* Reads tokens from runs: 2 hits, a miss with the literal 7, then hits only. */
static void tokens(void)
{
    const uint8_t runs[] = {5}, literals[] = {7};
    struct sl_token_reader r = sl_tokens((struct sl_trace_span){runs, runs + 1},
                                         (struct sl_trace_span){literals, literals + 1});
    struct sl_trace_slot slot = {3, 4};
    uint32_t literal = 0;
    ok(r.hits == 2 && r.miss && !r.bad, "a run: hits, and the kind of the token after them");
    ok(sl_trace_varint(&r.literals, &literal) && sl_tokens_take(&r, &slot, literal) == 7 &&
           slot.a == 7 && slot.b == 3,
       "a token that was not a hit becomes the slot's first candidate");
    ok(sl_tokens_used_up(&r), "all later tokens are hits");
    r.hits = 1;
    ok(!sl_tokens_used_up(&r), "hits that the stream announces and does not have are an error");
}

int main(void)
{
    round_trip();
    too_long();
    tokens();
    return done_testing();
}
