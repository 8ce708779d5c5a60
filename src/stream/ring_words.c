/* SPDX-License-Identifier: MIT */
/* Decoder of the words of the ring, the shared memory between QEMU and sluice, for blocks of any
 * kind (ring_words.h). It reads the load layouts of blocks, decodes executed blocks, and corrects
 * the last words of a thread that was killed while it wrote them. */
#include "ring_words.h"

#include <stdlib.h>

#include "failure.h"
#include "grow.h"
#include "ring_blocks.h"

/* ---- layouts ---- */

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
                   "the program has overwritten sluice's shared memory: its profile is unreliable");
}

int sl_ring_decoder_init(struct sl_ring_decoder *r, const struct sl_statics *statics,
                         struct sl_failure *f)
{
    *r = (struct sl_ring_decoder){
        .statics = statics, .own = malloc(sizeof *r->own), .groups = malloc(sizeof *r->groups)};
    if (!r->own || !r->groups || !SL_GROW(r->layout, r->layouts_capacity, 1))
        return sl_out_of_memory(f);
    r->out = r->own;
    r->layout[0].word = UINT32_MAX; /* not a word of block 0, which is not known yet */
    make_groups(r->groups->group);
    return 0;
}

void sl_ring_decoder_free(struct sl_ring_decoder *r)
{
    free(r->layout);
    free(r->variant);
    free(r->more_insn);
    free(r->more_wide);
    free(r->own);
    free(r->groups);
}

int sl_ring_sync(struct sl_ring_decoder *r, struct sl_failure *f)
{
    if (!SL_GROW(r->layout, r->layouts_capacity, r->statics->n_blocks))
        return sl_out_of_memory(f);
    for (; r->n_synced < r->statics->n_blocks; r->n_synced++) {
        uint32_t block = (uint32_t)r->n_synced;
        if (!r->layout[block].n)
            r->layout[block] = (struct sl_load_layout){.block = block, .word = block};
    }
    return 0;
}

/* Where the layout of `word` is stored; NULL if the word is invalid or if out of memory. */
static struct sl_load_layout *layout_for(struct sl_ring_decoder *r, uint32_t word, uint32_t block)
{
    size_t variant = word & ~SL_WORD_VARIANT;
    if (word == block)
        return SL_GROW(r->layout, r->layouts_capacity, (size_t)block + 1) ? &r->layout[block]
                                                                          : NULL;
    if (word < SL_WORD_VARIANT || variant != r->n_variants ||
        !SL_GROW(r->variant, r->variants_capacity, variant + 1))
        return NULL;
    return &r->variant[r->n_variants++];
}

int sl_ring_load_layout(struct sl_ring_decoder *r, const uint8_t *payload, uint32_t length,
                        struct sl_failure *f)
{
    uint32_t head[2] = {0, UINT32_MAX}, n = length / 4 - 2;
    if (length >= sizeof head)
        memcpy(head, payload, sizeof head);
    if (length < sizeof head || n > SL_LOAD_LAYOUT_MAX || head[1] >= r->statics->n_blocks)
        return sl_ring_corrupted(f);
    struct sl_load_layout layout = {
        .block = head[1], .n = (uint8_t)n, .words = (uint8_t)n, .more = (uint32_t)r->n_more};
    size_t groups = r->n_more + n / SL_RING_GROUP + 1;
    if (!SL_GROW(r->more_insn, r->more_insn_capacity, groups * SL_RING_GROUP) ||
        !SL_GROW(r->more_wide, r->more_wide_capacity, groups))
        return sl_out_of_memory(f);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t insn, position = i % SL_RING_GROUP, group = layout.more + i / SL_RING_GROUP - 1;
        memcpy(&insn, payload + sizeof head + 4 * i, 4);
        uint8_t is_wide = (uint8_t)(insn >> 31);
        insn &= ~SL_LOAD_LAYOUT_WIDE;
        if (insn >= r->statics->n_insns)
            return sl_ring_corrupted(f);
        layout.words = (uint8_t)(layout.words + is_wide);
        if (i < SL_RING_GROUP) {
            layout.insn[i] = insn;
            layout.wide |= (uint8_t)(is_wide << i);
        } else {
            r->more_insn[SL_RING_GROUP * group + position] = insn;
            r->more_wide[group] = (uint8_t)((position ? r->more_wide[group] : 0) | is_wide
                                                                                       << position);
        }
    }
    r->n_more += n > SL_RING_GROUP ? (n - 1) / SL_RING_GROUP : 0;
    layout.word = sl_block_word(head[0], layout.words);
    struct sl_load_layout *old = layout_for(r, head[0], head[1]);
    if (!old)
        return sl_ring_corrupted(f);
    r->n_changed += old->n != 0;
    *old = layout;
    return 0;
}

/* ---- blocks of any kind ---- */

/* Copies the first loads of a layout, as many as `words` data words have. Returns their number. */
static uint32_t copy_some(struct sl_ring_decoder *r, uint32_t to,
                          const struct sl_load_layout *layout, const uint32_t *value,
                          uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; n++) {
        uint32_t group = layout->more + n / SL_RING_GROUP - 1, position = n % SL_RING_GROUP;
        bool wide = (n < SL_RING_GROUP ? layout->wide : r->more_wide[group]) >> position & 1;
        r->out->mem_insn[to + n] = n < SL_RING_GROUP
                                       ? layout->insn[n]
                                       : r->more_insn[SL_RING_GROUP * group + position];
        r->out->mem_value[to + n] = value[i] | (wide ? (uint64_t)value[i + 1] << 32 : 0);
        i += 1 + wide;
    }
    return n;
}

/* Copies `n` events that name their instruction; false if one is invalid. */
static bool copy_named(struct sl_ring_decoder *r, struct sl_ring_position *d, uint32_t n,
                       unsigned needs)
{
    struct sl_chunk_arrays *out = r->out;
    for (uint32_t i = 0; i < n; i++, d->n_mems++) {
        uint32_t insn = sl_field_once(d->data++);
        if ((insn & SL_MEM_INSN_MASK) >= r->statics->n_insns)
            return false;
        out->mem_insn[d->n_mems] = insn;
        if (needs & (SL_NEED_ADDRESSES | SL_NEED_STORES)) {
            memcpy(&out->mem_addr[d->n_mems], d->data, 8);
            d->data += 2;
        }
        if (needs & SL_NEED_VALUES) {
            memcpy(&out->mem_value[d->n_mems], d->data, 8);
            d->data += 2;
        }
    }
    return true;
}

bool sl_ring_left(struct sl_ring_decoder *r, struct sl_ring_position *d, unsigned needs)
{
    uint32_t capacity = SL_CHUNK_MEMS - d->n_mems;
    uint32_t n = d->named_left < capacity ? d->named_left : capacity;
    d->named_left -= n;
    return copy_named(r, d, n, needs);
}

/* Data words of an open block after its count. */
static uint64_t open_words(uint32_t count, unsigned needs)
{
    return (uint64_t)(count & ~SL_WORD_CUT) * (count & SL_WORD_CUT ? 1 : sl_event_words(needs));
}

/* Decodes an open block; returns as sl_ring_block(). If it has more events than a whole chunk (of
 * helper functions that save all registers, for example), the rest is left for the next chunk. */
static int decode_open(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    unsigned needs = r->statics->program.needs;
    uint32_t word = sl_field_once(d->word);
    bool continued = word == (SL_WORD_CONTINUED | SL_WORD_OPEN);
    const struct sl_load_layout *layout = sl_ring_layout(r, word & SL_WORD_NAME);
    if (d->data == d->data_end)
        return -1;
    uint32_t count = sl_field_once(d->data), n = count & ~SL_WORD_CUT;
    bool cut = count & SL_WORD_CUT;
    if ((uint64_t)(d->data_end - d->data - 1) < open_words(count, needs))
        return -1;
    if (d->n_mems && d->n_mems + n > SL_CHUNK_MEMS)
        return 0;
    d->word++;
    d->data++;
    if (!continued) {
        if (!layout)
            return -1;
        r->out->block[d->n_blocks] = layout->block;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
    }
    d->named_left = cut ? 0 : n;
    if (!cut)
        return sl_ring_left(r, d, needs) ? 1 : -1;
    if (continued || n > layout->words)
        return -1;
    d->n_mems += copy_some(r, d->n_mems, layout, d->data, n);
    d->data += n;
    return 1;
}

int sl_ring_block(struct sl_ring_decoder *r, struct sl_ring_position *d)
{
    uint32_t word = sl_field_once(d->word);
    if (word & SL_WORD_OPEN)
        return decode_open(r, d);
    if (word < r->statics->n_blocks) { /* bare, or without loads */
        r->out->block[d->n_blocks] = word;
        r->out->block_mem[d->n_blocks++] = d->n_mems;
        d->word++;
        return 1;
    }
    const struct sl_load_layout *layout = sl_ring_layout(r, word & SL_WORD_NAME);
    if (!layout || word != layout->word || d->data_end - d->data < layout->words)
        return -1;
    if (d->n_mems + layout->n > SL_CHUNK_MEMS)
        return 0;
    r->out->block[d->n_blocks] = layout->block;
    r->out->block_mem[d->n_blocks++] = d->n_mems;
    d->n_mems += copy_some(r, d->n_mems, layout, d->data, layout->words);
    d->word++;
    d->data += layout->words;
    return 1;
}

uint32_t sl_ring_offsets(const struct sl_ring_decoder *r, uint32_t word, uint32_t block, uint32_t n,
                         uint16_t *offset)
{
    const struct sl_load_layout *layout = &r->layout[block];
    if (!n || word != layout->word || n != layout->n || word & (SL_WORD_OPEN | SL_WORD_VARIANT) ||
        sl_field_length(word) == SL_WORD_LONG)
        return 0;
    uint32_t at = 0, wide = layout->wide;
    for (uint32_t i = 0; i < n; i++, wide >>= 1) {
        if (i && i % SL_RING_GROUP == 0)
            wide = r->more_wide[layout->more + i / SL_RING_GROUP - 1];
        offset[i] = (uint16_t)(at | (wide & 1 ? SL_RING_WIDE : 0));
        at += 1 + (wide & 1);
    }
    return at;
}

uint32_t sl_ring_chunk_flags(struct sl_ring_words *in)
{
    uint32_t later = in->word < in->end || in->named_left ? in->flags & SL_CHUNK_END : 0;
    uint32_t flags = in->flags & SL_CHUNK_FLAGS & ~later;
    in->flags = later;
    return flags;
}

/* ---- killed threads ---- */

/* Number of data words of a block, of which `left` are at `data`; UINT32_MAX if invalid. */
static uint32_t length_of(const struct sl_ring_decoder *r, uint32_t word, const uint32_t *data,
                          size_t left)
{
    const struct sl_load_layout *layout = sl_ring_layout(r, word & SL_WORD_NAME);
    uint64_t length = UINT32_MAX;
    if (!(word & SL_WORD_OPEN) && layout)
        length = sl_field_length(word) ? layout->words : 0;
    else if (word & SL_WORD_OPEN && left)
        length = 1 + open_words(data[0], r->statics->program.needs);
    return length <= left ? (uint32_t)length : UINT32_MAX;
}

/* Makes a block an open one without events. */
static void without_events(uint32_t *word, uint32_t *data)
{
    data[0] = *word & SL_WORD_OPEN ? 0 : SL_WORD_CUT;
    *word |= SL_WORD_OPEN;
}

/* Reduces the count of an open block to the events that are present: the count is stored before
 * them. Returns the data words of the block. */
static uint32_t recount(const struct sl_ring_decoder *r, uint32_t *data, uint32_t left)
{
    uint32_t size = sl_event_words(r->statics->program.needs);
    data[0] = (left - 1) / size;
    return 1 + data[0] * size;
}

void sl_ring_repair(const struct sl_ring_decoder *r, struct sl_ring_words *in, uint32_t *word,
                    uint32_t *data, bool running)
{
    uint32_t n = (uint32_t)(in->end - word), n_data = (uint32_t)(in->data_end - data), at = 0,
             length = 0;
    if (!r->statics->program.needs || !n)
        return;
    for (uint32_t i = 0; i < n; i++, at += length) {
        length = length_of(r, word[i], data + at, n_data - at);
        if (length == UINT32_MAX && i < n - 1)
            return; /* sl_ring_decode() reports it */
        if (length == UINT32_MAX)
            break;
    }
    uint32_t *last = &word[n - 1];
    if (length == UINT32_MAX && *last & SL_WORD_OPEN && at < n_data && !(data[at] & SL_WORD_CUT)) {
        at += recount(r, data + at, n_data - at);
    } else if (length == UINT32_MAX) {
        without_events(last, data + at);
        at++;
    } else if (running && length && *last != (SL_WORD_CONTINUED | SL_WORD_OPEN)) {
        at -= length;
        without_events(last, data + at);
        at++;
    }
    in->data_end = data + at;
}
