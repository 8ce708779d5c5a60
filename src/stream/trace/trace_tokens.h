/* SPDX-License-Identifier: MIT */
/* Reading streams of a frame: varints, and tokens as docs/trace-format.md has them.
 *
 * The bytes may be hostile. A stream that ends too early does not stop a loop: its reader then
 * gives hits, without touching anything outside, and the fault is seen when the pass is over. */
#ifndef SL_TRACE_TOKENS_H
#define SL_TRACE_TOKENS_H

#include "trace_codec.h"

struct sl_trace_span {
    const uint8_t *at, *end;
};

/* False at the end of the span or if it is no varint of 32 bits. */
static inline bool sl_trace_varint(struct sl_trace_span *s, uint32_t *out)
{
    uint32_t value = 0;
    for (unsigned shift = 0; s->at < s->end && shift < 35; shift += 7) {
        uint32_t byte = *s->at++;
        if (shift == 28 && byte > 15)
            return false;
        value |= (byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return true;
        }
    }
    return false;
}

struct sl_token_reader {
    struct sl_trace_span runs, literals;
    uint32_t hits; /* to give out before the next token that is none */
    uint32_t miss; /* that one is a miss, not a second */
    bool bad;
};

#define SL_TOKENS_ALL_HITS UINT32_MAX /* more than any run has, and than a frame has tokens */

static inline void sl_tokens_next_run(struct sl_token_reader *r)
{
    uint32_t run = 0;
    if (r->runs.at == r->runs.end) {
        r->hits = SL_TOKENS_ALL_HITS;
    } else if (!sl_trace_varint(&r->runs, &run)) {
        r->bad = true;
        r->hits = SL_TOKENS_ALL_HITS;
    } else {
        r->hits = run / 2;
        r->miss = run % 2;
    }
}

static inline struct sl_token_reader sl_tokens(struct sl_trace_span runs,
                                               struct sl_trace_span literals)
{
    struct sl_token_reader r = {.runs = runs, .literals = literals};
    sl_tokens_next_run(&r);
    return r;
}

/* A token that was no hit: brings the slot and the run up to date. */
static inline uint32_t sl_tokens_take(struct sl_token_reader *r, struct sl_trace_slot *slot,
                                      uint32_t token)
{
    slot->b = slot->a;
    slot->a = token;
    sl_tokens_next_run(r);
    return token;
}

/* The next token is no hit: `base` + unzigzagged literal, or the plain literal, if it is a miss. */
static inline uint32_t sl_tokens_other(struct sl_token_reader *r, struct sl_trace_slot *slot,
                                       uint32_t base, bool zigzag)
{
    uint32_t token = slot->b, literal = 0;
    if (r->miss) {
        r->bad |= !sl_trace_varint(&r->literals, &literal);
        token = zigzag ? base + sl_trace_unzigzag(literal) : literal;
    }
    return sl_tokens_take(r, slot, token);
}

/* `base` is evaluated only where it is needed. */
#define SL_TOKENS_NEXT(r, slot, base, zigzag) \
    ((r)->hits ? (r)->hits--, (slot)->a : sl_tokens_other((r), (slot), (base), (zigzag)))

/* A pass went well if both streams were used up, and no hits stay announced. */
static inline bool sl_tokens_used_up(const struct sl_token_reader *r)
{
    return !r->bad && r->runs.at == r->runs.end && r->literals.at == r->literals.end &&
           r->hits >= SL_TOKENS_ALL_HITS - SL_TRACE_FRAME_EVENTS;
}

/* True if no code is unknown, and all literals together are as long as the stream of bytes. */
static inline bool sl_trace_codes_agree(const uint8_t *code, size_t n,
                                        const struct sl_trace_span *bytes)
{
    uint64_t sum = 0;
    unsigned highest = 0;
    for (size_t i = 0; i < n; i++) {
        highest = code[i] > highest ? code[i] : highest;
        sum += code[i] > SL_TRACE_LITERAL_CODE ? code[i] - SL_TRACE_LITERAL_CODE : 0;
    }
    return highest <= SL_TRACE_LITERAL_CODE + 8 && sum == (uint64_t)(bytes->end - bytes->at);
}

#endif
