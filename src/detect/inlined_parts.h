/* SPDX-License-Identifier: MIT */
/* Parts of blocks, split by inlined call. The instructions of a block that belong to the same
 * inlined call are one part.
 *
 *     block     mov  add  | imul imul | cmp  jne          6 instructions
 *               (none)      weigh       (none)            parts: weigh 2; none 4
 *
 * All instructions of a frame in a block are one part. The part of the last instruction comes last,
 * because a call at the end of the block is made there. Frames have ids in order of appearance and
 * are identified by the start of their code, which does not depend on the execution. */
#ifndef SL_INLINED_PARTS_H
#define SL_INLINED_PARTS_H

#include "detector.h"
#include "index_map.h"

struct sl_inlined_part {
    uint32_t frame; /* SL_NO_INDEX: not inlined */
    uint32_t n_insns;
};

struct sl_inlined_frame {
    uint64_t pc;     /* start of its code */
    uint32_t around; /* the enclosing frame; SL_NO_INDEX: none */
    unsigned depth;  /* from 1 */
};

struct sl_inlined_parts {
    struct sl_inlined_part *part;
    size_t *first; /* by block: its first part; one more entry at the end */
    size_t n_blocks, n_parts, parts_capacity, first_capacity;
    struct sl_inlined_frame *frame;
    size_t frames_capacity;
    struct sl_index_map frames;
};

/* Reads new blocks. Returns false if out of memory. */
bool sl_inlined_parts_sync(struct sl_inlined_parts *parts, const struct sl_detector_env *env);
void sl_inlined_parts_free(struct sl_inlined_parts *parts);

#endif
