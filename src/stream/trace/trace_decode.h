/* SPDX-License-Identifier: MIT */
/* Decoder for the parts of a trace frame that contains events: varints, tokens, layouts and columns
 * of numbers (docs/trace-format.md). trace_decode.c, trace_layouts.c and trace_numbers.c use this
 * header.
 *
 * The bytes may be hostile. A stream that ends too early does not stop a loop: its reader then
 * returns hits without reading outside of the stream, and the error is found after the pass. */
#ifndef SL_TRACE_DECODE_H
#define SL_TRACE_DECODE_H

#include "trace_codec.h"

struct sl_trace_span {
    const uint8_t *at, *end;
};

/* Reads a varint. Returns false at the end of the span and for values above 32 bits. */
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

/* ---- tokens ---- */

struct sl_token_reader {
    struct sl_trace_span runs, literals;
    uint32_t hits; /* left before the next token that is not a hit */
    uint32_t miss; /* that token is a miss (has a literal), not the slot's second candidate */
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

/* Updates slot and run after a token that was not a hit. Returns the token. */
static inline uint32_t sl_tokens_take(struct sl_token_reader *r, struct sl_trace_slot *slot,
                                      uint32_t token)
{
    slot->b = slot->a;
    slot->a = token;
    sl_tokens_next_run(r);
    return token;
}

/* True if the pass was valid: both streams are used up, and no announced hits are left. */
static inline bool sl_tokens_used_up(const struct sl_token_reader *r)
{
    return !r->bad && r->runs.at == r->runs.end && r->literals.at == r->literals.end &&
           r->hits >= SL_TOKENS_ALL_HITS - SL_TRACE_FRAME_EVENTS;
}

/* ---- blocks and layouts (trace_layouts.c) ---- */

/* For a frame without mem events: fills frame->block, of which frame->n_blocks are expected, and
 * codec->greatest. Returns NULL or a message that says what is wrong. */
const char *sl_trace_get_blocks(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                const struct sl_trace_span *stream);

/* For a frame with mem events: also fills block_mem, n_mems of each chunk and the codec's layouts;
 * codec->layout_of if the frame has words. The words of layouts are still tokens, relative to their
 * block. The caller has reserved the layouts. Returns NULL or a message. */
const char *sl_trace_get_layouts(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                 const struct sl_trace_span *stream);

/* ---- values and addresses (trace_numbers.c) ---- */

/* Fills `number`, which is the frame's mem_value or mem_addr, from the codes in stream[0] and the
 * bytes in stream[1]; and `word`, its mem_insn, unless that is NULL. Call sl_trace_get_layouts()
 * first. Returns NULL, `wrong` if the streams are invalid, or SL_TRACE_NO_MEMORY. */
const char *sl_trace_get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                 uint64_t *number, uint32_t *word,
                                 const struct sl_trace_span *stream, const char *wrong);

/* True if stream[0] and stream[1] are valid for `n` numbers; decodes nothing. */
bool sl_trace_check_numbers(uint32_t n, const struct sl_trace_span *stream);

#endif
