/* SPDX-License-Identifier: MIT */
/* Reads a stream in pieces that end at given positions, counted in instructions from the start of
 * the run. */
#include "run_pieces.h"

#include "source.h"

int sl_run_pieces_open(struct sl_run_pieces *p, const char *trace, struct sl_failure *f)
{
    p->source = NULL;
    p->done = p->given = 0;
    p->rest = (struct sl_chunk){0};
    return sl_source_open(&p->source, trace, f);
}

void sl_run_pieces_close(struct sl_run_pieces *p)
{
    if (p->source)
        sl_source_close(p->source);
    p->source = NULL;
}

/* Continues with the rest of the chunk, or with the next one. */
static int advance(struct sl_run_pieces *p, struct sl_failure *f)
{
    if (p->given < p->rest.n_blocks) {
        sl_chunk_remove_first(&p->rest, p->given, p->block_mem);
        p->rest.flags &= ~(uint32_t)(SL_CHUNK_START |
                                     SL_CHUNK_GAP); /* they apply to the first piece only */
        p->given = 0;
        return 1;
    }
    p->given = 0;
    p->rest = (struct sl_chunk){0};
    return sl_source_next(p->source, &p->rest, f);
}

int sl_run_pieces_next(struct sl_run_pieces *p, uint64_t until, struct sl_chunk *piece,
                       struct sl_failure *f)
{
    if (p->done >= until)
        return 0;
    int more = advance(p, f);
    if (more <= 0)
        return more;
    const uint16_t *size = p->source->statics.block_size;
    while (p->given < p->rest.n_blocks && p->done < until)
        p->done += size[p->rest.block[p->given++]];
    *piece = p->rest;
    sl_chunk_truncate(piece, p->given);
    if (p->given < p->rest.n_blocks)
        piece->flags &= ~(uint32_t)SL_CHUNK_END;
    return 1;
}
