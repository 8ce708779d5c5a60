#include "ring_words.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "ring.h"

/* A block's implied loads: implied_insn[at ... at + n], with SL_IMPLIED_WIDE. */
struct sl_implied {
    uint32_t at, block;
    uint16_t n, words;
};

/* Implied loads are copied four at a time, which may write past the last. */
#define MARGIN 4u
struct sl_ring_arrays {
    uint32_t block[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    uint32_t mem_insn[SL_CHUNK_MEMS + MARGIN];
    uint64_t mem_value[SL_CHUNK_MEMS + MARGIN], mem_addr[SL_CHUNK_MEMS];
};

int sl_ring_corrupted(struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory: its profile cannot "
                                  "be trusted");
}

int sl_ring_decoder_init(struct sl_ring_decoder *r, const struct sl_statics *statics,
                         struct sl_failure *f)
{
    *r = (struct sl_ring_decoder){.statics = statics, .out = malloc(sizeof *r->out)};
    return r->out ? 0 : sl_fail(f, SL_ENOMEM, "out of memory");
}

void sl_ring_decoder_free(struct sl_ring_decoder *r)
{
    free(r->implied);
    free(r->variant);
    free(r->implied_insn);
    free(r->out);
}

int sl_ring_catch_up(struct sl_ring_decoder *r, struct sl_failure *f)
{
    return SL_GROW(r->implied, r->room_implied, r->statics->n_blocks)
               ? 0
               : sl_fail(f, SL_ENOMEM, "out of memory");
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
    if (!SL_GROW(r->implied_insn, r->room_implied_insns, r->n_implied_insns + n + MARGIN))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    uint32_t *insn = r->implied_insn + r->n_implied_insns, words = n;
    memcpy(insn, payload + sizeof head, 4 * n);
    for (uint32_t i = 0; i < n; i++) {
        words += insn[i] >> 31;
        if ((insn[i] & ~SL_IMPLIED_WIDE) >= r->statics->n_insns)
            return sl_ring_corrupted(f);
    }
    struct sl_implied *list = list_for(r, head[0], head[1]);
    if (!list)
        return sl_ring_corrupted(f);
    *list = (struct sl_implied){(uint32_t)r->n_implied_insns, head[1], (uint16_t)n, (uint16_t)words};
    r->n_implied_insns += n;
    return 0;
}

/* Where decoding is; a struct of its own so that the compiler keeps it in
 * registers. */
struct position {
    const uint32_t *word, *end;
    uint32_t n_blocks, n_mems;
};

/* A block's implied loads, none of them wide: the instructions from the list, the
 * values from the words. Most blocks are so, and most have few loads. */
static inline void copy_narrow(struct sl_ring_arrays *out, uint32_t at, const uint32_t *insn,
                               const uint32_t *value, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += MARGIN)
        for (uint32_t j = i; j < i + MARGIN; j++) {
            out->mem_insn[at + j] = insn[j];
            out->mem_value[at + j] = value[j];
        }
}

/* Any implied loads, as many as `words` hold. Returns how many. */
static inline uint32_t copy_mixed(struct sl_ring_arrays *out, uint32_t at, const uint32_t *insn,
                                  const uint32_t *value, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        uint32_t wide = insn[n] >> 31;
        uint64_t low = value[i], high = wide ? value[i + 1] : 0;
        out->mem_insn[at + n] = insn[n] & ~SL_IMPLIED_WIDE;
        out->mem_value[at + n] = low | high << 32;
        i += 1 + wide;
    }
    return n;
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
    uint32_t block = d->word[0] & ~SL_WORD_OPEN;
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
    const struct sl_implied *list = list_of(r, block);
    if (block != SL_WORD_CONTINUED) {
        if (!list)
            return -1;
        r->out->block[d->n_blocks] = block & SL_WORD_VARIANT ? list->block : block;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    if (!cut)
        return copy_named(r, d, n, wants) ? 1 : -1;
    if (!list || n > list->words)
        return -1;
    d->n_mems += copy_mixed(r->out, d->n_mems, r->implied_insn + list->at, d->word, n);
    d->word += n;
    return 1;
}

/* As much as the arrays hold. */
static int decode(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_chunk *chunk,
                  struct sl_failure *f)
{
    struct sl_ring_arrays *out = r->out;
    const struct sl_implied *implied = r->implied;
    size_t n_known = r->statics->n_blocks;
    unsigned wants = r->statics->program.wants;
    struct position d = {in->word, in->end, 0, 0};
    while (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS) {
        uint32_t block = *d.word;
        const struct sl_implied *list = block < n_known ? &implied[block] : variant_of(r, block);
        if (list && !(block & SL_WORD_OPEN)) {
            uint32_t n = list->n, words = list->words;
            const uint32_t *insn = r->implied_insn + list->at;
            if (d.n_mems + n > SL_CHUNK_MEMS)
                break;
            if ((size_t)(d.end - d.word) < 1 + (size_t)words)
                return sl_ring_corrupted(f);
            out->block[d.n_blocks] = block < n_known ? block : list->block;
            out->block_mem[d.n_blocks++] = d.n_mems;
            if (n == words)
                copy_narrow(out, d.n_mems, insn, d.word + 1, n);
            else
                copy_mixed(out, d.n_mems, insn, d.word + 1, words);
            d.n_mems += n;
            d.word += 1 + words;
        } else {
            int done = block & SL_WORD_OPEN ? decode_open(r, &d) : -1;
            if (done < 0)
                return sl_ring_corrupted(f);
            if (!done && !d.n_blocks && !d.n_mems)
                return sl_ring_corrupted(f); /* more events than any block can have */
            if (!done)
                break;
        }
    }
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
    const struct sl_implied *list = list_of(r, words[0]);
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
