/* From the arrays of a frame to its raw payload: docs/trace-format.md, EVENTS.
 *
 * The streams are written in their order into one buffer. Of streams that are filled side by
 * side, the first goes straight there, while the others gather in the memory for rows, which is free
 * at that time, and follow when it is complete. Codes of numbers are half a byte each, so the place
 * of their literals is known from the start. */
#include "grow.h"
#include "trace_codec.h"

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

/* Which of two candidates a block is, no processor can guess: it is not asked to. A run's byte
 * is written at once, and again as long as hits follow. */
static void put_blocks(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                       struct token_writer *out)
{
    enum { SHORT = 63 }; /* hits of a run whose varint is a byte */
    struct token_writer w = *out;
    uint32_t history = 0, previous = 0;
    memset(codec->by_history, 0, sizeof codec->by_history);
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        for (uint32_t i = 0; i < chunk->n_blocks; i++) {
            uint32_t block = chunk->block[i], token = block - previous - 1;
            struct sl_trace_slot *slot = &codec->by_history[history % SL_TRACE_SLOTS];
            uint32_t hit = slot->a == token, second = slot->b == token;
            if (__builtin_expect((hit | second) && w.hits < SHORT, 1)) {
                *w.runs = (uint8_t)(2 * w.hits);
                w.runs += 1 - hit;
                w.hits = (w.hits + 1) & (0 - hit);
                slot->b = hit ? slot->b : slot->a;
                slot->a = token;
            } else {
                PUT_TOKEN(&w, slot, token, sl_trace_zigzag(token));
            }
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

static unsigned significant_bytes(uint64_t x)
{
    return x ? (71 - (unsigned)__builtin_clzll(x)) / 8 : 0;
}

/* The order of comparisons is such that compilers need no branch. */
static inline uint8_t *put_column(const uint64_t *number, size_t stride, size_t n, bool zigzag,
                                  uint8_t *code, uint8_t *bytes)
{
    uint64_t last = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = number[i * stride], d = v - last;
        uint64_t literal = zigzag ? d << 1 ^ (0 - (d >> 63)) : v;
        unsigned size = significant_bytes(literal);
        bool is_last = v == last, is_stride = v == 2 * last - before;
        unsigned c = is_stride ? 1 : SL_TRACE_LITERAL_CODE + size;
        c = is_last ? 0 : c;
        size = (is_last | is_stride) ? 0 : size;
        code[i] = (uint8_t)c;
        sl_put64(bytes, literal);
        bytes += size;
        before = last;
        last = v;
    }
    return bytes;
}

/* The numbers of each block to the row of its list that comes next. */
static void fill_rows(struct sl_trace_codec *codec, const struct sl_gather *gathered, bool addresses)
{
    const uint32_t *list_of = codec->list_of;
    for (uint32_t c = 0; c < gathered->n_chunks; c++) {
        const struct sl_chunk *chunk = &gathered->chunk[c];
        const uint64_t *number = addresses ? chunk->mem_addr : chunk->mem_value;
        for (uint32_t i = 0; i <= chunk->n_blocks; i++) {
            struct sl_trace_list *list = &codec->list[*list_of++];
            uint64_t *row = codec->row + list->row;
            for (uint32_t k = 0; k < list->n; k += SL_TRACE_GROUP)
                memcpy(row + k, number + k, SL_TRACE_GROUP * sizeof *row);
            number += list->n;
            list->row += list->n;
        }
    }
}

/* Writes codes and bytes behind one another; returns the end of each. */
static uint8_t *put_numbers(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                            bool addresses, uint8_t *at, uint8_t **codes_end)
{
    uint32_t n = gathered->n_mems;
    uint8_t *code = codec->code, *bytes = *codes_end = at + (n + 1) / 2;
    if (!sl_trace_lay_out_rows(codec))
        return NULL;
    fill_rows(codec, gathered, addresses);
    for (uint32_t i = 1; i < codec->n_lists; i++) {
        const struct sl_trace_list *list = &codec->list[i];
        const uint64_t *row = codec->row + list->row - (size_t)list->n * list->count;
        for (uint32_t k = 0; k < list->n; k++, code += list->count)
            bytes = addresses ? put_column(row + k, list->n, list->count, true, code, bytes)
                              : put_column(row + k, list->n, list->count, false, code, bytes);
    }
    *code = 0;
    for (uint32_t i = 0; i < (n + 1) / 2; i++)
        at[i] = (uint8_t)(codec->code[2 * i] | codec->code[2 * i + 1] << 4);
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
    uint8_t *literals = (uint8_t *)codec->row;
    struct token_writer w = {at, literals, 0};
    put_blocks(codec, gathered, &w);
    at = end_stream(raw, at, w.runs, SL_STREAM_BLOCK_RUNS);
    return append(raw, at, literals, w.literals, SL_STREAM_BLOCK_LITERALS);
}

static uint8_t *put_all_lists(struct sl_trace_codec *codec, const struct sl_gather *gathered,
                              unsigned wants, const uint32_t *first, uint8_t *raw, uint8_t *at)
{
    uint8_t *counts = (uint8_t *)codec->row;
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
    if (!SL_GROW(codec->row, codec->room_rows, n + 1)) /* varints of 5 bytes fit in 8 */
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
