/* SPDX-License-Identifier: MIT */
/* What is inside of an EVENTS frame: many chunks <-> one raw payload.
 *
 * A frame is held as what its streams are made of (trace_sort.h), from which it is coded, or as
 * parallel arrays over all its chunks, into which it is decoded, and as the streams of
 * docs/trace-format.md.
 *
 * Mem events go by *lists*: those that a block causes have the same words nearly every time. So a
 * block costs one look at the list that it had last. Each of its words has a column of numbers, one
 * for each time that the list was used; columns are what is coded:
 *
 *     list 1:   w0  w1  w2         list 2:   w3            words, once
 *     numbers   v   v   v          numbers   v             in order of time
 *               v   v   v                    v
 *
 * Memory, whatever the input: the arrays of a frame have at most 2^20 events, 28 bytes each; the
 * codec has 1 MiB of slots and at most 40 bytes an event for lists and columns; a raw payload
 * has at most 32 MiB. All of it grows as frames need it. */
#ifndef SL_TRACE_CODEC_H
#define SL_TRACE_CODEC_H

#include <pthread.h>

#include "event.h"
#include "statics.h"
#include "trace_format.h"

struct sl_trace_chunk {
    uint32_t thread, flags, n_blocks, n_mems, lead;
};

/* A frame that was decoded. */
struct sl_trace_frame {
    unsigned wants;    /* the trace's */
    unsigned unneeded; /* sl_source.unneeded: numbers that are checked, not decoded */
    uint32_t n_chunks, n_blocks, n_mems;
    struct sl_trace_chunk *chunk;
    uint32_t *block;
    uint32_t *block_mem;            /* as in struct sl_chunk: counted from the chunk's first */
    uint32_t *mem_insn;             /* unless sl_trace_frame_has_words says no */
    uint64_t *mem_value, *mem_addr; /* those of sl_trace_frame_numbers */
    size_t room_chunks, room_blocks, room_block_mems, room_insns, room_values, room_addrs;
};

/* Which of values and addresses are decoded: bits of the wants. */
static inline unsigned sl_trace_frame_numbers(const struct sl_trace_frame *frame)
{
    return frame->wants & ~frame->unneeded;
}

/* Where there may be stores, words are needed to count loads. */
static inline bool sl_trace_frame_has_words(const struct sl_trace_frame *frame)
{
    return sl_trace_frame_numbers(frame) || sl_trace_has_addresses(frame->wants);
}

/* Makes room for this much in the arrays that are decoded, and SL_CHUNK_MARGIN more. False when
 * memory ran out. */
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
    SL_STREAM_LIST_RUNS,
    SL_STREAM_LIST_COUNTS,
    SL_STREAM_LIST_WORDS,
    SL_STREAM_VALUE_CODES,
    SL_STREAM_VALUE_BYTES,
    SL_STREAM_ADDR_CODES,
    SL_STREAM_ADDR_BYTES,
    SL_STREAMS
};

#define SL_TRACE_SLOTS (UINT32_C(1) << 16)
#define SL_TRACE_VARINT 5u       /* bytes of the longest */
#define SL_TRACE_LITERAL_CODE 2u /* the code of a literal of no bytes */

struct sl_trace_slot {
    uint32_t a, b;
};

/* Slots of a frame, all (0, 0) at first. A frame changes few of them, and the first change of a
 * slot is a miss: misses are noted, so that what the frame has changed is made 0 again, and the
 * rest stays out of the caches. */
#define SL_TRACE_CHANGES 8192u
struct sl_trace_slots {
    struct sl_trace_slot slot[SL_TRACE_SLOTS];
    uint32_t n_changes; /* of which those behind SL_TRACE_CHANGES are not noted */
    uint16_t change[SL_TRACE_CHANGES];
};

static inline void sl_trace_slot_missed(struct sl_trace_slots *slots,
                                        const struct sl_trace_slot *slot)
{
    if (slots->n_changes < SL_TRACE_CHANGES)
        slots->change[slots->n_changes] = (uint16_t)(slot - slots->slot);
    slots->n_changes++;
}

void sl_trace_slots_clear(struct sl_trace_slots *slots);

#define SL_NO_BLOCK UINT32_MAX

/* Words that blocks were followed by, `count` times. Number 0 is the empty one. */
struct sl_trace_list {
    uint32_t word; /* the first of `n`, in sl_trace_codec.word; its columns have the same numbers */
    uint32_t n, count;
    uint32_t block; /* that it was made for; SL_NO_BLOCK: for a lead */
    /* trace_numbers.c, in sl_trace_codec.number: */
    uint32_t row, end;    /* of the next use; behind the last that is decoded */
    uint32_t first, left; /* where rows go; uses that are not decoded yet */
};

/* Where decoding a column is. */
struct sl_trace_column {
    uint32_t code, bytes; /* in the streams: the next code, by its number; what literals are next */
    uint64_t last, before;
};

struct sl_trace_codec {
    struct sl_trace_slots by_history;
    struct sl_trace_slots by_block; /* lists */
    struct sl_trace_list *list;
    uint32_t *word;
    uint32_t *list_of; /* of each block of the frame; in front of each chunk's, of its lead */
    struct sl_trace_column *column; /* by word */
    uint64_t *number;               /* the next rows of each list */
    uint32_t n_lists, n_words;
    size_t room_lists, room_words, room_list_of, room_columns, room_numbers;
    uint32_t greatest; /* block of the frame */
    bool settled;      /* its mem events have their words */
};

struct sl_trace_codec *sl_trace_codec_new(void); /* NULL when memory ran out */
void sl_trace_codec_free(struct sl_trace_codec *codec);

/* The static records that whoever reads a trace has had so far. It holds the lock to add more. */
struct sl_trace_known {
    pthread_mutex_t *lock;
    const struct sl_statics *statics;
};

/* Fills the frame, whose wants and what is unneeded are set, from a raw payload with
 * `head`'s counts, in two steps. The first needs nothing but the payload, so that any thread can do
 * it; where all that the frame needs is known already, as it is nearly always, it leaves little to
 * the second (`known` NULL: nothing is). That is done when `statics` have all records in front of
 * the frame. SL_TRACE_DECODE_SLACK bytes behind the payload have to be readable. Everything is
 * checked, what is unneeded too, also that blocks and instructions are in `statics`: both return
 * NULL, or what is wrong, as SL_TRACE_NO_MEMORY. */
#define SL_TRACE_DECODE_SLACK 64u
#define SL_TRACE_NO_MEMORY "out of memory"
const char *sl_trace_unpack(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_trace_head *head, const uint8_t *raw,
                            const struct sl_trace_known *known);
const char *sl_trace_settle(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_statics *statics, const struct sl_trace_head *head);

/* ---- what both directions compute ---- */

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

/* Room for lists of a frame with so many chunks, blocks and mem events; there is the empty one
 * then. False without memory. */
bool sl_trace_lists_reserve(struct sl_trace_codec *codec, size_t chunks, size_t blocks,
                            size_t mems);

/* A new list with so many words, which the caller fills in; there is room. */
static inline struct sl_trace_list *sl_trace_list_add(struct sl_trace_codec *codec, uint32_t n,
                                                      uint32_t block)
{
    struct sl_trace_list *list = &codec->list[codec->n_lists++];
    *list = (struct sl_trace_list){.word = codec->n_words, .n = n, .block = block};
    codec->n_words += n;
    return list;
}

/* Words are compared and copied by so many at a time: the first ones whether they are there or not,
 * since how many there are, is hard to guess. */
#define SL_TRACE_GROUP 4u
_Static_assert(SL_TRACE_GROUP <= SL_CHUNK_MARGIN, "room behind the events");

#endif
