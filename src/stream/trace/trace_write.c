/* SPDX-License-Identifier: MIT */
/* Writer of trace files (docs/trace-format.md).
 *
 * Chunks are sorted (trace_sort.h) until a frame is complete. Threads encode and compress the frame
 * (trace_encode.h), and one call of write(2) writes it. Records are collected and written before
 * the frame whose events may need them, so that a program that executes new code all the time does
 * not make small frames. An END record completes the current frame first. The file does not depend
 * on the timing of threads. All frames that were written stay readable if the process is killed.
 *
 * The writer has its own static table: it refuses chunks that a reader would not accept, counts
 * instructions, and encodes words relative to blocks.
 *
 * Memory: 2 MiB for records; for each frame in flight (three more than threads) 1 to 16 MiB for
 * sorted events, and 33 MiB each for a payload before and after compression, a fifth of which is
 * usually touched; for each thread 9 MiB and zstd's own; the static table; 32 bytes of index for
 * each frame. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "grow.h"
#include "replacement.h"
#include "trace_encode.h"

/* A frame with at least this many events is complete; one more chunk always fits. With mem events,
 * small frames stay in a core's cache until they are encoded, which saves a sixth of the time for 1
 * to 3 % of size; blocks alone compress better in large frames. */
#define MEMS_FRAME ((UINT32_C(1) << 18) - SL_CHUNK_BLOCKS)
#define BLOCKS_FRAME (SL_TRACE_FRAME_EVENTS - SL_CHUNK_BLOCKS)

struct sl_trace_writer {
    int fd;
    char *path;
    uint64_t size; /* bytes written */
    unsigned needs;
    struct sl_statics statics;
    uint8_t *records; /* not written yet */
    uint32_t records_size, n_records;
    uint32_t needed_size, n_needed; /* of these, the records that pending events may need */
    uint8_t *index;
    size_t index_capacity, n_frames;
    struct sl_trace_coder *coder;
    uint64_t instructions;         /* of all frames so far */
    struct sl_trace_sorter sorter; /* sorts into the coder's current job */
    struct sl_failure failed;      /* code 0: no error */
};

/* ---- frames ---- */

/* Reports the first error of the file again. */
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
        ssize_t n = TEMP_FAILURE_RETRY(write(w->fd, data, size));
        if (n <= 0) {
            errno = n ? errno : ENOSPC;
            sl_fail_errno(&w->failed, SL_EIO,
                          "cannot write %s after its first %zu frames, which remain readable",
                          w->path, w->n_frames);
            return broken(w, f);
        }
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

static int out_of_memory(struct sl_trace_writer *w, struct sl_failure *f)
{
    sl_fail(&w->failed, SL_ENOMEM, "out of memory while writing %s", w->path);
    return broken(w, f);
}

/* Writes an encoded frame; `stored` has space for the head before the payload. */
static int put_frame(struct sl_trace_writer *w, struct sl_trace_head head, uint8_t *stored,
                     size_t stored_size, size_t raw_size, struct sl_failure *f)
{
    if (w->n_frames >= SL_TRACE_INDEX_MAX / SL_TRACE_ENTRY_SIZE && head.kind != SL_TRACE_INDEX) {
        sl_fail(&w->failed, SL_EIO, "%s is full: a trace has at most %zu frames", w->path,
                w->n_frames);
        return broken(w, f);
    }
    if (!stored || !SL_GROW(w->index, w->index_capacity, (w->n_frames + 1) * SL_TRACE_ENTRY_SIZE))
        return out_of_memory(w, f);
    head.number = (uint32_t)w->n_frames;
    head.raw_size = (uint32_t)raw_size;
    head.stored_size = (uint32_t)stored_size;
    head.checksum = XXH64(stored + SL_TRACE_HEAD_SIZE, stored_size, 0);
    sl_trace_put_head(stored, &head);
    int error = write_all(w, stored, SL_TRACE_HEAD_SIZE + stored_size, f);
    if (error < 0)
        return error;
    sl_trace_put_entry(w->index + w->n_frames * SL_TRACE_ENTRY_SIZE, w->size, &head);
    w->n_frames++;
    w->size += SL_TRACE_HEAD_SIZE + stored_size;
    return 0;
}

static int write_job(struct sl_trace_writer *w, const struct sl_trace_job *job,
                     struct sl_failure *f)
{
    return put_frame(w, job->head, job->stored, job->stored_size, job->raw_size, f);
}

/* Submits the current job. */
static int submit(struct sl_trace_writer *w, struct sl_failure *f)
{
    sl_trace_coder_submit(w->coder);
    return sl_trace_coder_full(w->coder) ? write_job(w, sl_trace_coder_next(w->coder), f) : 0;
}

/* Submits the first `n` pending records. */
static int flush_records(struct sl_trace_writer *w, uint32_t n, uint32_t size, struct sl_failure *f)
{
    struct sl_trace_job *job = sl_trace_coder_job(w->coder);
    if (!n)
        return 0;
    job->head = (struct sl_trace_head){.kind = SL_TRACE_RECORDS, .items = n};
    job->raw_size = size;
    memcpy(job->raw, w->records, size);
    memmove(w->records, w->records + size, w->records_size - size);
    w->records_size -= size;
    w->n_records -= n;
    w->needed_size = w->n_needed = 0;
    int error = submit(w, f);
    /* This job had the events sorted so far; move them to the next one. Records are in `raw`. */
    struct sl_trace_job *next = sl_trace_coder_job(w->coder);
    struct sl_trace_sorted *empty = next->sorted;
    next->sorted = job->sorted;
    job->sorted = empty;
    return error;
}

/* Submits the records before pending events, then the events. Recording a trace again gives the
 * same trace. */
static int flush_events(struct sl_trace_writer *w, struct sl_failure *f)
{
    int error = w->sorter.failed ? out_of_memory(w, f)
                                 : flush_records(w, w->n_needed, w->needed_size, f);
    struct sl_trace_job *job = sl_trace_coder_job(w->coder);
    const struct sl_trace_sorted *sorted = job->sorted;
    if (error < 0 || !sorted->n_chunks)
        return error;
    job->head = (struct sl_trace_head){
        .kind = SL_TRACE_EVENTS,
        .items = sorted->n_chunks,
        .blocks = sorted->n_blocks,
        .mems = sorted->n_mems,
        .instructions = sorted->instructions,
    };
    w->instructions += sorted->instructions;
    error = submit(w, f);
    if (!sl_sort_begin(&w->sorter, sl_trace_coder_job(w->coder)->sorted) && error >= 0)
        error = out_of_memory(w, f);
    return error;
}

/* ---- records ---- */

int sl_trace_records(struct sl_trace_writer *w, const uint8_t *data, size_t size,
                     struct sl_failure *f)
{
    if (w->failed.code)
        return broken(w, f);
    int64_t used = sl_statics_apply(&w->statics, data, size, f);
    if (used < 0)
        return (int)used;
    if ((size_t)used != size)
        return sl_fail(f, SL_EUSAGE, "%s: the last static record is incomplete", w->path);
    if (w->statics.program.path && w->statics.program.needs != w->needs)
        return sl_fail(
            f, SL_EUSAGE,
            "%s was created for contents %#x (enum sl_needs), but the stream has contents %#x",
            w->path, w->needs, w->statics.program.needs);
    while (size) {
        uint32_t record = SL_RECORD_HEAD + sl_get32(data);
        int error = 0;
        if (sl_get32(data + 4) == SL_RECORD_END)
            error = flush_events(w, f);
        if (error >= 0 && record > SL_TRACE_RECORDS_MAX - w->records_size)
            error = flush_records(w, w->n_records, w->records_size, f);
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

/* ---- chunks ---- */

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

/* Returns NULL, or why a reader would refuse the chunk. */
static const char *chunk_error(const struct sl_trace_writer *w, const struct sl_chunk *c)
{
    unsigned needs = w->needs;
    uint32_t number = sl_trace_has_addresses(needs) ? SL_MEM_INSN_MASK : UINT32_MAX;
    if (c->n_blocks > SL_CHUNK_BLOCKS || c->n_mems > (needs ? SL_CHUNK_MEMS : 0))
        return "the chunk has too many events";
    if (c->flags & ~(uint32_t)SL_CHUNK_FLAGS)
        return "the chunk has unknown flags";
    if ((c->n_blocks && (!c->block || (needs && !c->block_mem))) ||
        (c->n_mems && (!c->mem_insn || (sl_trace_has_values(needs) && !c->mem_value) ||
                       (sl_trace_has_addresses(needs) && !c->mem_addr))))
        return "the chunk's arrays do not match the contents of the trace";
    if (c->n_blocks && greatest(c->block, c->n_blocks, UINT32_MAX) >= w->statics.n_blocks)
        return "no record describes one of the executed blocks";
    if (c->n_mems && greatest(c->mem_insn, c->n_mems, number) >= w->statics.n_insns)
        return "no record describes one of the executed instructions";
    if (needs && !ascends(c->block_mem, c->n_blocks, c->n_mems))
        return "some memory accesses belong to no block";
    return NULL;
}

/* Submits the frame if it is complete. */
static int flush_full_frame(struct sl_trace_writer *w, struct sl_failure *f)
{
    const struct sl_trace_sorted *sorted = w->sorter.out;
    bool complete = sorted->n_chunks == SL_TRACE_FRAME_CHUNKS ||
                    sorted->n_blocks + sorted->n_mems >= (w->needs ? MEMS_FRAME : BLOCKS_FRAME);
    return complete ? flush_events(w, f) : 0;
}

int sl_trace_sort_begin(struct sl_trace_writer *w, struct sl_trace_sorter **sorter,
                        struct sl_failure *f)
{
    *sorter = &w->sorter;
    return w->failed.code ? broken(w, f) : flush_full_frame(w, f);
}

/* The events of the frame may need all records so far. */
void sl_trace_sort_end(struct sl_trace_writer *w)
{
    w->needed_size = w->records_size;
    w->n_needed = w->n_records;
}

int sl_trace_chunk(struct sl_trace_writer *w, const struct sl_chunk *c, struct sl_failure *f)
{
    if (w->failed.code)
        return broken(w, f);
    const char *why = chunk_error(w, c);
    if (why)
        return sl_fail(f, SL_EUSAGE, "invalid chunk for %s: %s", w->path, why);
    int error = flush_full_frame(w, f);
    if (error < 0)
        return error;
    if (!sl_sort_chunk(&w->sorter, c))
        return out_of_memory(w, f);
    sl_trace_sort_end(w);
    return 0;
}

uint64_t sl_trace_instructions(const struct sl_trace_writer *w)
{
    return w->instructions + w->sorter.out->instructions;
}

/* ---- beginning and end ---- */

static void discard(struct sl_trace_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    sl_trace_coder_close(w->coder);
    sl_statics_free(&w->statics);
    free(w->records);
    free(w->index);
    free(w->path);
    free(w);
}

static int write_header(struct sl_trace_writer *w, struct sl_failure *f)
{
    uint8_t header[SL_TRACE_HEADER_SIZE] = {0};
    memcpy(header, SL_TRACE_MAGIC, 8);
    sl_put32(header + 8, SL_TRACE_VERSION);
    sl_put32(header + 12, w->needs);
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
    SL_REQUIRE(f, path);
    struct stat status;
    if (!stat(path, &status) && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
        return 0;
    return sl_replaceable(path, "a trace of sluice", is_trace, 8, f);
}

int sl_trace_create(struct sl_trace_writer **writer, const char *path, unsigned needs,
                    const struct sl_recording *how, struct sl_failure *f)
{
    static const struct sl_recording usual;
    *writer = NULL;
    how = how ? how : &usual;
    if (how->level > SL_RECORDING_LEVEL_MAX)
        return sl_fail(f, SL_EUSAGE, "compression level %u is out of range: use 1 to %u",
                       how->level, SL_RECORDING_LEVEL_MAX);
    if (needs & ~SL_TRACE_NEEDS)
        return sl_fail(f, SL_EUSAGE, "a trace cannot contain %#x", needs);
    struct sl_trace_writer *w = calloc(1, sizeof *w);
    if (!w)
        return sl_out_of_memory(f);
    w->fd = how->fd ? how->fd : -1;
    w->needs = needs;
    w->path = strdup(path);
    w->coder = sl_trace_coder_open(needs, how);
    w->records = malloc(SL_TRACE_RECORDS_MAX);
    w->sorter.needs = needs;
    w->sorter.statics = &w->statics;
    if (!w->path || !w->coder || !w->records ||
        !sl_sort_begin(&w->sorter, sl_trace_coder_job(w->coder)->sorted)) {
        discard(w);
        return sl_out_of_memory(f);
    }
    int error = w->fd < 0 ? sl_can_record(path, f) : 0;
    if (!error && w->fd < 0)
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

static int write_index(struct sl_trace_writer *w, struct sl_failure *f)
{
    struct sl_trace_head head = {.kind = SL_TRACE_INDEX, .items = (uint32_t)w->n_frames};
    size_t size = w->n_frames * SL_TRACE_ENTRY_SIZE, capacity = sl_trace_stored_max((uint32_t)size);
    uint8_t *stored = malloc(SL_TRACE_HEAD_SIZE + capacity);
    size_t stored_size = stored ? ZSTD_compress(stored + SL_TRACE_HEAD_SIZE, capacity, w->index,
                                                size, (int)SL_TRACE_LEVEL)
                                : 0;
    int error = !stored || ZSTD_isError(stored_size)
                    ? out_of_memory(w, f)
                    : put_frame(w, head, stored, stored_size, size, f);
    free(stored);
    return error;
}

static int write_end(struct sl_trace_writer *w, struct sl_failure *f)
{
    uint8_t trailer[SL_TRACE_TRAILER_SIZE];
    int error = flush_events(w, f);
    if (error >= 0)
        error = flush_records(w, w->n_records, w->records_size, f);
    const struct sl_trace_job *job;
    while (!error && (job = sl_trace_coder_next(w->coder)))
        error = write_job(w, job, f);
    size_t n_frames = w->n_frames;
    uint64_t index_at = w->size;
    if (!error)
        error = write_index(w, f);
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
    int error = w->failed.code ? broken(w, f) : write_end(w, f);
    int fd = w->fd;
    w->fd = -1;
    /* Some file systems report only here that the disk is full. */
    if (close(fd) < 0 && !error)
        error = sl_fail_errno(f, SL_EIO, "cannot write the end of %s", w->path);
    discard(w);
    return error;
}
