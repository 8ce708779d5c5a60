/* SPDX-License-Identifier: MIT */
/* Size and event counts of a trace file, from its index alone (trace_summary.h). */
#include "trace_summary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "failure.h"
#include "trace_format.h"
#include "unnamed_file.h"

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
