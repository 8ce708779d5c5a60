/* What is inside of an EVENTS frame: many chunks <-> one raw payload.
 *
 * A frame is held twice: as parallel arrays over all its chunks (below), and as
 * the 11 streams of docs/trace-format.md. Encoding and decoding go over the
 * arrays once for each pair of streams:
 *
 *     chunk[]      c0          c1      ...        chunk table
 *     block[]      b b b b b   b b b   ...        tokens, predicted by history
 *     block_mem[]  0 2 2 3 5   1 1 4   ...        tokens, predicted by block
 *     mem_insn[]   m m m m m   m m m   ...        tokens, predicted by block and
 *                                                 by the word before
 *     mem_value[]  v v v v v   v v v   ...        numbers, sorted into columns
 *     mem_addr[]   a a a a a   a a a   ...        numbers, sorted into columns
 *
 * Memory, whatever the input: the arrays of a frame have at most 2^20 events, 28
 * bytes each; the codec has 2 MiB of slots and 8.3 MiB for columns; a raw
 * payload has at most 32 MiB. All of it grows as frames need it. */
#ifndef SL_TRACE_CODEC_H
#define SL_TRACE_CODEC_H

#include "event.h"
#include "statics.h"
#include "trace_format.h"

struct sl_trace_chunk {
    uint32_t thread, flags, n_blocks, n_mems, lead;
};

struct sl_trace_frame {
    unsigned wants;
    uint32_t n_chunks, n_blocks, n_mems;
    struct sl_trace_chunk *chunk;
    uint32_t *block;
    uint32_t *block_mem; /* as in struct sl_chunk: counted from the chunk's first */
    uint32_t *mem_insn;
    uint64_t *mem_value, *mem_addr; /* NULL if the wants have none */
    size_t room_chunks, room_blocks, room_block_mems, room_insns, room_values, room_addrs;
};

/* Makes room for this much in the arrays that `wants` asks for. False when memory
 * ran out. */
bool sl_trace_frame_reserve(struct sl_trace_frame *frame, size_t chunks, size_t blocks,
                            size_t mems);
void sl_trace_frame_free(struct sl_trace_frame *frame);

/* The instructions that its blocks have. All blocks have to be in `statics`. */
uint64_t sl_trace_frame_instructions(const struct sl_trace_frame *frame,
                                     const struct sl_statics *statics);

enum sl_trace_stream {
    SL_STREAM_CHUNKS,
    SL_STREAM_BLOCK_RUNS,
    SL_STREAM_BLOCK_LITERALS,
    SL_STREAM_COUNT_RUNS,
    SL_STREAM_COUNT_LITERALS,
    SL_STREAM_WORD_RUNS,
    SL_STREAM_WORD_LITERALS,
    SL_STREAM_VALUE_CODES,
    SL_STREAM_VALUE_BYTES,
    SL_STREAM_ADDR_CODES,
    SL_STREAM_ADDR_BYTES,
    SL_STREAMS
};

#define SL_TRACE_SLOTS (UINT32_C(1) << 16)
#define SL_TRACE_COLUMNS (UINT32_C(1) << 16)
#define SL_TRACE_LITERAL_CODE 2u /* the code of a literal of no bytes */

struct sl_trace_slot {
    uint32_t a, b;
};

struct sl_trace_codec {
    struct sl_trace_slot by_history[SL_TRACE_SLOTS];
    struct sl_trace_slot count[SL_TRACE_SLOTS];
    struct sl_trace_slot first[SL_TRACE_SLOTS];
    struct sl_trace_slot next[SL_TRACE_SLOTS];
    uint32_t column_at[SL_TRACE_COLUMNS + 1];
    uint64_t *column; /* the numbers of a frame, in columns */
    size_t room_column;
};

struct sl_trace_codec *sl_trace_codec_new(void); /* NULL when memory ran out */
void sl_trace_codec_free(struct sl_trace_codec *codec);

/* Writes the raw payload into `raw`, which has to have SL_TRACE_ENCODE_ROOM bytes,
 * and returns its size; 0 when memory ran out. The frame's chunks are such as
 * `sl_trace_chunk` accepts; first[block] is `sl_trace_first`. */
#define SL_TRACE_ENCODE_ROOM ((size_t)SL_TRACE_EVENTS_MAX + 64)
size_t sl_trace_encode(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                       const uint32_t *first, uint8_t *raw);

/* Fills the frame, whose wants are set, from a raw payload with `head`'s counts.
 * SL_TRACE_DECODE_SLACK bytes behind the payload have to be readable. Everything
 * is checked, also that blocks and instructions are in `statics`: returns 0, or
 * SL_EFORMAT or SL_ENOMEM with *why set to what is wrong. */
#define SL_TRACE_DECODE_SLACK 8u
int sl_trace_decode(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                    const struct sl_statics *statics, const struct sl_trace_head *head,
                    const uint8_t *raw, const char **why);

/* ---- what both directions compute --------------------------------------- */

static inline uint32_t sl_trace_zigzag(uint32_t d)
{
    return d << 1 ^ (0u - (d >> 31));
}

static inline uint32_t sl_trace_unzigzag(uint32_t z)
{
    return z >> 1 ^ (0u - (z & 1));
}

static inline uint32_t sl_trace_history(uint32_t history, uint32_t block)
{
    return history << 4 ^ block * UINT32_C(0x9e3779b1) >> 16;
}

/* Number of a word's column, and of the slot that follows a token. */
static inline uint32_t sl_trace_fold(uint32_t word)
{
    return (word ^ word >> 16) & 0xffff;
}

/* Words rotate by this much to become tokens. */
static inline unsigned sl_trace_word_shift(unsigned wants)
{
    return sl_trace_has_addresses(wants) ? 32 - SL_MEM_SIZE_SHIFT : 0;
}

static inline uint32_t sl_trace_rotate(uint32_t word, unsigned left)
{
    return word << left | word >> ((32 - left) & 31);
}

/* What the literal of a block's first word is relative to: the block's first instruction. */
static inline uint32_t sl_trace_first(const struct sl_statics *statics, uint32_t block)
{
    return statics->block_insn[statics->block[block].insns_at];
}

/* Where each column starts among the frame's numbers: column_at[c]. */
void sl_trace_columns(struct sl_trace_codec *codec, const struct sl_trace_frame *frame);

#endif
