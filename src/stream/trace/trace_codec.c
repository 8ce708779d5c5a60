/* SPDX-License-Identifier: MIT */
/* Allocates decoded trace frames and the tables of the trace codec (trace_codec.h). The two slot
 * tables take 1 MiB. After a frame, only changed slots are cleared, or the whole tables if many
 * slots have changed. */
#include "trace_codec.h"

#include <stdlib.h>

#include "grow.h"

bool sl_trace_frame_reserve(struct sl_trace_frame *frame, size_t chunks, size_t blocks, size_t mems)
{
    /* The margin makes arrays without events non-NULL: NULL means that the stream has no such
     * array. */
    blocks += SL_CHUNK_MARGIN;
    mems += SL_CHUNK_MARGIN;
    if (!SL_GROW(frame->chunk, frame->chunks_capacity, chunks) ||
        !SL_GROW(frame->block, frame->blocks_capacity, blocks))
        return false;
    if (frame->needs && !SL_GROW(frame->block_mem, frame->block_mems_capacity, blocks))
        return false;
    if (sl_trace_frame_has_words(frame) && !SL_GROW(frame->mem_insn, frame->insns_capacity, mems))
        return false;
    unsigned numbers = sl_trace_frame_numbers(frame);
    if (sl_trace_has_values(numbers) && !SL_GROW(frame->mem_value, frame->values_capacity, mems))
        return false;
    return !sl_trace_has_addresses(numbers) ||
           SL_GROW(frame->mem_addr, frame->addrs_capacity, mems);
}

void sl_trace_frame_free(struct sl_trace_frame *frame)
{
    free(frame->chunk);
    free(frame->block);
    free(frame->block_mem);
    free(frame->mem_insn);
    free(frame->mem_value);
    free(frame->mem_addr);
    *frame = (struct sl_trace_frame){.needs = frame->needs};
}

uint64_t sl_trace_frame_instructions(const struct sl_trace_frame *frame,
                                     const struct sl_statics *statics)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frame->n_blocks; i++)
        sum += statics->block_size[frame->block[i]];
    return sum;
}

struct sl_trace_codec *sl_trace_codec_new(void)
{
    return calloc(1, sizeof(struct sl_trace_codec));
}

void sl_trace_codec_free(struct sl_trace_codec *codec)
{
    if (codec) {
        free(codec->layout);
        free(codec->word);
        free(codec->layout_of);
        free(codec->column);
        free(codec->number);
    }
    free(codec);
}

bool sl_trace_layouts_reserve(struct sl_trace_codec *codec, size_t chunks, size_t blocks,
                              size_t mems)
{
    /* Each layout but the empty one has a block or lead of its first use. */
    if (!SL_GROW(codec->layout, codec->layouts_capacity, 1 + chunks + blocks) ||
        !SL_GROW(codec->word, codec->words_capacity, mems + SL_TRACE_GROUP) ||
        !SL_GROW(codec->layout_of, codec->layout_of_capacity, chunks + blocks))
        return false;
    sl_trace_slots_clear(&codec->by_block);
    codec->layout[0] = (struct sl_trace_layout){.block = SL_NO_BLOCK};
    codec->n_layouts = 1;
    codec->n_words = 0;
    return true;
}

void sl_trace_slots_clear(struct sl_trace_slots *slots)
{
    if (slots->n_changes > SL_TRACE_CHANGES)
        memset(slots->slot, 0, sizeof slots->slot);
    else
        for (uint32_t i = 0; i < slots->n_changes; i++)
            slots->slot[slots->change[i]] = (struct sl_trace_slot){0};
    slots->n_changes = 0;
}
