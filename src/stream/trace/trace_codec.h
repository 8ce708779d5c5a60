/* SPDX-License-Identifier: MIT */
/* Codec for the frames of a trace that contain events: data structures of the decoder, and
 * arithmetic that encoder and decoder share. docs/trace-format.md describes the encoding.
 *
 * A decoded frame is parallel arrays over all its chunks. The encoder starts from sorted events
 * (trace_sort.h).
 *
 * Mem events are grouped by *layouts*: a block has the same mem_insn words nearly every time, so
 * that one comparison with its last layout suffices. Each word of a layout has a column of numbers,
 * one for each use of the layout; columns are encoded:
 *
 *     layout 1:   w0  w1  w2         layout 2:   w3            words, once
 *     numbers   v   v   v          numbers   v             in order of time
 *               v   v   v                    v
 *
 * Memory, for any input: the arrays of a frame have at most 2^20 events of 28 bytes; the codec has
 * 1 MiB of slots and at most 40 bytes per event for layouts and columns; a raw payload has at most
 * 32 MiB. All of it grows on demand. */
#ifndef SL_TRACE_CODEC_H
#define SL_TRACE_CODEC_H

#include <pthread.h>

#include "event.h"
#include "statics.h"
#include "trace_format.h"

struct sl_trace_chunk {
    uint32_t thread, flags, n_blocks, n_mems, lead;
};

/* A decoded frame. */
struct sl_trace_frame {
    unsigned needs;    /* the trace's */
    unsigned unneeded; /* sl_source.unneeded: checked, but not decoded */
    uint32_t n_chunks, n_blocks, n_mems;
    struct sl_trace_chunk *chunk;
    uint32_t *block;
    uint32_t *block_mem;            /* as in struct sl_chunk: counted from the chunk's first */
    uint32_t *mem_insn;             /* only if sl_trace_frame_has_words() */
    uint64_t *mem_value, *mem_addr; /* only those of sl_trace_frame_numbers() */
    size_t chunks_capacity, blocks_capacity, block_mems_capacity, insns_capacity, values_capacity,
        addrs_capacity;
};

/* Which of values and addresses are decoded, as bits of the needs. */
static inline unsigned sl_trace_frame_numbers(const struct sl_trace_frame *frame)
{
    return frame->needs & ~frame->unneeded;
}

/* With addresses, words are always decoded: they tell loads from stores. */
static inline bool sl_trace_frame_has_words(const struct sl_trace_frame *frame)
{
    return sl_trace_frame_numbers(frame) || sl_trace_has_addresses(frame->needs);
}

void sl_trace_frame_free(struct sl_trace_frame *frame);

enum sl_trace_stream {
    SL_STREAM_CHUNKS,
    SL_STREAM_BLOCK_RUNS,
    SL_STREAM_BLOCK_LITERALS,
    SL_STREAM_LAYOUT_RUNS,
    SL_STREAM_LAYOUT_COUNTS,
    SL_STREAM_LAYOUT_WORDS,
    SL_STREAM_VALUE_CODES,
    SL_STREAM_VALUE_BYTES,
    SL_STREAM_ADDR_CODES,
    SL_STREAM_ADDR_BYTES,
    SL_STREAMS
};

#define SL_TRACE_SLOTS (UINT32_C(1) << 16)
#define SL_TRACE_VARINT 5u       /* bytes of the longest varint */
#define SL_TRACE_LITERAL_CODE 2u /* the code of a literal of no bytes */

/* The last token or layout of a history or block, and the one before; (0, 0) at the start of a
 * frame. */
struct sl_trace_slot {
    uint32_t a, b;
};

#define SL_NO_BLOCK UINT32_MAX

/* The words of a block's mem events, used `count` times. List 0 is empty. */
struct sl_trace_layout {
    uint32_t word; /* index of the first of `n` words in sl_trace_codec.word, and of its columns */
    uint32_t n, count;
    uint32_t block; /* of its first use; SL_NO_BLOCK: events before a chunk's first block */
    /* trace_numbers.c, in sl_trace_codec.number: */
    uint32_t row, end;    /* row of the next use; end of the decoded rows */
    uint32_t first, left; /* where rows are decoded to; uses that are not decoded yet */
};

/* Position in a column. */
struct sl_trace_column {
    uint32_t code, bytes; /* index of the next code; offset of the next literal */
    uint64_t last, before;
};

/* All zero at first. */
struct sl_trace_codec {
    struct sl_trace_slot by_history[SL_TRACE_SLOTS];
    struct sl_trace_slot by_block[SL_TRACE_SLOTS]; /* last two layouts of each block */
    struct sl_trace_layout *layout;
    uint32_t *word;
    uint32_t *layout_of; /* by block; before the blocks of each chunk, the layout of its lead */
    struct sl_trace_column *column; /* by word */
    uint64_t *number;               /* decoded rows of each layout */
    uint32_t n_layouts, n_words;
    size_t layouts_capacity, words_capacity, layout_of_capacity, columns_capacity, numbers_capacity;
    uint32_t greatest; /* largest block number of the frame */
    bool resolved;     /* the tokens of layouts have become words */
};

void sl_trace_codec_free(struct sl_trace_codec *codec);

/* The static table of the reader; its lock is held while records are applied. */
struct sl_trace_known {
    pthread_mutex_t *lock;
    const struct sl_statics *statics;
};

/* Decode a raw payload with the counts of `head` into the frame, whose needs and unneeded are set,
 * in two steps. sl_trace_unpack() runs on any thread. It needs no records, but if `known` has the
 * records of the frame already, as nearly always, it leaves little work for the second step; NULL:
 * no records are known. sl_trace_resolve() runs when `statics` has all records before the frame.
 *
 * SL_TRACE_DECODE_SLACK bytes after the payload must be readable. Everything is checked, unneeded
 * arrays too, and that blocks and instructions are in `statics`. Both return NULL or a message that
 * says what is wrong; SL_TRACE_NO_MEMORY if out of memory. */
#define SL_TRACE_DECODE_SLACK 64u
#define SL_TRACE_NO_MEMORY "out of memory"
const char *sl_trace_unpack(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_trace_head *head, const uint8_t *raw,
                            const struct sl_trace_known *known);
const char *sl_trace_resolve(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                             const struct sl_statics *statics, const struct sl_trace_head *head);

/* ---- shared by encoder and decoder ---- */

static inline uint8_t *sl_trace_put_varint(uint8_t *at, uint32_t value)
{
    while (value >= 128) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint32_t sl_trace_zigzag(uint32_t d)
{
    return d << 1 ^ (0u - (d >> 31));
}

static inline uint32_t sl_trace_unzigzag(uint32_t z)
{
    return z >> 1 ^ (0u - (z & 1));
}

#define SL_TRACE_HISTORY_FACTOR UINT32_C(0x9e3779b1)

static inline uint32_t sl_trace_history(uint32_t history, uint32_t block)
{
    return history << 4 ^ block * SL_TRACE_HISTORY_FACTOR >> 16;
}

/* Words are rotated left by this many bits to become tokens. */
static inline unsigned sl_trace_word_shift(unsigned needs)
{
    return sl_trace_has_addresses(needs) ? 32 - SL_MEM_SIZE_SHIFT : 0;
}

static inline uint32_t sl_trace_rotate(uint32_t word, unsigned left)
{
    return word << left | word >> ((32 - left) & 31);
}

/* The block's first instruction: the base of the literal of its first word. */
static inline uint32_t sl_trace_first(const struct sl_statics *statics, uint32_t block)
{
    return statics->block_insn[statics->block[block].insns_at];
}

/* Words that are compared and copied at a time. The first group is copied unconditionally, since
 * the number of words is hard to predict. */
#define SL_TRACE_GROUP 4u
_Static_assert(SL_TRACE_GROUP <= SL_CHUNK_MARGIN, "space after the events");

/* ---- columns of values or addresses (trace_column.c) ---- */

/* Bytes after the literals that may be written, and read. */
#define SL_TRACE_COLUMN_MARGIN 64u

/* Encodes `n` numbers: one byte each in `code`, literals at `bytes`. Literals are differences if
 * `zigzag`. `plain`: no AVX-512, for the test that compares both. Returns the literals' end. */
uint8_t *sl_trace_put_column(const uint64_t *number, size_t n, bool zigzag, bool plain,
                             uint8_t *code, uint8_t *bytes);

/* Size in bytes of the literals of `n` codes, starting with code number `at`; a byte has two codes.
 * More than 2^40 if a code is unknown. */
uint64_t sl_trace_literals_size(const uint8_t *codes, size_t at, size_t n, bool plain);

/* Position in a column that is being decoded. */
struct sl_column_position {
    uint64_t last, before; /* the last number, and the one before it */
    const uint8_t *bytes;  /* the next literal */
};

/* Decodes the next `n` numbers to number[0], number[row], number[2 * row] ... The codes must be
 * valid, and the literals complete. */
void sl_trace_get_column(uint64_t *number, size_t row, size_t n, bool zigzag, const uint8_t *code,
                         struct sl_column_position *at);

#endif
