/* SPDX-License-Identifier: MIT */
/* Reads, writes and checks the frame heads of a trace file, and writes its index entries
 * (trace_format.h). Numbers are little-endian. A frame head ends with its XXH64 checksum. */
#include "trace_format.h"

#include <xxhash.h>

void sl_trace_put_head(uint8_t out[SL_TRACE_HEAD_SIZE], const struct sl_trace_head *head)
{
    const uint32_t word[] = {SL_TRACE_FRAME_MAGIC, head->kind,  head->number, head->stored_size,
                             head->raw_size,       head->items, head->blocks, head->mems};
    for (unsigned i = 0; i < 8; i++)
        sl_put32(out + 4 * i, word[i]);
    sl_put64(out + 32, head->instructions);
    sl_put64(out + 40, head->checksum);
    sl_put64(out + 48, XXH64(out, 48, 0));
}

bool sl_trace_get_head(const uint8_t in[SL_TRACE_HEAD_SIZE], struct sl_trace_head *head)
{
    *head = (struct sl_trace_head){
        .kind = sl_get32(in + 4),
        .number = sl_get32(in + 8),
        .stored_size = sl_get32(in + 12),
        .raw_size = sl_get32(in + 16),
        .items = sl_get32(in + 20),
        .blocks = sl_get32(in + 24),
        .mems = sl_get32(in + 28),
        .instructions = sl_get64(in + 32),
        .checksum = sl_get64(in + 40),
    };
    return sl_get32(in) == SL_TRACE_FRAME_MAGIC && sl_get64(in + 48) == XXH64(in, 48, 0);
}

const char *sl_trace_check_head(const struct sl_trace_head *head)
{
    static const uint32_t raw_max[] = {
        [SL_TRACE_RECORDS] = SL_TRACE_RECORDS_MAX,
        [SL_TRACE_EVENTS] = SL_TRACE_EVENTS_MAX,
        [SL_TRACE_INDEX] = SL_TRACE_INDEX_MAX,
    };
    if (head->kind < SL_TRACE_RECORDS || head->kind > SL_TRACE_INDEX)
        return "the frame's kind is unknown";
    if (head->raw_size > raw_max[head->kind])
        return "the payload exceeds the maximum size of a frame";
    if (head->stored_size > sl_trace_stored_max(head->raw_size))
        return "the compressed size exceeds the maximum for the uncompressed size";
    if (head->kind == SL_TRACE_EVENTS) {
        if (head->items > SL_TRACE_FRAME_CHUNKS || head->blocks > SL_TRACE_FRAME_EVENTS ||
            head->mems > SL_TRACE_FRAME_EVENTS - head->blocks)
            return "the number of chunks or events exceeds the maximum of a frame";
    } else if (head->blocks || head->mems || head->instructions) {
        return "the frame has events, but is not an EVENTS frame";
    }
    return NULL;
}

void sl_trace_put_entry(uint8_t out[SL_TRACE_ENTRY_SIZE], uint64_t offset,
                        const struct sl_trace_head *head)
{
    sl_put64(out, offset);
    sl_put64(out + 8, head->instructions);
    sl_put32(out + 16, head->kind);
    sl_put32(out + 20, head->items);
    sl_put32(out + 24, head->blocks);
    sl_put32(out + 28, head->mems);
}
