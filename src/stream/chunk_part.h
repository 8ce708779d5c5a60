/* SPDX-License-Identifier: MIT */
/* A chunk without its first blocks, or without its last ones; with a block goes what it did. */
#ifndef SL_CHUNK_PART_H
#define SL_CHUNK_PART_H

#include "event.h"

/* Leaves out the first `n` blocks, and all events in front of the next; with all blocks go all
 * events. `block_mem` is room for SL_CHUNK_BLOCKS, and may be the chunk's own. */
void sl_chunk_drop_front(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem);

/* Leaves out all but the first `n` blocks. */
void sl_chunk_keep_front(struct sl_chunk *chunk, uint32_t n);

#endif
