/* SPDX-License-Identifier: MIT */
/* Cuts chunks to the run range of --skip and --limit, at block boundaries (run_range.h). */
#include "run_range.h"

#include <stdlib.h>

void sl_chunk_drop_front(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem)
{
    uint32_t mems = chunk->n_mems;
    if (chunk->block_mem) {
        if (n < chunk->n_blocks)
            mems = chunk->block_mem[n];
        for (uint32_t i = n; i < chunk->n_blocks; i++)
            block_mem[i - n] = chunk->block_mem[i] - mems;
        chunk->block_mem = block_mem;
    }
    chunk->block += n;
    chunk->n_blocks -= n;
    chunk->n_mems -= mems;
    chunk->mem_insn = chunk->mem_insn ? chunk->mem_insn + mems : NULL;
    chunk->mem_value = chunk->mem_value ? chunk->mem_value + mems : NULL;
    chunk->mem_addr = chunk->mem_addr ? chunk->mem_addr + mems : NULL;
}

void sl_chunk_keep_front(struct sl_chunk *chunk, uint32_t n)
{
    if (n < chunk->n_blocks && chunk->block_mem)
        chunk->n_mems = chunk->block_mem[n];
    chunk->n_blocks = n;
}

/* Counts the first blocks of the chunk until `*done` reaches `wanted` instructions. */
static uint32_t blocks_of(const struct sl_statics *statics, const struct sl_chunk *chunk,
                          uint64_t *done, uint64_t wanted)
{
    uint32_t i = 0;
    while (i < chunk->n_blocks && *done < wanted)
        *done += statics->block_size[chunk->block[i++]];
    return i;
}

static bool drop_front(struct sl_run_range *w, struct sl_chunk *chunk, uint32_t first)
{
    if (!w->block_mem && !(w->block_mem = malloc(SL_CHUNK_BLOCKS * sizeof *w->block_mem)))
        return false;
    sl_chunk_drop_front(chunk, first, w->block_mem);
    chunk->flags |= SL_CHUNK_GAP;
    return true;
}

/* Mem events of the last block of the range can continue in the next chunk of its thread. */
static enum sl_window_verdict cut_rest(struct sl_run_range *w, struct sl_chunk *chunk)
{
    if (w->ended || chunk->thread != w->thread || !chunk->n_mems)
        return SL_WINDOW_END;
    w->ended = chunk->n_blocks > 0;
    sl_chunk_keep_front(chunk, 0);
    return chunk->n_mems ? SL_WINDOW_GIVE : SL_WINDOW_END;
}

bool sl_run_range_cut(struct sl_run_range *w, const struct sl_statics *statics,
                      struct sl_chunk *chunk, enum sl_window_verdict *verdict)
{
    *verdict = SL_WINDOW_GIVE;
    if (w->limit && w->taken >= w->limit) {
        *verdict = cut_rest(w, chunk);
        return true;
    }
    if (!w->begun && w->skip) {
        uint32_t first = blocks_of(statics, chunk, &w->skipped, w->skip);
        if (first == chunk->n_blocks) {
            *verdict = SL_WINDOW_DROP;
            return true;
        }
        if (!drop_front(w, chunk, first))
            return false;
    }
    w->begun = true;
    w->thread = chunk->thread;
    if (w->limit) {
        uint32_t last = blocks_of(statics, chunk, &w->taken, w->limit);
        w->ended = last < chunk->n_blocks;
        sl_chunk_keep_front(chunk, last);
    }
    return true;
}

void sl_run_range_free(struct sl_run_range *w)
{
    free(w->block_mem);
}
