/* SPDX-License-Identifier: MIT */
/* Checks of a chunk, a piece of an event stream, for fuzzers. Whatever the input of a fuzzer
 * contains, all ids of blocks and instructions in the chunk must be valid, the memory accesses must
 * be in the order of the blocks, and all elements of the chunk's arrays must be readable. */
#ifndef SL_FUZZ_CHUNK_BOUNDS_H
#define SL_FUZZ_CHUNK_BOUNDS_H

#include "source.h"

static inline bool chunk_in_bounds(const struct sl_chunk *c, const struct sl_source *source,
                                   uint32_t insn_mask)
{
    bool good = c->n_blocks <= SL_CHUNK_BLOCKS && c->n_mems <= SL_CHUNK_MEMS;
    uint32_t before = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; good && i < c->n_blocks; i++) {
        good = c->block[i] < source->statics.n_blocks;
        if (sl_source_contents(source)) {
            good &= c->block_mem[i] >= before && c->block_mem[i] <= c->n_mems;
            before = c->block_mem[i];
        }
    }
    for (uint32_t i = 0; good && i < c->n_mems; i++) {
        good = (c->mem_insn[i] & insn_mask) < source->statics.n_insns;
        sum += (c->mem_value ? c->mem_value[i] : 0) ^ (c->mem_addr ? c->mem_addr[i] : 0);
    }
    __asm__ volatile("" : : "r"(sum));
    return good;
}

#endif
