/* SPDX-License-Identifier: MIT */
/* The ring's words (ring.h) as chunks (event.h). The words are not believed: a
 * guest with a wild pointer can reach the ring. */
#ifndef SL_RING_WORDS_H
#define SL_RING_WORDS_H

#include "event.h"
#include "statics.h"

struct sl_trace_sorter;

/* Words being read: of one thread, in its order. */
struct sl_ring_words {
    const uint32_t *word, *end;      /* of blocks */
    const uint32_t *data, *data_end; /* theirs; all of them when the last block has been read */
    uint32_t thread, flags;          /* flags are for the next chunk, SL_CHUNK_END for the last */
    uint32_t named_left; /* at `data`: events of an open block that a chunk had no room for */
};

/* Whether there is a chunk in them: of a thread that has ended also one without events. */
static inline bool sl_ring_more(const struct sl_ring_words *words)
{
    return words->word < words->end || words->named_left || words->flags & SL_CHUNK_END;
}

/* What of the processor's is used. */
enum sl_ring_form { SL_RING_PLAIN, SL_RING_AVX2, SL_RING_AVX512, SL_RING_FORMS };

struct sl_ring_decoder {
    const struct sl_statics *statics;
    enum sl_ring_form form;     /* at most; the result is the same */
    struct sl_implied *implied; /* by block */
    size_t n_caught_up, room_implied;
    uint32_t n_changed;         /* lists that were told again */
    struct sl_implied *variant; /* other lists of blocks */
    size_t n_variants, room_variants;
    uint32_t *more_insn; /* of long lists, in groups */
    uint8_t *more_wide;
    size_t n_more, room_more_insn, room_more_wide;
    struct sl_ring_groups *groups;     /* how values come from words */
    struct sl_chunk_arrays *own, *out; /* chunks point to `out`: what it has, or was given */
};

int sl_ring_decoder_init(struct sl_ring_decoder *decoder, const struct sl_statics *statics,
                         struct sl_failure *f);
void sl_ring_decoder_free(struct sl_ring_decoder *decoder);

/* The payload of an IMPLIED record; the block's own record has been applied. */
int sl_ring_implied(struct sl_ring_decoder *decoder, const uint8_t *payload, uint32_t length,
                    struct sl_failure *f);

/* To be called when the static table has grown. */
int sl_ring_catch_up(struct sl_ring_decoder *decoder, struct sl_failure *f);

/* The next chunk of `words`, if there is one; its events are put into the arrays, or,
 * where there are none (NULL), are valid until the next call. Returns 1, or SL_EFORMAT if the
 * words make no sense. */
int sl_ring_decode(struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                   struct sl_chunk_arrays *into, struct sl_chunk *chunk, struct sl_failure *f);

/* The same, but the chunk's events go straight into the frame that is being sorted; of its arrays
 * it has `block` alone. For streams with values and nothing else. SL_ENOMEM: the frame is of no
 * use. (ring_sort.c) */
int sl_ring_sort(struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                 struct sl_trace_sorter *sorter, struct sl_chunk *chunk, struct sl_failure *f);

/* What a killed thread has left, `words`, which are in memory of ours, `word` and `data`, with room
 * for one more of data. There may be data of no block, or the last one's may not be there; if it
 * was `running` translated code, that one's values may also be older than it is. Writes over it so
 * that none of that is counted. (ring_unfinished.c) */
void sl_ring_unfinished(const struct sl_ring_decoder *decoder, struct sl_ring_words *words,
                        uint32_t *word, uint32_t *data, bool running);

/* SL_EFORMAT with the sentence for it. */
int sl_ring_corrupted(struct sl_failure *f);

#endif
