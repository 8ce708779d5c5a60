/* From the arrays of a frame to its raw payload: docs/trace-format.md, EVENTS.
 *
 * The streams are written in their order into one buffer. Of a pair of token
 * streams the runs go straight there, while the literals gather in the codec's
 * column memory, which is free at that time, and follow when the runs are
 * complete. Codes of numbers are one byte each, so the place of their literals
 * is known from the start. */
#include "grow.h"
#include "trace_codec.h"

/* ---- tokens ----------------------------------------------------------------- */

struct token_writer {
    uint8_t *runs, *literals;
    uint32_t hits; /* since the last token that was none */
};

static uint8_t *put_varint(uint8_t *at, uint32_t value)
{
    while (value >= 128) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static void not_a_hit(struct token_writer *w, struct sl_trace_slot *slot, uint32_t token,
                      uint32_t literal)
{
    uint32_t miss = slot->b != token;
    w->runs = put_varint(w->runs, 2 * w->hits + miss);
    if (miss)
        w->literals = put_varint(w->literals, literal);
    w->hits = 0;
    slot->b = slot->a;
    slot->a = token;
}

/* `literal` is evaluated only where it is needed. */
#define PUT_TOKEN(w, slot, token, literal)            \
    do {                                              \
        if ((slot)->a == (token))                     \
            (w)->hits++;                              \
        else                                          \
            not_a_hit((w), (slot), (token), (literal)); \
    } while (0)

static void put_blocks(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                       struct token_writer *out)
{
    struct token_writer w = *out;
    uint32_t history = 0, previous = 0;
    memset(codec->by_history, 0, sizeof codec->by_history);
    for (uint32_t i = 0; i < frame->n_blocks; i++) {
        uint32_t block = frame->block[i], token = block - previous - 1;
        struct sl_trace_slot *slot = &codec->by_history[history % SL_TRACE_SLOTS];
        PUT_TOKEN(&w, slot, token, sl_trace_zigzag(token));
        history = sl_trace_history(history, block);
        previous = block;
    }
    *out = w;
}

/* Mem events that block `i` of the frame, in a chunk that ends before block `end`
 * and has n_mems of them, caused. */
static uint32_t count_of(const struct sl_trace_frame *frame, uint32_t i, uint32_t end,
                         uint32_t n_mems)
{
    return (i + 1 < end ? frame->block_mem[i + 1] : n_mems) - frame->block_mem[i];
}

static void put_counts(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                       struct token_writer *out)
{
    struct token_writer w = *out;
    uint32_t i = 0;
    memset(codec->count, 0, sizeof codec->count);
    for (uint32_t c = 0; c < frame->n_chunks; c++)
        for (uint32_t end = i + frame->chunk[c].n_blocks; i < end; i++) {
            uint32_t count = count_of(frame, i, end, frame->chunk[c].n_mems);
            struct sl_trace_slot *slot = &codec->count[frame->block[i] % SL_TRACE_SLOTS];
            PUT_TOKEN(&w, slot, count, count);
        }
    *out = w;
}

static void put_words(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                      const uint32_t *first, struct token_writer *out)
{
    struct token_writer w = *out;
    const uint32_t *word = frame->mem_insn;
    unsigned shift = sl_trace_word_shift(frame->wants);
    uint32_t i = 0, before = 0;
    memset(codec->first, 0, sizeof codec->first);
    memset(codec->next, 0, sizeof codec->next);
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        uint32_t left = frame->chunk[c].lead;
        for (uint32_t end = i + frame->chunk[c].n_blocks;; i++) {
            for (; left; left--) {
                uint32_t token = sl_trace_rotate(*word++, shift);
                struct sl_trace_slot *slot = &codec->next[sl_trace_fold(before)];
                PUT_TOKEN(&w, slot, token, sl_trace_zigzag(token - before));
                before = token;
            }
            if (i == end)
                break;
            left = count_of(frame, i, end, frame->chunk[c].n_mems);
            if (!left)
                continue;
            left--;
            uint32_t token = sl_trace_rotate(*word++, shift), block = frame->block[i];
            struct sl_trace_slot *slot = &codec->first[block % SL_TRACE_SLOTS];
            PUT_TOKEN(&w, slot, token, sl_trace_zigzag(token - (first[block] << shift)));
            before = token;
        }
    }
    *out = w;
}

/* ---- numbers ---------------------------------------------------------------- */

static unsigned significant_bytes(uint64_t x)
{
    return x ? (71 - (unsigned)__builtin_clzll(x)) / 8 : 0;
}

/* The order of comparisons is such that compilers need no branch. */
static inline uint8_t *put_column(const uint64_t *number, size_t n, bool zigzag, uint8_t **codes,
                                  uint8_t *bytes)
{
    uint64_t last = 0, before = 0;
    uint8_t *code = *codes;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = number[i], d = v - last;
        uint64_t literal = zigzag ? d << 1 ^ (0 - (d >> 63)) : v;
        unsigned size = significant_bytes(literal);
        bool is_last = v == last, is_stride = v == 2 * last - before;
        unsigned c = is_stride ? 1 : SL_TRACE_LITERAL_CODE + size;
        c = is_last ? 0 : c;
        size = (is_last | is_stride) ? 0 : size;
        *code++ = (uint8_t)c;
        sl_put64(bytes, literal);
        bytes += size;
        before = last;
        last = v;
    }
    *codes = code;
    return bytes;
}

/* Writes codes and bytes behind one another; returns the end of each. */
static uint8_t *put_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                            const uint64_t *number, bool zigzag, uint8_t *at, uint8_t **codes_end)
{
    uint8_t *codes = at, *bytes = at + frame->n_mems;
    *codes_end = bytes;
    sl_trace_columns(codec, frame);
    for (uint32_t i = 0; i < frame->n_mems; i++)
        codec->column[codec->column_at[sl_trace_fold(frame->mem_insn[i])]++] = number[i];
    /* Each column_at has moved on to the start of the next column. */
    for (uint32_t c = 0, from = 0; c < SL_TRACE_COLUMNS; from = codec->column_at[c++])
        if (codec->column_at[c] > from) {
            const uint64_t *column = codec->column + from;
            size_t n = codec->column_at[c] - from;
            bytes = zigzag ? put_column(column, n, true, &codes, bytes)
                           : put_column(column, n, false, &codes, bytes);
        }
    return bytes;
}

/* ---- the payload -------------------------------------------------------------- */

static uint8_t *put_chunks(const struct sl_trace_frame *frame, uint8_t *at)
{
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        const struct sl_trace_chunk *chunk = &frame->chunk[c];
        at = put_varint(at, chunk->thread);
        at = put_varint(at, chunk->flags);
        at = put_varint(at, chunk->n_blocks);
        at = put_varint(at, chunk->lead);
    }
    return at;
}

/* Ends a pair of token streams: appends the literals, notes both lengths. */
static uint8_t *end_tokens(uint8_t *raw, uint8_t *start, const struct token_writer *w,
                           const uint8_t *literals, enum sl_trace_stream runs_stream)
{
    size_t n_literals = (size_t)(w->literals - literals);
    sl_put32(raw + 4 * runs_stream, (uint32_t)(w->runs - start));
    sl_put32(raw + 4 * (runs_stream + 1), (uint32_t)n_literals);
    memcpy(w->runs, literals, n_literals);
    return w->runs + n_literals;
}

size_t sl_trace_encode(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                       const uint32_t *first, uint8_t *raw)
{
    size_t n = frame->n_blocks > frame->n_mems ? frame->n_blocks : frame->n_mems;
    if (!SL_GROW(codec->column, codec->room_column, n + 1)) /* 5 bytes a literal fit in 8 */
        return 0;
    uint8_t *literals = (uint8_t *)codec->column, *at = raw + 4 * SL_STREAMS, *start = at, *end;
    memset(raw, 0, 4 * SL_STREAMS);
    at = put_chunks(frame, at);
    sl_put32(raw + 4 * SL_STREAM_CHUNKS, (uint32_t)(at - start));

    struct token_writer w = {at, literals, 0};
    put_blocks(codec, frame, &w);
    at = end_tokens(raw, at, &w, literals, SL_STREAM_BLOCK_RUNS);
    if (frame->wants) {
        w = (struct token_writer){at, literals, 0};
        put_counts(codec, frame, &w);
        at = end_tokens(raw, at, &w, literals, SL_STREAM_COUNT_RUNS);
        w = (struct token_writer){at, literals, 0};
        put_words(codec, frame, first, &w);
        at = end_tokens(raw, at, &w, literals, SL_STREAM_WORD_RUNS);
    }
    if (sl_trace_has_values(frame->wants)) {
        start = at;
        at = put_numbers(codec, frame, frame->mem_value, false, at, &end);
        sl_put32(raw + 4 * SL_STREAM_VALUE_CODES, (uint32_t)(end - start));
        sl_put32(raw + 4 * SL_STREAM_VALUE_BYTES, (uint32_t)(at - end));
    }
    if (sl_trace_has_addresses(frame->wants)) {
        start = at;
        at = put_numbers(codec, frame, frame->mem_addr, true, at, &end);
        sl_put32(raw + 4 * SL_STREAM_ADDR_CODES, (uint32_t)(end - start));
        sl_put32(raw + 4 * SL_STREAM_ADDR_BYTES, (uint32_t)(at - end));
    }
    return (size_t)(at - raw);
}
