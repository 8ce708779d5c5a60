/* Writing a trace file, docs/trace-format.md.
 *
 * Chunks gather in the arrays of a frame until the next one would not fit, then
 * the frame is coded, compressed and written with one write. Records gather too,
 * and are written in front of the frame whose events may need them, so that a
 * program that meets new code all the time does not cut its events into small
 * frames. An END record ends the frame first: its place says what came before.
 *
 * The writer keeps a static table of its own. With it, it refuses chunks that no
 * reader would accept, counts instructions, and codes words relative to blocks.
 *
 * Memory: 28 MiB at most for the frame's events, 2 MiB for records, 33 MiB for a
 * payload before and 33 MiB for it after compression, 11 MiB for the codec and
 * zstd's own, little of it touched as a rule; the static table; 32 bytes of index
 * for each frame.
 *
 * What was written up to the last whole frame can be read, whatever happens. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "failure.h"
#include "grow.h"
#include "replacement.h"
#include "trace_codec.h"

/* Measured: level 1 is a fifth larger and a third faster, level 6 a tenth smaller
 * and takes twice the time. */
#define COMPRESSION_LEVEL 3

struct sl_trace_writer {
    int fd;
    char *path;
    uint64_t size; /* bytes written */
    struct sl_statics statics;
    struct sl_trace_frame frame; /* events pending */
    uint8_t *records;            /* records pending */
    uint32_t records_size, n_records;
    uint8_t *raw, *stored;
    uint8_t *index;
    size_t room_index, n_frames;
    struct sl_trace_codec *codec;
    ZSTD_CCtx *zstd;
    struct sl_failure failed; /* code 0 while all is well */
};

/* ---- frames ----------------------------------------------------------------- */

/* Errors of the file are kept: each further call reports the same. */
static int broken(struct sl_trace_writer *w, struct sl_failure *f)
{
    if (f)
        *f = w->failed;
    return w->failed.code;
}

static int write_all(struct sl_trace_writer *w, const uint8_t *data, size_t size,
                     struct sl_failure *f)
{
    while (size) {
        ssize_t n = write(w->fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : ENOSPC;
            sl_fail_errno(&w->failed, SL_EIO,
                          "cannot write %s behind its first %zu frames, which can be read", w->path,
                          w->n_frames);
            return broken(w, f);
        }
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Compresses and writes a frame. Its head has all but sizes, number, checksum. */
static int write_frame(struct sl_trace_writer *w, struct sl_trace_head head, const uint8_t *raw,
                       size_t raw_size, struct sl_failure *f)
{
    if (w->n_frames >= SL_TRACE_INDEX_MAX / SL_TRACE_ENTRY_SIZE && head.kind != SL_TRACE_INDEX) {
        sl_fail(&w->failed, SL_EIO, "%s is full: a trace has at most %zu frames", w->path,
                w->n_frames);
        return broken(w, f);
    }
    uint8_t *payload = w->stored + SL_TRACE_HEAD_SIZE;
    size_t index_size = (w->n_frames + 1) * SL_TRACE_ENTRY_SIZE;
    size_t stored = ZSTD_compressCCtx(w->zstd, payload, sl_trace_stored_max((uint32_t)raw_size),
                                      raw, raw_size, COMPRESSION_LEVEL);
    if (ZSTD_isError(stored) || !SL_GROW(w->index, w->room_index, index_size)) {
        sl_fail(&w->failed, SL_ENOMEM, "out of memory while writing %s", w->path);
        return broken(w, f);
    }
    head.number = (uint32_t)w->n_frames;
    head.raw_size = (uint32_t)raw_size;
    head.stored_size = (uint32_t)stored;
    head.checksum = XXH64(payload, stored, 0);
    sl_trace_put_head(w->stored, &head);
    int error = write_all(w, w->stored, SL_TRACE_HEAD_SIZE + stored, f);
    if (error < 0)
        return error;
    sl_trace_put_entry(w->index + w->n_frames * SL_TRACE_ENTRY_SIZE, w->size, &head);
    w->n_frames++;
    w->size += SL_TRACE_HEAD_SIZE + stored;
    return 0;
}

static int flush_records(struct sl_trace_writer *w, struct sl_failure *f)
{
    struct sl_trace_head head = {.kind = SL_TRACE_RECORDS, .items = w->n_records};
    size_t size = w->records_size;
    if (!size)
        return 0;
    w->records_size = w->n_records = 0;
    return write_frame(w, head, w->records, size, f);
}

/* Writes all that is pending. */
static int flush(struct sl_trace_writer *w, struct sl_failure *f)
{
    int error = flush_records(w, f);
    if (error < 0 || !w->frame.n_chunks)
        return error;
    struct sl_trace_head head = {
        .kind = SL_TRACE_EVENTS,
        .items = w->frame.n_chunks,
        .blocks = w->frame.n_blocks,
        .mems = w->frame.n_mems,
        .instructions = sl_trace_frame_instructions(&w->frame, &w->statics),
    };
    size_t size = sl_trace_encode(w->codec, &w->frame, &w->statics, w->raw);
    if (!size) {
        sl_fail(&w->failed, SL_ENOMEM, "out of memory while writing %s", w->path);
        return broken(w, f);
    }
    w->frame.n_chunks = w->frame.n_blocks = w->frame.n_mems = 0;
    return write_frame(w, head, w->raw, size, f);
}

/* ---- records ---------------------------------------------------------------- */

int sl_trace_records(struct sl_trace_writer *w, const uint8_t *data, size_t size,
                     struct sl_failure *f)
{
    if (w->failed.code)
        return broken(w, f);
    int64_t used = sl_statics_apply(&w->statics, data, size, f);
    if (used < 0)
        return (int)used;
    if ((size_t)used != size)
        return sl_fail(f, SL_EUSAGE, "a static record for %s is not whole", w->path);
    if (w->statics.program.path && w->statics.program.wants != w->frame.wants)
        return sl_fail(f, SL_EUSAGE, "%s was created for a stream that carries %u, not %u", w->path,
                       w->frame.wants, w->statics.program.wants);
    while (size) {
        uint32_t record = SL_RECORD_HEAD + sl_get32(data);
        int error = 0;
        if (sl_get32(data + 4) == SL_RECORD_END)
            error = flush(w, f);
        else if (record > SL_TRACE_RECORDS_MAX - w->records_size)
            error = flush_records(w, f);
        if (error < 0)
            return error;
        memcpy(w->records + w->records_size, data, record);
        w->records_size += record;
        w->n_records++;
        data += record;
        size -= record;
    }
    return 0;
}

/* ---- chunks ----------------------------------------------------------------- */

static uint32_t greatest(const uint32_t *array, uint32_t n, uint32_t mask)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < n; i++)
        max = (array[i] & mask) > max ? array[i] & mask : max;
    return max;
}

static bool ascends(const uint32_t *array, uint32_t n, uint32_t limit)
{
    bool bad = n && array[n - 1] > limit;
    for (uint32_t i = 1; i < n; i++)
        bad |= array[i] < array[i - 1];
    return !bad;
}

/* NULL, or why no reader would take the chunk. */
static const char *unacceptable(const struct sl_trace_writer *w, const struct sl_chunk *c)
{
    unsigned wants = w->frame.wants;
    uint32_t number = sl_trace_has_addresses(wants) ? SL_MEM_INSN_MASK : UINT32_MAX;
    if (c->n_blocks > SL_CHUNK_BLOCKS || c->n_mems > (wants ? SL_CHUNK_MEMS : 0))
        return "too many events";
    if (c->flags & ~(uint32_t)(SL_CHUNK_START | SL_CHUNK_GAP))
        return "flags that there are not";
    if ((c->n_blocks && (!c->block || (wants && !c->block_mem))) ||
        (c->n_mems && (!c->mem_insn || (sl_trace_has_values(wants) && !c->mem_value) ||
                       (sl_trace_has_addresses(wants) && !c->mem_addr))))
        return "not the arrays that were announced";
    if (c->n_blocks && greatest(c->block, c->n_blocks, UINT32_MAX) >= w->statics.n_blocks)
        return "a block that no record describes";
    if (c->n_mems && greatest(c->mem_insn, c->n_mems, number) >= w->statics.n_insns)
        return "an instruction that no record describes";
    if (wants && !ascends(c->block_mem, c->n_blocks, c->n_mems))
        return "mem events that belong to no block";
    return NULL;
}

int sl_trace_chunk(struct sl_trace_writer *w, const struct sl_chunk *c, struct sl_failure *f)
{
    struct sl_trace_frame *frame = &w->frame;
    if (w->failed.code)
        return broken(w, f);
    const char *why = unacceptable(w, c);
    if (why)
        return sl_fail(f, SL_EUSAGE, "a chunk for %s has %s", w->path, why);
    if (frame->n_chunks == SL_TRACE_FRAME_CHUNKS ||
        frame->n_blocks + frame->n_mems + c->n_blocks + c->n_mems > SL_TRACE_FRAME_EVENTS) {
        int error = flush(w, f);
        if (error < 0)
            return error;
    }
    if (!sl_trace_frame_reserve(frame, frame->n_chunks + 1, frame->n_blocks + c->n_blocks,
                                frame->n_mems + c->n_mems))
        return sl_fail(f, SL_ENOMEM, "out of memory while writing %s", w->path);
    bool counts = frame->wants && c->n_blocks;
    frame->chunk[frame->n_chunks++] =
        (struct sl_trace_chunk){.thread = c->thread,
                                .flags = c->flags,
                                .n_blocks = c->n_blocks,
                                .n_mems = c->n_mems,
                                .lead = counts ? c->block_mem[0] : c->n_mems};
    if (c->n_blocks)
        memcpy(frame->block + frame->n_blocks, c->block, 4 * (size_t)c->n_blocks);
    if (counts)
        memcpy(frame->block_mem + frame->n_blocks, c->block_mem, 4 * (size_t)c->n_blocks);
    if (c->n_mems) {
        memcpy(frame->mem_insn + frame->n_mems, c->mem_insn, 4 * (size_t)c->n_mems);
        if (sl_trace_has_values(frame->wants))
            memcpy(frame->mem_value + frame->n_mems, c->mem_value, 8 * (size_t)c->n_mems);
        if (sl_trace_has_addresses(frame->wants))
            memcpy(frame->mem_addr + frame->n_mems, c->mem_addr, 8 * (size_t)c->n_mems);
    }
    frame->n_blocks += c->n_blocks;
    frame->n_mems += c->n_mems;
    return 0;
}

/* ---- beginning and end -------------------------------------------------------- */

static void discard(struct sl_trace_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    sl_statics_free(&w->statics);
    sl_trace_frame_free(&w->frame);
    sl_trace_codec_free(w->codec);
    ZSTD_freeCCtx(w->zstd);
    free(w->records);
    free(w->raw);
    free(w->stored);
    free(w->index);
    free(w->path);
    free(w);
}

static int write_header(struct sl_trace_writer *w, struct sl_failure *f)
{
    uint8_t header[SL_TRACE_HEADER_SIZE] = {0};
    memcpy(header, SL_TRACE_MAGIC, 8);
    sl_put32(header + 8, SL_TRACE_VERSION);
    sl_put32(header + 12, w->frame.wants);
    sl_put64(header + 24, XXH64(header, 24, 0));
    int error = write_all(w, header, sizeof header, f);
    w->size = sizeof header;
    return error;
}

static bool is_trace(const uint8_t *head)
{
    return !memcmp(head, SL_TRACE_MAGIC, 8);
}

int sl_can_record(const char *path, struct sl_failure *f)
{
    struct stat status;
    if (!stat(path, &status) && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
        return 0;
    return sl_replaceable(path, "a trace of sluice", is_trace, 8, f);
}

int sl_trace_create(struct sl_trace_writer **writer, const char *path, unsigned wants,
                    struct sl_failure *f)
{
    *writer = NULL;
    if (wants & ~SL_TRACE_WANTS)
        return sl_fail(f, SL_EUSAGE, "a trace cannot carry %#x", wants);
    struct sl_trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    w->fd = -1;
    w->frame.wants = wants;
    w->path = strdup(path);
    w->codec = sl_trace_codec_new();
    w->zstd = ZSTD_createCCtx();
    w->records = malloc(SL_TRACE_RECORDS_MAX);
    w->raw = malloc(SL_TRACE_ENCODE_ROOM);
    /* An index may be larger than any frame of events, but then events are many. */
    w->stored = malloc(SL_TRACE_HEAD_SIZE + sl_trace_stored_max(SL_TRACE_INDEX_MAX));
    if (!w->path || !w->codec || !w->zstd || !w->records || !w->raw || !w->stored) {
        discard(w);
        return sl_fail(f, SL_ENOMEM, "out of memory");
    }
    int error = sl_can_record(path, f);
    if (!error)
        w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (!error && w->fd < 0)
        error = sl_fail_errno(f, SL_EIO, "cannot create %s", path);
    if (!error)
        error = write_header(w, f);
    if (error < 0) {
        discard(w);
        return error;
    }
    *writer = w;
    return 0;
}

static int write_end(struct sl_trace_writer *w, struct sl_failure *f)
{
    uint8_t trailer[SL_TRACE_TRAILER_SIZE];
    size_t n_frames = w->n_frames;
    uint64_t index_at = w->size;
    struct sl_trace_head head = {.kind = SL_TRACE_INDEX, .items = (uint32_t)n_frames};
    int error = write_frame(w, head, w->index, n_frames * SL_TRACE_ENTRY_SIZE, f);
    if (error < 0)
        return error;
    memcpy(trailer, SL_TRACE_END_MAGIC, 8);
    sl_put64(trailer + 8, index_at);
    sl_put64(trailer + 16, n_frames);
    sl_put64(trailer + 24, XXH64(trailer, 24, 0));
    w->size += sizeof trailer;
    return write_all(w, trailer, sizeof trailer, f);
}

int sl_trace_finish(struct sl_trace_writer *w, struct sl_failure *f)
{
    int error = w->failed.code ? broken(w, f) : flush(w, f);
    if (!error)
        error = write_end(w, f);
    int fd = w->fd;
    w->fd = -1;
    /* Some file systems tell only here that there was no room. */
    if (close(fd) < 0 && !error)
        error = sl_fail_errno(f, SL_EIO, "cannot write %s to its end", w->path);
    discard(w);
    return error;
}

uint64_t sl_trace_size(const struct sl_trace_writer *w)
{
    return w->size;
}
