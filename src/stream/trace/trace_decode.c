/* SPDX-License-Identifier: MIT */
/* Decoder for the frames of a trace that contain events: converts a decompressed payload to arrays
 * of events (docs/trace-format.md).
 *
 * The payload may be hostile (trace_decode.h). Loops have no early exits: errors are found after
 * each pass, and no part of an invalid frame is returned. */
#include "trace_decode.h"

#include <stdlib.h>

#include "grow.h"

/* ---- memory ---- */

/* Reserves the arrays that are decoded. Returns false if out of memory. */
static bool reserve_frame(struct sl_trace_frame *frame, size_t chunks, size_t blocks, size_t mems)
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

/* Clears the layouts, all but the empty one, and reserves space for those of a frame of this size.
 * Returns false if out of memory. */
static bool reserve_layouts(struct sl_trace_codec *codec, size_t chunks, size_t blocks, size_t mems)
{
    /* Each layout but the empty one has a block or lead of its first use. */
    if (!SL_GROW(codec->layout, codec->layouts_capacity, 1 + chunks + blocks) ||
        !SL_GROW(codec->word, codec->words_capacity, mems + SL_TRACE_GROUP) ||
        !SL_GROW(codec->layout_of, codec->layout_of_capacity, chunks + blocks))
        return false;
    memset(codec->by_block, 0, sizeof codec->by_block);
    codec->layout[0] = (struct sl_trace_layout){.block = SL_NO_BLOCK};
    codec->n_layouts = 1;
    codec->n_words = 0;
    return true;
}

/* ---- mem events ---- */

/* Converts the tokens of layouts to words if `replace`. Returns the greatest instruction. */
static uint32_t convert_tokens(struct sl_trace_codec *codec, const struct sl_statics *statics,
                               unsigned shift, bool replace)
{
    uint32_t greatest = 0;
    for (const struct sl_trace_layout *layout = codec->layout;
         layout < codec->layout + codec->n_layouts; layout++) {
        bool lead = layout->block == SL_NO_BLOCK;
        uint32_t base = lead ? 0 : sl_trace_first(statics, layout->block) << shift;
        for (uint32_t *word = codec->word + layout->word, *end = word + layout->n; word < end;
             word++) {
            uint32_t token = base + *word;
            greatest = token > greatest ? token : greatest;
            if (replace)
                *word = sl_trace_rotate(token, (32 - shift) & 31);
        }
    }
    return greatest >> shift;
}

/* Converts the tokens of layouts to words. Returns false, and leaves the tokens, if an instruction
 * has no record. */
static bool resolve_layouts(struct sl_trace_codec *codec, const struct sl_statics *statics,
                            unsigned needs)
{
    unsigned shift = sl_trace_word_shift(needs);
    if (codec->n_words && convert_tokens(codec, statics, shift, false) >= statics->n_insns)
        return false;
    convert_tokens(codec, statics, shift, true);
    return true;
}

/* The same, if the records known so far suffice. */
static bool resolve_early(struct sl_trace_codec *codec, const struct sl_trace_known *known,
                          unsigned needs)
{
    pthread_mutex_lock(known->lock);
    bool resolved = codec->greatest < known->statics->n_blocks &&
                    resolve_layouts(codec, known->statics, needs);
    pthread_mutex_unlock(known->lock);
    return resolved;
}

static void copy_layouts(struct sl_trace_codec *codec, const struct sl_trace_frame *frame)
{
    uint32_t *word = frame->mem_insn;
    for (uint32_t i = 0; i < frame->n_chunks + frame->n_blocks; i++) {
        const struct sl_trace_layout *layout = &codec->layout[codec->layout_of[i]];
        const uint32_t *own = codec->word + layout->word;
        memcpy(word, own, SL_TRACE_GROUP * sizeof *word);
        for (uint32_t k = SL_TRACE_GROUP; k < layout->n; k += SL_TRACE_GROUP)
            memcpy(word + k, own + k, SL_TRACE_GROUP * sizeof *word);
        word += layout->n;
    }
}

/* Decodes or checks values or addresses (`kind`), if the frame has them; and fills `word` unless
 * that is NULL. */
static const char *unpack_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                  unsigned kind, uint32_t *word, const struct sl_trace_span *stream,
                                  const char *wrong)
{
    if (!(frame->needs & kind))
        return stream[0].at == stream[1].end ? NULL : wrong;
    if (!(sl_trace_frame_numbers(frame) & kind))
        return sl_trace_check_numbers(frame->n_mems, stream) ? NULL : wrong;
    uint64_t *number = sl_trace_has_values(kind) ? frame->mem_value : frame->mem_addr;
    return sl_trace_get_numbers(codec, frame, number, word, stream, wrong);
}

/* Decodes values and addresses; words are filled with the first of them. */
static const char *unpack_columns(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                  const struct sl_trace_span *stream)
{
    unsigned numbers = sl_trace_frame_numbers(frame);
    uint32_t *word = codec->resolved ? frame->mem_insn : NULL;
    const char *why = unpack_numbers(codec, frame, SL_NEED_VALUES, word,
                                     &stream[SL_STREAM_VALUE_CODES],
                                     "the values cannot be decoded");
    if (!why)
        why = unpack_numbers(codec, frame, SL_NEED_ADDRESSES | SL_NEED_STORES,
                             sl_trace_has_values(numbers) ? NULL : word,
                             &stream[SL_STREAM_ADDR_CODES], "the addresses cannot be decoded");
    if (!why && !numbers && codec->resolved && sl_trace_frame_has_words(frame))
        copy_layouts(codec, frame);
    return why;
}

/* Decodes blocks and their mem events. */
static const char *unpack_mems(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                               const struct sl_trace_span *stream,
                               const struct sl_trace_known *known)
{
    if (!reserve_layouts(codec, frame->n_chunks, frame->n_blocks, frame->n_mems))
        return SL_TRACE_NO_MEMORY;
    const char *why = sl_trace_get_layouts(codec, frame, stream);
    codec->resolved = !why && known && resolve_early(codec, known, frame->needs);
    return why ? why : unpack_columns(codec, frame, stream);
}

/* ---- the payload ---- */

/* Returns NULL or what is wrong. */
static const char *get_chunks(struct sl_trace_frame *frame, struct sl_trace_span s)
{
    uint64_t blocks = 0;
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        struct sl_trace_chunk *chunk = &frame->chunk[c];
        chunk->n_mems = 0;
        if (!sl_trace_varint(&s, &chunk->thread) || !sl_trace_varint(&s, &chunk->flags) ||
            !sl_trace_varint(&s, &chunk->n_blocks) || !sl_trace_varint(&s, &chunk->lead))
            return "the chunk table is truncated";
        if (chunk->flags & ~(uint32_t)SL_CHUNK_FLAGS || chunk->n_blocks > SL_CHUNK_BLOCKS ||
            chunk->lead > (frame->needs ? SL_CHUNK_MEMS : 0))
            return "the chunk table is invalid";
        blocks += chunk->n_blocks;
    }
    return s.at != s.end || blocks != frame->n_blocks
               ? "the chunk table differs from the frame head"
               : NULL;
}

static bool split(const uint8_t *raw, size_t raw_size, struct sl_trace_span stream[SL_STREAMS])
{
    const uint8_t *at = raw + 4 * SL_STREAMS;
    if (raw_size < 4 * SL_STREAMS)
        return false;
    size_t left = raw_size - 4 * SL_STREAMS;
    for (unsigned i = 0; i < SL_STREAMS; i++) {
        uint32_t size = sl_get32(raw + 4 * i);
        if (size > left)
            return false;
        stream[i] = (struct sl_trace_span){at, at + size};
        at += size;
        left -= size;
    }
    return !left;
}

const char *sl_trace_unpack(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                            const struct sl_trace_head *head, const uint8_t *raw,
                            const struct sl_trace_known *known)
{
    struct sl_trace_span stream[SL_STREAMS];
    if (!reserve_frame(frame, head->items, head->blocks, head->mems))
        return SL_TRACE_NO_MEMORY;
    frame->n_chunks = head->items;
    frame->n_blocks = head->blocks;
    frame->n_mems = head->mems;
    if (!split(raw, head->raw_size, stream))
        return "the lengths of the frame's byte streams do not match the size of the payload";
    const char *why = get_chunks(frame, stream[SL_STREAM_CHUNKS]);
    if (why)
        return why;
    if (frame->needs)
        return unpack_mems(codec, frame, stream, known);
    why = sl_trace_get_blocks(codec, frame, stream);
    if (!why &&
        (frame->n_mems || stream[SL_STREAM_BLOCK_LITERALS].end != stream[SL_STREAMS - 1].end))
        why = "the frame has memory accesses, but the header describes a trace that contains only "
              "blocks";
    return why;
}

static const char *resolve_mems(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                const struct sl_statics *statics)
{
    if (codec->resolved)
        return NULL;
    if (!resolve_layouts(codec, statics, frame->needs))
        return "no record describes one of the executed instructions";
    if (sl_trace_frame_has_words(frame))
        copy_layouts(codec, frame);
    return NULL;
}

const char *sl_trace_resolve(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                             const struct sl_statics *statics, const struct sl_trace_head *head)
{
    if (frame->n_blocks && codec->greatest >= statics->n_blocks)
        return "no record describes one of the executed blocks";
    const char *why = frame->needs ? resolve_mems(codec, frame, statics) : NULL;
    uint64_t instructions = 0;
    for (uint32_t i = 0; !why && i < frame->n_blocks; i++)
        instructions += statics->block_size[frame->block[i]];
    if (!why && instructions != head->instructions)
        why = "the number of instructions differs from the frame head";
    return why;
}
