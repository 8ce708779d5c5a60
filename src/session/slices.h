/* SPDX-License-Identifier: MIT */
/* Where a chunk is cut into slices, the one place that does.
 *
 *     chunk      b0 b1 b2 b3 b4 b5 b6 b7 b8 b9
 *     marks            begin^      ^end              --marked: what counts is between them
 *     start                                          --start-at: what counts is behind it
 *     windows                   ^                    errors are measured by windows of the run
 *     pieces     |--------|==|=====|---------|       the same for all groups
 *     slices     |----|---|==|==|==|----|----|       of one group: so many blocks of a piece
 *                                                    as its detectors have room for
 *
 * Pieces are found once for a chunk; each group goes through them by itself. */
#ifndef SL_SLICES_H
#define SL_SLICES_H

#include "detector.h"

struct sl_piece {
    uint32_t block_high, mem_high; /* it ends in front of these */
    bool active;
    bool ends_window;
};

/* All zero before its first use. */
struct sl_pieces {
    const struct sl_chunk *chunk;
    const struct sl_exits *exits; /* sl_slice.exits; NULL: no plan needs block pairs */
    struct sl_piece *piece;
    size_t n, room;
};

/* Where the stream is. Set `marked`, `waits` and `window`, and `start` as soon as it is known; all
 * else zero before the first chunk. */
struct sl_cutter {
    bool marked;          /* count between marks only */
    bool waits;           /* nothing counts before the first block at `start`, in whatever thread */
    uint64_t start;       /* 0: not known yet */
    uint64_t window;      /* instructions; 0: there are no windows */
    uint64_t in_window;   /* instructions of the one under way */
    uint32_t *mark_depth; /* by thread */
    size_t room_mark_depth;
    bool mark_seen;
};

/* The pieces of the chunk that comes next, which has to stay as long as they do. */
int sl_cutter_cut(struct sl_cutter *cutter, const struct sl_chunk *chunk,
                  const struct sl_statics *statics, struct sl_pieces *pieces, struct sl_failure *f);

/* A group's way through them. */
struct sl_slices {
    const struct sl_pieces *pieces;
    uint32_t blocks_max;
    size_t at; /* the next piece */
    struct sl_slice slice;
    bool ends_window; /* behind the slice */
};

struct sl_slices sl_slices_of(const struct sl_pieces *pieces, uint32_t blocks_max);

/* The next slice, with at least one event in it; false at the end of the chunk. */
bool sl_slices_next(struct sl_slices *slices);

#endif
