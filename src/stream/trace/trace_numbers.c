/* SPDX-License-Identifier: MIT */
/* Decodes the values and addresses of a trace frame (trace_decode.h). Blocks whose memory
 * accesses are made in the same way share an access layout. For each layout, the frame stores a
 * table with one column per access and one row per execution of a block. The tables of a whole
 * frame do not fit into the L1 and L2 caches. Therefore, only a few rows of each table are decoded
 * at a time. When they are used up, the next rows are decoded:
 *
 *     layout 1:  columns   ........|########|................     used, rows, later
 *                        ........|########|................
 *     layout 2:  column    ......|########|....
 *
 * For that, the start of each column's literals must be known; it follows from the codes.
 *
 * Memory: 24 bytes per column, and at most one number for each mem event. */
#include "trace_decode.h"

#include "grow.h"

#define ROWS 64u

_Static_assert(SL_TRACE_COLUMN_MARGIN <= SL_TRACE_DECODE_SLACK, "space after the literals");

/* ---- starts of columns ---- */

/* A byte has two codes; an unused half of the last byte is 0. */
static bool has_codes(uint32_t n, const struct sl_trace_span *codes)
{
    uint64_t n_bytes = ((uint64_t)n + 1) / 2;
    return (uint64_t)(codes->end - codes->at) == n_bytes &&
           (n % 2 == 0 || !(codes->at[n_bytes - 1] >> 4));
}

static bool has_literals(uint64_t size, const struct sl_trace_span *bytes)
{
    return size == (uint64_t)(bytes->end - bytes->at);
}

/* The columns together have all codes, so that their literals can be summed at once. */
bool sl_trace_check_numbers(uint32_t n, const struct sl_trace_span *stream)
{
    return has_codes(n, &stream[0]) &&
           has_literals(sl_trace_literals_size(stream[0].at, 0, n, false), &stream[1]);
}

/* Finds the start of each column. Returns false if a code is unknown, or if the literals do not
 * have the size of the stream of bytes. */
static bool find_columns(struct sl_trace_codec *codec, uint32_t n,
                         const struct sl_trace_span *stream)
{
    const uint8_t *codes = stream[0].at;
    uint64_t bytes = 0;
    uint32_t code = 0;
    if (!has_codes(n, &stream[0]))
        return false;
    for (uint32_t i = 1; i < codec->n_layouts; i++)
        for (uint32_t k = 0, count = codec->layout[i].count; k < codec->layout[i].n; k++) {
            codec->column[codec->layout[i].word + k] = (struct sl_trace_column){
                code, (uint32_t)bytes, 0, 0};
            bytes += sl_trace_literals_size(codes, code, count, false);
            code += count;
        }
    return has_literals(bytes, &stream[1]);
}

/* ---- rows ---- */

/* Reserves space for the rows of each layout. Returns false if out of memory. */
static bool reserve_rows(struct sl_trace_codec *codec)
{
    size_t at = 0;
    for (uint32_t i = 0; i < codec->n_layouts; i++) {
        struct sl_trace_layout *layout = &codec->layout[i];
        layout->first = layout->row = layout->end = (uint32_t)at;
        layout->left = layout->count;
        if (!layout->n)
            layout->end = UINT32_MAX; /* never needs rows */
        at += (size_t)layout->n * (layout->count < ROWS ? layout->count : ROWS);
    }
    return SL_GROW(codec->number, codec->numbers_capacity, at + SL_TRACE_GROUP) &&
           SL_GROW(codec->column, codec->columns_capacity, codec->n_words);
}

/* Space for the codes of ROWS rows, a byte each, and one before them. */
#define CODES (ROWS + 16u)
_Static_assert(CODES / 2 <= SL_TRACE_DECODE_SLACK, "space after the codes");

/* Expands codes from number `at` on to a byte each: always CODES of them, since compilers vectorize
 * a constant number of iterations. Returns the first. */
static const uint8_t *spread(const uint8_t *codes, uint32_t at, uint8_t code[CODES])
{
    const uint8_t *from = codes + at / 2;
    for (uint32_t i = 0; i < CODES / 2; i++) {
        code[2 * i] = from[i] & 15;
        code[2 * i + 1] = from[i] >> 4;
    }
    return code + at % 2;
}

/* Decodes the next rows of a layout. */
static __attribute__((noinline)) void decode_rows(struct sl_trace_codec *codec,
                                                  struct sl_trace_layout *layout, bool zigzag,
                                                  const struct sl_trace_span *stream)
{
    uint32_t n = layout->left < ROWS ? layout->left : ROWS;
    uint8_t code[CODES];
    layout->row = layout->first;
    layout->end = layout->first + n * layout->n;
    layout->left -= n;
    for (uint32_t k = 0; k < layout->n; k++) {
        struct sl_trace_column *column = &codec->column[layout->word + k];
        struct sl_column_position at = {column->last, column->before, stream[1].at + column->bytes};
        const uint8_t *first = spread(stream[0].at, column->code, code);
        sl_trace_get_column(codec->number + layout->first + k, layout->n, n, zigzag, first, &at);
        *column = (struct sl_trace_column){column->code + n, (uint32_t)(at.bytes - stream[1].at),
                                           at.last, at.before};
    }
}

/* Copies a row for each lead and block, and the words of its layout unless `word` is NULL. */
static void copy_rows(struct sl_trace_codec *codec, uint32_t n_uses, uint64_t *number,
                      uint32_t *word, bool zigzag, const struct sl_trace_span *stream)
{
    for (uint32_t i = 0; i < n_uses; i++) {
        struct sl_trace_layout *layout = &codec->layout[codec->layout_of[i]];
        if (__builtin_expect(layout->row == layout->end, 0))
            decode_rows(codec, layout, zigzag, stream);
        const uint64_t *row = codec->number + layout->row;
        const uint32_t *own = codec->word + layout->word;
        uint32_t n = layout->n;
        memcpy(number, row, SL_TRACE_GROUP * sizeof *number);
        if (word)
            memcpy(word, own, SL_TRACE_GROUP * sizeof *word);
        for (uint32_t k = SL_TRACE_GROUP; k < n; k += SL_TRACE_GROUP) {
            memcpy(number + k, row + k, SL_TRACE_GROUP * sizeof *number);
            if (word)
                memcpy(word + k, own + k, SL_TRACE_GROUP * sizeof *word);
        }
        number += n;
        word = word ? word + n : NULL;
        layout->row += n;
    }
}

const char *sl_trace_get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                 uint64_t *number, uint32_t *word,
                                 const struct sl_trace_span *stream, const char *wrong)
{
    if (!reserve_rows(codec))
        return SL_TRACE_NO_MEMORY;
    if (!find_columns(codec, frame->n_mems, stream))
        return wrong;
    copy_rows(codec, frame->n_chunks + frame->n_blocks, number, word, number == frame->mem_addr,
              stream);
    return NULL;
}
