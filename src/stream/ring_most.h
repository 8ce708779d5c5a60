/* What most blocks of the ring are, in loops of their own: blocks with their implied loads, or bare.
 * Inside of ring_words.c, which does the rest. */
#ifndef SL_RING_MOST_H
#define SL_RING_MOST_H

#include "ring.h"
#include "ring_words.h"

/* Loads are copied by fours: the first four of a block whether it has them or not, since most
 * have no more, and a wrong guess costs more than the copies. So something may be written
 * behind the last one, and words be read that are not its own. */
#define SL_RING_GROUP 4u
_Static_assert(SL_RING_GROUP <= SL_CHUNK_MARGIN, "room behind the loads");
_Static_assert(2 * SL_RING_GROUP <= SL_RING_WORDS_MARGIN, "room behind the words");

/* Which values of a group are wide. */
struct sl_ring_shape {
    uint8_t wide;   /* a bit for each */
    uint8_t halves; /* a bit for each half of a value that has a word */
};

/* What a block's word stands for: all that most blocks need, in half a cache line. All zero where
 * there is no such block: then no word is its. */
struct sl_implied {
    uint32_t insn[SL_RING_GROUP];
    uint32_t word; /* as the block's has to be */
    uint32_t block;
    uint32_t more; /* the other groups: from more_insn[SL_RING_GROUP * more] on */
    uint8_t n, words;
    struct sl_ring_shape shape; /* of the first four; of other groups, in more_shape[] */
};

static inline struct sl_ring_shape sl_ring_widened(struct sl_ring_shape shape, uint32_t place,
                                                   bool is_wide)
{
    return (struct sl_ring_shape){(uint8_t)(shape.wide | is_wide << place),
                                  (uint8_t)(shape.halves | (is_wide ? 3 : 1) << 2 * place)};
}

/* How the halves of a group's values come from its words, by which of them are wide. */
struct sl_ring_groups {
    struct sl_ring_from {
        uint32_t from[2 * SL_RING_GROUP], mask[2 * SL_RING_GROUP];
    } group[1 << SL_RING_GROUP];
};

/* Where decoding is, in the words and in the arrays. */
struct sl_ring_position {
    const uint32_t *word, *end;
    uint32_t n_blocks, n_mems;
    uint32_t named_left;
};

/* The guest may write over words while they are read: what one says is asked once. */
static inline uint32_t sl_word_once(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

void sl_ring_make_groups(struct sl_ring_groups *groups);

/* Blocks as most are: not with very many loads, nor among the last words or the last places in
 * the arrays, so that nothing else has to be asked. Stops at what is not. */
void sl_ring_most(struct sl_ring_decoder *r, struct sl_ring_position *d);

/* The same for two positions in turn, until one of them stops: `a` where `a_end` is, or earlier.
 * There are places for as many blocks and loads as there are words up to there. */
void sl_ring_most_of_two(struct sl_ring_decoder *r, struct sl_ring_position *a, const uint32_t *a_end,
                         struct sl_ring_position *b, const uint32_t *b_end);

#endif
