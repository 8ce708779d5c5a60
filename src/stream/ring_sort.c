/* SPDX-License-Identifier: MIT */
/* Decoder that `sluice record` uses for the words of the ring, the shared memory between QEMU and
 * sluice. It sorts the words directly into a frame of a trace, without intermediate arrays of
 * events (ring_words.h, trace_sort.h).
 *
 * A block that had the same access layout earlier in the frame is recognized by its word alone,
 * because the layout stores that word. The block's values are then copied from the ring to a row of
 * the layout. sl_ring_block() decodes all other blocks, which are sorted from the decoder's arrays.
 * A block is sorted when all of its events are known. If CONTINUED follows a block that is sorted
 * already, the sorting of that block is undone first.
 *
 * Chunks end at the same blocks as those of sl_ring_decode(), so that the frame is the same. */
#include "failure.h"
#include "index_map.h"
#include "ring_blocks.h"
#include "trace_sort.h"

enum { NO_MEMORY = -2 }; /* returned in addition to the values of sl_ring_block() */

/* Each layout writes its rows elsewhere, which hardware prefetchers do not predict: prefetch two
 * cache lines ahead. */
#define AHEAD 32u /* words */

#define EIGHT 8u /* words of a row that are copied at a time */
_Static_assert(EIGHT <= SL_ROW_MARGIN && EIGHT <= 2 * SL_RING_GROUP, "space after rows and data");
_Static_assert(SL_RING_WIDE == SL_ROW_WIDE, "offsets are a row format");

/* The frame of a chunk, and the chunk's instructions. */
struct output {
    struct sl_trace_sorter *sorter;
    uint64_t instructions;
    uint32_t lead; /* mem events before the first block */
};

/* Sorts usual blocks. The empty layout matches every block without loads. */
static void sort_usual(struct sl_ring_decoder *r, struct sl_ring_position *d, void *output)
{
    struct output *o = output;
    struct sl_trace_sorter *s = o->sorter;
    struct sl_sorted_layout *layouts = s->out->layout, *layout;
    uint32_t *out = s->out->block + s->out->n_blocks;
    size_t n_known = r->statics->n_blocks < SL_WORD_IDS ? r->statics->n_blocks : SL_WORD_IDS - 1;
    const uint32_t *at = d->word, *end = d->end, *data = d->data, *last = sl_ring_usual_data(d);
    uint32_t n_blocks = d->n_blocks, n_mems = d->n_mems;
    const uint16_t *size = r->statics->block_size;
    uint64_t instructions = 0;
    while (at < end && n_blocks < SL_CHUNK_BLOCKS) {
        uint32_t word = sl_field_once(at), block = word & (SL_WORD_IDS - 1);
        uint32_t number = s->by_block[block % SL_TRACE_SLOTS].a;
        layout = &layouts[number];
        if (((word ^ layout->ring_word) & layout->ring_mask) | (block >= n_known) | (data > last) |
            (n_mems + layout->n > SL_CHUNK_MEMS))
            break;
        if (__builtin_expect(layout->to == layout->end, 0) && !sl_sort_page(s, number))
            break;
        __builtin_prefetch(layout->to + AHEAD, 1);
        memcpy(layout->to, data, EIGHT * sizeof *data);
        for (uint32_t i = EIGHT; __builtin_expect(i < layout->row, 0); i += EIGHT)
            memcpy(layout->to + i, data + i, EIGHT * sizeof *data);
        layout->to += layout->row;
        instructions += size[block];
        out[n_blocks++] = block;
        n_mems += layout->n;
        at++;
        data += sl_field_length(word);
    }
    o->instructions += instructions;
    s->layout_hits += n_blocks - d->n_blocks;
    uint32_t n = n_blocks - d->n_blocks;
    *d = (struct sl_ring_position){at, d->end, data, d->data_end, n_blocks, n_mems, 0};
    if (n && sl_ring_continues(d)) {
        layout = &layouts[s->by_block[out[n_blocks - 1] % SL_TRACE_SLOTS].a];
        layout->to -= layout->row;
        s->layout_hits--;
        o->instructions -= size[out[n_blocks - 1]];
        d->n_blocks--;
        d->n_mems -= layout->n;
        d->word--;
        d->data -= sl_field_length(*d->word);
    }
}

/* Decoded mem events from `first` to before `end`. */
static struct sl_sort_mems mems_from(const struct sl_ring_decoder *r, uint32_t first, uint32_t end)
{
    return (struct sl_sort_mems){
        .word = r->out->mem_insn + first, .value = r->out->mem_value + first, .n = end - first};
}

/* Sorts one block of any kind, with the events that continue it. Returns 1; 0 if the chunk has no
 * space for all of them; -1 if the words are invalid, with *d before them; or NO_MEMORY. */
static int sort_other(struct sl_ring_decoder *r, struct sl_ring_position *d, void *out)
{
    struct output *o = out;
    struct sl_trace_sorter *s = o->sorter;
    struct sl_ring_position start = *d;
    uint32_t word = sl_field_once(d->word);
    int done = sl_ring_block(r, d);
    bool alone = true;
    if (done > 0 && d->n_blocks == start.n_blocks)
        done = -1; /* a CONTINUED that was none before: the guest overwrites the ring */
    for (; done > 0 && sl_ring_continues(d); alone = false)
        done = sl_ring_block(r, d);
    if (done < 0 || d->n_blocks == start.n_blocks) {
        *d = start;
        return done;
    }
    uint32_t block = r->out->block[start.n_blocks];
    s->out->block[s->out->n_blocks + start.n_blocks] = block;
    o->instructions += r->statics->block_size[block];
    uint16_t offset[SL_LOAD_LAYOUT_MAX];
    struct sl_sort_mems mems = mems_from(r, start.n_mems, d->n_mems);
    mems.row = alone ? sl_ring_offsets(r, word, block, mems.n, offset) : 0;
    mems.format = mems.row ? offset : NULL;
    uint32_t number = sl_sort_block(s, block, &mems);
    if (number == SL_NO_INDEX)
        return NO_MEMORY;
    if (mems.row && sl_sort_has_format(s, number, &mems))
        s->out->layout[number].ring_word = word; /* it is recognized from now on */
    return done;
}

/* Sorts the events before the first block. */
static int sort_lead(struct sl_ring_decoder *r, struct sl_ring_position *d, void *out)
{
    struct output *o = out;
    struct sl_ring_position start = *d;
    if (!sl_sort_reserve(o->sorter, SL_CHUNK_BLOCKS, SL_CHUNK_MEMS))
        return NO_MEMORY;
    int done = sl_ring_left(r, d, SL_NEED_VALUES) ? 1 : -1;
    while (done > 0 && sl_ring_continues(d))
        done = sl_ring_block(r, d);
    if (done < 0) {
        *d = start;
        return done;
    }
    o->lead = d->n_mems;
    struct sl_sort_mems mems = mems_from(r, 0, d->n_mems);
    return sl_sort_lead(o->sorter, &mems) == SL_NO_INDEX ? NO_MEMORY : done;
}

/* After load layouts were replaced, the words that layouts have stored may be wrong. */
static void invalidate_ring_words(struct sl_trace_sorter *s, uint32_t n_changed)
{
    for (uint32_t i = 1; s->ring_layouts != n_changed && i < s->out->n_layouts; i++)
        s->out->layout[i].ring_word = SL_NO_RING_WORD;
    s->ring_layouts = n_changed;
}

int sl_ring_sort(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_trace_sorter *s,
                 struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_ring_position d;
    struct output o = {.sorter = s};
    r->out = r->own;
    invalidate_ring_words(s, r->n_changed);
    int done = sl_ring_run(r, in, &d, &o, sort_lead, sort_usual, sort_other);
    if (done == NO_MEMORY) {
        s->failed = true;
        return sl_out_of_memory(f);
    }
    *chunk = (struct sl_chunk){.thread = in->thread,
                               .flags = sl_ring_chunk_flags(in),
                               .n_blocks = d.n_blocks,
                               .n_mems = d.n_mems,
                               .block = s->out->block + s->out->n_blocks};
    if (d.n_blocks || d.n_mems || done > 0) /* valid events before an error are kept */
        sl_sort_end(s, chunk, o.lead, o.instructions);
    return done < 0 ? sl_ring_corrupted(f) : 1;
}
