#include "ring_words.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "grow.h"
#include "ring.h"
#include "ring_most.h"

#define GROUP SL_RING_GROUP

/* Two parts of the words are decoded at a time, and their events put together: so many words,
 * and where in the arrays the events of the second are until the first is done. */
#define PART_WORDS 3760u
#define PART_PLACES 4000u
_Static_assert(PART_WORDS + 2 * SL_IMPLIED_MAX + SL_CHUNK_MARGIN <= PART_PLACES, "a part is in its places");
_Static_assert(2 * PART_PLACES <= SL_CHUNK_MEMS && SL_CHUNK_MEMS <= SL_CHUNK_BLOCKS, "there are places for two");

int sl_ring_corrupted(struct sl_failure *f)
{
    return sl_fail(f, SL_EFORMAT, "the program has written over sluice's memory: its profile cannot "
                                  "be trusted");
}

int sl_ring_decoder_init(struct sl_ring_decoder *r, const struct sl_statics *statics,
                         struct sl_failure *f)
{
    *r = (struct sl_ring_decoder){.statics = statics, .form = SL_RING_FORMS, .own = malloc(sizeof *r->own),
                                  .groups = malloc(sizeof *r->groups)};
    if (!r->own || !r->groups || !SL_GROW(r->implied, r->room_implied, 1))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    r->out = r->own;
    sl_ring_make_groups(r->groups);
    return 0;
}

void sl_ring_decoder_free(struct sl_ring_decoder *r)
{
    free(r->implied);
    free(r->variant);
    free(r->more_insn);
    free(r->more_shape);
    free(r->own);
    free(r->groups);
}

int sl_ring_catch_up(struct sl_ring_decoder *r, struct sl_failure *f)
{
    if (!SL_GROW(r->implied, r->room_implied, r->statics->n_blocks))
        return sl_fail(f, SL_ENOMEM, "out of memory");
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
    struct sl_implied list = {.block = head[1], .n = (uint8_t)n, .words = (uint8_t)n,
                              .more = (uint32_t)r->n_more};
    size_t groups = r->n_more + n / GROUP + 1;
    if (!SL_GROW(r->more_insn, r->room_more_insn, groups * GROUP) ||
        !SL_GROW(r->more_shape, r->room_more_shape, groups))
        return sl_fail(f, SL_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn, place = i % GROUP, group = list.more + i / GROUP - 1;
        memcpy(&insn, payload + sizeof head + 4 * i, 4);
        bool is_wide = insn & SL_IMPLIED_WIDE;
        insn &= ~SL_IMPLIED_WIDE;
        if (insn >= r->statics->n_insns)
            return sl_ring_corrupted(f);
        list.words = (uint8_t)(list.words + is_wide);
        if (i < GROUP) {
            list.insn[i] = insn;
            list.shape = sl_ring_widened(list.shape, place, is_wide);
        } else {
            r->more_insn[GROUP * group + place] = insn;
            r->more_shape[group] = sl_ring_widened(place ? r->more_shape[group] : (struct sl_ring_shape){0},
                                                   place, is_wide);
        }
    }
    r->n_more += n > GROUP ? (n - 1) / GROUP : 0;
    list.word = sl_block_word(head[0], list.words);
    struct sl_implied *its = list_for(r, head[0], head[1]);
    if (!its)
        return sl_ring_corrupted(f);
    *its = list;
    return 0;
}

/* The first of a list's loads, as many as `words` hold. Returns how many. */
static uint32_t copy_some(struct sl_ring_decoder *r, uint32_t to, const struct sl_implied *list,
                          const uint32_t *value, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        uint32_t group = list->more + n / GROUP - 1, place = n % GROUP;
        bool wide = (n < GROUP ? list->shape : r->more_shape[group]).wide >> place & 1;
        r->out->mem_insn[to + n] = n < GROUP ? list->insn[n] : r->more_insn[GROUP * group + place];
        r->out->mem_value[to + n] = value[i] | (wide ? (uint64_t)value[i + 1] << 32 : 0);
        i += 1 + wide;
    }
    return n;
}

/* `n` events that name their instruction. */
static bool copy_named(struct sl_ring_decoder *r, struct sl_ring_position *d, uint32_t n, unsigned wants)
{
    struct sl_chunk_arrays *out = r->out;
    for (uint32_t i = 0; i < n; i++, d->n_mems++) {
        uint32_t insn = sl_word_once(d->word++);
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

/* As many of those that are left as the arrays have room for. */
static bool copy_left(struct sl_ring_decoder *r, struct sl_ring_position *d, unsigned wants)
{
    uint32_t room = SL_CHUNK_MEMS - d->n_mems;
    uint32_t n = d->named_left < room ? d->named_left : room;
    d->named_left -= n;
    return copy_named(r, d, n, wants);
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
 * words make no sense. Of more events than any arrays have room for (by helper functions that
 * save a processor's whole state, say) it takes some, and leaves the others. */
static int decode_open(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    unsigned wants = r->statics->program.wants;
    uint32_t word = sl_word_once(d->word);
    bool goes_on = word == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    const struct sl_implied *list = list_of(r, word & SL_WORD_NAME);
    if (d->end - d->word < 2)
        return -1;
    uint32_t count = sl_word_once(d->word + 1), n = count & ~SL_WORD_CUT;
    bool cut = count & SL_WORD_CUT;
    size_t words = (size_t)n * (cut ? 1 : sl_event_words(wants));
    if ((size_t)(d->end - d->word - 2) < words)
        return -1;
    if (d->n_mems && d->n_mems + n > SL_CHUNK_MEMS)
        return 0;
    d->word += 2;
    if (!goes_on) {
        if (!list)
            return -1;
        r->out->block[d->n_blocks] = list->block;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    d->named_left = cut ? 0 : n;
    if (!cut)
        return copy_left(r, d, wants) ? 1 : -1;
    if (goes_on || n > list->words)
        return -1;
    d->n_mems += copy_some(r, d->n_mems, list, d->word, n);
    d->word += n;
    return 1;
}

/* One block of any kind; returns what decode_open does. */
static int decode_block(struct sl_ring_decoder *r, struct sl_ring_position *d)
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
    const struct sl_implied *list = list_of(r, word & SL_WORD_NAME);
    if (!list || word != list->word || d->end - d->word - 1 < list->words)
        return -1;
    if (d->n_mems + list->n > SL_CHUNK_MEMS)
        return 0;
    r->out->block[d->n_blocks] = list->block;
    r->out->block_mem[d->n_blocks++] = d->n_mems;
    d->n_mems += copy_some(r, d->n_mems, list, d->word + 1, list->words);
    d->word += 1 + list->words;
    return 1;
}

/* ---- two at a time ----------------------------------------------------------- */

/* A word from `from` on at which a block seems to begin: whoever starts among values, of which next
 * to none looks like a block's word with its length, has come upon a block before long. */
static const uint32_t *likely_block(const struct sl_ring_decoder *r, const uint32_t *from)
{
    const uint32_t *at = from - 2 * SL_WORD_LONG;
    while (at < from) {
        uint32_t word = sl_word_once(at), name = word & SL_WORD_NAME;
        bool seems = name < r->statics->n_blocks && r->implied[name].word == word;
        at += seems ? 1 + r->implied[name].words : 1;
    }
    return at;
}

/* Up to `end`, or a little beyond. Returns what decode_open does. */
static int decode_up_to(struct sl_ring_decoder *r, struct sl_ring_position *d, const uint32_t *end)
{
    const uint32_t *whole = d->end;
    int done = 1;
    while (d->word < end && done > 0 && !d->named_left) {
        d->end = end + SL_WORD_LONG;
        sl_ring_most(r, d);
        d->end = whole;
        if (d->word < end)
            done = decode_block(r, d);
    }
    return done;
}

/* Puts the second part's events behind those of the first. */
static void join(struct sl_chunk_arrays *out, struct sl_ring_position *a, const struct sl_ring_position *b)
{
    uint32_t n_blocks = b->n_blocks - PART_PLACES, n_mems = b->n_mems - PART_PLACES;
    uint32_t gap = PART_PLACES - a->n_mems;
    memmove(out->block + a->n_blocks, out->block + PART_PLACES, n_blocks * sizeof *out->block);
    for (uint32_t i = 0; i < n_blocks; i++)
        out->block_mem[a->n_blocks + i] = out->block_mem[PART_PLACES + i] - gap;
    memmove(out->mem_insn + a->n_mems, out->mem_insn + PART_PLACES, n_mems * sizeof *out->mem_insn);
    memmove(out->mem_value + a->n_mems, out->mem_value + PART_PLACES, n_mems * sizeof *out->mem_value);
    a->word = b->word;
    a->n_blocks += n_blocks;
    a->n_mems += n_mems;
}

/* Some blocks, and those from a likely one on behind them. If the first do not end where that begins,
 * it was none, and they are all there is. Returns what decode_open does. */
static int decode_two(struct sl_ring_decoder *r, struct sl_ring_position *a)
{
    const uint32_t *a_end = likely_block(r, a->word + PART_WORDS), *b_end = a_end + PART_WORDS;
    struct sl_ring_position b = {a_end, a->end, PART_PLACES, PART_PLACES, 0};
    int done = 1;
    while (done > 0 && a->word < a_end && b.word < b_end && !a->named_left) {
        sl_ring_most_of_two(r, a, a_end, &b, b_end);
        if (a->word < a_end)
            done = decode_block(r, a);
        if (b.word < b_end && (decode_block(r, &b) <= 0 || b.named_left))
            b_end = b.word;
    }
    if (done > 0)
        done = decode_up_to(r, a, a_end);
    if (done > 0 && a->word == a_end && !a->named_left && !b.named_left)
        join(r->out, a, &b);
    return done;
}

static bool has_two(const struct sl_ring_decoder *r, const struct sl_ring_position *d)
{
    return r->statics->program.wants == SL_WANT_VALUES && !d->n_mems && !d->named_left &&
           d->end - d->word > (ptrdiff_t)(2 * PART_WORDS + 4 * SL_IMPLIED_MAX + SL_WORD_LONG);
}

/* ---- chunks -------------------------------------------------------------------- */

/* Of the chunk that ends where the words are now: a thread begins with the first of a slot's
 * chunks, and ends with the last. */
static uint32_t take_flags(struct sl_ring_words *in)
{
    uint32_t later = in->word < in->end ? in->flags & SL_CHUNK_END : 0;
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
    struct sl_ring_position d = {in->word, in->end, 0, 0, in->named_left};
    int done = copy_left(r, &d, wants) ? 1 : -1;
    bool two = done > 0 && has_two(r, &d);
    if (two)
        done = decode_two(r, &d);
    while (!two && d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS && done > 0 && !d.named_left) {
        sl_ring_most(r, &d);
        if (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS)
            done = decode_block(r, &d);
    }
    if (done < 0 || (!done && !d.n_blocks && !d.n_mems))
        return sl_ring_corrupted(f);
    in->word = d.word;
    in->named_left = d.named_left;
    *chunk = (struct sl_chunk){
        .thread = in->thread,
        .flags = take_flags(in),
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

/* How many words the block at `words` has, of `left`; 0 if that makes no sense. */
static uint32_t length_at(const struct sl_ring_decoder *r, const uint32_t *words, uint32_t left)
{
    const struct sl_implied *list = list_of(r, words[0] & SL_WORD_NAME);
    uint64_t length = 0;
    if (!(words[0] & SL_WORD_OPEN))
        length = list ? 1 + (uint64_t)(sl_word_length(words[0]) ? list->words : 0) : 0;
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
    chunk->flags = take_flags(in);
    return 1;
}

int sl_ring_decode(struct sl_ring_decoder *r, struct sl_ring_words *in,
                   struct sl_chunk_arrays *into, struct sl_chunk *chunk, struct sl_failure *f)
{
    r->out = into ? into : r->own;
    return r->statics->program.wants ? decode(r, in, chunk, f) : blocks_alone(r, in, chunk, f);
}
