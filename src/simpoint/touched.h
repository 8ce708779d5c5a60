/* What a run has touched, and when last: lines of data and blocks of code. A slice of the run begins
 * with that, so that large caches hold at its beginning what they would hold, without the millions
 * of instructions that brought it: all that was touched lately, and of what lies further back what
 * the slice itself is about to touch, in the order of the last time.
 *
 *     line 7, line 3, block 12, line 9, ...   ->   mems without a block | block 12 | mems | ...
 *
 * Lines are 64 bytes. A cache of up to so many lines as are "lately" that replaces the least recently
 * used gets exactly those lines that it would hold; a larger one lacks lines that the slice does not
 * ask for. Whether a line was changed is kept from its first store on. Branch predictors and
 * prefetchers learn nothing from it: that is what the warm-up behind it is for. */
#ifndef SL_TOUCHED_H
#define SL_TOUCHED_H

#include "source.h"
#include "trace.h"

struct sl_touched {
    struct sl_touch {
        uint64_t address; /* of the last access; time 0: free */
        uint64_t time;
        uint32_t word; /* of that: a mem_insn word */
    } *line; /* by a hash of its number, at most half full */
    size_t n_slots, n_lines;
    uint64_t *block; /* by block: when it was executed last; 0: never */
    size_t room_blocks, n_blocks;
    uint64_t time;
};

/* Takes the chunk's mems from `low` up to `high`, and a block. False when memory ran out. */
bool sl_touched_mems(struct sl_touched *touched, const struct sl_chunk *chunk, uint32_t low, uint32_t high);
bool sl_touched_block(struct sl_touched *touched, uint32_t block);

/* How much "lately" is. */
struct sl_touched_limits {
    size_t lines, blocks;
};

/* Writes it as chunks of the thread; `ahead` is what the slice touches. How many instructions these
 * execute is added to *instructions. */
int sl_touched_write(const struct sl_touched *touched, const struct sl_touched *ahead,
                     const struct sl_touched_limits *limits, const struct sl_statics *statics,
                     uint32_t thread, bool values, struct sl_trace_writer *writer,
                     uint64_t *instructions, struct sl_failure *f);

void sl_touched_free(struct sl_touched *touched);

#endif
