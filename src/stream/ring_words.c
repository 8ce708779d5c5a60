#include "ring_words.h"

#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "failure.h"
#include "grow.h"
#include "ring.h"

#define INLINE __attribute__((always_inline)) static inline
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A block's implied loads: from implied_insn[GROUP * at] on, and for each group of them a
 * byte in implied_wide[], a bit for each that is wide. */
struct sl_implied {
    uint32_t at, block;
    uint16_t n, words;
};

/* Loads are copied by fours, and eight of them before anybody asks whether there are more:
 * most blocks have fewer, and a wrong guess costs more than the copies. So up to this many
 * are written behind the last one, and up to twice as many words are read. */
#define GROUP 4u
#define AT_ONCE (2 * GROUP)
_Static_assert(2 * AT_ONCE <= SL_RING_WORDS_MARGIN, "room behind the words");

struct sl_ring_arrays {
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS + AT_ONCE];
    uint64_t mem_value[SL_CHUNK_MEMS + AT_ONCE], mem_addr[SL_CHUNK_MEMS];
    /* How the halves of a group's values come from its words, by which of them are wide. */
    struct sl_group {
        uint32_t from[2 * GROUP], mask[2 * GROUP];
        uint32_t words;
    } group[1 << GROUP];
};

static void make_groups(struct sl_group *group)
{
    for (uint32_t wide = 0; wide < 1 << GROUP; wide++) {
        struct sl_group *g = &group[wide];
        *g = (struct sl_group){.words = 0};
        for (uint32_t i = 0; i < GROUP; i++) {
            g->from[2 * i] = g->from[2 * i + 1] = g->words++;
            g->mask[2 * i] = UINT32_MAX;
            if (wide >> i & 1) {
                g->from[2 * i + 1] = g->words++;
                g->mask[2 * i + 1] = UINT32_MAX;
            }
        }
    }
}

int sl_ring_corrupted(struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory: its profile cannot "
                                  "be trusted");
}

/* Room for `n` loads more, and for reading eight where there are none. */
static bool room_for_list(struct sl_ring_decoder *r, uint32_t n)
{
    size_t groups = r->n_implied_groups + (n + AT_ONCE) / GROUP + 1;
    return SL_GROW(r->implied_insn, r->room_implied_insns, groups * GROUP) &&
           SL_GROW(r->implied_wide, r->room_implied_wide, groups);
}

int sl_ring_decoder_init(struct sl_ring_decoder *r, const struct sl_statics *statics,
                         struct sl_failure *f)
{
    *r = (struct sl_ring_decoder){.statics = statics, .out = malloc(sizeof *r->out)};
    if (!r->out || !room_for_list(r, 0))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    make_groups(r->out->group);
    return 0;
}

void sl_ring_decoder_free(struct sl_ring_decoder *r)
{
    free(r->implied);
    free(r->variant);
    free(r->implied_insn);
    free(r->implied_wide);
    free(r->out);
}

int sl_ring_catch_up(struct sl_ring_decoder *r, struct sl_failure *f)
{
    if (!SL_GROW(r->implied, r->room_implied, r->statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (; r->n_caught_up < r->statics->n_blocks; r->n_caught_up++)
        r->implied[r->n_caught_up].block = (uint32_t)r->n_caught_up;
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
    if (!room_for_list(r, n))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    uint32_t *insn = r->implied_insn + r->n_implied_groups * GROUP, words = n;
    memcpy(insn, payload + sizeof head, 4 * n);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *wide = &r->implied_wide[r->n_implied_groups + i / GROUP];
        *wide = (uint8_t)((i % GROUP ? *wide : 0) | (insn[i] >> 31) << i % GROUP);
        words += insn[i] >> 31;
        insn[i] &= ~SL_IMPLIED_WIDE;
        if (insn[i] >= r->statics->n_insns)
            return sl_ring_corrupted(f);
    }
    struct sl_implied *list = list_for(r, head[0], head[1]);
    if (!list)
        return sl_ring_corrupted(f);
    *list = (struct sl_implied){(uint32_t)r->n_implied_groups, head[1], (uint16_t)n, (uint16_t)words};
    r->n_implied_groups += (n + GROUP - 1) / GROUP;
    return 0;
}

/* Where decoding is; a struct of its own so that the compiler keeps it in
 * registers. */
struct position {
    const uint32_t *word, *end;
    uint32_t n_blocks, n_mems;
};

/* The first of a list's loads, as many as `words` hold. Returns how many. */
static uint32_t copy_some(struct sl_ring_decoder *r, uint32_t to, const struct sl_implied *list,
                          const uint32_t *value, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        bool wide = r->implied_wide[list->at + n / GROUP] >> n % GROUP & 1;
        r->out->mem_insn[to + n] = r->implied_insn[GROUP * list->at + n];
        r->out->mem_value[to + n] = value[i] | (wide ? (uint64_t)value[i + 1] << 32 : 0);
        i += 1 + wide;
    }
    return n;
}

typedef void group_copier(uint64_t *value, const uint32_t *word, const struct sl_group *group);

static inline void copy_group(uint64_t *value, const uint32_t *word, const struct sl_group *group)
{
    for (uint32_t i = 0; i < GROUP; i++) {
        uint64_t low = word[group->from[2 * i]];
        uint64_t high = word[group->from[2 * i + 1]] & group->mask[2 * i + 1];
        value[i] = low | high << 32;
    }
}

/* A group of loads; returns the word behind it. */
INLINE const uint32_t *copy_loads(struct sl_ring_decoder *r, uint32_t to, uint32_t at,
                                  const uint32_t *word, group_copier *copy)
{
    const struct sl_group *group = &r->out->group[r->implied_wide[at]];
    memcpy(r->out->mem_insn + to, r->implied_insn + GROUP * at, GROUP * sizeof *r->implied_insn);
    copy(r->out->mem_value + to, word, group);
    return word + group->words;
}

/* All of a list's loads. */
INLINE void copy_list(struct sl_ring_decoder *r, uint32_t to, const struct sl_implied *list,
                      const uint32_t *word, group_copier *copy)
{
    word = copy_loads(r, to, list->at, word, copy);
    word = copy_loads(r, to + GROUP, list->at + 1, word, copy);
    for (uint32_t i = AT_ONCE; UNLIKELY(i < list->n); i += GROUP)
        word = copy_loads(r, to + i, list->at + i / GROUP, word, copy);
}

/* `n` events that name their instruction. */
static bool copy_named(struct sl_ring_decoder *r, struct position *d, uint32_t n, unsigned wants)
{
    struct sl_ring_arrays *out = r->out;
    for (uint32_t i = 0; i < n; i++, d->n_mems++) {
        uint32_t insn = *d->word++;
        if ((insn & SL_MEM_INSN_MASK) >= r->statics->n_insns)
            return false;
        out->mem_insn[d->n_mems] = insn;
        if (wants & (SL_WANT_ADDRESSES | SL_WANT_STORES)) {
            memcpy(&out->mem_addr[d->n_mems], d->word, 8);
            d->word += 2;
        }
        if (wants & SL_WANT_VALUES) {
            memcpy(&out->mem_value[d->n_mems], d->word, 8);
            d->word += 2;
        }
    }
    return true;
}

static const struct sl_implied *variant_of(const struct sl_ring_decoder *r, uint32_t word)
{
    uint32_t variant = word & ~SL_WORD_VARIANT;
    return word & SL_WORD_VARIANT && variant < r->n_variants ? &r->variant[variant] : NULL;
}

/* The list of a word that is in the table of blocks or of variants; NULL otherwise. */
static const struct sl_implied *list_of(const struct sl_ring_decoder *r, uint32_t word)
{
    return word < r->statics->n_blocks ? &r->implied[word] : variant_of(r, word);
}

/* One open block. Returns 1, 0 if the arrays have no room for it, -1 if the
 * words make no sense. */
static int decode_open(struct sl_ring_decoder *r, struct position *d)
{
    unsigned wants = r->statics->program.wants;
    bool goes_on = d->word[0] == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    const struct sl_implied *list = list_of(r, d->word[0] & SL_WORD_NAME);
    if (d->end - d->word < 2)
        return -1;
    bool cut = d->word[1] & SL_WORD_CUT;
    uint32_t n = d->word[1] & ~SL_WORD_CUT;
    size_t words = (size_t)n * (cut ? 1 : sl_event_words(wants));
    if ((size_t)(d->end - d->word - 2) < words)
        return -1;
    if (d->n_mems + n > SL_CHUNK_MEMS)
        return 0;
    d->word += 2;
    if (!goes_on) {
        if (!list)
            return -1;
        r->out->block[d->n_blocks] = list->block;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    if (!cut)
        return copy_named(r, d, n, wants) ? 1 : -1;
    if (goes_on || n > list->words)
        return -1;
    d->n_mems += copy_some(r, d->n_mems, list, d->word, n);
    d->word += n;
    return 1;
}

/* As much as the arrays hold. The word says how far it is to the next one, so that nothing
 * waits for the list, which then has to say the same. */
INLINE int decode_words(struct sl_ring_decoder *r, struct position *d, group_copier *copy)
{
    struct sl_ring_arrays *out = r->out;
    const struct sl_implied *implied = r->implied;
    size_t n_known = r->statics->n_blocks;
    while (d->word < d->end && d->n_blocks < SL_CHUNK_BLOCKS) {
        uint32_t word = *d->word, name = word & SL_WORD_NAME, words = sl_word_length(word);
        const struct sl_implied *list = name < n_known ? &implied[name] : variant_of(r, name);
        if (UNLIKELY(!list || word & SL_WORD_OPEN)) {
            int done = word & SL_WORD_OPEN ? decode_open(r, d) : -1;
            if (done <= 0)
                return done;
            continue;
        }
        if (UNLIKELY(words == SL_WORD_LONG))
            words = list->words;
        if (UNLIKELY(d->n_mems + list->n > SL_CHUNK_MEMS))
            return 0;
        if (UNLIKELY(words != list->words || (size_t)(d->end - d->word) < 1 + (size_t)words))
            return -1;
        out->block[d->n_blocks] = list->block;
        out->block_mem[d->n_blocks++] = d->n_mems;
        copy_list(r, d->n_mems, list, d->word + 1, copy);
        d->n_mems += list->n;
        d->word += 1 + words;
    }
    return 1;
}

static int decode_plain(struct sl_ring_decoder *r, struct position *d)
{
    return decode_words(r, d, copy_group);
}

/* The same for processors with longer vectors. */
#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline void copy_group_wide(uint64_t *value,
                                                                   const uint32_t *word,
                                                                   const struct sl_group *group)
{
    __m256i from = _mm256_loadu_si256((const __m256i *)group->from);
    __m256i mask = _mm256_loadu_si256((const __m256i *)group->mask);
    __m256i halves = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)word), from);
    _mm256_storeu_si256((__m256i *)value, _mm256_and_si256(halves, mask));
}

__attribute__((target("avx2"))) static int decode_wide(struct sl_ring_decoder *r, struct position *d)
{
    return decode_words(r, d, copy_group_wide);
}
#define WIDE __builtin_cpu_supports("avx2")
#else
#define decode_wide decode_plain
#define WIDE false
#endif

static int decode(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                  struct sl_failure *f)
{
    const struct sl_ring_arrays *out = r->out;
    unsigned wants = r->statics->program.wants;
    struct position d = {in->word, in->end, 0, 0};
    int done = (r->plain || !WIDE ? decode_plain : decode_wide)(r, &d);
    /* More events than any block can have make no sense either. */
    if (done < 0 || (!done && !d.n_blocks && !d.n_mems))
        return sl_ring_corrupted(f);
    in->word = d.word;
    *chunk = (struct sl_chunk){
        .thread = in->thread,
        .flags = in->flags,
        .n_blocks = d.n_blocks,
        .n_mems = d.n_mems,
        .block = out->block,
        .block_mem = wants ? out->block_mem : NULL,
        .mem_insn = wants ? out->mem_insn : NULL,
        .mem_value = wants & SL_WANT_VALUES ? out->mem_value : NULL,
        .mem_addr = wants & (SL_WANT_ADDRESSES | SL_WANT_STORES) ? out->mem_addr : NULL,
    };
    in->flags = 0;
    return 1;
}

/* How many words the block at `words` has, of `left`; 0 if that makes no sense. */
static uint32_t length_at(const struct sl_ring_decoder *r, const uint32_t *words, uint32_t left)
{
    const struct sl_implied *list = list_of(r, words[0] & SL_WORD_NAME);
    uint64_t length = 0;
    if (!(words[0] & SL_WORD_OPEN))
        length = list ? 1 + (uint64_t)list->words : 0;
    else if (left >= 2)
        length = 2 + (words[1] & SL_WORD_CUT
                          ? words[1] & ~SL_WORD_CUT
                          : (uint64_t)words[1] * sl_event_words(r->statics->program.wants));
    return length <= left ? (uint32_t)length : 0;
}

/* Named events at the end that were counted before their place was taken. */
static uint32_t recount(const struct sl_ring_decoder *r, uint32_t *words, uint32_t n, uint32_t last)
{
    uint32_t size = sl_event_words(r->statics->program.wants);
    if (n - last < 2 || !(words[last] & SL_WORD_OPEN) || words[last + 1] & SL_WORD_CUT)
        return n; /* what makes no sense is for sl_ring_decode to say */
    words[last + 1] = (n - last - 2) / size;
    return last + 2 + words[last + 1] * size;
}

uint32_t sl_ring_unfinished(const struct sl_ring_decoder *r, uint32_t *words, uint32_t n)
{
    uint32_t last = 0, length = 0;
    if (!r->statics->program.wants)
        return n;
    for (uint32_t at = 0; at < n; at += length) {
        last = at;
        length = length_at(r, words + at, n - at);
        if (!length)
            return recount(r, words, n, last);
    }
    if (length <= 1 || words[last] == (SL_WORD_CONTINUED | SL_WORD_OPEN))
        return n;
    words[last + 1] = words[last] & SL_WORD_OPEN ? 0 : SL_WORD_CUT;
    words[last] |= SL_WORD_OPEN;
    return last + 2;
}

/* A stream of blocks alone is its own array. A scan for the largest number costs
 * next to nothing. */
static int in_place(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                    struct sl_failure *f)
{
    size_t left = (size_t)(in->end - in->word);
    uint32_t n = left < SL_CHUNK_BLOCKS ? (uint32_t)left : SL_CHUNK_BLOCKS, largest = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = in->word[i] > largest ? in->word[i] : largest;
    if (largest >= r->statics->n_blocks)
        return sl_ring_corrupted(f);
    *chunk = (struct sl_chunk){
        .thread = in->thread, .flags = in->flags, .n_blocks = n, .block = in->word};
    in->word += n;
    in->flags = 0;
    return 1;
}

int sl_ring_decode(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                   struct sl_failure *f)
{
    return r->statics->program.wants ? decode(r, in, chunk, f) : in_place(r, in, chunk, f);
}
