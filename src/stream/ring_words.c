/* SPDX-License-Identifier: MIT */
#include "ring_words.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "ring_blocks.h"

#define AHEAD 256u /* words that memory is asked before they are needed */

/* Copies the values of a list's first group. */
typedef void first_copier(uint64_t *value, const uint32_t *word,
                          const struct sl_ring_shuffle *groups, const struct sl_implied *list);

/* The groups behind it. */
typedef void more_copier(struct sl_ring_decoder *r, const struct sl_implied *list, size_t to,
                         const uint32_t *word);

static void make_groups(struct sl_ring_shuffle *group)
{
    for (uint32_t wide = 0; wide < 1 << SL_RING_GROUP; wide++) {
        uint32_t words = 0;
        for (uint32_t i = 0; i < SL_RING_GROUP; i++) {
            uint32_t is_wide = wide >> i & 1;
            group[wide].from[2 * i] = words;
            group[wide].mask[2 * i] = UINT32_MAX;
            group[wide].from[2 * i + 1] = words + is_wide;
            group[wide].mask[2 * i + 1] = is_wide ? UINT32_MAX : 0;
            words += 1 + is_wide;
        }
    }
}

int sl_ring_corrupted(struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT,
                   "the program has written over sluice's memory: its profile cannot "
                   "be trusted");
}

int sl_ring_decoder_init(struct sl_ring_decoder *r, const struct sl_statics *statics,
                         struct sl_failure *f)
{
    *r = (struct sl_ring_decoder){.statics = statics,
                                  .form = SL_RING_FORMS,
                                  .own = malloc(sizeof *r->own),
                                  .groups = malloc(sizeof *r->groups)};
    if (!r->own || !r->groups || !SL_GROW(r->implied, r->room_implied, 1))
        return sl_out_of_memory(f);
    r->out = r->own;
    make_groups(r->groups->group);
    return 0;
}

void sl_ring_decoder_free(struct sl_ring_decoder *r)
{
    free(r->implied);
    free(r->variant);
    free(r->more_insn);
    free(r->more_wide);
    free(r->own);
    free(r->groups);
}

int sl_ring_catch_up(struct sl_ring_decoder *r, struct sl_failure *f)
{
    if (!SL_GROW(r->implied, r->room_implied, r->statics->n_blocks))
        return sl_out_of_memory(f);
    for (; r->n_caught_up < r->statics->n_blocks; r->n_caught_up++) {
        uint32_t block = (uint32_t)r->n_caught_up;
        if (!r->implied[block].n)
            r->implied[block] = (struct sl_implied){.block = block, .word = block};
    }
    return 0;
}

/* Where the list that `word` stands for is kept: NULL if there cannot be one. */
static struct sl_implied *list_for(struct sl_ring_decoder *r, uint32_t word, uint32_t block)
{
    size_t variant = word & ~SL_WORD_VARIANT;
    if (word == block)
        return SL_GROW(r->implied, r->room_implied, (size_t)block + 1) ? &r->implied[block] : NULL;
    if (word < SL_WORD_VARIANT || variant != r->n_variants ||
        !SL_GROW(r->variant, r->room_variants, variant + 1))
        return NULL;
    return &r->variant[r->n_variants++];
}

int sl_ring_implied(struct sl_ring_decoder *r, const uint8_t *payload, uint32_t length,
                    struct sl_failure *f)
{
    uint32_t head[2] = {0, UINT32_MAX}, n = length / 4 - 2;
    if (length >= sizeof head)
        memcpy(head, payload, sizeof head);
    if (length < sizeof head || n > SL_IMPLIED_MAX || head[1] >= r->statics->n_blocks)
        return sl_ring_corrupted(f);
    struct sl_implied list = {
        .block = head[1], .n = (uint8_t)n, .words = (uint8_t)n, .more = (uint32_t)r->n_more};
    size_t groups = r->n_more + n / SL_RING_GROUP + 1;
    if (!SL_GROW(r->more_insn, r->room_more_insn, groups * SL_RING_GROUP) ||
        !SL_GROW(r->more_wide, r->room_more_wide, groups))
        return sl_out_of_memory(f);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn, place = i % SL_RING_GROUP, group = list.more + i / SL_RING_GROUP - 1;
        memcpy(&insn, payload + sizeof head + 4 * i, 4);
        uint8_t is_wide = (uint8_t)(insn >> 31);
        insn &= ~SL_IMPLIED_WIDE;
        if (insn >= r->statics->n_insns)
            return sl_ring_corrupted(f);
        list.words = (uint8_t)(list.words + is_wide);
        if (i < SL_RING_GROUP) {
            list.insn[i] = insn;
            list.wide |= (uint8_t)(is_wide << i);
            list.halves |= (uint8_t)((is_wide ? 3 : 1) << 2 * i);
        } else {
            r->more_insn[SL_RING_GROUP * group + place] = insn;
            r->more_wide[group] = (uint8_t)((place ? r->more_wide[group] : 0) | is_wide << place);
        }
    }
    r->n_more += n > SL_RING_GROUP ? (n - 1) / SL_RING_GROUP : 0;
    list.word = sl_block_word(head[0], list.words);
    struct sl_implied *its = list_for(r, head[0], head[1]);
    if (!its)
        return sl_ring_corrupted(f);
    r->n_changed += its->n != 0;
    *its = list;
    return 0;
}

/* The first of a list's loads, as many as `words` hold. Returns how many. */
static uint32_t copy_some(struct sl_ring_decoder *r, uint32_t to, const struct sl_implied *list,
                          const uint32_t *value, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        uint32_t group = list->more + n / SL_RING_GROUP - 1, place = n % SL_RING_GROUP;
        bool wide = (n < SL_RING_GROUP ? list->wide : r->more_wide[group]) >> place & 1;
        r->out->mem_insn[to + n] = n < SL_RING_GROUP ? list->insn[n]
                                                     : r->more_insn[SL_RING_GROUP * group + place];
        r->out->mem_value[to + n] = value[i] | (wide ? (uint64_t)value[i + 1] << 32 : 0);
        i += 1 + wide;
    }
    return n;
}

/* `n` events that name their instruction. */
static bool copy_named(struct sl_ring_decoder *r, struct sl_ring_position *d, uint32_t n,
                       unsigned wants)
{
    struct sl_chunk_arrays *out = r->out;
    for (uint32_t i = 0; i < n; i++, d->n_mems++) {
        uint32_t insn = sl_word_once(d->data++);
        if ((insn & SL_MEM_INSN_MASK) >= r->statics->n_insns)
            return false;
        out->mem_insn[d->n_mems] = insn;
        if (wants & (SL_WANT_ADDRESSES | SL_WANT_STORES)) {
            memcpy(&out->mem_addr[d->n_mems], d->data, 8);
            d->data += 2;
        }
        if (wants & SL_WANT_VALUES) {
            memcpy(&out->mem_value[d->n_mems], d->data, 8);
            d->data += 2;
        }
    }
    return true;
}

bool sl_ring_left(struct sl_ring_decoder *r, struct sl_ring_position *d, unsigned wants)
{
    uint32_t room = SL_CHUNK_MEMS - d->n_mems;
    uint32_t n = d->named_left < room ? d->named_left : room;
    d->named_left -= n;
    return copy_named(r, d, n, wants);
}

/* One open block. Returns 1, 0 if the arrays have no room for it, -1 if the
 * words make no sense. Of more events than any arrays have room for (by helper functions that
 * save a processor's whole state, say) it takes some, and leaves the others. */
static int decode_open(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    unsigned wants = r->statics->program.wants;
    uint32_t word = sl_word_once(d->word);
    bool goes_on = word == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    const struct sl_implied *list = sl_ring_list(r, word & SL_WORD_NAME);
    if (d->data == d->data_end)
        return -1;
    uint32_t count = sl_word_once(d->data), n = count & ~SL_WORD_CUT;
    bool cut = count & SL_WORD_CUT;
    size_t words = (size_t)n * (cut ? 1 : sl_event_words(wants));
    if ((size_t)(d->data_end - d->data - 1) < words)
        return -1;
    if (d->n_mems && d->n_mems + n > SL_CHUNK_MEMS)
        return 0;
    d->word++;
    d->data++;
    if (!goes_on) {
        if (!list)
            return -1;
        r->out->block[d->n_blocks] = list->block;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    d->named_left = cut ? 0 : n;
    if (!cut)
        return sl_ring_left(r, d, wants) ? 1 : -1;
    if (goes_on || n > list->words)
        return -1;
    d->n_mems += copy_some(r, d->n_mems, list, d->data, n);
    d->data += n;
    return 1;
}

int sl_ring_block(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    uint32_t word = sl_word_once(d->word);
    if (word & SL_WORD_OPEN)
        return decode_open(r, d);
    if (word < r->statics->n_blocks) { /* bare, or without loads */
        r->out->block[d->n_blocks] = word;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
        d->word++;
        return 1;
    }
    const struct sl_implied *list = sl_ring_list(r, word & SL_WORD_NAME);
    if (!list || word != list->word || d->data_end - d->data < list->words)
        return -1;
    if (d->n_mems + list->n > SL_CHUNK_MEMS)
        return 0;
    r->out->block[d->n_blocks] = list->block;
    r->out->block_mem[d->n_blocks++] = d->n_mems;
    d->n_mems += copy_some(r, d->n_mems, list, d->data, list->words);
    d->word++;
    d->data += list->words;
    return 1;
}

/* The groups behind a list's first one. In a function apart, so that the loop that calls it has the
 * registers. */
#define COPY_MORE(name, copy)                                                                      \
    static void name(struct sl_ring_decoder *r, const struct sl_implied *list, size_t to,          \
                     const uint32_t *word)                                                         \
    {                                                                                              \
        for (uint32_t i = SL_RING_GROUP, group = list->more; i < list->n;                          \
             i += SL_RING_GROUP, group++)                                                          \
            memcpy(r->out->mem_insn + to + i, r->more_insn + SL_RING_GROUP * group,                \
                   SL_RING_GROUP * sizeof *r->more_insn);                                          \
        sl_ring_copy_more(r, r->out->mem_value + to, list->n, list->wide, list->more, word, copy); \
    }
__attribute__((noinline)) COPY_MORE(copy_more_plain, sl_ring_copy_group)

    enum {
        BARE_STEP = 16
    };

/* So many bare blocks; false if some are not. */
SL_RING_INLINE bool copy_some_bare(struct sl_chunk_arrays *out, const uint32_t *at, size_t n_known,
                                   size_t n_blocks, size_t n_mems)
{
    uint32_t *block = memcpy(out->block + n_blocks, at, BARE_STEP * sizeof *block), largest = 0;
    for (uint32_t i = 0; i < BARE_STEP; i++) {
        out->block_mem[n_blocks + i] = (uint32_t)n_mems;
        largest = block[i] > largest ? block[i] : largest;
    }
    return largest < n_known;
}

/* Bare blocks from `at` on, as many as there are in a row; returns how many. */
SL_RING_INLINE size_t copy_bare(struct sl_chunk_arrays *out, const uint32_t *at,
                                const uint32_t *end, size_t n_known, size_t n_blocks, size_t n_mems)
{
    size_t room = SL_CHUNK_BLOCKS - n_blocks, left = (size_t)(end - at), n = 0;
    uint32_t block;
    room = left < room ? left : room;
    while (n + BARE_STEP <= room && copy_some_bare(out, at + n, n_known, n_blocks + n, n_mems))
        n += BARE_STEP;
    for (; n < room && (block = sl_word_once(at + n)) < n_known; n++) {
        out->block[n_blocks + n] = block;
        out->block_mem[n_blocks + n] = (uint32_t)n_mems;
    }
    return n;
}

/* Blocks as most are, up to `n` of them, for which there are data enough whatever they are, and as
 * long as there is room for their events; returns how many. There are lists for a power of 2 of
 * blocks: those of blocks that are not there are empty, and no word is theirs. */
SL_RING_INLINE size_t decode_sure(struct sl_ring_decoder *r, struct sl_ring_position *d, size_t n,
                                  first_copier *first, more_copier *more)
{
    struct sl_chunk_arrays *out = r->out;
    const struct sl_ring_shuffle *groups = r->groups->group;
    const struct sl_implied *implied = r->implied;
    const size_t last_list = r->room_implied - 1, n_blocks = d->n_blocks;
    size_t n_mems = d->n_mems, i = 0;
    const uint32_t *word = d->word, *data = d->data;
    for (; i < n && n_mems <= SL_CHUNK_MEMS - SL_WORD_LONG; i++) {
        uint32_t it = sl_word_once(word + i);
        size_t block = it & last_list;
        const struct sl_implied *list = &implied[block];
        if (__builtin_expect(it != list->word, 0))
            break;
        __builtin_prefetch(data + AHEAD);
        out->block[n_blocks + i] = (uint32_t)block;
        out->block_mem[n_blocks + i] = (uint32_t)n_mems;
        memcpy(out->mem_insn + n_mems, list->insn, sizeof list->insn);
        first(out->mem_value + n_mems, data, groups, list);
        if (__builtin_expect(list->n > SL_RING_GROUP, 0)) {
            if (list->words >= SL_WORD_LONG)
                break;
            more(r, list, n_mems, data);
        }
        n_mems += list->n;
        data += list->words;
    }
    d->word += i;
    d->data = data;
    d->n_blocks += (uint32_t)i;
    d->n_mems = (uint32_t)n_mems;
    return i;
}

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Blocks as most are: not with very many loads, nor with the last data or in the last places of
 * the arrays, so that nothing else has to be asked; and bare ones in a row. */
SL_RING_INLINE void decode_most(struct sl_ring_decoder *r, struct sl_ring_position *d,
                                first_copier *first, more_copier *more)
{
    const size_t most = SL_WORD_LONG,
                 behind = 2 * SL_RING_GROUP; /* copied along with a block's data */
    for (size_t n = 1; n;) {
        size_t left = (size_t)(d->data_end - d->data);
        size_t data = left > behind ? (left - behind) / most : 0;
        size_t blocks = least((size_t)(d->end - d->word), SL_CHUNK_BLOCKS - d->n_blocks);
        n = decode_sure(r, d, least(blocks, data), first, more);
        if (!n) {
            n = copy_bare(r->out, d->word, d->end, r->statics->n_blocks, d->n_blocks, d->n_mems);
            d->word += n;
            d->n_blocks += (uint32_t)n;
        }
    }
}

SL_RING_INLINE void first_plain(uint64_t *value, const uint32_t *word,
                                const struct sl_ring_shuffle *groups, const struct sl_implied *list)
{
    sl_ring_copy_group(value, word, &groups[list->wide]);
}

static void decode_most_plain(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    decode_most(r, d, first_plain, copy_more_plain);
}

/* The same for processors with longer vectors. */
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512vl,avx2")))

AVX2 __attribute__((noinline)) COPY_MORE(copy_more_wide, sl_ring_copy_group_wide)

    AVX2 SL_RING_INLINE
    void first_avx2(uint64_t *value, const uint32_t *word, const struct sl_ring_shuffle *groups,
                    const struct sl_implied *list)
{
    sl_ring_copy_group_wide(value, word, &groups[list->wide]);
}

AVX2 static void decode_most_avx2(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    decode_most(r, d, first_avx2, copy_more_wide);
}

AVX512 SL_RING_INLINE void first_avx512(uint64_t *value, const uint32_t *word,
                                        const struct sl_ring_shuffle *groups,
                                        const struct sl_implied *list)
{
    (void)groups;
    __m256i words = _mm256_loadu_si256((const __m256i *)word);
    _mm256_storeu_si256((__m256i *)value, _mm256_maskz_expand_epi32(list->halves, words));
}

AVX512 static void decode_most_avx512(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    decode_most(r, d, first_avx512, copy_more_wide);
}

static bool has_avx512(void)
{
    return sl_ring_is_wide() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl");
}
#else
#define decode_most_avx2 decode_most_plain
#define decode_most_avx512 decode_most_plain
#define has_avx512() false
#endif

static void decode_usual(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    if (r->form >= SL_RING_AVX512 && has_avx512())
        decode_most_avx512(r, d);
    else if (r->form >= SL_RING_AVX2 && sl_ring_is_wide())
        decode_most_avx2(r, d);
    else
        decode_most_plain(r, d);
}

uint32_t sl_ring_take_flags(struct sl_ring_words *in)
{
    uint32_t later = in->word < in->end || in->named_left ? in->flags & SL_CHUNK_END : 0;
    uint32_t flags = in->flags & SL_CHUNK_FLAGS & ~later;
    in->flags = later;
    return flags;
}

/* As much as the arrays hold. */
static int decode(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                  struct sl_failure *f)
{
    const struct sl_chunk_arrays *out = r->out;
    unsigned wants = r->statics->program.wants;
    struct sl_ring_position d = sl_ring_begin(in);
    int done = sl_ring_left(r, &d, wants) ? 1 : -1;
    while (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS && done > 0 && !d.named_left) {
        decode_usual(r, &d);
        if (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS)
            done = sl_ring_block(r, &d);
    }
    if (done < 0 || (!done && !d.n_blocks && !d.n_mems) || !sl_ring_end(in, &d))
        return sl_ring_corrupted(f);
    *chunk = (struct sl_chunk){
        .thread = in->thread,
        .flags = sl_ring_take_flags(in),
        .n_blocks = d.n_blocks,
        .n_mems = d.n_mems,
        .block = out->block,
        .block_mem = wants ? out->block_mem : NULL,
        .mem_insn = wants ? out->mem_insn : NULL,
        .mem_value = wants & SL_WANT_VALUES ? out->mem_value : NULL,
        .mem_addr = wants & (SL_WANT_ADDRESSES | SL_WANT_STORES) ? out->mem_addr : NULL,
    };
    return 1;
}

/* A stream of blocks alone is its own array. */
static int blocks_alone(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                        struct sl_failure *f)
{
    size_t left = (size_t)(in->end - in->word);
    uint32_t n = left < SL_CHUNK_BLOCKS ? (uint32_t)left : SL_CHUNK_BLOCKS, largest = 0;
    const uint32_t *block = memcpy(r->out->block, in->word, n * sizeof *block);
    for (uint32_t i = 0; i < n; i++)
        largest = block[i] > largest ? block[i] : largest;
    if (largest >= r->statics->n_blocks)
        return sl_ring_corrupted(f);
    *chunk = (struct sl_chunk){.thread = in->thread, .n_blocks = n, .block = block};
    in->word += n;
    chunk->flags = sl_ring_take_flags(in);
    return 1;
}

int sl_ring_decode(struct sl_ring_decoder *r, struct sl_ring_words *in,
                   struct sl_chunk_arrays *into, struct sl_chunk *chunk, struct sl_failure *f)
{
    r->out = into ? into : r->own;
    return r->statics->program.wants ? decode(r, in, chunk, f) : blocks_alone(r, in, chunk, f);
}
