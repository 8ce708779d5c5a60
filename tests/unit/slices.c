/* SPDX-License-Identifier: MIT */
/* Unit tests of dividing the chunks of a stream into slices, the small parts that detectors process
 * (slices.c). Every block and memory access is in exactly one slice. A slice ends where region
 * markers switch counting on or off and where a window (--window) ends, and no slice exceeds its
 * maximum size. These positions are compared with those that a plain implementation finds block by
 * block. */
#include "group.h"

#include "../support/synthetic_stream.h"
#include "tap.h"

enum { BLOCKS = 40, CHUNKS = 60 };

static struct sl_block block[BLOCKS];
static uint16_t size[BLOCKS];
static const struct sl_statics statics = {.block = block, .block_size = size, .n_blocks = BLOCKS};
static uint64_t seed = 3;

static void make_blocks(void)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        size[i] = block[i].n_insns = (uint16_t)(1 + sl_random_below(&seed, 9));
        block[i].mark = (uint8_t)(i == 1 ? SL_MARK_BEGIN : i == 2 ? SL_MARK_END : SL_MARK_NONE);
    }
}

/* Of one block: whether it counts, and whether a window ends after it. */
struct plain {
    bool active[SL_CHUNK_BLOCKS], ends[SL_CHUNK_BLOCKS];
    uint32_t depth[3];
    uint64_t in_window;
};

static void plainly(struct plain *p, const struct sl_chunk *c, bool marked, uint64_t window)
{
    uint32_t *depth = &p->depth[c->thread];
    if (c->flags & (SL_CHUNK_START | SL_CHUNK_GAP))
        *depth = 0;
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        int mark = block[c->block[i]].mark;
        p->active[i] = !marked || *depth > 0;
        *depth += mark == SL_MARK_BEGIN;
        *depth -= mark == SL_MARK_END && *depth > 0;
        p->in_window += size[c->block[i]];
        p->ends[i] = window && p->in_window >= window;
        if (p->ends[i])
            p->in_window = 0;
    }
}

static bool agree(const struct sl_pieces *pieces, const struct plain *p, uint32_t most)
{
    const struct sl_chunk *c = pieces->chunk;
    struct sl_slices s = sl_slices_of(pieces, most);
    uint32_t at = 0, mem = 0;
    bool first = true, right = true;
    while (sl_slices_next(&s)) {
        const struct sl_slice *slice = &s.slice;
        right &= slice->block_low == at && slice->mem_low == mem && slice->block_high >= at &&
                 slice->block_high - at <= most && slice->chunk == c;
        right &= slice->joined == (!first || !(c->flags & (SL_CHUNK_START | SL_CHUNK_GAP)));
        right &= slice->mem_high ==
                 (slice->block_high < c->n_blocks ? c->block_mem[slice->block_high] : c->n_mems);
        for (; at < slice->block_high; at++)
            right &= p->active[at] == slice->active &&
                     p->ends[at] == (s.ends_window && at + 1 == slice->block_high);
        mem = slice->mem_high;
        first = false;
    }
    return right && at == c->n_blocks && mem == c->n_mems;
}

static void random_chunks(bool marked, uint64_t window, uint32_t most)
{
    static uint32_t number[SL_CHUNK_BLOCKS], block_mem[SL_CHUNK_BLOCKS];
    static struct plain plain;
    struct sl_cutter cutter = {.marked = marked, .window = window};
    struct sl_pieces pieces = {0};
    bool right = true;
    memset(&plain, 0, sizeof plain);
    for (int i = 0; i < CHUNKS; i++) {
        struct sl_chunk c = {.thread = (uint32_t)sl_random_below(&seed, 3),
                             .n_blocks = (uint32_t)sl_random_below(&seed, 500),
                             .block = number,
                             .block_mem = block_mem};
        c.flags = (uint32_t)(sl_random_below(&seed, 8) ? 0 : 1 + sl_random_below(&seed, 2));
        c.n_mems = (uint32_t)sl_random_below(&seed, 3); /* of the block before */
        for (uint32_t k = 0; k < c.n_blocks; k++) {
            number[k] = (uint32_t)sl_random_below(&seed, BLOCKS);
            block_mem[k] = c.n_mems;
            c.n_mems += (uint32_t)sl_random_below(&seed, 3);
        }
        plainly(&plain, &c, marked, window);
        right &= sl_cutter_cut(&cutter, &c, &statics, &pieces, NULL) >= 0 &&
                 agree(&pieces, &plain, most);
    }
    ok(right, "%s, windows of %u instructions, slices of %u blocks",
       marked ? "between marks" : "everything", (unsigned)window, most);
    ok(cutter.mark_seen == marked, "marks are seen where they are requested");
    free(cutter.mark_depth);
    free(pieces.piece);
}

int main(void)
{
    make_blocks();
    for (int marked = 0; marked < 2; marked++)
        for (uint64_t window = 0; window < 2000; window = 7 * window + 3)
            for (uint32_t most = 1; most < 20000; most *= 50)
                random_chunks(marked, window, most);
    return done_testing();
}
