#include "window.h"

#include <stdlib.h>

/* How many of the first blocks it takes until `done` instructions are `wanted`. */
static uint32_t blocks_of(const struct sl_statics *statics, const struct sl_chunk *chunk,
                          uint64_t *done, uint64_t wanted)
{
    uint32_t i = 0;
    while (i < chunk->n_blocks && *done < wanted)
        *done += statics->block_size[chunk->block[i++]];
    return i;
}

/* The chunk without its first blocks, of which there are `first`, and what they did. */
static bool drop_front(struct sl_window *w, struct sl_chunk *chunk, uint32_t first)
{
    uint32_t mems = chunk->n_mems;
    if (chunk->block_mem) {
        if (first < chunk->n_blocks)
            mems = chunk->block_mem[first];
        if (!w->block_mem && !(w->block_mem = malloc(SL_CHUNK_BLOCKS * sizeof *w->block_mem)))
            return false;
        for (uint32_t i = first; i < chunk->n_blocks; i++)
            w->block_mem[i - first] = chunk->block_mem[i] - mems;
        chunk->block_mem = w->block_mem;
    }
    chunk->block += first;
    chunk->n_blocks -= first;
    chunk->n_mems -= mems;
    chunk->mem_insn = chunk->mem_insn ? chunk->mem_insn + mems : NULL;
    chunk->mem_value = chunk->mem_value ? chunk->mem_value + mems : NULL;
    chunk->mem_addr = chunk->mem_addr ? chunk->mem_addr + mems : NULL;
    chunk->flags |= SL_CHUNK_GAP;
    return true;
}

static void keep_front(struct sl_chunk *chunk, uint32_t n)
{
    if (n < chunk->n_blocks && chunk->block_mem)
        chunk->n_mems = chunk->block_mem[n];
    chunk->n_blocks = n;
}

/* What the last block of the window still did when its chunk was full. */
static enum sl_window_verdict cut_rest(struct sl_window *w, struct sl_chunk *chunk)
{
    if (w->ended || chunk->thread != w->thread || !chunk->n_mems)
        return SL_WINDOW_END;
    w->ended = chunk->n_blocks > 0;
    keep_front(chunk, 0);
    return chunk->n_mems ? SL_WINDOW_GIVE : SL_WINDOW_END;
}

bool sl_window_cut(struct sl_window *w, const struct sl_statics *statics, struct sl_chunk *chunk,
                   enum sl_window_verdict *verdict)
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
        keep_front(chunk, last);
    }
    return true;
}

void sl_window_free(struct sl_window *w)
{
    free(w->block_mem);
}
