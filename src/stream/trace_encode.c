/* From the arrays of a frame to its raw payload: docs/trace-format.md, EVENTS.
 *
 * The streams are written in their order into one buffer. Of streams that are filled side by
 * side, the first goes straight there, while the others gather in the memory for columns, which is free
 * at that time, and follow when it is complete. Codes of numbers are half a byte each, so the place
 * of their literals is known from the start. */
#include "grow.h"
#include "trace_codec.h"
#include "trace_column.h"

/* ---- tokens ----------------------------------------------------------------- */

#define COUNT_BYTES 3u /* a varint of up to 8,192, with one to spare */

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

static void put_blocks(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                       struct token_writer *out)
{
    struct token_writer w = *out;
    uint32_t history = 0, previous = 0;
    memset(codec->by_history, 0, sizeof codec->by_history);
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        for (uint32_t i = 0; i < chunk->n_blocks; i++) {
            uint32_t block = chunk->block[i], token = block - previous - 1;
            struct sl_trace_slot *slot = &codec->by_history[history % SL_TRACE_SLOTS];
            PUT_TOKEN(&w, slot, token, sl_trace_zigzag(token));
            history = sl_trace_history(history, block);
            previous = block;
        }
    }
    *out = w;
}

/* ---- lists ------------------------------------------------------------------- */

/* Whether the list has these words. The first four are compared whether they are there or not:
 * how many there are, is hard to guess. */
static inline bool has_words(const struct sl_trace_codec *codec, const struct sl_trace_list *list,
                             const uint32_t *word, uint32_t n)
{
    static const uint64_t mask[][2] = {{0, 0}, {UINT32_MAX, 0}, {UINT64_MAX, 0},
                                       {UINT64_MAX, UINT32_MAX}, {UINT64_MAX, UINT64_MAX}};
    const uint32_t *own = codec->word + list->word;
    uint64_t a[2], b[2];
    if (list->n != n)
        return false;
    memcpy(a, own, sizeof a);
    memcpy(b, word, sizeof b);
    const uint64_t *m = mask[n < 4 ? n : 4];
    uint64_t other = ((a[0] ^ b[0]) & htole64(m[0])) | ((a[1] ^ b[1]) & htole64(m[1]));
    for (uint32_t k = 4; k < n; k++)
        other |= own[k] ^ word[k];
    return !other;
}

struct list_writer {
    uint8_t *runs, *counts, *words;
    uint32_t hits;
    unsigned shift;
};

/* A new list, relative to `base`; returns its number. */
static uint32_t put_list(struct sl_trace_codec *codec, struct list_writer *w, const uint32_t *word,
                         uint32_t n, uint32_t base)
{
    struct sl_trace_list *list = sl_trace_list_add(codec, n);
    if (n)
        memcpy(codec->word + list->word, word, n * sizeof *word);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t token = sl_trace_rotate(word[k], w->shift);
        w->words = put_varint(w->words, sl_trace_zigzag(token - base));
        base = token;
    }
    return codec->n_lists - 1;
}

/* A block that has not the list that it had last. */
static __attribute__((noinline)) uint32_t other_list(struct sl_trace_codec *codec,
                                                     struct list_writer *w,
                                                     struct sl_trace_slot *slot,
                                                     const uint32_t *word, uint32_t n, uint32_t first)
{
    uint32_t number = slot->b;
    bool miss = !has_words(codec, &codec->list[number], word, n);
    w->runs = put_varint(w->runs, 2 * w->hits + miss);
    w->hits = 0;
    if (miss) {
        w->counts = put_varint(w->counts, n);
        number = put_list(codec, w, word, n, first << w->shift);
    }
    slot->b = slot->a;
    slot->a = number;
    return number;
}

static void put_lists(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                      const uint32_t *first, struct list_writer *out)
{
    struct list_writer w = *out;
    uint32_t *list_of = codec->list_of;
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        uint32_t lead = sl_trace_lead(chunk), at = lead;
        *list_of = lead ? put_list(codec, &w, chunk->mem_insn, lead, 0) : 0;
        codec->list[*list_of++].count++;
        for (uint32_t i = 0; i < chunk->n_blocks; i++) {
            uint32_t end = i + 1 < chunk->n_blocks ? chunk->block_mem[i + 1] : chunk->n_mems;
            uint32_t block = chunk->block[i], n = end - at;
            struct sl_trace_slot *slot = &codec->by_block[block % SL_TRACE_SLOTS];
            uint32_t number = slot->a;
            if (__builtin_expect(has_words(codec, &codec->list[number], chunk->mem_insn + at, n), 1))
                w.hits++;
            else
                number = other_list(codec, &w, slot, chunk->mem_insn + at, n, first[block]);
            codec->list[number].count++;
            *list_of++ = number;
            at = end;
        }
    }
    *out = w;
}

/* ---- numbers ---------------------------------------------------------------- */

/* Each column is a place of its own in memory, which no processor foresees: so it is told. */
static void fill_columns(struct sl_trace_codec *codec, const struct sl_gather *gathered, bool addresses)
{
    const uint32_t *list_of = codec->list_of;
    uint64_t *column = codec->number;
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        const uint64_t *number = addresses ? chunk->mem_addr : chunk->mem_value;
        for (uint32_t i = 0; i <= chunk->n_blocks; i++) {
            struct sl_trace_list *list = &codec->list[*list_of++];
            uint64_t *to = column + list->column++;
            for (uint32_t k = 0, n = list->n, count = list->count; k < n; k++, to += count) {
                __builtin_prefetch(to + SL_TRACE_AHEAD, 1);
                *to = *number++;
            }
        }
    }
}

static void pack(const uint8_t *restrict code, uint32_t n, uint8_t *restrict to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint8_t)(code[2 * i] | code[2 * i + 1] << 4);
}

/* Writes codes and bytes behind one another; returns the end of each. */
static uint8_t *put_numbers(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                            bool addresses, uint8_t *at, uint8_t **codes_end)
{
    uint32_t n = gathered->n_mems;
    uint8_t *code = codec->code, *bytes = *codes_end = at + (n + 1) / 2;
    if (!sl_trace_lay_out_columns(codec))
        return NULL;
    const uint64_t *number = codec->number; /* which may have moved */
    fill_columns(codec, gathered, addresses);
    for (uint32_t i = 1; i < codec->n_lists; i++)
        for (uint32_t k = 0, count = codec->list[i].count; k < codec->list[i].n; k++) {
            bytes = sl_trace_put_column(number, count, addresses, codec->plain, code, bytes);
            number += count;
            code += count;
        }
    *code = 0;
    pack(codec->code, (n + 1) / 2, at);
    return bytes;
}

/* ---- the payload -------------------------------------------------------------- */

static uint8_t *put_chunks(const struct sl_gather *gathered, uint8_t *at)
{
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        at = put_varint(at, chunk->thread);
        at = put_varint(at, chunk->flags);
        at = put_varint(at, chunk->n_blocks);
        at = put_varint(at, sl_trace_lead(chunk));
    }
    return at;
}

/* Ends a stream that begins at `start`, and returns where the next one does. */
static uint8_t *end_stream(uint8_t *raw, const uint8_t *start, uint8_t *end, enum sl_trace_stream which)
{
    sl_put32(raw + 4 * which, (uint32_t)(end - start));
    return end;
}

/* A stream that gathered elsewhere. */
static uint8_t *append(uint8_t *raw, uint8_t *at, const uint8_t *start, const uint8_t *end,
                       enum sl_trace_stream which)
{
    size_t size = (size_t)(end - start);
    memcpy(at, start, size);
    return end_stream(raw, at, at + size, which);
}

static uint8_t *put_all_blocks(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                               uint8_t *raw, uint8_t *at)
{
    uint8_t *literals = (uint8_t *)codec->number;
    struct token_writer w = {at, literals, 0};
    put_blocks(codec, gathered, &w);
    at = end_stream(raw, at, w.runs, SL_STREAM_BLOCK_RUNS);
    return append(raw, at, literals, w.literals, SL_STREAM_BLOCK_LITERALS);
}

static uint8_t *put_all_lists(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                              unsigned wants, const uint32_t *first, uint8_t *raw, uint8_t *at)
{
    uint8_t *counts = (uint8_t *)codec->number;
    uint8_t *words = counts + COUNT_BYTES * ((size_t)gathered->n_blocks + 1);
    struct list_writer w = {at, counts, words, 0, sl_trace_word_shift(wants)};
    put_lists(codec, gathered, first, &w);
    at = end_stream(raw, at, w.runs, SL_STREAM_LIST_RUNS);
    at = append(raw, at, counts, w.counts, SL_STREAM_LIST_COUNTS);
    return append(raw, at, words, w.words, SL_STREAM_LIST_WORDS);
}

/* NULL without memory. */
static uint8_t *put_all_numbers(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                                bool addresses, uint8_t *raw, uint8_t *at)
{
    enum sl_trace_stream codes = addresses ? SL_STREAM_ADDR_CODES : SL_STREAM_VALUE_CODES;
    uint8_t *middle, *end = put_numbers(codec, gathered, addresses, at, &middle);
    return end ? end_stream(raw, end_stream(raw, at, middle, codes), end, codes + 1) : NULL;
}

size_t sl_trace_encode(struct sl_trace_codec *codec, const struct sl_gather *gathered, unsigned wants,
                       const uint32_t *first, uint8_t *raw)
{
    size_t n = (size_t)gathered->n_blocks + gathered->n_mems;
    if (!SL_GROW(codec->number, codec->room_numbers, n + 1)) /* varints of 5 bytes fit in 8 */
        return 0;
    uint8_t *at = raw + 4 * SL_STREAMS;
    memset(raw, 0, 4 * SL_STREAMS);
    at = end_stream(raw, at, put_chunks(gathered, at), SL_STREAM_CHUNKS);
    at = put_all_blocks(codec, gathered, raw, at);
    if (wants && !sl_trace_lists_reserve(codec, gathered->n_chunks, gathered->n_blocks, gathered->n_mems))
        return 0;
    if (wants)
        at = put_all_lists(codec, gathered, wants, first, raw, at);
    if (sl_trace_has_values(wants))
        at = put_all_numbers(codec, gathered, false, raw, at);
    if (at && sl_trace_has_addresses(wants))
        at = put_all_numbers(codec, gathered, true, raw, at);
    return at ? (size_t)(at - raw) : 0;
}
