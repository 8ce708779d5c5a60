/* SPDX-License-Identifier: MIT */
#include "chunk_part.h"

#include <stddef.h>

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
