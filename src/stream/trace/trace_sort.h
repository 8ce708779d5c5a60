/* SPDX-License-Identifier: MIT */
/* The events of a frame to be, sorted into what its streams are made of (docs/trace-format.md), as
 * they come.
 *
 * The lists of blocks' mem events become tokens at once; so do blocks, if they are all that there
 * is: with mem events, sorting these is work enough for one thread. The numbers of a block's mem
 * events (values, then addresses) become a *row* of its list:
 *
 *     list 1:   w0  w1  w2         list 2:   w3            words, once
 *     rows      v   v   v          rows      v             in order of time
 *               v   v   v                    v
 *
 * Rows are written one behind the other, in pages that become longer up to some size; whoever codes
 * the frame reads them as columns (trace_encode.c). Sources that have a block's numbers at hand put
 * rows themselves (ring_sort.c): then no array of events is between the ring and the frame. Such
 * rows are what the ring has, one word for a number that is known to need no more, and two for
 * others; a list's *layout* says which. Without one, all numbers of a row have two.
 *
 * Memory, for 2^18 events and a little more as frames with mem events have them: 1 to 4 MiB of
 * rows, or four times what rows have in them at worst, and up to 10 bytes an event for streams. All
 * of it grows as frames need it. */
#ifndef SL_TRACE_SORT_H
#define SL_TRACE_SORT_H

#include "trace_codec.h"

/* ---- blocks as tokens ---- */

/* Encoder state of the block numbers of a frame (docs/trace-format.md, Blocks). */
struct sl_block_tokens {
    uint32_t history, previous;
    uint32_t hits; /* since the last token that was not a hit */
    struct sl_trace_slots by_history;
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
    uint32_t n;   /* rows; not yet said of the last page */
    uint32_t row; /* words of each */
    uint32_t word[];
};

/* A list, as far as each of its uses needs it: half a line of a cache. Number 0 is the empty one.
 */
struct sl_sorted_list {
    uint32_t *to, *end; /* where the next row goes, and where the page ends */
    /* With which word it comes from the ring, if that is known, and which bits of it have to agree
     * (ring_sort.c). */
    uint32_t ring_word, ring_mask;
    uint16_t n;   /* instructions */
    uint16_t row; /* words of a row */
};
/* Words that may be written behind a row. */
#define SL_ROW_MARGIN 8u

#define SL_NO_RING_WORD UINT32_MAX /* its number is greater than that of any block */
_Static_assert(4 * SL_CHUNK_MEMS <= UINT16_MAX, "row holds the longest");

/* By number of a row: its first word, and whether it has another. */
#define SL_LAYOUT_WIDE 0x8000u

struct sl_trace_sorted {
    uint32_t n_chunks, n_blocks, n_mems;
    uint64_t instructions; /* of its blocks */
    uint32_t *block;       /* with mem events; blocks alone are tokens at once */
    struct sl_trace_bytes {
        uint8_t *data;
        size_t n, room;
    } stream[SL_STREAM_VALUE_CODES]; /* of chunks, lists, blocks alone */
    struct sl_sorted_list *list;
    struct sl_sorted_rows {
        uint32_t word; /* the list's first, in `word` */
        enum { SL_LAYOUT_NONE, SL_LAYOUT_KNOWN, SL_LAYOUT_UNFIT } layout; /* UNFIT: for good */
        struct sl_sorted_page *first, *last;
    } * rows; /* by list */
    uint32_t *word;
    uint16_t *layout; /* of lists that have one, by word */
    uint32_t n_lists, n_words;
    size_t room_blocks, room_lists, room_rows, room_words, room_layouts;
    uint8_t **slab;                            /* pages are cut from these */
    size_t n_slabs, room_slabs, slab_at, used; /* used: bytes of slab[slab_at] */
};

struct sl_trace_sorter {
    unsigned wants;
    const struct sl_statics *statics;
    struct sl_trace_sorted *out; /* the current frame's */
    uint32_t list_hits;          /* since the last token that was none */
    bool spoiled;        /* memory ran out in the middle of a chunk: the frame is of no use */
    uint32_t ring_lists; /* ring_sort.c: how often lists of the ring had changed */
    uint32_t nowhere[SL_ROW_MARGIN]; /* what the rows of empty lists would be: nobody reads it */
    struct sl_block_tokens blocks;   /* of a stream of blocks alone */
    struct sl_trace_slots by_block;
};

struct sl_trace_sorted *sl_trace_sorted_new(void); /* NULL when memory ran out */
void sl_trace_sorted_free(struct sl_trace_sorted *sorted);

/* Begins a frame, in memory that may have had another. */
bool sl_sort_begin(struct sl_trace_sorter *s, struct sl_trace_sorted *out);

/* A chunk that a reader would accept. False without memory; then the frame is of no use. */
bool sl_sort_chunk(struct sl_trace_sorter *s, const struct sl_chunk *chunk);

/* ---- parts of that ---- */

/* Mem events, by arrays of which those are there that the wants ask for. */
struct sl_sort_mems {
    const uint32_t *word;
    const uint64_t *value, *addr;
    uint32_t n;
    const uint16_t *layout; /* that rows should have; NULL: none */
    uint32_t row;           /* words of such a row */
};

/* Room for all tokens and lists of a chunk that is not larger. */
bool sl_sort_reserve(struct sl_trace_sorter *s, size_t blocks, size_t mems);

/* The lists and rows of a lead, or of the next block. Return the list's number, or SL_NO_INDEX
 * without memory. */
uint32_t sl_sort_lead(struct sl_trace_sorter *s, const struct sl_sort_mems *mems);
uint32_t sl_sort_block(struct sl_trace_sorter *s, uint32_t block, const struct sl_sort_mems *mems);

/* Whether rows of the list have this layout now. */
bool sl_sort_has_layout(struct sl_trace_sorter *s, uint32_t number,
                        const struct sl_sort_mems *mems);

/* A page for further rows of a list that is not empty. False without memory. */
bool sl_sort_page(struct sl_trace_sorter *s, uint32_t number);

/* The chunk ends: its blocks, unless they are in their place already, and their instructions. It is
 * part of the frame then. */
void sl_sort_end(struct sl_trace_sorter *s, const struct sl_chunk *chunk, uint32_t lead,
                 uint64_t instructions);

#endif
