/* SPDX-License-Identifier: MIT */
/* Sorts the events of a trace frame by block and access layout, for the encoder (trace_sort.h). (An
 * access layout is the list of a block's memory accesses.) A block is predicted from the preceding
 * blocks, and its access layout from the block's previous execution. Correct predictions take no
 * space in the file. Rows of values are allocated from slabs of memory, which the next frame uses
 * again. */
#include "trace_sort.h"

#include <stdlib.h>

#include "grow.h"
#include "index_map.h"
#include "ring.h"

#define SLAB ((size_t)1 << 20)
#define PAGE ((size_t)1 << 15) /* bytes, unless a single row is larger */
#define FIRST_ROWS 16u

/* ---- blocks ---- */

void sl_block_tokens_begin(struct sl_block_tokens *t)
{
    t->history = t->previous = t->hits = 0;
    memset(t->by_history, 0, sizeof t->by_history);
}

void sl_block_tokens_put(struct sl_block_tokens *t, const uint32_t *block, uint32_t n,
                         struct sl_block_streams *to)
{
    uint32_t history = t->history, previous = t->previous, hits = t->hits;
    uint8_t *runs = to->runs, *literals = to->literals;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t token = block[i] - previous - 1;
        struct sl_trace_slot *slot = &t->by_history[history % SL_TRACE_SLOTS];
        history = sl_trace_history(history, block[i]);
        previous = block[i];
        if (__builtin_expect(slot->a == token, 1)) {
            hits++;
            continue;
        }
        uint32_t miss = slot->b != token;
        runs = sl_trace_put_varint(runs, 2 * hits + miss);
        if (miss) {
            literals = sl_trace_put_varint(literals, sl_trace_zigzag(token));
        }
        hits = 0;
        *slot = (struct sl_trace_slot){token, slot->a};
    }
    t->history = history;
    t->previous = previous;
    t->hits = hits;
    *to = (struct sl_block_streams){runs, literals};
}

/* ---- memory ---- */

void sl_trace_sorted_free(struct sl_trace_sorted *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_slabs; i++)
        free(o->slab[i]);
    for (unsigned i = 0; i < SL_STREAM_VALUE_CODES; i++)
        free(o->stream[i].data);
    free(o->slab);
    free(o->block);
    free(o->layout);
    free(o->rows);
    free(o->word);
    free(o->format);
    free(o);
}

/* Allocates memory of the frame; NULL if out of memory. */
static void *allocate(struct sl_trace_sorted *o, size_t size)
{
    if (o->n_slabs && o->used + size > SLAB) {
        o->slab_at++;
        o->used = 0;
    }
    if (o->slab_at == o->n_slabs) {
        if (!SL_GROW(o->slab, o->slabs_capacity, o->n_slabs + 1) ||
            !(o->slab[o->n_slabs] = malloc(SLAB)))
            return NULL;
        o->n_slabs++;
    }
    void *memory = o->slab[o->slab_at] + o->used;
    o->used += (size + 63) / 64 * 64;
    return memory;
}

/* Ends the layout's current page, if it has one. */
static void finish_page(struct sl_trace_sorted *o, uint32_t number)
{
    struct sl_sorted_layout *layout = &o->layout[number];
    struct sl_sorted_page *last = o->rows[number].last;
    if (layout->to)
        last->n = (uint32_t)(layout->to - last->word) / last->row;
    layout->to = layout->end = NULL;
}

bool sl_sort_page(struct sl_trace_sorter *s, uint32_t number)
{
    struct sl_trace_sorted *o = s->out;
    struct sl_sorted_layout *layout = &o->layout[number];
    struct sl_sorted_rows *rows = &o->rows[number];
    size_t n = FIRST_ROWS, row = layout->row * sizeof *layout->to;
    finish_page(o, number);
    if (rows->last && rows->last->n > n / 4)
        n = 4 * (size_t)rows->last->n;
    n = n * row <= PAGE ? n : PAGE / row;
    n = n ? n : 1;
    struct sl_sorted_page *page = allocate(o, sizeof *page + n * row + sizeof s->unread);
    if (!page)
        return false;
    page->next = NULL;
    page->row = layout->row;
    if (rows->last)
        rows->last->next = page;
    else
        rows->first = page;
    rows->last = page;
    layout->to = page->word;
    layout->end = layout->to + n * layout->row;
    return true;
}

bool sl_sort_begin(struct sl_trace_sorter *s, struct sl_trace_sorted *o)
{
    if (!SL_GROW(o->layout, o->layouts_capacity, 1) || !SL_GROW(o->rows, o->rows_capacity, 1))
        return false;
    for (unsigned i = 0; i < SL_STREAM_VALUE_CODES; i++)
        o->stream[i].n = 0;
    /* The ring word of any block without loads matches the empty layout. */
    o->layout[0] = (struct sl_sorted_layout){.to = s->unread, .ring_mask = ~(SL_WORD_IDS - 1)};
    o->rows[0] = (struct sl_sorted_rows){0};
    o->n_layouts = 1;
    o->n_words = o->n_chunks = o->n_blocks = o->n_mems = 0;
    o->instructions = 0;
    o->slab_at = o->used = 0;
    s->out = o;
    s->layout_hits = 0;
    if (s->needs)
        memset(s->by_block, 0, sizeof s->by_block);
    else
        sl_block_tokens_begin(&s->blocks);
    return true;
}

bool sl_sort_reserve(struct sl_trace_sorter *s, size_t blocks, size_t mems)
{
    struct sl_trace_sorted *o = s->out;
    const size_t most[] = {
        [SL_STREAM_CHUNKS] = 4,
        [SL_STREAM_BLOCK_RUNS] = s->needs ? 0 : blocks,
        [SL_STREAM_BLOCK_LITERALS] = s->needs ? 0 : blocks,
        [SL_STREAM_LAYOUT_RUNS] = blocks,
        [SL_STREAM_LAYOUT_COUNTS] = blocks,
        [SL_STREAM_LAYOUT_WORDS] = mems,
    };
    for (unsigned i = 0; i < SL_STREAM_VALUE_CODES; i++)
        if (!SL_GROW(o->stream[i].data, o->stream[i].capacity,
                     o->stream[i].n + SL_TRACE_VARINT * most[i]))
            return false;
    return !s->needs || (SL_GROW(o->block, o->blocks_capacity, o->n_blocks + blocks) &&
                         SL_GROW(o->layout, o->layouts_capacity, o->n_layouts + blocks + 1) &&
                         SL_GROW(o->rows, o->rows_capacity, o->n_layouts + blocks + 1) &&
                         SL_GROW(o->word, o->words_capacity, o->n_words + mems + SL_TRACE_GROUP) &&
                         SL_GROW(o->format, o->formats_capacity, o->n_words + mems));
}

/* ---- tokens ---- */

static void append_varint(struct sl_trace_bytes *to, uint32_t value)
{
    to->n = (size_t)(sl_trace_put_varint(to->data + to->n, value) - to->data);
}

/* ---- layouts ---- */

/* True if the layout has these words. */
static bool has_words(const struct sl_trace_sorted *o, uint32_t number,
                      const struct sl_sort_mems *mems)
{
    const uint32_t *own = o->word + o->rows[number].word;
    return o->layout[number].n == mems->n &&
           (!mems->n || !memcmp(own, mems->word, mems->n * sizeof *own));
}

/* Adds a layout, with literals relative to `base`. Returns its number. */
static uint32_t put_layout(struct sl_trace_sorter *s, const uint32_t *word, uint32_t n,
                           uint32_t base)
{
    struct sl_trace_sorted *o = s->out;
    unsigned shift = sl_trace_word_shift(s->needs);
    uint32_t numbers = (uint32_t)sl_trace_has_values(s->needs) + sl_trace_has_addresses(s->needs);
    o->layout[o->n_layouts] = (struct sl_sorted_layout){.to = n ? NULL : s->unread,
                                                        .ring_word = SL_NO_RING_WORD,
                                                        .ring_mask = UINT32_MAX,
                                                        .n = (uint16_t)n,
                                                        .row = (uint16_t)(2 * n * numbers)};
    o->rows[o->n_layouts] = (struct sl_sorted_rows){.word = o->n_words};
    if (n)
        memcpy(o->word + o->n_words, word, n * sizeof *word);
    o->n_words += n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t token = sl_trace_rotate(word[k], shift);
        append_varint(&o->stream[SL_STREAM_LAYOUT_WORDS], sl_trace_zigzag(token - base));
        base = token;
    }
    return o->n_layouts++;
}

/* Finds or adds the layout of a block that does not have the layout of its last use. */
static uint32_t other_layout(struct sl_trace_sorter *s, struct sl_trace_slot *slot, uint32_t block,
                             const struct sl_sort_mems *mems)
{
    struct sl_trace_bytes *to = s->out->stream;
    uint32_t number = slot->b;
    bool miss = !has_words(s->out, number, mems);
    append_varint(&to[SL_STREAM_LAYOUT_RUNS], 2 * s->layout_hits + miss);
    s->layout_hits = 0;
    if (miss) {
        append_varint(&to[SL_STREAM_LAYOUT_COUNTS], mems->n);
        number = put_layout(s, mems->word, mems->n,
                            sl_trace_first(s->statics, block) << sl_trace_word_shift(s->needs));
    }
    *slot = (struct sl_trace_slot){number, slot->a};
    return number;
}

/* ---- rows ---- */

bool sl_sort_has_format(struct sl_trace_sorter *s, uint32_t number, const struct sl_sort_mems *mems)
{
    const struct sl_sorted_rows *rows = &s->out->rows[number];
    return rows->format == SL_FORMAT_KNOWN &&
           !memcmp(s->out->format + rows->word, mems->format, mems->n * sizeof *mems->format);
}

/* Sets the layout's format if it never had one. */
static void set_format(struct sl_trace_sorted *o, uint32_t number, const struct sl_sort_mems *mems)
{
    struct sl_sorted_rows *rows = &o->rows[number];
    if (rows->format != SL_FORMAT_NONE || !mems->n)
        return;
    finish_page(o, number);
    rows->format = SL_FORMAT_KNOWN;
    o->layout[number].row = (uint16_t)mems->row;
    memcpy(o->format + rows->word, mems->format, mems->n * sizeof *mems->format);
}

static bool fits(const uint16_t *format, const struct sl_sort_mems *mems)
{
    bool all = true;
    for (uint32_t i = 0; i < mems->n; i++)
        all &= format[i] & SL_ROW_WIDE || mems->value[i] <= UINT32_MAX;
    return all;
}

/* A number does not fit into the format: later rows have none. */
static void clear_format(struct sl_trace_sorted *o, uint32_t number)
{
    finish_page(o, number);
    o->rows[number].format = SL_FORMAT_UNFIT;
    o->layout[number].ring_word = SL_NO_RING_WORD;
    o->layout[number].row = (uint16_t)(2 * o->layout[number].n); /* values alone have formats */
}

static void put_words(uint32_t *to, const uint16_t *format, const struct sl_sort_mems *mems)
{
    for (uint32_t i = 0; i < mems->n; i++) {
        uint32_t at = format[i] & ~SL_ROW_WIDE;
        to[at] = (uint32_t)mems->value[i];
        if (format[i] & SL_ROW_WIDE)
            to[at + 1] = (uint32_t)(mems->value[i] >> 32);
    }
}

static void put_numbers(uint32_t *to, unsigned needs, const struct sl_sort_mems *mems)
{
    size_t size = mems->n * sizeof *mems->value;
    if (sl_trace_has_values(needs)) {
        memcpy(to, mems->value, size);
        to += 2 * mems->n;
    }
    if (sl_trace_has_addresses(needs))
        memcpy(to, mems->addr, size);
}

/* Returns the layout's number, or SL_NO_INDEX if out of memory. */
static uint32_t put_row(struct sl_trace_sorter *s, uint32_t number, const struct sl_sort_mems *mems)
{
    struct sl_trace_sorted *o = s->out;
    struct sl_sorted_layout *layout = &o->layout[number];
    const uint16_t *format = o->format + o->rows[number].word;
    if (!mems->n)
        return number;
    if (mems->format)
        set_format(o, number, mems);
    if (o->rows[number].format == SL_FORMAT_KNOWN && !fits(format, mems))
        clear_format(o, number);
    if (layout->to == layout->end && !sl_sort_page(s, number))
        return SL_NO_INDEX;
    if (o->rows[number].format == SL_FORMAT_KNOWN)
        put_words(layout->to, format, mems);
    else
        put_numbers(layout->to, s->needs, mems);
    layout->to += layout->row;
    return number;
}

uint32_t sl_sort_lead(struct sl_trace_sorter *s, const struct sl_sort_mems *mems)
{
    return put_row(s, mems->n ? put_layout(s, mems->word, mems->n, 0) : 0, mems);
}

uint32_t sl_sort_block(struct sl_trace_sorter *s, uint32_t block, const struct sl_sort_mems *mems)
{
    struct sl_trace_slot *slot = &s->by_block[block % SL_TRACE_SLOTS];
    uint32_t number = slot->a;
    if (__builtin_expect(has_words(s->out, number, mems), 1))
        s->layout_hits++;
    else
        number = other_layout(s, slot, block, mems);
    return put_row(s, number, mems);
}

/* ---- chunks ---- */

/* `n` mem events of the chunk, starting with `at`. */
static struct sl_sort_mems mems_of(const struct sl_chunk *c, uint32_t at, uint32_t n)
{
    if (!n) /* the arrays may be NULL */
        return (struct sl_sort_mems){0};
    return (struct sl_sort_mems){.word = c->mem_insn + at,
                                 .value = c->mem_value ? c->mem_value + at : NULL,
                                 .addr = c->mem_addr ? c->mem_addr + at : NULL,
                                 .n = n};
}

static void put_blocks(struct sl_trace_sorter *s, const struct sl_chunk *c)
{
    struct sl_trace_bytes *runs = &s->out->stream[SL_STREAM_BLOCK_RUNS];
    struct sl_trace_bytes *literals = &s->out->stream[SL_STREAM_BLOCK_LITERALS];
    struct sl_block_streams end = {runs->data + runs->n, literals->data + literals->n};
    sl_block_tokens_put(&s->blocks, c->block, c->n_blocks, &end);
    runs->n = (size_t)(end.runs - runs->data);
    literals->n = (size_t)(end.literals - literals->data);
}

void sl_sort_end(struct sl_trace_sorter *s, const struct sl_chunk *c, uint32_t lead,
                 uint64_t instructions)
{
    struct sl_trace_sorted *o = s->out;
    struct sl_trace_bytes *table = &o->stream[SL_STREAM_CHUNKS];
    append_varint(table, c->thread);
    append_varint(table, c->flags);
    append_varint(table, c->n_blocks);
    append_varint(table, lead);
    if (!s->needs)
        put_blocks(s, c);
    else if (c->n_blocks && c->block != o->block + o->n_blocks)
        memcpy(o->block + o->n_blocks, c->block, c->n_blocks * sizeof *o->block);
    o->instructions += instructions;
    o->n_chunks++;
    o->n_blocks += c->n_blocks;
    o->n_mems += c->n_mems;
}

bool sl_sort_chunk(struct sl_trace_sorter *s, const struct sl_chunk *c)
{
    uint32_t lead = c->n_blocks && c->n_mems ? c->block_mem[0] : c->n_mems, at = lead;
    if (!sl_sort_reserve(s, c->n_blocks, c->n_mems))
        return false;
    struct sl_sort_mems mems = mems_of(c, 0, lead);
    bool good = !lead || sl_sort_lead(s, &mems) != SL_NO_INDEX;
    for (uint32_t i = 0; s->needs && i < c->n_blocks && good; i++) {
        uint32_t end = sl_chunk_mem(c, i + 1);
        mems = mems_of(c, at, end - at);
        good = sl_sort_block(s, c->block[i], &mems) != SL_NO_INDEX;
        at = end;
    }
    uint64_t instructions = 0;
    for (uint32_t i = 0; i < c->n_blocks; i++)
        instructions += s->statics->block_size[c->block[i]];
    if (good)
        sl_sort_end(s, c, lead, instructions);
    return good;
}
