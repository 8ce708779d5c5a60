/* From a raw payload to the arrays of a frame: docs/trace-format.md, EVENTS.
 *
 * The payload may be hostile. Streams that end too early do not stop a loop: the
 * reader of tokens then gives hits, without touching anything outside, and the fault
 * is seen when the pass is over. So the loops have no exits, and nothing of a bad frame is
 * ever given out. */
#include "trace_decode_1.h"

/* Returns the greatest block number. (Tried: to choose between the two candidates without a branch,
 * here and when blocks are coded. It took twice as long: then each look waits for the store before.) */
static uint32_t get_blocks(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                           struct sl_token_reader *reader)
{
    struct sl_token_reader r = *reader;
    uint32_t history = 0, previous = 0, greatest = 0;
    memset(codec->by_history, 0, sizeof codec->by_history);
    for (uint32_t i = 0; i < frame->n_blocks; i++) {
        struct sl_trace_slot *slot = &codec->by_history[history % SL_TRACE_SLOTS];
        uint32_t token = SL_TOKENS_NEXT(&r, slot, 0, true);
        uint32_t block = previous + 1 + token;
        frame->block[i] = block;
        greatest = block > greatest ? block : greatest;
        history = sl_trace_history(history, block);
        previous = block;
    }
    *reader = r;
    return greatest;
}

/* ---- lists ------------------------------------------------------------------- */

struct list_reader {
    struct sl_token_reader tokens; /* its literals are the counts */
    struct sl_trace_span words;
    uint32_t n_mems; /* that lists may have room for */
};

/* A new list; returns its number: that of the empty one, if there is not so much room. Its words are
 * tokens still, relative to that of its block. */
static uint32_t get_list(struct sl_trace_codec *codec, struct list_reader *r, uint32_t n, uint32_t block)
{
    if (n > r->n_mems - codec->n_words) {
        r->tokens.bad = true;
        return 0;
    }
    struct sl_trace_list *list = sl_trace_list_add(codec, n, block);
    for (uint32_t k = 0, token = 0; k < n; k++) {
        uint32_t literal = 0;
        r->tokens.bad |= !sl_trace_varint(&r->words, &literal);
        token += sl_trace_unzigzag(literal);
        codec->word[list->word + k] = token;
    }
    return codec->n_lists - 1;
}

/* A block that has not the list that it had last. */
static __attribute__((noinline)) uint32_t other_list(struct sl_trace_codec *codec, struct list_reader *r,
                                                     struct sl_trace_slot *slot, uint32_t block)
{
    uint32_t number = slot->b, n = 0;
    if (r->tokens.miss) {
        r->tokens.bad |= !sl_trace_varint(&r->tokens.literals, &n);
        number = get_list(codec, r, n, block);
    }
    return sl_tokens_take(&r->tokens, slot, number);
}

/* Finds the list of each block; fills block_mem and each chunk's n_mems. Returns false if a chunk has
 * too many, or all together are not n_mems. */
static bool get_lists(struct sl_trace_codec *codec, struct sl_trace_frame *frame, struct list_reader *reader)
{
    struct list_reader r = *reader;
    uint32_t *list_of = codec->list_of, i = 0;
    uint64_t all = 0;
    bool fits = true;
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        struct sl_trace_chunk *chunk = &frame->chunk[c];
        uint64_t n_mems = chunk->lead;
        *list_of = chunk->lead ? get_list(codec, &r, chunk->lead, SL_NO_BLOCK) : 0;
        codec->list[*list_of++].count++;
        for (uint32_t end = i + chunk->n_blocks; i < end; i++) {
            struct sl_trace_slot *slot = &codec->by_block[frame->block[i] % SL_TRACE_SLOTS];
            uint32_t number = slot->a;
            if (__builtin_expect(r.tokens.hits != 0, 1))
                r.tokens.hits--;
            else
                number = other_list(codec, &r, slot, frame->block[i]);
            frame->block_mem[i] = (uint32_t)n_mems;
            codec->list[number].count++;
            n_mems += codec->list[number].n;
            *list_of++ = number;
        }
        fits &= n_mems <= SL_CHUNK_MEMS;
        chunk->n_mems = (uint32_t)n_mems;
        all += n_mems;
    }
    *reader = r;
    return fits && all == frame->n_mems;
}

/* ---- numbers ------------------------------------------------------------------- */

#define NO_CODE (UINT64_C(1) << 40) /* more bytes than there are */

/* By a byte of two codes: how many bytes their literals have together. */
static void make_sizes(uint64_t size[256])
{
    for (unsigned i = 0; i < 256; i++) {
        unsigned code[2] = {i & 15, i >> 4};
        size[i] = 0;
        for (unsigned k = 0; k < 2; k++)
            size[i] += code[k] > SL_TRACE_LITERAL_CODE + 8 ? NO_CODE
                       : code[k] > SL_TRACE_LITERAL_CODE   ? code[k] - SL_TRACE_LITERAL_CODE
                                                           : 0;
    }
}

/* Two codes in each byte; what is left of the last is 0. False if one is unknown, or their literals are
 * not as long as the stream of bytes. */
static bool unpack(struct sl_trace_codec *codec, size_t n, const struct sl_trace_span *stream)
{
    const uint8_t *from = stream[0].at;
    uint64_t size_of[256], size = 0, n_bytes = (n + 1) / 2;
    if ((uint64_t)(stream[0].end - from) != n_bytes || (n % 2 && from[n_bytes - 1] >> 4))
        return false;
    make_sizes(size_of);
    for (size_t i = 0; i < n_bytes; i++)
        size += size_of[from[i]];
    /* Four bytes at a time; what comes behind the stream is in the payload, or in the slack. */
    for (size_t i = 0; i < n_bytes; i += 4) {
        uint64_t x = sl_get32(from + i);
        x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
        x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
        x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        sl_put64(codec->code + 2 * i, x);
    }
    return size == (uint64_t)(stream[1].end - stream[1].at);
}

/* Fills all columns, side by side: a row has a number of each of a list's columns. */
static bool get_columns(struct sl_trace_codec *codec, size_t n, bool zigzag,
                        const struct sl_trace_span *stream)
{
    const uint8_t *code = codec->code;
    struct sl_trace_span bytes = stream[1];
    if (!unpack(codec, n, stream))
        return false;
    for (uint32_t i = 1; i < codec->n_lists; i++)
        for (uint32_t k = 0, count = codec->list[i].count; k < codec->list[i].n; k++) {
            uint64_t *first = codec->number + codec->list[i].row + k;
            if (zigzag)
                sl_trace_get_column(first, codec->list[i].n, count, true, code, &bytes);
            else
                sl_trace_get_column(first, codec->list[i].n, count, false, code, &bytes);
            code += count;
        }
    return true;
}

/* Gives each block its row. */
static void take_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                         uint64_t *number)
{
    for (uint32_t i = 0; i < frame->n_chunks + frame->n_blocks; i++) {
        struct sl_trace_list *list = &codec->list[codec->list_of[i]];
        const uint64_t *row = codec->number + list->row;
        uint32_t n = list->n;
        memcpy(number, row, SL_TRACE_GROUP * sizeof *number);
        for (uint32_t k = SL_TRACE_GROUP; k < n; k += SL_TRACE_GROUP)
            memcpy(number + k, row + k, SL_TRACE_GROUP * sizeof *number);
        number += n;
        list->row += n;
    }
}

/* The tokens of lists become words. NULL, or what is wrong. */
static const char *settle_lists(struct sl_trace_codec *codec, const struct sl_statics *statics, unsigned wants)
{
    unsigned shift = sl_trace_word_shift(wants);
    uint32_t greatest = 0;
    for (const struct sl_trace_list *list = codec->list; list < codec->list + codec->n_lists; list++) {
        uint32_t base = list->block == SL_NO_BLOCK ? 0 : sl_trace_first(statics, list->block) << shift;
        for (uint32_t *word = codec->word + list->word, *end = word + list->n; word < end; word++) {
            uint32_t token = base + *word;
            greatest = token > greatest ? token : greatest;
            *word = sl_trace_rotate(token, (32 - shift) & 31);
        }
    }
    return codec->n_words && greatest >> shift >= statics->n_insns
               ? "it executes an instruction that no record describes"
               : NULL;
}

static void take_words(struct sl_trace_codec *codec, const struct sl_trace_frame *frame)
{
    uint32_t *word = frame->mem_insn;
    for (uint32_t i = 0; i < frame->n_chunks + frame->n_blocks; i++) {
        const struct sl_trace_list *list = &codec->list[codec->list_of[i]];
        const uint32_t *its = codec->word + list->word;
        memcpy(word, its, SL_TRACE_GROUP * sizeof *word);
        for (uint32_t k = SL_TRACE_GROUP; k < list->n; k += SL_TRACE_GROUP)
            memcpy(word + k, its + k, SL_TRACE_GROUP * sizeof *word);
        word += list->n;
    }
}

/* NULL, or what is wrong. */
static const char *get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                               uint64_t *number, const struct sl_trace_span *stream, const char *wrong)
{
    if (!number)
        return stream[0].at != stream[1].end ? wrong : NULL;
    if (!sl_trace_lay_out_rows(codec))
        return SL_TRACE_NO_MEMORY;
    if (!get_columns(codec, frame->n_mems, number == frame->mem_addr, stream))
        return wrong;
    take_numbers(codec, frame, number);
    return NULL;
}

/* Mem events, from the streams behind those of blocks. */
static const char *unpack_mems(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                               const struct sl_trace_span *stream)
{
    if (!sl_trace_lists_reserve(codec, frame->n_chunks, frame->n_blocks, frame->n_mems))
        return SL_TRACE_NO_MEMORY;
    struct list_reader r = {
        .tokens = sl_tokens(stream[SL_STREAM_LIST_RUNS], stream[SL_STREAM_LIST_COUNTS]),
        .words = stream[SL_STREAM_LIST_WORDS],
        .n_mems = frame->n_mems,
    };
    if (!get_lists(codec, frame, &r) || !sl_tokens_used_up(&r.tokens) || r.words.at != r.words.end)
        return "its lists of mem events cannot be decoded";
    const char *why = get_numbers(codec, frame,
                                  sl_trace_has_values(frame->wants) ? frame->mem_value : NULL,
                                  &stream[SL_STREAM_VALUE_CODES], "its values cannot be decoded");
    return why ? why
               : get_numbers(codec, frame, sl_trace_has_addresses(frame->wants) ? frame->mem_addr : NULL,
                             &stream[SL_STREAM_ADDR_CODES], "its addresses cannot be decoded");
}

/* ---- the payload -------------------------------------------------------------- */

/* NULL, or what is wrong. */
static const char *get_chunks(struct sl_trace_frame *frame, struct sl_trace_span s)
{
    uint64_t blocks = 0;
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        struct sl_trace_chunk *chunk = &frame->chunk[c];
        chunk->n_mems = 0;
        if (!sl_trace_varint(&s, &chunk->thread) || !sl_trace_varint(&s, &chunk->flags) ||
            !sl_trace_varint(&s, &chunk->n_blocks) || !sl_trace_varint(&s, &chunk->lead))
            return "its chunk table is cut";
        if (chunk->flags & ~(uint32_t)SL_CHUNK_FLAGS ||
            chunk->n_blocks > SL_CHUNK_BLOCKS || chunk->lead > (frame->wants ? SL_CHUNK_MEMS : 0))
            return "its chunk table is wrong";
        blocks += chunk->n_blocks;
    }
    return s.at != s.end || blocks != frame->n_blocks ? "its chunk table does not fit its head"
                                                     : NULL;
}

static unsigned n_streams(const struct sl_trace_frame *frame)
{
    return frame->version == 1 ? SL_STREAMS_1 : SL_STREAMS;
}

static bool split(const uint8_t *raw, size_t raw_size, struct sl_trace_span *stream, unsigned n)
{
    const uint8_t *at = raw + 4 * n;
    if (raw_size < 4 * n)
        return false;
    size_t left = raw_size - 4 * n;
    for (unsigned i = 0; i < n; i++) {
        uint32_t size = sl_get32(raw + 4 * i);
        if (size > left)
            return false;
        stream[i] = (struct sl_trace_span){at, at + size};
        at += size;
        left -= size;
    }
    return !left;
}

const char *sl_trace_unpack(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_trace_head *head, const uint8_t *raw)
{
    struct sl_trace_span stream[SL_STREAMS_1];
    if (!sl_trace_frame_reserve(frame, head->items, head->blocks, head->mems))
        return SL_TRACE_NO_MEMORY;
    frame->n_chunks = head->items;
    frame->n_blocks = head->blocks;
    frame->n_mems = head->mems;
    if (!split(raw, head->raw_size, stream, n_streams(frame)))
        return "its streams are longer than it is";
    const char *why = get_chunks(frame, stream[SL_STREAM_CHUNKS]);
    if (why)
        return why;
    struct sl_token_reader r = sl_tokens(stream[SL_STREAM_BLOCK_RUNS], stream[SL_STREAM_BLOCK_LITERALS]);
    codec->greatest = get_blocks(codec, frame, &r);
    if (!sl_tokens_used_up(&r))
        return "its blocks cannot be decoded";
    if (!frame->wants)
        return frame->n_mems || stream[SL_STREAM_BLOCK_LITERALS].end != stream[n_streams(frame) - 1].end
                   ? "it has mem events, which its header denies"
                   : NULL;
    return frame->version == 1 ? NULL : unpack_mems(codec, frame, stream);
}

/* Version 1 has words that cannot be decoded without statics, and whatever comes behind them. */
static const char *settle_mems(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                               const struct sl_statics *statics, const struct sl_trace_head *head,
                               const uint8_t *raw)
{
    struct sl_trace_span stream[SL_STREAMS_1];
    if (frame->version == 1) {
        split(raw, head->raw_size, stream, n_streams(frame));
        return sl_trace_decode_1(&codec->old, frame, statics, stream + SL_STREAM_LIST_RUNS);
    }
    const char *why = settle_lists(codec, statics, frame->wants);
    if (!why)
        take_words(codec, frame);
    return why;
}

const char *sl_trace_settle(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_statics *statics, const struct sl_trace_head *head,
                            const uint8_t *raw)
{
    if (frame->n_blocks && codec->greatest >= statics->n_blocks)
        return "it enters a block that no record describes";
    const char *why = frame->wants ? settle_mems(codec, frame, statics, head, raw) : NULL;
    if (!why && sl_trace_frame_instructions(frame, statics) != head->instructions)
        why = "its instructions are not as many as its head says";
    return why;
}
