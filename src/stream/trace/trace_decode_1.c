/* SPDX-License-Identifier: MIT */
/* Version 1 of what an EVENTS frame says of mem events, docs/trace-format.md: nobody writes it any
 * more, but it is read.
 *
 *     block_mem[]  0 2 2 3 5   1 1 4   ...        tokens, predicted by block
 *     mem_insn[]   m m m m m   m m m   ...        tokens, predicted by block and
 *                                                 by the word before
 *     mem_value[]  v v v v v   v v v   ...        numbers, sorted into columns
 *     mem_addr[]   a a a a a   a a a   ...        numbers, sorted into columns  */
#include "trace_decode_1.h"

#include <stdlib.h>

#include "grow.h"
#include "trace_column.h"

#define COLUMNS (UINT32_C(1) << 16)

/* 2 MiB of slots, and a frame's numbers in columns: only where a trace of version 1 is read. */
struct sl_trace_old {
    struct sl_trace_slot count[SL_TRACE_SLOTS];
    struct sl_trace_slot first[SL_TRACE_SLOTS];
    struct sl_trace_slot next[SL_TRACE_SLOTS];
    uint32_t column_at[COLUMNS + 1];
    uint64_t *column;
    size_t room_column;
};

void sl_trace_old_free(struct sl_trace_old *old)
{
    if (old)
        free(old->column);
    free(old);
}

/* Number of a word's column, and of the slot that follows a token. */
static uint32_t fold(uint32_t word)
{
    return (word ^ word >> 16) & 0xffff;
}

/* Fills block_mem and each chunk's n_mems. Returns false if a chunk has too many,
 * or all together are not n_mems. */
static bool get_counts(struct sl_trace_old *old, struct sl_trace_frame *frame,
                       struct sl_token_reader *reader)
{
    struct sl_token_reader r = *reader;
    uint32_t i = 0;
    uint64_t all = 0;
    bool fits = true;
    memset(old->count, 0, sizeof old->count);
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        uint64_t n_mems = frame->chunk[c].lead;
        for (uint32_t end = i + frame->chunk[c].n_blocks; i < end; i++) {
            struct sl_trace_slot *slot = &old->count[frame->block[i] % SL_TRACE_SLOTS];
            frame->block_mem[i] = (uint32_t)n_mems;
            n_mems += SL_TOKENS_NEXT(&r, slot, 0, false);
        }
        fits &= n_mems <= SL_CHUNK_MEMS;
        frame->chunk[c].n_mems = (uint32_t)n_mems;
        all += n_mems;
    }
    *reader = r;
    return fits && all == frame->n_mems;
}

/* Returns the greatest instruction number. */
static uint32_t get_words(struct sl_trace_old *old, struct sl_trace_frame *frame,
                          const struct sl_statics *statics, struct sl_token_reader *reader)
{
    struct sl_token_reader r = *reader;
    uint32_t *word = frame->mem_insn;
    unsigned shift = sl_trace_word_shift(frame->wants);
    uint32_t i = 0, before = 0, greatest = 0;
    memset(old->first, 0, sizeof old->first);
    memset(old->next, 0, sizeof old->next);
    for (uint32_t c = 0; c < frame->n_chunks; c++) {
        uint32_t end = i + frame->chunk[c].n_blocks, left = frame->chunk[c].lead;
        for (;; i++) {
            for (; left; left--) {
                struct sl_trace_slot *slot = &old->next[fold(before)];
                before = SL_TOKENS_NEXT(&r, slot, before, true);
                *word++ = sl_trace_rotate(before, (32 - shift) & 31);
                greatest = before > greatest ? before : greatest;
            }
            if (i == end)
                break;
            left = (i + 1 < end ? frame->block_mem[i + 1] : frame->chunk[c].n_mems) -
                   frame->block_mem[i];
            if (!left)
                continue;
            left--;
            uint32_t block = frame->block[i];
            struct sl_trace_slot *slot = &old->first[block % SL_TRACE_SLOTS];
            before = SL_TOKENS_NEXT(&r, slot, sl_trace_first(statics, block) << shift, true);
            *word++ = sl_trace_rotate(before, (32 - shift) & 31);
            greatest = before > greatest ? before : greatest;
        }
    }
    *reader = r;
    return greatest >> shift;
}

/* ---- numbers ---- */

/* Where each column starts among the frame's numbers. */
static void lay_out(struct sl_trace_old *old, const struct sl_trace_frame *frame)
{
    uint32_t at = 0;
    memset(old->column_at, 0, sizeof old->column_at);
    for (uint32_t i = 0; i < frame->n_mems; i++)
        old->column_at[fold(frame->mem_insn[i])]++;
    for (uint32_t c = 0; c <= COLUMNS; c++) {
        uint32_t n = old->column_at[c];
        old->column_at[c] = at;
        at += n;
    }
}

static bool get_numbers(struct sl_trace_old *old, const struct sl_trace_frame *frame,
                        uint64_t *number, bool zigzag, const struct sl_trace_span *stream)
{
    const uint8_t *code = stream[0].at;
    struct sl_trace_span bytes = stream[1];
    if (stream[0].end - code != frame->n_mems || !sl_trace_codes_agree(code, frame->n_mems, &bytes))
        return false;
    struct sl_column_position position = {.bytes = bytes.at};
    lay_out(old, frame);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        uint32_t at = old->column_at[c], n = old->column_at[c + 1] - at;
        position.last = position.before = 0;
        sl_trace_get_column(old->column + at, 1, n, zigzag, false, code + at, &position);
    }
    for (uint32_t i = 0; i < frame->n_mems; i++)
        number[i] = old->column[old->column_at[fold(frame->mem_insn[i])]++];
    return true;
}

/* ---- all of it ---- */

enum { COUNT_RUNS, WORD_RUNS = 2, VALUE_CODES = 4, ADDR_CODES = 6 };

static const char *decode(struct sl_trace_old *old, struct sl_trace_frame *frame,
                          const struct sl_statics *statics, const struct sl_trace_span *stream)
{
    const struct sl_trace_span *values = stream + VALUE_CODES, *addrs = stream + ADDR_CODES;
    struct sl_token_reader r = sl_tokens(stream[COUNT_RUNS], stream[COUNT_RUNS + 1]);
    if (!get_counts(old, frame, &r) || !sl_tokens_used_up(&r))
        return "its counts of mem events cannot be decoded";
    r = sl_tokens(stream[WORD_RUNS], stream[WORD_RUNS + 1]);
    uint32_t greatest = get_words(old, frame, statics, &r);
    if (!sl_tokens_used_up(&r))
        return "its mem events cannot be decoded";
    if (frame->n_mems && greatest >= statics->n_insns)
        return "it executes an instruction that no record describes";
    if (sl_trace_has_values(frame->wants)
            ? !get_numbers(old, frame, frame->mem_value, false, values)
            : values[0].at != values[1].end)
        return "its values cannot be decoded";
    if (sl_trace_has_addresses(frame->wants)
            ? !get_numbers(old, frame, frame->mem_addr, true, addrs)
            : addrs[0].at != addrs[1].end)
        return "its addresses cannot be decoded";
    return NULL;
}

const char *sl_trace_decode_1(struct sl_trace_old **old, struct sl_trace_frame *frame,
                              const struct sl_statics *statics, const struct sl_trace_span *stream)
{
    if (!*old)
        *old = calloc(1, sizeof **old);
    if (!*old || !SL_GROW((*old)->column, (*old)->room_column, (size_t)frame->n_mems + 1))
        return SL_TRACE_NO_MEMORY;
    return decode(*old, frame, statics, stream);
}
