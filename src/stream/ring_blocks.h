/* SPDX-License-Identifier: MIT */
/* Blocks of the ring's words (ring.h), as those that read them share it: ring_words.c makes chunks
 * of them, ring_sort.c frames of a trace, ring_unfinished.c mends what a killed thread has left. */
#ifndef SL_RING_BLOCKS_H
#define SL_RING_BLOCKS_H

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "ring.h"
#include "ring_words.h"

#define SL_RING_INLINE __attribute__((always_inline)) static inline

/* Loads are copied by fours: the first four of a block whether it has them or not, since most
 * have no more, and a wrong guess costs more than the copies. So something may be written
 * behind the last one, and words be read that are not its own. */
#define SL_RING_GROUP 4u
_Static_assert(SL_RING_GROUP <= SL_CHUNK_MARGIN, "room behind the loads");

/* What a block's word stands for: all that most blocks need, in half a cache line. All zero where
 * there is no such block. */
struct sl_implied {
    uint32_t insn[SL_RING_GROUP];
    uint32_t word; /* as the block's has to be */
    uint32_t block;
    uint32_t more; /* the other groups: from more_insn[SL_RING_GROUP * more] on */
    uint8_t n, words;
    uint8_t wide;   /* a bit for each of the first four that is; of other groups, in more_wide[] */
    uint8_t halves; /* a bit for each half of the first four's values that has a word */
};

/* Words are read where the guest may write over them at any time: what one says is asked once.
 * Values may be anything. */
static inline uint32_t sl_word_once(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* The list that a block's word stands for, or a variant's, without its length; NULL if there is
 * none. */
static inline const struct sl_implied *sl_ring_list(const struct sl_ring_decoder *r, uint32_t word)
{
    uint32_t variant = word & ~SL_WORD_VARIANT;
    if (word < r->statics->n_blocks)
        return &r->implied[word];
    return word & SL_WORD_VARIANT && variant < r->n_variants ? &r->variant[variant] : NULL;
}

/* How the halves of a group's values come from its words, by which of them are wide. */
struct sl_ring_groups {
    struct sl_ring_shuffle {
        uint32_t from[2 * SL_RING_GROUP], mask[2 * SL_RING_GROUP];
    } group[1 << SL_RING_GROUP];
};

/* Where decoding is; a struct of its own so that the compiler keeps it in
 * registers. */
struct sl_ring_position {
    const uint32_t *word, *end; /* of blocks */
    const uint32_t *data, *data_end;
    uint32_t n_blocks, n_mems;
    uint32_t named_left;
};

static inline struct sl_ring_position sl_ring_begin(const struct sl_ring_words *in)
{
    return (struct sl_ring_position){in->word, in->end, in->data,      in->data_end,
                                     0,        0,       in->named_left};
}

/* So far the words have been read. False if data are left over: then something makes no sense. */
static inline bool sl_ring_end(struct sl_ring_words *in, const struct sl_ring_position *d)
{
    in->word = d->word;
    in->data = d->data;
    in->named_left = d->named_left;
    return in->word < in->end || in->named_left || in->data == in->data_end;
}

/* Up to here, a block of a usual length has its data in front of the end, and what is copied along
 * with them; NULL if nowhere. */
static inline const uint32_t *sl_ring_usual_data(const struct sl_ring_position *d)
{
    const ptrdiff_t most = SL_WORD_LONG + 2 * SL_RING_GROUP;
    return d->data_end - d->data >= most ? d->data_end - most : NULL;
}

/* Of the events that are left at the position, as many as the decoder's arrays have room for. */
bool sl_ring_left(struct sl_ring_decoder *decoder, struct sl_ring_position *d, unsigned wants);

/* One block of any kind, into the decoder's arrays. Returns 1, 0 if they have no room for it, -1 if
 * the words make no sense. */
int sl_ring_block(struct sl_ring_decoder *decoder, struct sl_ring_position *d);

/* Of the chunk that ends where the words are now: a thread begins with the first of a slot's
 * chunks, and ends with the last. */
uint32_t sl_ring_take_flags(struct sl_ring_words *words);

/* ---- values ---- */

typedef void sl_group_copier(uint64_t *value, const uint32_t *word,
                             const struct sl_ring_shuffle *group);

static inline void sl_ring_copy_group(uint64_t *value, const uint32_t *word,
                                      const struct sl_ring_shuffle *group)
{
    for (uint32_t i = 0; i < SL_RING_GROUP; i++) {
        uint64_t low = word[group->from[2 * i]];
        uint64_t high = word[group->from[2 * i + 1]] & group->mask[2 * i + 1];
        value[i] = low | high << 32;
    }
}

/* The same for processors with longer vectors. */
#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline void
sl_ring_copy_group_wide(uint64_t *value, const uint32_t *word, const struct sl_ring_shuffle *group)
{
    __m256i from = _mm256_loadu_si256((const __m256i *)group->from);
    __m256i mask = _mm256_loadu_si256((const __m256i *)group->mask);
    __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)word), from);
    _mm256_storeu_si256((__m256i *)value, _mm256_and_si256(halves, mask));
}
#endif

static inline bool sl_ring_is_wide(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* The groups behind the first one, of a list with `n` loads that says `wide` and `more`. */
SL_RING_INLINE void sl_ring_copy_more(const struct sl_ring_decoder *r, uint64_t *value, uint32_t n,
                                      uint32_t wide, uint32_t more, const uint32_t *word,
                                      sl_group_copier *copy)
{
    for (uint32_t i = SL_RING_GROUP; i < n; i += SL_RING_GROUP) {
        word += SL_RING_GROUP + (uint32_t)__builtin_popcount(wide);
        wide = r->more_wide[more++];
        copy(value + i, word, &r->groups->group[wide]);
    }
}

#endif
