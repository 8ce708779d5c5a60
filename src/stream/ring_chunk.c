/* SPDX-License-Identifier: MIT */
/* Decodes the words of the ring, the shared memory between QEMU and sluice, to the arrays of a
 * chunk (ring_words.h). All profiles of running programs use this decoder.
 *
 * Most blocks have few loads, all of them in the load layout. The word of such a block equals the
 * word that is stored in the layout, so that one comparison checks length, layout and block id.
 * Vector instructions then copy the values. sl_ring_block() decodes all other blocks. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "failure.h"
#include "ring_blocks.h"

#define AHEAD 256u /* data words that are prefetched */

/* ---- values ---- */

typedef void group_copier(uint64_t *value, const uint32_t *word,
                          const struct sl_ring_shuffle *group);

static inline void copy_group(uint64_t *value, const uint32_t *word,
                              const struct sl_ring_shuffle *group)
{
    for (uint32_t i = 0; i < SL_RING_GROUP; i++) {
        uint64_t low = word[group->from[2 * i]];
        uint64_t high = word[group->from[2 * i + 1]] & group->mask[2 * i + 1];
        value[i] = low | high << 32;
    }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
AVX2 static inline void copy_group_wide(uint64_t *value, const uint32_t *word,
                                        const struct sl_ring_shuffle *group)
{
    __m256i from = _mm256_loadu_si256((const __m256i *)group->from);
    __m256i mask = _mm256_loadu_si256((const __m256i *)group->mask);
    __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)word), from);
    _mm256_storeu_si256((__m256i *)value, _mm256_and_si256(halves, mask));
}
#endif

/* Copies instructions and values after the first group. */
SL_RING_INLINE void copy_more(struct sl_ring_decoder *r, const struct sl_load_layout *layout,
                              size_t to, const uint32_t *word, group_copier *copy)
{
    uint32_t wide = layout->wide, group = layout->more;
    for (uint32_t i = SL_RING_GROUP; i < layout->n; i += SL_RING_GROUP, group++) {
        memcpy(r->out->mem_insn + to + i, r->more_insn + SL_RING_GROUP * group,
               SL_RING_GROUP * sizeof *r->more_insn);
        word += SL_RING_GROUP + (uint32_t)__builtin_popcount(wide);
        wide = r->more_wide[group];
        copy(r->out->mem_value + to + i, word, &r->groups->group[wide]);
    }
}

/* The same, not inlined, so that the calling loop has the registers. */
typedef void more_copier(struct sl_ring_decoder *r, const struct sl_load_layout *layout, size_t to,
                         const uint32_t *word);

static __attribute__((noinline)) void copy_more_plain(struct sl_ring_decoder *r,
                                                      const struct sl_load_layout *layout,
                                                      size_t to, const uint32_t *word)
{
    copy_more(r, layout, to, word, copy_group);
}

/* ---- usual blocks ---- */

#define BARE 16u /* blocks that are copied at a time */

/* Copies BARE words as bare blocks; false if some are not. */
SL_RING_INLINE bool copy_some_bare(struct sl_chunk_arrays *out, const uint32_t *at, size_t n_known,
                                   size_t n_blocks, size_t n_mems)
{
    uint32_t *block = memcpy(out->block + n_blocks, at, BARE * sizeof *block), largest = 0;
    for (uint32_t i = 0; i < BARE; i++) {
        out->block_mem[n_blocks + i] = (uint32_t)n_mems;
        largest = block[i] > largest ? block[i] : largest;
    }
    return largest < n_known;
}

/* Copies the bare blocks at `at`, up to the first word that is none. Returns their number. */
SL_RING_INLINE size_t copy_bare(struct sl_chunk_arrays *out, const uint32_t *at,
                                const uint32_t *end, size_t n_known, size_t n_blocks, size_t n_mems)
{
    size_t capacity = SL_CHUNK_BLOCKS - n_blocks, left = (size_t)(end - at), n = 0;
    uint32_t block;
    capacity = left < capacity ? left : capacity;
    while (n + BARE <= capacity && copy_some_bare(out, at + n, n_known, n_blocks + n, n_mems))
        n += BARE;
    for (; n < capacity && (block = sl_field_once(at + n)) < n_known; n++) {
        out->block[n_blocks + n] = block;
        out->block_mem[n_blocks + n] = (uint32_t)n_mems;
    }
    return n;
}

/* Decodes up to `n` usual blocks; the data suffice for any of them. Stops at a block that is not
 * usual and when the arrays could overflow. Returns the number of blocks. The number of layouts is
 * a power of two; the layout of an unknown block equals no word of that block. */
SL_RING_INLINE size_t decode_sure(struct sl_ring_decoder *r, struct sl_ring_position *d, size_t n,
                                  group_copier *first, more_copier *more)
{
    struct sl_chunk_arrays *out = r->out;
    const struct sl_ring_shuffle *groups = r->groups->group;
    const struct sl_load_layout *layouts = r->layout;
    const size_t last_layout = r->layouts_capacity - 1, n_blocks = d->n_blocks;
    size_t n_mems = d->n_mems, i = 0;
    const uint32_t *word = d->word, *data = d->data;
    for (; i < n && n_mems <= SL_CHUNK_MEMS - SL_WORD_LONG; i++) {
        uint32_t it = sl_field_once(word + i);
        size_t block = it & last_layout;
        const struct sl_load_layout *layout = &layouts[block];
        if (__builtin_expect(it != layout->word, 0))
            break;
        __builtin_prefetch(data + AHEAD);
        out->block[n_blocks + i] = (uint32_t)block;
        out->block_mem[n_blocks + i] = (uint32_t)n_mems;
        memcpy(out->mem_insn + n_mems, layout->insn, sizeof layout->insn);
        first(out->mem_value + n_mems, data, &groups[layout->wide]);
        if (__builtin_expect(layout->n > SL_RING_GROUP, 0)) {
            if (layout->words >= SL_WORD_LONG)
                break;
            more(r, layout, n_mems, data);
        }
        n_mems += layout->n;
        data += layout->words;
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

/* Decodes usual blocks, without very many loads and not at the end of data or arrays, so that one
 * comparison per block suffices; and rows of bare blocks. */
SL_RING_INLINE void decode_most(struct sl_ring_decoder *r, struct sl_ring_position *d,
                                group_copier *first, more_copier *more)
{
    const size_t most = SL_WORD_LONG, excess = 2 * SL_RING_GROUP; /* copied with a block's data */
    for (size_t n = 1; n;) {
        size_t left = (size_t)(d->data_end - d->data);
        size_t data = left > excess ? (left - excess) / most : 0;
        size_t blocks = least((size_t)(d->end - d->word), SL_CHUNK_BLOCKS - d->n_blocks);
        n = decode_sure(r, d, least(blocks, data), first, more);
        if (!n) {
            n = copy_bare(r->out, d->word, d->end, r->statics->n_blocks, d->n_blocks, d->n_mems);
            d->word += n;
            d->n_blocks += (uint32_t)n;
        }
    }
}

static void decode_most_plain(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    decode_most(r, d, copy_group, copy_more_plain);
}

#if defined(__x86_64__)
AVX2 static __attribute__((noinline)) void copy_more_wide(struct sl_ring_decoder *r,
                                                          const struct sl_load_layout *layout,
                                                          size_t to, const uint32_t *word)
{
    copy_more(r, layout, to, word, copy_group_wide);
}

AVX2 static void decode_most_wide(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    decode_most(r, d, copy_group_wide, copy_more_wide);
}
#else
#define HAS_AVX2 false
#define decode_most_wide decode_most_plain
#endif

/* ---- chunks ---- */

static int decode_lead(struct sl_ring_decoder *r, struct sl_ring_position *d, void *unused)
{
    (void)unused;
    return sl_ring_left(r, d, r->statics->program.needs) ? 1 : -1;
}

static void decode_usual(struct sl_ring_decoder *r, struct sl_ring_position *d, void *unused)
{
    (void)unused;
    (!r->plain && HAS_AVX2 ? decode_most_wide : decode_most_plain)(r, d);
}

static int decode_other(struct sl_ring_decoder *r, struct sl_ring_position *d, void *unused)
{
    (void)unused;
    return sl_ring_block(r, d);
}

/* As much as the arrays can hold. */
static int decode(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                  struct sl_failure *f)
{
    const struct sl_chunk_arrays *out = r->out;
    unsigned needs = r->statics->program.needs;
    struct sl_ring_position d;
    if (sl_ring_run(r, in, &d, NULL, decode_lead, decode_usual, decode_other) < 0)
        return sl_ring_corrupted(f);
    *chunk = (struct sl_chunk){
        .thread = in->thread,
        .flags = sl_ring_chunk_flags(in),
        .n_blocks = d.n_blocks,
        .n_mems = d.n_mems,
        .block = out->block,
        .block_mem = needs ? out->block_mem : NULL,
        .mem_insn = needs ? out->mem_insn : NULL,
        .mem_value = needs & SL_NEED_VALUES ? out->mem_value : NULL,
        .mem_addr = needs & (SL_NEED_ADDRESSES | SL_NEED_STORES) ? out->mem_addr : NULL,
    };
    return 1;
}

/* Without mem events, the words are the block numbers. */
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
    chunk->flags = sl_ring_chunk_flags(in);
    return 1;
}

int sl_ring_decode(struct sl_ring_decoder *r, struct sl_ring_words *in,
                   struct sl_chunk_arrays *into, struct sl_chunk *chunk, struct sl_failure *f)
{
    r->out = into ? into : r->own;
    return r->statics->program.needs ? decode(r, in, chunk, f) : blocks_alone(r, in, chunk, f);
}
