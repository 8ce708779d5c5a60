/* SPDX-License-Identifier: MIT */
/* Reads a stream in pieces that end at given positions. A piece is a chunk of the stream or a part
 * of a chunk.
 *
 *     instructions   0         N           M
 *     blocks         |--|---|----|--|---|-----|---|--|
 *                                ^ the first block after N instructions begins the next piece
 *
 * Blocks are not divided. Intervals (vectors.h) begin in the same way.
 *
 * Accesses of a block that are in the chunk after its own belong to the piece after its own. */
#ifndef SL_RUN_PIECES_H
#define SL_RUN_PIECES_H

#include "source.h"

struct sl_run_pieces {
    struct sl_source *source;
    uint64_t done;        /* instructions of all pieces so far */
    struct sl_chunk rest; /* the chunk from the last piece on */
    uint32_t given;       /* number of its blocks in the last piece */
    uint32_t block_mem[SL_CHUNK_BLOCKS];
};

int sl_run_pieces_open(struct sl_run_pieces *pieces, const char *trace, struct sl_failure *f);
void sl_run_pieces_close(struct sl_run_pieces *pieces); /* a zeroed struct is allowed */

/* Reads the next piece: blocks that begin before instruction `until`. It is valid until the next
 * call. Returns 1, 0 if there are no more blocks before `until`, or an error of the source. */
int sl_run_pieces_next(struct sl_run_pieces *pieces, uint64_t until, struct sl_chunk *piece,
                       struct sl_failure *f);

#endif
