/* SPDX-License-Identifier: MIT */
/* Which inlined calls the instructions of a block are in:
 *
 *     block     mov  add  | imul imul | cmp  jne          6 instructions
 *               (none)      weigh       (none)            parts: weigh 2; none 4
 *
 * A frame has its parts of a block together, the last instruction's last: that is where a call at
 * the end of the block is made. Frames are numbered as they are met, and known by where their code
 * begins, which does not depend on what was executed. */
#ifndef SL_INLINED_PARTS_H
#define SL_INLINED_PARTS_H

#include "detector.h"
#include "index_map.h"

struct sl_inlined_part {
    uint32_t frame; /* SL_NO_INDEX: in none */
    uint32_t n_insns;
};

struct sl_inlined_frame {
    uint64_t pc;     /* where its code begins */
    uint32_t around; /* the frame that it is in; SL_NO_INDEX: none */
    unsigned depth;  /* from 1 on */
};

struct sl_inlined_parts {
    struct sl_inlined_part *part;
    size_t *first; /* by block, and of none behind the last */
    size_t n_blocks, n_parts, room_parts, room_first;
    struct sl_inlined_frame *frame;
    size_t room_frames;
    struct sl_index_map frames;
};

/* Takes in new blocks. False when memory ran out. */
bool sl_inlined_parts_sync(struct sl_inlined_parts *parts, const struct sl_watch *watch);
void sl_inlined_parts_free(struct sl_inlined_parts *parts);

#endif
