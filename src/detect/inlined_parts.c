/* SPDX-License-Identifier: MIT */
/* Splits blocks into parts by inlined call: all instructions of a block that belong to the same
 * inlined call are one part, even if they are not consecutive (inlined_parts.h). */
#include "inlined_parts.h"

#include <stdlib.h>

#include "context_name.h"
#include "grow.h"
#include "symbol.h"

/* The innermost frame at an address. Returns false if out of memory. */
static bool frame_at(struct sl_inlined_parts *p, struct sl_symbols *symbols, uint64_t address,
                     uint32_t *frame)
{
    uint64_t start[SL_CONTEXT_DEPTH];
    size_t depth = symbols ? sl_symbols_inlined_starts(symbols, address, start, SL_CONTEXT_DEPTH)
                           : 0;
    *frame = SL_NO_INDEX;
    for (size_t i = 0; i < depth; i++) {
        size_t before = p->frames.n_keys;
        uint32_t around = *frame;
        *frame = sl_index_add(&p->frames, start[i], around);
        if (*frame == SL_NO_INDEX || !SL_GROW(p->frame, p->frames_capacity, p->frames.n_keys))
            return false;
        if (p->frames.n_keys > before)
            p->frame[*frame] = (struct sl_inlined_frame){start[i], around, (unsigned)i + 1};
    }
    return true;
}

/* Adds an instruction to the block whose parts begin at `first`. */
static bool add(struct sl_inlined_parts *p, size_t first, uint32_t frame)
{
    struct sl_inlined_part part = {frame, 1};
    size_t i = first;
    while (i < p->n_parts && p->part[i].frame != frame)
        i++;
    if (i == p->n_parts) {
        if (!SL_GROW(p->part, p->parts_capacity, p->n_parts + 1))
            return false;
        p->n_parts++;
    } else {
        part.n_insns += p->part[i].n_insns;
    }
    for (; i + 1 < p->n_parts; i++)
        p->part[i] = p->part[i + 1];
    p->part[i] = part;
    return true;
}

bool sl_inlined_parts_sync(struct sl_inlined_parts *p, const struct sl_detector_env *env)
{
    const struct sl_statics *statics = env->statics;
    if (!SL_GROW(p->first, p->first_capacity, statics->n_blocks + 1))
        return false;
    for (; p->n_blocks < statics->n_blocks; p->n_blocks++) {
        const struct sl_block *block = &statics->block[p->n_blocks];
        size_t first = p->first[p->n_blocks] = p->n_parts;
        for (size_t i = 0; i < block->n_insns; i++) {
            uint32_t frame;
            uint64_t pc = statics->insn[statics->block_insn[block->insns_at + i]].pc;
            if (!frame_at(p, env->symbols, pc, &frame) || !add(p, first, frame))
                return false;
        }
    }
    p->first[p->n_blocks] = p->n_parts;
    return true;
}

void sl_inlined_parts_free(struct sl_inlined_parts *p)
{
    free(p->part);
    free(p->first);
    free(p->frame);
    sl_index_free(&p->frames);
}
