#include "trace_codec.h"

#include <stdlib.h>

#include "grow.h"

bool sl_trace_frame_reserve(struct sl_trace_frame *frame, size_t chunks, size_t blocks,
                            size_t mems)
{
    /* One more, so that arrays without events are not NULL, which would mean that
     * the stream has no such array. */
    blocks++;
    mems++;
    if (!SL_GROW(frame->chunk, frame->room_chunks, chunks) ||
        !SL_GROW(frame->block, frame->room_blocks, blocks))
        return false;
    if (frame->wants && (!SL_GROW(frame->block_mem, frame->room_block_mems, blocks) ||
                         !SL_GROW(frame->mem_insn, frame->room_insns, mems)))
        return false;
    if (sl_trace_has_values(frame->wants) && !SL_GROW(frame->mem_value, frame->room_values, mems))
        return false;
    return !sl_trace_has_addresses(frame->wants) ||
           SL_GROW(frame->mem_addr, frame->room_addrs, mems);
}

void sl_trace_frame_free(struct sl_trace_frame *frame)
{
    free(frame->chunk);
    free(frame->block);
    free(frame->block_mem);
    free(frame->mem_insn);
    free(frame->mem_value);
    free(frame->mem_addr);
    *frame = (struct sl_trace_frame){.wants = frame->wants};
}

uint64_t sl_trace_frame_instructions(const struct sl_trace_frame *frame,
                                     const struct sl_statics *statics)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frame->n_blocks; i++)
        sum += statics->block[frame->block[i]].n_insns;
    return sum;
}

struct sl_trace_codec *sl_trace_codec_new(void)
{
    return calloc(1, sizeof(struct sl_trace_codec));
}

void sl_trace_codec_free(struct sl_trace_codec *codec)
{
    if (codec)
        free(codec->column);
    free(codec);
}

void sl_trace_columns(struct sl_trace_codec *codec, const struct sl_trace_frame *frame)
{
    uint32_t at = 0;
    memset(codec->column_at, 0, sizeof codec->column_at);
    for (uint32_t i = 0; i < frame->n_mems; i++)
        codec->column_at[sl_trace_fold(frame->mem_insn[i])]++;
    for (uint32_t c = 0; c <= SL_TRACE_COLUMNS; c++) {
        uint32_t n = codec->column_at[c];
        codec->column_at[c] = at;
        at += n;
    }
}
