/* SPDX-License-Identifier: MIT */
/* Encoder for the frames of a trace that contain events: converts sorted events to a payload, which
 * is compressed afterwards (docs/trace-format.md).
 *
 * Block tokens are made here; tokens of layouts were made while sorting. The rows of each layout
 * are read as columns of numbers, which are encoded one after the other. A code is half a byte, so
 * that the position of the literals is known from the start. */
#include <stdlib.h>

#include "grow.h"
#include "trace_encode.h"

/* Copy numbers of one word, and of two words, that are `row` words apart. */
static void copy_words(const uint32_t *from, size_t row, size_t n, uint64_t *restrict out)
{
    for (size_t i = 0; i < n; i++, from += row)
        out[i] = *from;
}

static void copy_pairs(const uint32_t *from, size_t row, size_t n, uint64_t *restrict out)
{
    for (size_t i = 0; i < n; i++, from += row)
        memcpy(&out[i], from, sizeof *out);
}

/* Copies one column of a layout's rows. In rows of `open` words, each number has two words. Returns
 * the number of rows. */
static size_t copy_column(const struct sl_trace_sorted *sorted, uint32_t layout, size_t open,
                          size_t column, uint64_t *restrict out)
{
    const struct sl_sorted_rows *rows = &sorted->rows[layout];
    const uint32_t *to = sorted->layout[layout].to;
    size_t n = 0;
    for (const struct sl_sorted_page *page = rows->first; page; page = page->next) {
        size_t n_rows = page == rows->last && to ? (size_t)(to - page->word) / page->row : page->n;
        unsigned position = page->row == open ? (unsigned)(2 * column) | SL_ROW_WIDE
                                              : sorted->format[rows->word + column];
        const uint32_t *from = page->word + (position & ~SL_ROW_WIDE);
        (position & SL_ROW_WIDE ? copy_pairs : copy_words)(from, page->row, n_rows, out + n);
        n += n_rows;
    }
    return n;
}

static void pack(const uint8_t *restrict code, uint32_t n, uint8_t *restrict to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = (uint8_t)(code[2 * i] | code[2 * i + 1] << 4);
}

/* Writes codes, then literals. Returns the end of the literals and sets *codes_end. */
static uint8_t *put_numbers(struct sl_trace_encoder *e, const struct sl_trace_sorted *sorted,
                            unsigned needs, bool addresses, uint8_t *at, uint8_t **codes_end)
{
    bool both = sl_trace_has_values(needs) && sl_trace_has_addresses(needs);
    uint32_t n = sorted->n_mems;
    uint8_t *code = e->code, *bytes = *codes_end = at + (n + 1) / 2;
    for (uint32_t i = 1; i < sorted->n_layouts; i++) {
        size_t words = sorted->layout[i].n, open = both ? 4 * words : 2 * words;
        for (size_t k = 0; k < words; k++) {
            size_t count = copy_column(sorted, i, open, both && addresses ? words + k : k,
                                       e->number);
            bytes = sl_trace_put_column(e->number, count, addresses, e->plain, code, bytes);
            code += count;
        }
    }
    *code = 0;
    pack(e->code, (n + 1) / 2, at);
    return bytes;
}

/* Ends the stream that begins at `start`. Returns the start of the next one. */
static uint8_t *end_stream(uint8_t *raw, const uint8_t *start, uint8_t *end,
                           enum sl_trace_stream which)
{
    sl_put32(raw + 4 * which, (uint32_t)(end - start));
    return end;
}

/* Copies a stream that was made while sorting. */
static uint8_t *append(uint8_t *raw, uint8_t *at, const uint8_t *from, size_t size,
                       enum sl_trace_stream which)
{
    if (size)
        memcpy(at, from, size);
    return end_stream(raw, at, at + size, which);
}

static uint8_t *put_all_blocks(struct sl_trace_encoder *e, const struct sl_trace_sorted *sorted,
                               uint8_t *raw, uint8_t *at)
{
    uint8_t *literals = (uint8_t *)e->number;
    struct sl_block_streams end = {at, literals};
    sl_block_tokens_begin(&e->blocks);
    sl_block_tokens_put(&e->blocks, sorted->block, sorted->n_blocks, &end);
    at = end_stream(raw, at, end.runs, SL_STREAM_BLOCK_RUNS);
    return append(raw, at, literals, (size_t)(end.literals - literals), SL_STREAM_BLOCK_LITERALS);
}

static uint8_t *put_all_numbers(struct sl_trace_encoder *e, const struct sl_trace_sorted *sorted,
                                unsigned needs, bool addresses, uint8_t *raw, uint8_t *at)
{
    enum sl_trace_stream codes = addresses ? SL_STREAM_ADDR_CODES : SL_STREAM_VALUE_CODES;
    uint8_t *middle, *end = put_numbers(e, sorted, needs, addresses, at, &middle);
    return end_stream(raw, end_stream(raw, at, middle, codes), end, codes + 1);
}

size_t sl_trace_encode(struct sl_trace_encoder *e, const struct sl_trace_sorted *sorted,
                       unsigned needs, uint8_t *raw)
{
    const struct sl_trace_bytes *stream = sorted->stream;
    size_t most = sorted->n_mems > sorted->n_blocks ? sorted->n_mems : sorted->n_blocks;
    uint8_t *at = raw + 4 * SL_STREAMS;
    if (!SL_GROW(e->number, e->numbers_capacity, most) || /* a varint fits in a number */
        !SL_GROW(e->code, e->codes_capacity, (size_t)sorted->n_mems + 2))
        return 0;
    memset(raw, 0, 4 * SL_STREAMS);
    for (enum sl_trace_stream i = 0; i < SL_STREAM_VALUE_CODES; i++)
        if (i == SL_STREAM_BLOCK_RUNS && needs)
            at = put_all_blocks(e, sorted, raw, at);
        else if (i != SL_STREAM_BLOCK_LITERALS || !needs)
            at = append(raw, at, stream[i].data, stream[i].n, i);
    if (sl_trace_has_values(needs))
        at = put_all_numbers(e, sorted, needs, false, raw, at);
    if (sl_trace_has_addresses(needs))
        at = put_all_numbers(e, sorted, needs, true, raw, at);
    return (size_t)(at - raw);
}

void sl_trace_encoder_free(struct sl_trace_encoder *e)
{
    if (e) {
        free(e->number);
        free(e->code);
    }
    free(e);
}
