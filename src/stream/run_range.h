/* SPDX-License-Identifier: MIT */
/* The run range: which instructions of a stream a session sees (--skip, --limit), and cutting
 * chunks at block boundaries.
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
    uint64_t skipped, taken;
    bool begun;          /* a chunk of the range was returned */
    bool ended;          /* a block after the range was seen */
    uint32_t thread;     /* of the last block in the range */
    uint32_t *block_mem; /* of the chunk in which the range begins; sl_run_range_free() frees it */
};

enum sl_window_verdict { SL_WINDOW_DROP, SL_WINDOW_GIVE, SL_WINDOW_END };

/* Reduces the next chunk of the stream to its part in the range. *verdict is SL_WINDOW_DROP if that
 * is empty, SL_WINDOW_END if later chunks are after the range, too. Returns false if out of
 * memory. */
bool sl_run_range_cut(struct sl_run_range *window, const struct sl_statics *statics,
                      struct sl_chunk *chunk, enum sl_window_verdict *verdict);

void sl_run_range_free(struct sl_run_range *window);

/* Removes the first `n` blocks and all mem events before the next block; with n = n_blocks, all mem
 * events. `block_mem` has space for SL_CHUNK_BLOCKS numbers and may be the chunk's own array. */
void sl_chunk_drop_front(struct sl_chunk *chunk, uint32_t n, uint32_t *block_mem);

/* Removes all but the first `n` blocks, with their mem events. */
void sl_chunk_keep_front(struct sl_chunk *chunk, uint32_t n);

#endif
