/* SPDX-License-Identifier: MIT */
/* The ring's words (ring.h) straight into a frame of a trace (trace_sort.h), without arrays of
 * events in between.
 *
 * A block whose list it had in the frame before is recognised by its word alone: the list that is
 * expected for it remembers with which word it came. Its values then go from the ring into a row
 * of that list. Whatever else there is takes the way of all sources, block by block: it is decoded
 * as ring_words.c does it, and sorted. A block is sorted when all of its events are known: what
 * goes on with CONTINUED is taken back for that, if it had been sorted already.
 *
 * Chunks are cut as sl_ring_decode cuts them, so the frame is the same. */
#include "failure.h"
#include "index_map.h"
#include "ring_blocks.h"
#include "trace_sort.h"

/* What sorting says, beside what sl_ring_block does. */
enum { NO_MEMORY = -2 };

/* Rows of a list are a place of their own in memory, which no processor foresees: so it is told,
 * two lines of a cache ahead. */
#define AHEAD 32u

/* Words of a row are copied by so many at a time. */
#define EIGHT 8u
_Static_assert(EIGHT <= SL_ROW_MARGIN && EIGHT <= 2 * SL_RING_GROUP,
               "room behind rows, and behind data");

static bool goes_on(const struct sl_ring_position *d)
{
    return d->word < d->end && sl_word_once(d->word) == (SL_WORD_CONTINUED | SL_WORD_OPEN) &&
           d->n_blocks < SL_CHUNK_BLOCKS && !d->named_left;
}

/* Blocks as most are, and in the same way as decode_most does (ring_words.c). The empty list stands
 * for any block without loads. `sum` is of instructions. */
SL_RING_INLINE void sort_most(const struct sl_ring_decoder *r, struct sl_ring_position *d,
                              struct sl_trace_sorter *s, uint64_t *sum)
{
    struct sl_sorted_list *lists = s->out->list, *list;
    uint32_t *out = s->out->block + s->out->n_blocks;
    size_t n_known = r->statics->n_blocks < SL_WORD_NUMBERS ? r->statics->n_blocks
                                                            : SL_WORD_NUMBERS - 1;
    const uint32_t *at = d->word, *end = d->end, *data = d->data, *last = sl_ring_usual_data(d);
    uint32_t n_blocks = d->n_blocks, n_mems = d->n_mems;
    const uint16_t *size = r->statics->block_size;
    uint64_t instructions = 0;
    while (at < end && n_blocks < SL_CHUNK_BLOCKS) {
        uint32_t word = sl_word_once(at), block = word & (SL_WORD_NUMBERS - 1);
        uint32_t number = s->by_block.slot[block % SL_TRACE_SLOTS].a;
        list = &lists[number];
        if (((word ^ list->ring_word) & list->ring_mask) | (block >= n_known) | (data > last) |
            (n_mems + list->n > SL_CHUNK_MEMS))
            break;
        if (__builtin_expect(list->to == list->end, 0) && !sl_sort_page(s, number))
            break;
        __builtin_prefetch(list->to + AHEAD, 1);
        memcpy(list->to, data, EIGHT * sizeof *data);
        for (uint32_t i = EIGHT; __builtin_expect(i < list->row, 0); i += EIGHT)
            memcpy(list->to + i, data + i, EIGHT * sizeof *data);
        list->to += list->row;
        instructions += size[block];
        out[n_blocks++] = block;
        n_mems += list->n;
        at++;
        data += sl_word_length(word);
    }
    *sum += instructions;
    s->list_hits += n_blocks - d->n_blocks;
    uint32_t n = n_blocks - d->n_blocks;
    *d = (struct sl_ring_position){at, d->end, data, d->data_end, n_blocks, n_mems, 0};
    if (n && goes_on(d)) {
        list = &lists[s->by_block.slot[out[n_blocks - 1] % SL_TRACE_SLOTS].a];
        list->to -= list->row;
        s->list_hits--;
        *sum -= size[out[n_blocks - 1]];
        d->n_blocks--;
        d->n_mems -= list->n;
        d->word--;
        d->data -= sl_word_length(*d->word);
    }
}

static void sort_most_plain(const struct sl_ring_decoder *r, struct sl_ring_position *d,
                            struct sl_trace_sorter *s, uint64_t *sum)
{
    sort_most(r, d, s, sum);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void sort_most_wide(const struct sl_ring_decoder *r,
                                                           struct sl_ring_position *d,
                                                           struct sl_trace_sorter *s, uint64_t *sum)
{
    sort_most(r, d, s, sum);
}
#else
#define sort_most_wide sort_most_plain
#endif

/* Mem events that were decoded, from `first` on. */
static struct sl_sort_mems mems_from(const struct sl_ring_decoder *r, uint32_t first, uint32_t end)
{
    return (struct sl_sort_mems){
        .word = r->out->mem_insn + first, .value = r->out->mem_value + first, .n = end - first};
}

/* Whether a block with this word and so many loads is one that can be recognised by the word: then
 * its data are a row as it is, whose layout this tells. */
static bool is_usual(const struct sl_ring_decoder *r, uint32_t word, uint32_t block,
                     struct sl_sort_mems *mems, uint16_t *layout)
{
    const struct sl_implied *implied = &r->implied[block];
    if (!mems->n || word != implied->word || mems->n != implied->n ||
        word & (SL_WORD_OPEN | SL_WORD_VARIANT) || sl_word_length(word) == SL_WORD_LONG)
        return false;
    uint32_t at = 0, wide = implied->wide;
    for (uint32_t i = 0; i < mems->n; i++, wide >>= 1) {
        if (i && i % SL_RING_GROUP == 0)
            wide = r->more_wide[implied->more + i / SL_RING_GROUP - 1];
        layout[i] = (uint16_t)(at | (wide & 1 ? SL_LAYOUT_WIDE : 0));
        at += 1 + (wide & 1);
    }
    mems->layout = layout;
    mems->row = at;
    return true;
}

/* One block of any kind. Returns 1, 0 if the chunk has no room for it or for what goes on with it,
 * -1 if the words make no sense (then `d` is in front of them). */
static int sort_other(struct sl_ring_decoder *r, struct sl_ring_position *d,
                      struct sl_trace_sorter *s, uint64_t *sum)
{
    struct sl_ring_position start = *d;
    uint32_t word = sl_word_once(d->word);
    int done = sl_ring_block(r, d);
    bool alone = true;
    if (done > 0 && d->n_blocks == start.n_blocks)
        done = -1; /* no block any more: somebody writes there */
    if (done <= 0) {
        *d = start;
        return done;
    }
    for (; done > 0 && goes_on(d); alone = false)
        done = sl_ring_block(r, d);
    if (done < 0) {
        *d = start;
        return done;
    }
    uint32_t block = r->out->block[start.n_blocks];
    s->out->block[s->out->n_blocks + start.n_blocks] = block;
    *sum += r->statics->block_size[block];
    uint16_t layout[SL_IMPLIED_MAX];
    struct sl_sort_mems mems = mems_from(r, start.n_mems, d->n_mems);
    bool usual = alone && is_usual(r, word, block, &mems, layout);
    uint32_t number = sl_sort_block(s, block, &mems);
    if (number == SL_NO_INDEX)
        return NO_MEMORY;
    if (usual && sl_sort_has_layout(s, number, &mems))
        s->out->list[number].ring_word = word; /* it is recognised from now on */
    return done;
}

/* All that is in front of the first block. */
static int sort_lead(struct sl_ring_decoder *r, struct sl_ring_position *d,
                     struct sl_trace_sorter *s)
{
    struct sl_ring_position start = *d;
    int done = sl_ring_left(r, d, SL_WANT_VALUES) ? 1 : -1;
    while (done > 0 && goes_on(d))
        done = sl_ring_block(r, d);
    if (done < 0) {
        *d = start;
        return done;
    }
    struct sl_sort_mems mems = mems_from(r, 0, d->n_mems);
    return sl_sort_lead(s, &mems) == SL_NO_INDEX ? NO_MEMORY : done;
}

/* Lists of the ring that were told again: what is remembered of them may not be so any more. */
static void forget(struct sl_trace_sorter *s, uint32_t n_changed)
{
    for (uint32_t i = 1; s->ring_lists != n_changed && i < s->out->n_lists; i++)
        s->out->list[i].ring_word = SL_NO_RING_WORD;
    s->ring_lists = n_changed;
}

int sl_ring_sort(struct sl_ring_decoder *r, struct sl_ring_words *in, struct sl_trace_sorter *s,
                 struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_ring_position d = sl_ring_begin(in);
    r->out = r->own;
    forget(s, r->n_changed);
    int done = sl_sort_reserve(s, SL_CHUNK_BLOCKS, SL_CHUNK_MEMS) ? sort_lead(r, &d, s) : NO_MEMORY;
    uint32_t lead = d.n_mems;
    uint64_t sum = 0; /* instructions */
    while (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS && done > 0 && !d.named_left) {
        (r->form == SL_RING_PLAIN || !sl_ring_is_wide() ? sort_most_plain
                                                        : sort_most_wide)(r, &d, s, &sum);
        if (d.word < d.end && d.n_blocks < SL_CHUNK_BLOCKS)
            done = sort_other(r, &d, s, &sum);
    }
    if (done == NO_MEMORY) {
        s->spoiled = true;
        return sl_out_of_memory(f);
    }
    bool corrupted = done < 0 || (!done && !d.n_blocks && !d.n_mems) || !sl_ring_end(in, &d);
    *chunk = (struct sl_chunk){.thread = in->thread,
                               .flags = sl_ring_take_flags(in),
                               .n_blocks = d.n_blocks,
                               .n_mems = d.n_mems,
                               .block = s->out->block + s->out->n_blocks};
    if (d.n_blocks || d.n_mems || !corrupted) /* what makes sense is kept */
        sl_sort_end(s, chunk, lead, sum);
    return corrupted ? sl_ring_corrupted(f) : 1;
}
