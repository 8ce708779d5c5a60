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
 * Pieces are found once per chunk; each group iterates over its slices by itself. */
#ifndef SL_SLICES_H
#define SL_SLICES_H

#include "detector.h"

struct sl_piece {
    uint32_t block_high, mem_high; /* the first block and access after it */
    bool active;                   /* it is counted */
    bool ends_window;
};

/* Zeroed before its first use. */
struct sl_pieces {
    const struct sl_chunk *chunk;
    const struct sl_exits *exits; /* sl_slice.exits; NULL: no plan needs block pairs */
    struct sl_piece *piece;
    size_t n, capacity;
};

/* State of the division. Set `marked`, `waits` and `window` before the first chunk, and `start` as
 * soon as it is known; everything else is zero at first. */
struct sl_cutter {
    bool marked;          /* count only between region markers */
    bool waits;           /* count nothing before the first block at `start`, in any thread */
    uint64_t start;       /* 0: not known yet */
    uint64_t window;      /* instructions; 0: no windows */
    uint64_t in_window;   /* instructions so far in the current window */
    uint32_t *mark_depth; /* nesting of markers, by thread */
    size_t mark_depth_capacity;
    bool mark_seen;
};

/* Divides the next chunk into pieces, which refer to it. Returns 0 or SL_ENOMEM. */
int sl_cutter_cut(struct sl_cutter *cutter, const struct sl_chunk *chunk,
                  const struct sl_statics *statics, struct sl_pieces *pieces, struct sl_failure *f);

/* Iterator over the slices of a group. */
struct sl_slices {
    const struct sl_pieces *pieces;
    uint32_t blocks_max;
    size_t at; /* the next piece */
    struct sl_slice slice;
    bool ends_window; /* a window ends after the slice */
};

/* The iterator, before the first slice. */
struct sl_slices sl_slices_of(const struct sl_pieces *pieces, uint32_t blocks_max);

/* Advances to the next slice that is not empty. Returns false at the end of the chunk. */
bool sl_slices_next(struct sl_slices *slices);

#endif
