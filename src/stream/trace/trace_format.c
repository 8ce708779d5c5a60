/* SPDX-License-Identifier: MIT */
/* Reads, writes and checks the frame heads of a trace file, writes its index entries, and reads a
 * summary of the trace from its index (trace_format.h, trace.h). Numbers are little-endian. A frame
 * head ends with its XXH64 checksum. */
#include "trace_format.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "failure.h"
#include "trace.h"
#include "unnamed_file.h"

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
        return "the compressed size exceeds the maximum";
    if (head->kind == SL_TRACE_EVENTS) {
        if (head->items > SL_TRACE_FRAME_CHUNKS || head->blocks > SL_TRACE_FRAME_EVENTS ||
            head->mems > SL_TRACE_FRAME_EVENTS - head->blocks)
            return "the number of events exceeds the maximum of a frame";
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

/* ---- summary ---- */

/* Returns the decompressed index, to be freed; NULL if there is no valid one. */
static uint8_t *read_index(int fd, uint64_t file_size, uint64_t at, struct sl_trace_head *head)
{
    uint8_t bytes[SL_TRACE_HEAD_SIZE], *raw = NULL;
    uint64_t payload = at + SL_TRACE_HEAD_SIZE;
    if (at > file_size || !sl_file_read(fd, at, bytes, sizeof bytes) ||
        !sl_trace_get_head(bytes, head) || sl_trace_check_head(head) ||
        head->kind != SL_TRACE_INDEX ||
        head->raw_size != (uint64_t)head->items * SL_TRACE_ENTRY_SIZE ||
        payload + head->stored_size + SL_TRACE_TRAILER_SIZE != file_size)
        return NULL;
    uint8_t *stored = malloc(head->stored_size + 1);
    if (stored && (raw = malloc(head->raw_size + 1)) &&
        (!sl_file_read(fd, payload, stored, head->stored_size) ||
         XXH64(stored, head->stored_size, 0) != head->checksum ||
         ZSTD_decompress(raw, head->raw_size, stored, head->stored_size) != head->raw_size)) {
        free(raw);
        raw = NULL;
    }
    free(stored);
    return raw;
}

static int summarize(int fd, const char *path, struct sl_trace_summary *summary,
                     struct sl_failure *f)
{
    struct stat status;
    uint8_t trailer[SL_TRACE_TRAILER_SIZE], *index = NULL;
    struct sl_trace_head head;
    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
        return sl_fail(f, SL_EIO, "%s is not a file", path);
    uint64_t size = (uint64_t)status.st_size;
    if (size < SL_TRACE_HEADER_SIZE + SL_TRACE_TRAILER_SIZE ||
        !sl_file_read(fd, size - sizeof trailer, trailer, sizeof trailer) ||
        memcmp(trailer, SL_TRACE_END_MAGIC, 8) || sl_get64(trailer + 24) != XXH64(trailer, 24, 0) ||
        !(index = read_index(fd, size, sl_get64(trailer + 8), &head)))
        return sl_fail(f, SL_EFORMAT, "%s has no index: it is truncated, or not a trace", path);
    *summary = (struct sl_trace_summary){.bytes = size, .frames = head.items};
    for (uint32_t i = 0; i < head.items; i++) {
        const uint8_t *entry = index + (size_t)i * SL_TRACE_ENTRY_SIZE;
        if (sl_get32(entry + 16) != SL_TRACE_EVENTS)
            continue;
        summary->instructions += sl_get64(entry + 8);
        summary->chunks += sl_get32(entry + 20);
        summary->blocks += sl_get32(entry + 24);
        summary->mems += sl_get32(entry + 28);
    }
    free(index);
    return 0;
}

int sl_trace_summarize(const char *path, struct sl_trace_summary *summary, struct sl_failure *f)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return sl_fail_errno(f, SL_EIO, "cannot open %s", path);
    int error = summarize(fd, path, summary, f);
    close(fd);
    return error;
}
