/* SPDX-License-Identifier: MIT */
/* Division of a chunk of the stream into pieces, each of which is either counted or not, and
 * division of the pieces into slices whose events fit an event buffer.
 *
 *     chunk      b0 b1 b2 b3 b4 b5 b6 b7 b8 b9
 *     markers          begin^      ^end              --marked: counted between them
 *     start                                          --start-at: counted from there on
 *     windows                   ^                    --exact: windows of the run (evaluator.h)
 *     pieces     |--------|==|=====|---------|       the same for all groups; ==: counted
 *     slices     |----|---|==|==|==|----|----|       of one group: at most as many blocks as its
 *                                                    event buffer can hold
 *
 * Pieces are found once per chunk; each group iterates over its slices by itself. Pieces and
 * slices consist of whole blocks. */
#include "group.h"

#include "failure.h"
#include "grow.h"

/* ---- pieces ---- */

static bool add(struct sl_pieces *p, uint32_t block_high, bool active, bool ends_window)
{
    const struct sl_chunk *chunk = p->chunk;
    if (!SL_GROW(p->piece, p->capacity, p->n + 1))
        return false;
    p->piece[p->n++] = (struct sl_piece){
        .block_high = block_high,
        .mem_high = sl_chunk_mem(chunk, block_high),
        .active = active,
        .ends_window = ends_window,
    };
    return true;
}

/* Adds pieces up to the block `high`, one for each window that ends before. */
static bool cut(struct sl_cutter *c, struct sl_pieces *p, uint32_t high, bool active,
                const uint16_t *size)
{
    uint32_t low = p->n ? p->piece[p->n - 1].block_high : 0;
    bool good = true;
    for (uint32_t i = low; c->window && i < high && good; i++) {
        c->in_window += size[p->chunk->block[i]];
        if (c->in_window >= c->window) {
            c->in_window = 0;
            good = add(p, i + 1, active, true);
        }
    }
    return good && add(p, high, active, false);
}

/* Markers are instructions that end their block: the block with a begin marker is still outside,
 * the block with an end marker still inside. */
static bool cut_at_marks(struct sl_cutter *c, struct sl_pieces *p, const struct sl_statics *statics)
{
    const struct sl_chunk *chunk = p->chunk;
    if (!SL_GROW(c->mark_depth, c->mark_depth_capacity, (size_t)chunk->thread + 1))
        return false;
    uint32_t *depth = &c->mark_depth[chunk->thread];
    if (chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP))
        *depth = 0; /* marks may have been dropped: wait for the next that begins */
    bool good = true;
    for (uint32_t i = 0; i < chunk->n_blocks && good; i++) {
        int mark = statics->block[chunk->block[i]].mark;
        if (mark == SL_MARK_NONE)
            continue;
        c->mark_seen = true;
        if (mark == SL_MARK_BEGIN) {
            if (*depth == 0)
                good = cut(c, p, i + 1, false, statics->block_size);
            ++*depth;
        } else if (*depth > 0 && --*depth == 0) {
            good = cut(c, p, i + 1, true, statics->block_size);
        }
    }
    return good && cut(c, p, chunk->n_blocks, *depth > 0, statics->block_size);
}

/* Adds an inactive piece up to the block at `start`, and an active one from there on. */
static bool cut_at_start(struct sl_cutter *c, struct sl_pieces *p, const struct sl_statics *statics)
{
    const struct sl_chunk *chunk = p->chunk;
    uint32_t i = 0;
    while (i < chunk->n_blocks && (!c->start || statics->block[chunk->block[i]].pc != c->start))
        i++;
    c->waits = i == chunk->n_blocks;
    bool good = cut(c, p, i, false, statics->block_size);
    return good && (c->waits || cut(c, p, chunk->n_blocks, true, statics->block_size));
}

int sl_cutter_cut(struct sl_cutter *c, const struct sl_chunk *chunk,
                  const struct sl_statics *statics, struct sl_pieces *p, struct sl_failure *f)
{
    p->chunk = chunk;
    p->n = 0;
    bool good = c->waits    ? cut_at_start(c, p, statics)
                : c->marked ? cut_at_marks(c, p, statics)
                            : cut(c, p, chunk->n_blocks, true, statics->block_size);
    return good ? 0 : sl_out_of_memory(f);
}

/* ---- slices ---- */

struct sl_slices sl_slices_of(const struct sl_pieces *pieces, uint32_t blocks_max)
{
    return (struct sl_slices){
        .pieces = pieces,
        .blocks_max = blocks_max,
        .slice = {.chunk = pieces->chunk,
                  .exits = pieces->exits,
                  .joined = !(pieces->chunk->flags & (SL_CHUNK_START | SL_CHUNK_GAP))},
    };
}

static bool is_empty(const struct sl_slice *slice)
{
    return slice->block_low == slice->block_high && slice->mem_low == slice->mem_high;
}

bool sl_slices_next(struct sl_slices *s)
{
    struct sl_slice *slice = &s->slice;
    slice->joined |= !is_empty(slice);
    do {
        if (s->at == s->pieces->n)
            return false;
        const struct sl_piece *piece = &s->pieces->piece[s->at];
        slice->block_low = slice->block_high;
        slice->mem_low = slice->mem_high;
        bool all = piece->block_high - slice->block_low <= s->blocks_max;
        slice->block_high = all ? piece->block_high : slice->block_low + s->blocks_max;
        if (all)
            slice->mem_high = piece->mem_high;
        else if (slice->chunk->block_mem)
            slice->mem_high = slice->chunk->block_mem[slice->block_high];
        slice->active = piece->active;
        s->ends_window = all && piece->ends_window;
        s->at += all;
    } while (is_empty(slice));
    return true;
}
