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
                          uint32_t wide);

/* What does not change in a loop. */
struct tables {
    struct sl_chunk_arrays *out;
    const struct sl_implied *implied;
    const struct sl_ring_groups *groups;
    const uint32_t *more_insn;
    const uint8_t *more_wide;
    size_t n_known;
};

INLINE struct tables tables_of(const struct sl_ring_decoder *r)
{
    return (struct tables){r->out, r->implied, r->groups, r->more_insn, r->more_wide,
                           r->statics->n_blocks};
}

/* ---- one block -------------------------------------------------------------- */

INLINE void copy_another(const struct tables *t, uint32_t group, uint32_t to, const uint32_t *word,
                         group_copier *copy)
{
    memcpy(t->out->mem_insn + to, t->more_insn + GROUP * group, GROUP * sizeof *t->more_insn);
    copy(t->out->mem_value + to, word, t->groups, t->more_wide[group]);
}

/* The groups behind a list's first one; mostly there is one of them. */
INLINE void copy_more(const struct tables *t, const struct sl_implied *list, uint32_t to,
                      const uint32_t *word, group_copier *copy)
{
    uint32_t group = list->more;
    word += GROUP + (uint32_t)__builtin_popcount(list->wide);
    copy_another(t, group, to + GROUP, word, copy);
    for (uint32_t i = 2 * GROUP; __builtin_expect(i < list->n, 0); i += GROUP, group++) {
        word += GROUP + (uint32_t)__builtin_popcount(t->more_wide[group]);
        copy_another(t, group + 1, to + i, word, copy);
    }
}

/* A block with its loads, or without any. False, and nothing is done, if it is something else. */
INLINE bool take_block(const struct tables *t, struct sl_ring_position *d, group_copier *copy)
{
    uint32_t word = sl_word_once(d->word), name = word & SL_WORD_NAME, words = sl_word_length(word);
    const struct sl_implied *list = &t->implied[name];
    if (__builtin_expect(name >= t->n_known || word != list->word, 0))
        return false;
    uint32_t n = list->n;
    t->out->block[d->n_blocks] = list->block;
    t->out->block_mem[d->n_blocks] = d->n_mems;
    memcpy(t->out->mem_insn + d->n_mems, list->insn, sizeof list->insn);
    copy(t->out->mem_value + d->n_mems, d->word + 1, t->groups, list->wide);
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
INLINE bool take_bare(const struct tables *t, struct sl_ring_position *d)
{
    uint32_t *block = t->out->block + d->n_blocks, largest = 0;
    memcpy(block, d->word, STEP * sizeof *block);
    for (uint32_t i = 0; i < STEP; i++) {
        t->out->block_mem[d->n_blocks + i] = d->n_mems;
        largest = block[i] > largest ? block[i] : largest;
    }
    if (largest >= t->n_known)
        return false;
    d->n_blocks += STEP;
    d->word += STEP;
    return true;
}

/* As many bare blocks as there are in a row, from one on. */
INLINE void copy_bare(const struct tables *t, struct sl_ring_position *d, const uint32_t *end)
{
    uint32_t room = SL_CHUNK_BLOCKS - d->n_blocks, n = 0, block;
    if (end - d->word < (ptrdiff_t)room)
        room = (uint32_t)(end - d->word);
    for (; n + STEP <= room && take_bare(t, d); n += STEP)
        ;
    for (; n < room && (block = sl_word_once(d->word)) < t->n_known; n++) {
        t->out->block[d->n_blocks] = block;
        t->out->block_mem[d->n_blocks++] = d->n_mems;
        d->word++;
    }
}

INLINE void decode_most(const struct sl_ring_decoder *r, struct sl_ring_position *to, group_copier *copy)
{
    struct sl_ring_position d = *to; /* so that the compiler keeps it in registers */
    const struct tables t = tables_of(r);
    const uint32_t *end = d.end - d.word > SL_WORD_LONG ? d.end - SL_WORD_LONG : d.word;
    while (d.word < end && d.n_blocks < SL_CHUNK_BLOCKS && d.n_mems < SL_CHUNK_MEMS - SL_WORD_LONG)
        if (__builtin_expect(!take_block(&t, &d, copy), 0)) {
            if (sl_word_once(d.word) >= t.n_known)
                break;
            copy_bare(&t, &d, end);
        }
    d.named_left = 0;
    *to = d;
}

INLINE void decode_two(const struct sl_ring_decoder *r, struct sl_ring_position *to_a, const uint32_t *a_end,
                       struct sl_ring_position *to_b, const uint32_t *b_end, group_copier *copy)
{
    struct sl_ring_position a = *to_a, b = *to_b;
    const struct tables t = tables_of(r);
    while (a.word < a_end && b.word < b_end && take_block(&t, &a, copy) && take_block(&t, &b, copy))
        ;
    *to_a = a;
    *to_b = b;
}

/* ---- forms ------------------------------------------------------------------ */

INLINE void copy_group(uint64_t *value, const uint32_t *word, const struct sl_ring_groups *groups,
                       uint32_t wide)
{
    const struct sl_ring_from *group = &groups->group[wide];
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
                                 const struct sl_ring_groups *groups, uint32_t wide)
{
    const struct sl_ring_from *group = &groups->group[wide];
    __m256i from = _mm256_loadu_si256((const __m256i *)group->from);
    __m256i mask = _mm256_loadu_si256((const __m256i *)group->mask);
    __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)word), from);
    _mm256_storeu_si256((__m256i *)value, _mm256_and_si256(halves, mask));
}

AVX512 INLINE void copy_group_avx512(uint64_t *value, const uint32_t *word,
                                     const struct sl_ring_groups *groups, uint32_t wide)
{
    __mmask8 taken = (__mmask8)(0x55 | _pdep_u32(wide, 0xaa)); /* low halves, and which high ones */
    __m256i words = _mm256_loadu_si256((const __m256i *)word);
    (void)groups;
    __asm__("" : "+x"(words)); /* from memory, the next instruction takes much longer (Zen 4) */
    _mm256_storeu_si256((__m256i *)value, _mm256_maskz_expand_epi32(taken, words));
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
