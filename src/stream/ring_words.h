/* SPDX-License-Identifier: MIT */
/* Decoder of ring words (ring.h). With these words the tap, the part of sluice in QEMU, reports
 * executed blocks. The decoder converts them to chunks (event.h), or sorts them directly into a
 * frame of a trace (trace_sort.h).
 *
 *                       ┌─► ring_chunk.c   arrays of a chunk, for profiles
 *     ring_words.c ─────┤
 *     word format       └─► ring_sort.c    frame of a trace, for `record`
 *
 * Words are not trusted: a guest's wild pointer can write anywhere in the ring, at any time. */
#ifndef SL_RING_WORDS_H
#define SL_RING_WORDS_H

#include "event.h"
#include "statics.h"

struct sl_trace_sorter;

/* The unread words of one slot or stage; all of one thread, in its order. */
struct sl_ring_words {
    const uint32_t *word, *end;      /* block words */
    const uint32_t *data, *data_end; /* their data; used up together with the block words */
    uint32_t thread, flags; /* flags of the next chunk; SL_CHUNK_END only of the last one */
    uint32_t named_left;    /* at `data`: events of an open block that did not fit into a chunk */
};

/* True if another chunk can be decoded; a thread that has ended has one even without events. */
static inline bool sl_ring_more(const struct sl_ring_words *words)
{
    return words->word < words->end || words->named_left || words->flags & SL_CHUNK_END;
}

struct sl_ring_decoder {
    const struct sl_statics *statics;
    bool plain;                    /* no AVX2; for the test that compares both */
    struct sl_load_layout *layout; /* load layouts, by block */
    size_t n_synced, layouts_capacity;
    uint32_t n_changed;             /* layouts that were replaced by a later record */
    struct sl_load_layout *variant; /* other layouts of blocks, by variant */
    size_t n_variants, variants_capacity;
    uint32_t *more_insn; /* loads after the first group of long layouts, in groups */
    uint8_t *more_wide;
    size_t n_more, more_insn_capacity, more_wide_capacity;
    struct sl_ring_groups *groups;
    struct sl_chunk_arrays *own, *out; /* out: `own`, or the arrays that the caller gave */
};

/* Returns 0 or SL_ENOMEM. `statics` must outlive the decoder. Call sl_ring_decoder_free() in either
 * case. */
int sl_ring_decoder_init(struct sl_ring_decoder *decoder, const struct sl_statics *statics,
                         struct sl_failure *f);
void sl_ring_decoder_free(struct sl_ring_decoder *decoder);

/* Applies the payload of a LOAD_LAYOUT record; the BLOCK record must have been applied before.
 * SL_EFORMAT if it is invalid, SL_ENOMEM. */
int sl_ring_load_layout(struct sl_ring_decoder *decoder, const uint8_t *payload, uint32_t length,
                        struct sl_failure *f);

/* Prepares for blocks that are new in `statics`. Call it after records were applied and before
 * words are decoded. Returns 0 or SL_ENOMEM. */
int sl_ring_sync(struct sl_ring_decoder *decoder, struct sl_failure *f);

/* Decodes the next chunk; sl_ring_more() must be true. The events are put into the arrays `into`,
 * or, if that is NULL, into arrays that are valid until the next call. Returns 1, or SL_EFORMAT if
 * the words are invalid. (ring_chunk.c) */
int sl_ring_decode(struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                   struct sl_chunk_arrays *into, struct sl_chunk *chunk, struct sl_failure *f);

/* As sl_ring_decode(), but sorts the events of the chunk into the current frame of `sorter`; of
 * the chunk's arrays, only `block` is set. For streams with values and without addresses.
 * SL_ENOMEM: the frame must be discarded. (ring_sort.c) */
int sl_ring_sort(struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                 struct sl_trace_sorter *sorter, struct sl_chunk *chunk, struct sl_failure *f);

/* Repairs the words of a thread that was killed between two stores of its last block. `words`
 * points into `word` and `data`, a copy that has space for one more data word. The last block's
 * data may be missing, there may be data without a block, and if the thread was `running`
 * translated code, the last block's values may be stale. Changes the copy so that none of these are
 * counted; invalid words are left for sl_ring_decode() to report. */
void sl_ring_repair(const struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                    uint32_t *word, uint32_t *data, bool running);

/* Fails with SL_EFORMAT: the guest has overwritten the ring. */
int sl_ring_corrupted(struct sl_failure *f);

#endif
