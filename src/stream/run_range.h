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
#ifndef SL_RUN_RANGE_H
#define SL_RUN_RANGE_H

#include "event.h"
#include "statics.h"

/* All zero: the whole stream. */
struct sl_run_range {
    uint64_t skip, limit; /* instructions; a limit of 0 means no limit */
    uint64_t skipped, counted;
    bool begun;          /* a chunk of the range was returned */
    bool ended;          /* a block after the range was seen */
    uint32_t thread;     /* of the last block in the range */
    uint32_t *block_mem; /* of the chunk in which the range begins; sl_run_range_free() frees it */
};

enum sl_range_part { SL_RANGE_BEFORE, SL_RANGE_INSIDE, SL_RANGE_AFTER };

/* Reduces the next chunk of the stream to its part in the range. *part is SL_RANGE_BEFORE if that
 * is empty, SL_RANGE_AFTER if later chunks are after the range, too. Returns false if out of
 * memory. */
bool sl_run_range_cut(struct sl_run_range *range, const struct sl_statics *statics,
                      struct sl_chunk *chunk, enum sl_range_part *part);

void sl_run_range_free(struct sl_run_range *range);

/* Removes the first `n` blocks and all mem events before the next block; with n = n_blocks, all mem
 * events. `block_mem` has space for SL_CHUNK_BLOCKS numbers and may be the chunk's own array. */
void sl_chunk_remove_first(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem);

/* Removes all but the first `n` blocks, with their mem events. */
void sl_chunk_truncate(struct sl_chunk *chunk, uint32_t n);

#endif
