/* SPDX-License-Identifier: MIT */
/* The run range: the part of a stream that a session counts, as given by --skip and --limit. Chunks
 * are cut at block boundaries.
 *
 *     instructions   0            skip                    skip + limit
 *     blocks         |--|---|----|--|==|=====|==|===|==|===|--|----|
 *                                   ^ first block of the range  ^ last block: reaches the limit
 *
 * Blocks are never cut. The range begins with the first block that starts after `skip`
 * instructions, and ends with the block that reaches `limit` instructions. Threads are counted
 * together, in stream order. CPU models do not see skipped instructions either: their caches start
 * cold, as after fast-forwarding in a simulator, and call stacks start empty. */
#include "source.h"

#include <stdlib.h>

void sl_chunk_remove_first(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem)
{
    uint32_t mems = sl_chunk_mem(chunk, n);
    if (chunk->block_mem) {
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

void sl_chunk_truncate(struct sl_chunk *chunk, uint32_t n)
{
    chunk->n_mems = sl_chunk_mem(chunk, n);
    chunk->n_blocks = n;
}

/* Counts the first blocks of the chunk until `*done` reaches `limit` instructions. */
static uint32_t blocks_of(const struct sl_statics *statics, const struct sl_chunk *chunk,
                          uint64_t *done, uint64_t limit)
{
    uint32_t i = 0;
    while (i < chunk->n_blocks && *done < limit)
        *done += statics->block_size[chunk->block[i++]];
    return i;
}

static bool remove_before(struct sl_run_range *range, struct sl_chunk *chunk, uint32_t first)
{
    if (!range->block_mem &&
        !(range->block_mem = malloc(SL_CHUNK_BLOCKS * sizeof *range->block_mem)))
        return false;
    sl_chunk_remove_first(chunk, first, range->block_mem);
    chunk->flags |= SL_CHUNK_GAP;
    return true;
}

/* Mem events of the last block of the range can continue in the next chunk of its thread. */
static enum sl_range_part cut_after(struct sl_run_range *range, struct sl_chunk *chunk)
{
    if (range->ended || chunk->thread != range->thread || !chunk->n_mems)
        return SL_RANGE_AFTER;
    range->ended = chunk->n_blocks > 0;
    sl_chunk_truncate(chunk, 0);
    return chunk->n_mems ? SL_RANGE_INSIDE : SL_RANGE_AFTER;
}

bool sl_run_range_cut(struct sl_run_range *range, const struct sl_statics *statics,
                      struct sl_chunk *chunk, enum sl_range_part *part)
{
    *part = SL_RANGE_INSIDE;
    if (range->limit && range->counted >= range->limit) {
        *part = cut_after(range, chunk);
        return true;
    }
    if (!range->begun && range->skip) {
        uint32_t first = blocks_of(statics, chunk, &range->skipped, range->skip);
        if (first == chunk->n_blocks) {
            *part = SL_RANGE_BEFORE;
            return true;
        }
        if (!remove_before(range, chunk, first))
            return false;
    }
    range->begun = true;
    range->thread = chunk->thread;
    if (range->limit) {
        uint32_t last = blocks_of(statics, chunk, &range->counted, range->limit);
        range->ended = last < chunk->n_blocks;
        sl_chunk_truncate(chunk, last);
    }
    return true;
}

void sl_run_range_free(struct sl_run_range *range)
{
    free(range->block_mem);
}
