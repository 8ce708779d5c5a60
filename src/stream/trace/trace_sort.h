/* SPDX-License-Identifier: MIT */
/* Sorter of the trace writer: sorts the events of a frame for the encoder, chunk by chunk
 * (docs/trace-format.md).
 *
 * Layouts of mem events become tokens at once; block numbers do so only in a stream of blocks
 * alone, since with mem events the encoding threads have more time. The numbers of a block's mem
 * events (values, then addresses) become a *row* of its layout:
 *
 *     layout 1:   w0  w1  w2         layout 2:   w3            words, once
 *     rows      v   v   v          rows      v             in order of time
 *               v   v   v                    v
 *
 * Rows are written consecutively, in pages of growing size; the encoder reads them as columns
 * (trace_encode.c). ring_sort.c writes rows directly from the ring. Such rows have the format of
 * the ring: one word for a 4-byte load, two for a wide one; the *format* of the layout has their
 * positions. In rows without a format, every number has two words.
 *
 * Memory, for the 2^18 events of a frame with mem events: 1 to 4 MiB of rows, at worst four times
 * the size of their contents, and up to 10 bytes per event for streams. All of it grows on
 * demand. */
#ifndef SL_TRACE_SORT_H
#define SL_TRACE_SORT_H

#include "trace_codec.h"

/* ---- blocks as tokens ---- */

/* Encoder state of the block numbers of a frame (docs/trace-format.md, Blocks). */
struct sl_block_tokens {
    uint32_t history, previous;
    uint32_t hits; /* since the last token that was not a hit */
    struct sl_trace_slot by_history[SL_TRACE_SLOTS];
};

/* Resets the state for a new frame. */
void sl_block_tokens_begin(struct sl_block_tokens *t);

/* Appends the tokens of `n` blocks to both streams and advances their pointers. A block takes up to
 * SL_TRACE_VARINT bytes in each; the caller provides the space. */
struct sl_block_streams {
    uint8_t *runs, *literals;
};
void sl_block_tokens_put(struct sl_block_tokens *t, const uint32_t *block, uint32_t n,
                         struct sl_block_streams *to);

/* ---- sorting ---- */

/* A page of rows. */
struct sl_sorted_page {
    struct sl_sorted_page *next;
    uint32_t n;   /* rows; not set for the layout's last page */
    uint32_t row; /* words of each */
    uint32_t word[];
};

/* The members of a layout that each use needs: half a cache line. List 0 is empty. */
struct sl_sorted_layout {
    uint32_t *to, *end; /* where the next row goes, and where the page ends */
    /* The block word in the ring that has this layout, and which of its bits must agree; or
     * SL_NO_RING_WORD (ring_sort.c). */
    uint32_t ring_word, ring_mask;
    uint16_t n;   /* instructions */
    uint16_t row; /* words of a row */
};
/* Words after a row that may be overwritten. */
#define SL_ROW_MARGIN 8u

#define SL_NO_RING_WORD UINT32_MAX /* not a word of any block */
_Static_assert(4 * SL_CHUNK_MEMS <= UINT16_MAX, "row holds the longest");

/* In a format, for each number of a row: the index of its first word, and whether it has two. */
#define SL_ROW_WIDE 0x8000u

/* The sorted events of a frame; all zero before its first use. */
struct sl_trace_sorted {
    uint32_t n_chunks, n_blocks, n_mems;
    uint64_t instructions; /* of its blocks */
    uint32_t *block;       /* only in streams with mem events */
    struct sl_trace_bytes {
        uint8_t *data;
        size_t n, capacity;
    } stream[SL_STREAM_VALUE_CODES]; /* of chunks, layouts, blocks alone */
    struct sl_sorted_layout *layout;
    struct sl_sorted_rows {
        uint32_t word; /* the layout's first, in `word` */
        enum { SL_FORMAT_NONE, SL_FORMAT_KNOWN, SL_FORMAT_UNFIT } format; /* UNFIT: never again */
        struct sl_sorted_page *first, *last;
    } * rows; /* by layout */
    uint32_t *word;
    uint16_t *format; /* of layouts that have one, by word */
    uint32_t n_layouts, n_words;
    size_t blocks_capacity, layouts_capacity, rows_capacity, words_capacity, formats_capacity;
    uint8_t **slab;                                /* memory of the pages */
    size_t n_slabs, slabs_capacity, slab_at, used; /* used: bytes of slab[slab_at] */
};

struct sl_trace_sorter {
    unsigned needs;
    const struct sl_statics *statics;
    struct sl_trace_sorted *out;    /* the current frame */
    uint32_t layout_hits;           /* since the last token that was not a hit */
    bool failed;                    /* out of memory within a chunk: the frame must be discarded */
    uint32_t ring_layouts;          /* ring_sort.c: value of sl_ring_decoder.n_changed */
    uint32_t unread[SL_ROW_MARGIN]; /* where rows of the empty layout are written; never read */
    struct sl_block_tokens blocks;  /* of a stream of blocks alone */
    struct sl_trace_slot by_block[SL_TRACE_SLOTS];
};

void sl_trace_sorted_free(struct sl_trace_sorted *sorted);

/* Begins a frame in `out`, whose memory is reused. Returns false if out of memory. */
bool sl_sort_begin(struct sl_trace_sorter *s, struct sl_trace_sorted *out);

/* Adds a valid chunk. Returns false if out of memory; the frame must then be discarded. */
bool sl_sort_chunk(struct sl_trace_sorter *s, const struct sl_chunk *chunk);

/* ---- parts of sl_sort_chunk(), for ring_sort.c ---- */

/* Mem events of a block; arrays that the stream does not have are NULL. */
struct sl_sort_mems {
    const uint32_t *word;
    const uint64_t *value, *addr;
    uint32_t n;
    const uint16_t *format; /* for the row; NULL: none */
    uint32_t row;           /* words of a row with this format */
};

/* Reserves space for the tokens and layouts of a chunk of this size. Returns false if out of
 * memory. */
bool sl_sort_reserve(struct sl_trace_sorter *s, size_t blocks, size_t mems);

/* Add the layout and row of the events before the chunk's first block; of the next block. Return
 * the layout's number, or SL_NO_INDEX if out of memory. */
uint32_t sl_sort_lead(struct sl_trace_sorter *s, const struct sl_sort_mems *mems);
uint32_t sl_sort_block(struct sl_trace_sorter *s, uint32_t block, const struct sl_sort_mems *mems);

/* True if the rows of the layout now have the format of `mems`. */
bool sl_sort_has_format(struct sl_trace_sorter *s, uint32_t number,
                        const struct sl_sort_mems *mems);

/* Adds a page for rows to a layout other than the empty one. Returns false if out of memory. */
bool sl_sort_page(struct sl_trace_sorter *s, uint32_t number);

/* Ends the chunk and adds it to the frame, with its blocks (unless chunk->block is already at their
 * place in `out`) and the sum of their instructions. */
void sl_sort_end(struct sl_trace_sorter *s, const struct sl_chunk *chunk, uint32_t lead,
                 uint64_t instructions);

#endif
