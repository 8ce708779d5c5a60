/* SPDX-License-Identifier: MIT */
/* A stream in pieces that end where they are told to: a chunk, or a part of one.
 *
 *     instructions   0         N           M
 *     blocks         |--|---|----|--|---|-----|---|--|
 *                                ^ the first block behind N instructions begins the next piece, as
 *                                  an interval does (vectors.h): blocks are not cut
 *
 * What a block did in the chunk behind its own goes with the piece behind its own. */
#ifndef SL_RUN_PIECES_H
#define SL_RUN_PIECES_H

#include "source.h"

struct sl_run_pieces {
    struct sl_source *source;
    uint64_t done;        /* instructions of all pieces so far */
    struct sl_chunk rest; /* the chunk from the last piece on */
    uint32_t given;       /* its blocks that the last piece had */
    uint32_t block_mem[SL_CHUNK_BLOCKS];
};

int sl_run_pieces_open(struct sl_run_pieces *pieces, const char *trace, struct sl_failure *f);
void sl_run_pieces_close(
    struct sl_run_pieces *pieces); /* also what was not opened, if it is zeroed */

/* The next piece, with the blocks that begin in front of instruction `until`; it stays until the
 * next call. Returns 1, 0 if there is none up to there, or an error. */
int sl_run_pieces_next(struct sl_run_pieces *pieces, uint64_t until, struct sl_chunk *piece,
                       struct sl_failure *f);

#endif
