/* SPDX-License-Identifier: MIT */
/* Decodes the blocks of a trace frame and their access layouts (trace_decode.h). An access layout
 * lists the instructions of a block that access memory.
 *
 * The slot of a block depends on the block before: the critical path is, per block, a load and the
 * arithmetic from a token to the next slot. Two things shorten it:
 *
 * - A block's layout is looked up in the same loop, in parallel to the next block.
 * - No multiplication is on the path: tokens and blocks are stored multiplied by the factor of the
 *   history hash, which is odd; the division by it is off the path. */
#include "trace_decode.h"

#define INLINE __attribute__((always_inline)) static inline

#define CANNOT_BLOCKS "the blocks cannot be decoded"
#define CANNOT_LAYOUTS "the access layouts cannot be decoded"

#define FACTOR SL_TRACE_HISTORY_FACTOR
#define INVERSE UINT32_C(0x0e8b2f51) /* FACTOR * INVERSE is 1 */
_Static_assert((uint32_t)(FACTOR *INVERSE) == 1, "INVERSE divides");

struct position {
    uint32_t history, product; /* product: the block before, times FACTOR */
    uint32_t greatest;
};

struct block_reader {
    struct sl_token_reader tokens;
    struct position at;
};

struct layout_reader {
    struct sl_token_reader tokens; /* its literals are the counts of layouts */
    struct sl_trace_span words;
    uint32_t n_mems; /* of the frame: a bound for the words of all layouts */
};

static inline struct sl_trace_slot *block_slot(struct sl_trace_codec *codec, uint32_t history)
{
    return &codec->by_history[history % SL_TRACE_SLOTS];
}

/* Returns the next block, given its token times FACTOR. */
INLINE uint32_t step(struct position *at, uint32_t token_product)
{
    at->product += FACTOR + token_product;
    at->history = at->history << 4 ^ at->product >> 16;
    uint32_t block = at->product * INVERSE;
    at->greatest = block > at->greatest ? block : at->greatest;
    return block;
}

/* Decodes `n` blocks, all hits. */
static void predicted_blocks(struct sl_trace_codec *codec, struct block_reader *r, uint32_t *block,
                             uint32_t n)
{
    struct position at = r->at;
    for (uint32_t i = 0; i < n; i++)
        block[i] = step(&at, block_slot(codec, at.history)->a);
    r->at = at;
    r->tokens.hits -= n;
}

/* Decodes one block, hit or not. */
static uint32_t any_block(struct sl_trace_codec *codec, struct block_reader *r)
{
    struct sl_trace_slot *slot = block_slot(codec, r->at.history);
    uint32_t token = slot->a, literal = 0;
    if (r->tokens.hits) {
        r->tokens.hits--;
    } else if (r->tokens.miss) {
        r->tokens.bad |= !sl_trace_varint(&r->tokens.literals, &literal);
        token = sl_tokens_take(&r->tokens, slot, sl_trace_unzigzag(literal) * FACTOR);
    } else {
        token = sl_tokens_take(&r->tokens, slot, slot->b);
    }
    return step(&r->at, token);
}

static struct block_reader begin_blocks(struct sl_trace_codec *codec,
                                        const struct sl_trace_span *stream)
{
    memset(codec->by_history, 0, sizeof codec->by_history);
    return (struct block_reader){
        .tokens = sl_tokens(stream[SL_STREAM_BLOCK_RUNS], stream[SL_STREAM_BLOCK_LITERALS])};
}

const char *sl_trace_get_blocks(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                const struct sl_trace_span *stream)
{
    struct block_reader r = begin_blocks(codec, stream);
    for (uint32_t i = 0; i < frame->n_blocks;) {
        uint32_t n = frame->n_blocks - i < r.tokens.hits ? frame->n_blocks - i : r.tokens.hits;
        predicted_blocks(codec, &r, frame->block + i, n);
        i += n;
        if (i < frame->n_blocks)
            frame->block[i++] = any_block(codec, &r);
    }
    codec->greatest = r.at.greatest;
    return sl_tokens_used_up(&r.tokens) ? NULL : CANNOT_BLOCKS;
}

/* ---- layouts ---- */

/* Decodes a new layout. Returns its number; 0, the empty layout, if it has too many words. */
static uint32_t get_layout(struct sl_trace_codec *codec, struct layout_reader *r, uint32_t n,
                           uint32_t block)
{
    if (n > r->n_mems - codec->n_words) {
        r->tokens.bad = true;
        return 0;
    }
    codec->layout[codec->n_layouts] = (struct sl_trace_layout){
        .word = codec->n_words, .n = n, .block = block};
    for (uint32_t k = 0, token = 0; k < n; k++) {
        uint32_t literal = 0;
        r->tokens.bad |= !sl_trace_varint(&r->words, &literal);
        token += sl_trace_unzigzag(literal);
        codec->word[codec->n_words++] = token;
    }
    return codec->n_layouts++;
}

/* Decodes the layout of one block, hit or not. Returns its number. */
static uint32_t any_layout(struct sl_trace_codec *codec, struct layout_reader *r, uint32_t block)
{
    struct sl_trace_slot *slot = &codec->by_block[block % SL_TRACE_SLOTS];
    uint32_t number = slot->b, n = 0;
    if (r->tokens.hits) {
        r->tokens.hits--;
        return slot->a;
    }
    if (r->tokens.miss) {
        r->tokens.bad |= !sl_trace_varint(&r->tokens.literals, &n);
        number = get_layout(codec, r, n, block);
    }
    return sl_tokens_take(&r->tokens, slot, number);
}

/* Where the blocks of a chunk are written. */
struct output {
    uint32_t *block, *block_mem, *layout_of;
    uint64_t n_mems;
};

INLINE void add_use(struct sl_trace_codec *codec, struct output *to, uint32_t number)
{
    *to->layout_of++ = number;
    codec->layout[number].count++;
}

INLINE void add_block(struct sl_trace_codec *codec, struct output *to, uint32_t block,
                      uint32_t number, bool uses)
{
    *to->block++ = block;
    *to->block_mem++ = (uint32_t)to->n_mems;
    if (uses)
        add_use(codec, to, number);
    to->n_mems += codec->layout[number].n;
}

/* Decodes `n` blocks and their layouts, all hits. */
INLINE void predicted(struct sl_trace_codec *codec, struct block_reader *blocks,
                      struct layout_reader *layouts, struct output *output, uint32_t n, bool uses)
{
    struct output to = *output;
    struct position at = blocks->at;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = step(&at, block_slot(codec, at.history)->a);
        add_block(codec, &to, block, codec->by_block[block % SL_TRACE_SLOTS].a, uses);
    }
    blocks->at = at;
    blocks->tokens.hits -= n;
    layouts->tokens.hits -= n;
    *output = to;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

INLINE const char *get_layouts(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                               const struct sl_trace_span *stream, bool uses)
{
    struct block_reader blocks = begin_blocks(codec, stream);
    struct layout_reader layouts = {
        .tokens = sl_tokens(stream[SL_STREAM_LAYOUT_RUNS], stream[SL_STREAM_LAYOUT_COUNTS]),
        .words = stream[SL_STREAM_LAYOUT_WORDS],
        .n_mems = frame->n_mems,
    };
    struct output to = {frame->block, frame->block_mem, codec->layout_of, 0};
    uint64_t all = 0;
    bool fits = true;
    for (struct sl_trace_chunk *chunk = frame->chunk; chunk < frame->chunk + frame->n_chunks;
         chunk++) {
        uint32_t lead = chunk->lead ? get_layout(codec, &layouts, chunk->lead, SL_NO_BLOCK) : 0;
        if (uses)
            add_use(codec, &to, lead);
        to.n_mems = chunk->lead;
        for (uint32_t left = chunk->n_blocks; left;) {
            uint32_t n = least(left, least(blocks.tokens.hits, layouts.tokens.hits));
            predicted(codec, &blocks, &layouts, &to, n, uses);
            left -= n;
            if (left) {
                uint32_t block = any_block(codec, &blocks);
                add_block(codec, &to, block, any_layout(codec, &layouts, block), uses);
                left--;
            }
        }
        fits &= to.n_mems <= SL_CHUNK_MEMS;
        chunk->n_mems = (uint32_t)to.n_mems;
        all += to.n_mems;
    }
    codec->greatest = blocks.at.greatest;
    if (!sl_tokens_used_up(&blocks.tokens))
        return CANNOT_BLOCKS;
    return fits && all == frame->n_mems && sl_tokens_used_up(&layouts.tokens) &&
                   layouts.words.at == layouts.words.end
               ? NULL
               : CANNOT_LAYOUTS;
}

const char *sl_trace_get_layouts(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                 const struct sl_trace_span *stream)
{
    /* Uses of layouts are needed only for words and numbers. */
    return sl_trace_frame_has_words(frame) ? get_layouts(codec, frame, stream, true)
                                           : get_layouts(codec, frame, stream, false);
}
