/* Decoding what most blocks are: ring_most.h.
 *
 * A block's word itself says how far it is to the next one: nothing waits for the list, which then
 * has to say the same. Even so each word waits for the one before, 8 cycles or more, while there
 * is work for 4. So there is a loop for two places in the stream at a time.
 *
 * With AVX-512, one instruction puts the words of four values where their halves go. */
#include "ring_most.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define GROUP SL_RING_GROUP
#define AHEAD 256u /* words that memory is asked before they are needed */
#define INLINE __attribute__((always_inline)) static inline

void sl_ring_make_groups(struct sl_ring_groups *groups)
{
    for (uint32_t wide = 0; wide < 1 << GROUP; wide++) {
        struct sl_ring_from *group = &groups->group[wide];
        uint32_t words = 0;
        for (uint32_t i = 0; i < GROUP; i++) {
            uint32_t is_wide = wide >> i & 1;
            group->from[2 * i] = words;
            group->mask[2 * i] = UINT32_MAX;
            group->from[2 * i + 1] = words + is_wide;
            group->mask[2 * i + 1] = is_wide ? UINT32_MAX : 0;
            words += 1 + is_wide;
        }
    }
}

typedef void group_copier(uint64_t *value, const uint32_t *word, const struct sl_ring_groups *groups,
                          struct sl_ring_shape shape);

/* What does not change in a loop. */
struct tables {
    struct sl_chunk_arrays *out;
    const struct sl_implied *implied;
    size_t last; /* place in it: one less than a power of 2 */
    const struct sl_ring_groups *groups;
    const struct sl_ring_decoder *decoder;
};

INLINE struct tables tables_of(const struct sl_ring_decoder *r)
{
    return (struct tables){r->out, r->implied, r->room_implied - 1, r->groups, r};
}

/* A position as loops have it. */
struct place {
    const uint32_t *word;
    size_t n_blocks, n_mems;
};

INLINE struct place place_of(const struct sl_ring_position *d)
{
    return (struct place){d->word, d->n_blocks, d->n_mems};
}

INLINE void move_to(struct sl_ring_position *d, struct place place)
{
    d->word = place.word;
    d->n_blocks = (uint32_t)place.n_blocks;
    d->n_mems = (uint32_t)place.n_mems;
}

/* ---- one block -------------------------------------------------------------- */

/* The groups behind a list's first one; mostly there is one of them. */
INLINE void copy_more(const struct tables *t, const struct sl_implied *list, size_t to,
                      const uint32_t *word, group_copier *copy)
{
    const uint32_t *insn = t->decoder->more_insn + (size_t)GROUP * list->more;
    const struct sl_ring_shape *shape = t->decoder->more_shape + list->more;
    size_t n = list->n, i = GROUP;
    word += GROUP + (uint32_t)__builtin_popcount(list->shape.wide);
    do {
        memcpy(t->out->mem_insn + to + i, insn, GROUP * sizeof *insn);
        copy(t->out->mem_value + to + i, word, t->groups, *shape);
        word += GROUP + (uint32_t)__builtin_popcount(shape->wide);
        insn += GROUP;
        shape++;
        i += GROUP;
    } while (__builtin_expect(i < n, 0));
}

/* A block with its loads, or without any. False, and nothing is done, if it is something else. */
INLINE bool take_block(const struct tables *t, struct place *d, group_copier *copy)
{
    uint32_t word = sl_word_once(d->word);
    size_t block = word & t->last, words = sl_word_length(word);
    const struct sl_implied *list = &t->implied[block];
    if (__builtin_expect(word != list->word, 0))
        return false;
    size_t n = list->n;
    __builtin_prefetch(d->word + AHEAD);
    t->out->block[d->n_blocks] = (uint32_t)block;
    t->out->block_mem[d->n_blocks] = (uint32_t)d->n_mems;
    memcpy(t->out->mem_insn + d->n_mems, list->insn, sizeof list->insn);
    copy(t->out->mem_value + d->n_mems, d->word + 1, t->groups, list->shape);
    if (__builtin_expect(n > GROUP, 0)) {
        if (words == SL_WORD_LONG)
            return false;
        copy_more(t, list, d->n_mems, d->word + 1, copy);
    }
    d->n_blocks++;
    d->n_mems += n;
    d->word += 1 + words;
    return true;
}

/* ---- many ------------------------------------------------------------------- */

enum { STEP = 16 };

/* STEP bare blocks; false, and nothing is done, if some are not. */
INLINE bool take_bare(const struct tables *t, struct place *d, size_t n_known)
{
    uint32_t *block = t->out->block + d->n_blocks, largest = 0;
    memcpy(block, d->word, STEP * sizeof *block);
    for (uint32_t i = 0; i < STEP; i++) {
        t->out->block_mem[d->n_blocks + i] = (uint32_t)d->n_mems;
        largest = block[i] > largest ? block[i] : largest;
    }
    if (largest >= n_known)
        return false;
    d->n_blocks += STEP;
    d->word += STEP;
    return true;
}

/* As many bare blocks as there are in a row, at most up to `end`; whether there are any. */
INLINE bool copy_bare(const struct tables *t, struct place *d, const uint32_t *end)
{
    size_t n_known = t->decoder->statics->n_blocks, room = SL_CHUNK_BLOCKS - d->n_blocks;
    const uint32_t *from = d->word, *last = (size_t)(end - from) < room ? end : from + room;
    uint32_t block;
    while (last - d->word >= STEP && take_bare(t, d, n_known))
        ;
    while (d->word < last && (block = sl_word_once(d->word)) < n_known) {
        t->out->block[d->n_blocks] = block;
        t->out->block_mem[d->n_blocks++] = (uint32_t)d->n_mems;
        d->word++;
    }
    return d->word > from;
}

INLINE void decode_most(const struct sl_ring_decoder *r, struct sl_ring_position *to, group_copier *copy)
{
    const struct tables t = tables_of(r);
    const uint32_t *end = to->end - to->word > SL_WORD_LONG ? to->end - SL_WORD_LONG : to->word;
    struct place d = place_of(to);
    while (d.word < end && d.n_blocks < SL_CHUNK_BLOCKS && d.n_mems < SL_CHUNK_MEMS - SL_WORD_LONG)
        if (__builtin_expect(!take_block(&t, &d, copy), 0) && !copy_bare(&t, &d, end))
            break;
    move_to(to, d);
}

INLINE void decode_two(const struct sl_ring_decoder *r, struct sl_ring_position *to_a, const uint32_t *a_end,
                       struct sl_ring_position *to_b, const uint32_t *b_end, group_copier *copy)
{
    const struct tables t = tables_of(r);
    struct place a = place_of(to_a), b = place_of(to_b);
    while (a.word < a_end && b.word < b_end && take_block(&t, &a, copy) && take_block(&t, &b, copy))
        ;
    move_to(to_a, a);
    move_to(to_b, b);
}

/* ---- forms ------------------------------------------------------------------ */

INLINE void copy_group(uint64_t *value, const uint32_t *word, const struct sl_ring_groups *groups,
                       struct sl_ring_shape shape)
{
    const struct sl_ring_from *group = &groups->group[shape.wide];
    for (uint32_t i = 0; i < GROUP; i++) {
        uint64_t low = word[group->from[2 * i]];
        uint64_t high = word[group->from[2 * i + 1]] & group->mask[2 * i + 1];
        value[i] = low | high << 32;
    }
}

#define FORM(name, attribute, copy)                                                                \
    attribute static void most_##name(struct sl_ring_decoder *r, struct sl_ring_position *d)       \
    {                                                                                              \
        decode_most(r, d, copy);                                                                   \
    }                                                                                              \
    attribute static void two_##name(struct sl_ring_decoder *r, struct sl_ring_position *a,        \
                                     const uint32_t *a_end, struct sl_ring_position *b,            \
                                     const uint32_t *b_end)                                        \
    {                                                                                              \
        decode_two(r, a, a_end, b, b_end, copy);                                                   \
    }

FORM(plain, , copy_group)

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,bmi2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512vl,avx2,bmi2,popcnt")))

AVX2 INLINE void copy_group_avx2(uint64_t *value, const uint32_t *word,
                                 const struct sl_ring_groups *groups, struct sl_ring_shape shape)
{
    const struct sl_ring_from *group = &groups->group[shape.wide];
    __m256i from = _mm256_loadu_si256((const __m256i *)group->from);
    __m256i mask = _mm256_loadu_si256((const __m256i *)group->mask);
    __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)word), from);
    _mm256_storeu_si256((__m256i *)value, _mm256_and_si256(halves, mask));
}

AVX512 INLINE void copy_group_avx512(uint64_t *value, const uint32_t *word,
                                     const struct sl_ring_groups *groups, struct sl_ring_shape shape)
{
    __m256i words = _mm256_loadu_si256((const __m256i *)word);
    (void)groups;
    _mm256_storeu_si256((__m256i *)value, _mm256_maskz_expand_epi32(shape.halves, words));
}

FORM(avx2, AVX2, copy_group_avx2)
FORM(avx512, AVX512, copy_group_avx512)

static bool has_avx2(const struct sl_ring_decoder *r)
{
    return r->form >= SL_RING_AVX2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(const struct sl_ring_decoder *r)
{
    return r->form >= SL_RING_AVX512 && has_avx2(r) && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl");
}

#define CHOOSE(r, what) (has_avx512(r) ? what##_avx512 : has_avx2(r) ? what##_avx2 : what##_plain)

#else
#define CHOOSE(r, what) what##_plain
#endif

void sl_ring_most(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    CHOOSE(r, most)(r, d);
}

void sl_ring_most_of_two(struct sl_ring_decoder *r, struct sl_ring_position *a, const uint32_t *a_end,
                         struct sl_ring_position *b, const uint32_t *b_end)
{
    CHOOSE(r, two)(r, a, a_end, b, b_end);
}
