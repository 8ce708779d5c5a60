/* SPDX-License-Identifier: MIT */
/* Decoder of values and addresses (trace_decode.h): columns become rows of their list, and each use
 * of a list takes a row. All rows of a frame do not fit into the nearer caches. So each list has a
 * few decoded rows; when they are used up, the next ones are decoded:
 *
 *     list 1:  columns   ........|########|................     used, rows, later
 *                        ........|########|................
 *     list 2:  column    ......|########|....
 *
 * For that, the start of each column's literals must be known; it follows from the codes.
 *
 * Memory: 24 bytes per column, and at most one number for each mem event. */
#include "trace_decode.h"

#include "grow.h"
#include "trace_column.h"

#define ROWS 64u
#define INLINE __attribute__((always_inline)) static inline

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
    for (uint32_t i = 1; i < codec->n_lists; i++)
        for (uint32_t k = 0, count = codec->list[i].count; k < codec->list[i].n; k++) {
            codec->column[codec->list[i].word + k] = (struct sl_trace_column){code, (uint32_t)bytes,
                                                                              0, 0};
            bytes += sl_trace_literals_size(codes, code, count, false);
            code += count;
        }
    return has_literals(bytes, &stream[1]);
}

/* ---- rows ---- */

/* Reserves space for the rows of each list. Returns false if out of memory. */
static bool lay_out(struct sl_trace_codec *codec)
{
    size_t at = 0;
    for (uint32_t i = 0; i < codec->n_lists; i++) {
        struct sl_trace_layout *list = &codec->list[i];
        list->first = list->row = list->end = (uint32_t)at;
        list->left = list->count;
        if (!list->n)
            list->end = UINT32_MAX; /* never needs rows */
        at += (size_t)list->n * (list->count < ROWS ? list->count : ROWS);
    }
    return SL_GROW(codec->number, codec->numbers_capacity, at + SL_TRACE_GROUP) &&
           SL_GROW(codec->column, codec->columns_capacity, codec->n_words);
}

/* Space for the codes of ROWS rows, a byte each, and one before them. */
#define CODES (ROWS + 16u)
_Static_assert(CODES / 2 <= SL_TRACE_DECODE_SLACK, "codes that are not the column's are readable");

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

/* Decodes the next rows of a list. */
static __attribute__((noinline)) void decode_rows(struct sl_trace_codec *codec,
                                                  struct sl_trace_layout *list, bool zigzag,
                                                  const struct sl_trace_span *stream)
{
    uint32_t n = list->left < ROWS ? list->left : ROWS;
    uint8_t code[CODES];
    list->row = list->first;
    list->end = list->first + n * list->n;
    list->left -= n;
    for (uint32_t k = 0; k < list->n; k++) {
        struct sl_trace_column *column = &codec->column[list->word + k];
        struct sl_column_position at = {column->last, column->before, stream[1].at + column->bytes};
        const uint8_t *first = spread(stream[0].at, column->code, code);
        sl_trace_get_column(codec->number + list->first + k, list->n, n, zigzag, false, first, &at);
        *column = (struct sl_trace_column){column->code + n, (uint32_t)(at.bytes - stream[1].at),
                                           at.last, at.before};
    }
}

/* Copies a row for each lead and block, and the words of its list unless `word` is NULL. */
INLINE void take_rows(struct sl_trace_codec *codec, uint32_t n_uses, uint64_t *number,
                      uint32_t *word, bool zigzag, const struct sl_trace_span *stream)
{
    for (uint32_t i = 0; i < n_uses; i++) {
        struct sl_trace_layout *list = &codec->list[codec->list_of[i]];
        if (__builtin_expect(list->row == list->end, 0))
            decode_rows(codec, list, zigzag, stream);
        const uint64_t *row = codec->number + list->row;
        const uint32_t *its = codec->word + list->word;
        uint32_t n = list->n;
        memcpy(number, row, SL_TRACE_GROUP * sizeof *number);
        if (word)
            memcpy(word, its, SL_TRACE_GROUP * sizeof *word);
        for (uint32_t k = SL_TRACE_GROUP; k < n; k += SL_TRACE_GROUP) {
            memcpy(number + k, row + k, SL_TRACE_GROUP * sizeof *number);
            if (word)
                memcpy(word + k, its + k, SL_TRACE_GROUP * sizeof *word);
        }
        number += n;
        word = word ? word + n : NULL;
        list->row += n;
    }
}

static void take_rows_plain(struct sl_trace_codec *codec, uint32_t n_uses, uint64_t *number,
                            uint32_t *word, bool zigzag, const struct sl_trace_span *stream)
{
    take_rows(codec, n_uses, number, word, zigzag, stream);
}

#if defined(__x86_64__)
#define IS_WIDE __builtin_cpu_supports("avx2")
__attribute__((target("avx2"))) static void take_rows_wide(struct sl_trace_codec *codec,
                                                           uint32_t n_uses, uint64_t *number,
                                                           uint32_t *word, bool zigzag,
                                                           const struct sl_trace_span *stream)
{
    if (word)
        take_rows(codec, n_uses, number, word, zigzag, stream);
    else
        take_rows(codec, n_uses, number, NULL, zigzag, stream);
}
#else
#define IS_WIDE false
#define take_rows_wide take_rows_plain
#endif

const char *sl_trace_get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                 uint64_t *number, uint32_t *word,
                                 const struct sl_trace_span *stream, const char *wrong)
{
    if (!lay_out(codec))
        return SL_TRACE_NO_MEMORY;
    if (!find_columns(codec, frame->n_mems, stream))
        return wrong;
    (IS_WIDE ? take_rows_wide : take_rows_plain)(codec, frame->n_chunks + frame->n_blocks, number,
                                                 word, number == frame->mem_addr, stream);
    return NULL;
}
