/* Columns become rows of their list, and each use of a list takes a row. All rows of a frame would be
 * more than a core's nearer caches hold. So a list has some rows at a time; when they are used up, it
 * decodes as many again:
 *
 *     list 1:  columns   ........|########|................     used, rows, to come
 *                        ........|########|................
 *     list 2:  column    ......|########|....
 *
 * For that, where each column's literals start has to be known, which its codes say.
 *
 * Memory: 24 bytes a column, and at most a number for each mem event. */
#include "trace_numbers.h"

#include "grow.h"
#include "trace_column.h"

#define ROWS 64u

_Static_assert(SL_TRACE_COLUMN_MARGIN <= SL_TRACE_DECODE_SLACK, "room behind the literals");

/* ---- where columns start ---------------------------------------------------------- */

#define NO_CODE (UINT64_C(1) << 40) /* more bytes than there are */

static uint64_t size_of(unsigned code)
{
    if (code > SL_TRACE_LITERAL_CODE + 8)
        return NO_CODE;
    return code > SL_TRACE_LITERAL_CODE ? code - SL_TRACE_LITERAL_CODE : 0;
}

/* By a byte of two codes: how many bytes their literals have together. */
static void make_sizes(uint64_t size[256])
{
    for (unsigned i = 0; i < 256; i++)
        size[i] = size_of(i & 15) + size_of(i >> 4);
}

/* How many bytes the literals of `n` codes have, from number `at` on. */
static uint64_t literals_size(const uint8_t *codes, uint32_t at, uint32_t n, const uint64_t size[256])
{
    uint64_t sum = 0;
    uint32_t end = at + n;
    if (n && at % 2)
        sum += size_of(codes[at++ / 2] >> 4);
    for (; at + 2 <= end; at += 2)
        sum += size[codes[at / 2]];
    return at < end ? sum + size_of(codes[at / 2] & 15) : sum;
}

/* Two codes in each byte; what is left of the last is 0. False if one is unknown, or their literals are
 * not as long as the stream of bytes. */
static bool find_columns(struct sl_trace_codec *codec, uint32_t n, const struct sl_trace_span *stream)
{
    const uint8_t *codes = stream[0].at;
    uint64_t size[256], bytes = 0, n_bytes = ((uint64_t)n + 1) / 2;
    uint32_t code = 0;
    if ((uint64_t)(stream[0].end - codes) != n_bytes || (n % 2 && codes[n_bytes - 1] >> 4))
        return false;
    make_sizes(size);
    for (uint32_t i = 1; i < codec->n_lists; i++)
        for (uint32_t k = 0, count = codec->list[i].count; k < codec->list[i].n; k++) {
            codec->column[codec->list[i].word + k] = (struct sl_trace_column){code, (uint32_t)bytes, 0, 0};
            bytes += literals_size(codes, code, count, size);
            code += count;
        }
    return bytes == (uint64_t)(stream[1].end - stream[1].at);
}

/* ---- rows ------------------------------------------------------------------------- */

/* Gives each list room for its rows; none are decoded. False without memory. */
static bool lay_out(struct sl_trace_codec *codec)
{
    size_t at = 0;
    for (uint32_t i = 0; i < codec->n_lists; i++) {
        struct sl_trace_list *list = &codec->list[i];
        list->first = list->row = list->end = (uint32_t)at;
        list->left = list->count;
        if (!list->n)
            list->end = UINT32_MAX; /* it never needs more */
        at += (size_t)list->n * (list->count < ROWS ? list->count : ROWS);
    }
    return SL_GROW(codec->number, codec->room_numbers, at + SL_TRACE_GROUP) &&
           SL_GROW(codec->column, codec->room_columns, codec->n_words);
}

/* Codes from number `at` on, a byte each: eight at a time, so up to seven more. What is read behind
 * the stream is in the payload, or in the slack. */
static void spread(const uint8_t *codes, uint32_t at, uint32_t n, uint8_t *code)
{
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t x = sl_get64(codes + (at + i) / 2) >> 4 * (at % 2) & UINT32_MAX;
        x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
        x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
        x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        sl_put64(code + i, x);
    }
}

/* The next rows of a list that has used those it had. */
static __attribute__((noinline)) void decode_rows(struct sl_trace_codec *codec, struct sl_trace_list *list,
                                                  bool zigzag, const struct sl_trace_span *stream)
{
    uint32_t n = list->left < ROWS ? list->left : ROWS;
    uint8_t code[ROWS];
    list->row = list->first;
    list->end = list->first + n * list->n;
    list->left -= n;
    for (uint32_t k = 0; k < list->n; k++) {
        struct sl_trace_column *column = &codec->column[list->word + k];
        struct sl_column_position at = {column->last, column->before, stream[1].at + column->bytes};
        spread(stream[0].at, column->code, n, code);
        sl_trace_get_column(codec->number + list->first + k, list->n, n, zigzag, false, code, &at);
        *column = (struct sl_trace_column){column->code + n, (uint32_t)(at.bytes - stream[1].at), at.last,
                                           at.before};
    }
}

const char *sl_trace_get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                 uint64_t *number, const struct sl_trace_span *stream, const char *wrong)
{
    bool zigzag = number == frame->mem_addr;
    if (!number)
        return stream[0].at != stream[1].end ? wrong : NULL;
    if (!lay_out(codec))
        return SL_TRACE_NO_MEMORY;
    if (!find_columns(codec, frame->n_mems, stream))
        return wrong;
    for (uint32_t i = 0; i < frame->n_chunks + frame->n_blocks; i++) {
        struct sl_trace_list *list = &codec->list[codec->list_of[i]];
        if (__builtin_expect(list->row == list->end, 0))
            decode_rows(codec, list, zigzag, stream);
        const uint64_t *row = codec->number + list->row;
        uint32_t n = list->n;
        memcpy(number, row, SL_TRACE_GROUP * sizeof *number);
        for (uint32_t k = SL_TRACE_GROUP; k < n; k += SL_TRACE_GROUP)
            memcpy(number + k, row + k, SL_TRACE_GROUP * sizeof *number);
        number += n;
        list->row += n;
    }
    return NULL;
}
