/* SPDX-License-Identifier: MIT */
/* Internal header of the decoder of the ring, the shared memory between QEMU and sluice
 * (ring_words.h): the load layout of a block (which instructions load, and how many bytes), the
 * decoding position, and the loop that decodes a chunk. ring_words.c decodes blocks of any kind.
 * There are two fast paths for ordinary blocks: ring_chunk.c decodes them to a chunk, and
 * ring_sort.c decodes them to a trace frame. */
#ifndef SL_RING_BLOCKS_H
#define SL_RING_BLOCKS_H

#include "ring.h"
#include "ring_words.h"

#define SL_RING_INLINE __attribute__((always_inline)) static inline

/* Loads are copied in groups of four. The first group is copied unconditionally, even if the block
 * has fewer loads: most have no more, and a mispredicted branch costs more than the copy. So up to
 * SL_RING_GROUP events after the last one are overwritten, and data words after the last one
 * read. */
#define SL_RING_GROUP 4u
_Static_assert(SL_RING_GROUP <= SL_CHUNK_MARGIN, "space after the loads");

/* Load layout of a block: which instructions load, and how wide. Half a cache line has all that
 * most blocks need. All zero: no such block. */
struct sl_load_layout {
    uint32_t insn[SL_RING_GROUP];
    uint32_t word; /* the block's word when it has all its loads */
    uint32_t block;
    uint32_t more; /* further groups: from more_insn[SL_RING_GROUP * more] on */
    uint8_t n, words;
    uint8_t wide; /* bit i: load i of the first group is wide; further groups: more_wide[] */
};

/* Reads a word that the guest may overwrite at any time: the compiler must not read it twice. */
static inline uint32_t sl_field_once(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* The layout of a block or variant, given by its word without the length; NULL if there is none. */
static inline const struct sl_load_layout *sl_ring_layout(const struct sl_ring_decoder *r,
                                                          uint32_t word)
{
    uint32_t variant = word & ~SL_WORD_VARIANT;
    if (word < r->statics->n_blocks)
        return &r->layout[word];
    return word & SL_WORD_VARIANT && variant < r->n_variants ? &r->variant[variant] : NULL;
}

/* By the wide bits of a group: which data word each half of its values is, as indices for a vector
 * permutation. */
struct sl_ring_groups {
    struct sl_ring_shuffle {
        uint32_t from[2 * SL_RING_GROUP], mask[2 * SL_RING_GROUP];
    } group[1 << SL_RING_GROUP];
};

/* ---- position ---- */

/* Where decoding is; a local copy, so that the compiler keeps it in registers. */
struct sl_ring_position {
    const uint32_t *word, *end; /* block words */
    const uint32_t *data, *data_end;
    uint32_t n_blocks, n_mems; /* decoded into the chunk so far */
    uint32_t named_left;
};

static inline bool sl_ring_has_blocks(const struct sl_ring_position *d)
{
    return d->word < d->end && d->n_blocks < SL_CHUNK_BLOCKS;
}

/* True if the next word has more events of the block before it, and they belong to this chunk. */
static inline bool sl_ring_continues(const struct sl_ring_position *d)
{
    return sl_ring_has_blocks(d) && !d->named_left &&
           sl_field_once(d->word) == (SL_WORD_CONTINUED | SL_WORD_OPEN);
}

/* A block of a usual length whose data start here or earlier has its data, and what is copied along
 * with them, before the end; NULL: no position is safe. */
static inline const uint32_t *sl_ring_usual_data(const struct sl_ring_position *d)
{
    const ptrdiff_t most = SL_WORD_LONG + 2 * SL_RING_GROUP;
    return d->data_end - d->data >= most ? d->data_end - most : NULL;
}

/* ---- blocks of any kind (ring_words.c) ---- */

/* Decodes as many of the position's left-over events into the decoder's arrays as fit. Returns
 * false if they are invalid. */
bool sl_ring_left(struct sl_ring_decoder *decoder, struct sl_ring_position *d, unsigned needs);

/* Decodes one word into the decoder's arrays. Returns 1, 0 if they are too full, -1 if the words
 * are invalid. */
int sl_ring_block(struct sl_ring_decoder *decoder, struct sl_ring_position *d);

/* If `word` is a block with all loads of its layout, and with a length that its word contains:
 * fills offset[i] with the position of load i in the block's data, and returns the number of data
 * words. Returns 0 for all others. */
#define SL_RING_WIDE 0x8000u /* in offset[i]: the value has a second word */
uint32_t sl_ring_offsets(const struct sl_ring_decoder *decoder, uint32_t word, uint32_t block,
                         uint32_t n, uint16_t *offset);

/* Takes the flags of the chunk that ends at the current position: a thread begins with the first
 * chunk of a slot and ends with the last. */
uint32_t sl_ring_chunk_flags(struct sl_ring_words *words);

/* ---- the loop ---- */

/* Both paths get the output: arrays of a chunk or a frame. */
typedef void sl_ring_fast_path(struct sl_ring_decoder *r, struct sl_ring_position *d, void *out);
typedef int sl_ring_slow_path(struct sl_ring_decoder *r, struct sl_ring_position *d, void *out);

/* Decodes up to a chunk: first the events left over from the block before (`lead`), then as many
 * usual blocks as possible (`fast`) and one block of any kind (`slow`) in turn. `lead` and `slow`
 * return as sl_ring_block(). The fast path has no open blocks. Sets *d to the end position. Returns
 * 1, -1 if the words are invalid, or another negative value of `lead` or `slow`. Inlined, so that
 * these are direct calls. */
SL_RING_INLINE int sl_ring_run(struct sl_ring_decoder *r, struct sl_ring_words *in,
                               struct sl_ring_position *d, void *out, sl_ring_slow_path *lead,
                               sl_ring_fast_path *fast, sl_ring_slow_path *slow)
{
    *d = (struct sl_ring_position){.word = in->word,
                                   .end = in->end,
                                   .data = in->data,
                                   .data_end = in->data_end,
                                   .named_left = in->named_left};
    int done = lead(r, d, out);
    while (sl_ring_has_blocks(d) && done > 0 && !d->named_left) {
        if (!(sl_field_once(d->word) & SL_WORD_OPEN))
            fast(r, d, out);
        if (sl_ring_has_blocks(d))
            done = slow(r, d, out);
    }
    if (done < 0)
        return done;
    in->word = d->word;
    in->data = d->data;
    in->named_left = d->named_left;
    bool is_end = in->word == in->end && !in->named_left;
    return (!done && !d->n_blocks && !d->n_mems) || (is_end && in->data != in->data_end) ? -1 : 1;
}

#endif
