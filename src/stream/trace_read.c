/* Reading a trace file, docs/trace-format.md, as a source of chunks.
 *
 * Frames are read one after the other, with plain reads: a pipe does, and "-" is
 * standard input. The first one is read on opening, so that the program is known
 * from the start, as a guest's is; all other records go to whoever listens. A frame is checked and decoded as a whole before its first chunk
 * is given out; chunks then are parts of the frame's arrays. The index is not
 * needed; when it comes, it is compared, by its hash, with what the heads said.
 *
 * Memory, whatever the file says: 28 MiB for the events of a frame, 32 MiB each
 * for a payload before and after decompression (64 MiB for an index), 11 MiB for
 * the codec; and the static table, which is as large as the records are. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "failure.h"
#include "grow.h"
#include "source.h"
#include "trace.h"
#include "trace_codec.h"

struct sl_trace_reader {
    struct sl_source source;
    int fd;
    char *path;
    uint64_t offset;    /* of the next byte to read */
    uint64_t file_size; /* 0 if it is not a file */
    uint32_t n_frames;  /* read so far */
    uint64_t instructions; /* in front of `frame` */
    uint64_t skip;      /* frames that end within so many instructions */
    struct sl_trace_head head; /* of the frame that was read last */
    uint64_t head_at;
    bool ahead;                /* it has been read, but not taken */
    size_t record_at;          /* records in front of this have been applied */
    struct sl_trace_frame frame;
    uint32_t chunk_at, block_at, mem_at; /* the next chunk */
    uint8_t *stored, *raw;
    size_t room_stored, room_raw;
    struct sl_trace_codec *codec;
    ZSTD_DCtx *zstd;
    XXH64_state_t *index; /* over the entries that the index should have */
    bool ended;
    struct sl_failure failed; /* code 0 while all is well */
};

/* ---- bytes ------------------------------------------------------------------ */

/* Reads `size` bytes, fewer only at the end of the file. */
static int64_t read_up_to(struct sl_trace_reader *r, uint8_t *data, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(r->fd, data + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return sl_fail_errno(&r->failed, SL_EIO, "cannot read %s", r->path);
        if (!n)
            break;
        got += (size_t)n;
    }
    r->offset += got;
    return (int64_t)got;
}

/* A payload in steps, so that memory grows with what is there, not with what the
 * head promises. Returns how many bytes there were. */
static int64_t read_payload(struct sl_trace_reader *r, size_t size)
{
    const size_t step = 1 << 20;
    size_t got = 0;
    while (got < size) {
        size_t n = size - got < step ? size - got : step;
        if (!SL_GROW(r->stored, r->room_stored, got + n))
            return sl_fail(&r->failed, SL_ENOMEM, "out of memory while reading %s", r->path);
        int64_t read = read_up_to(r, r->stored + got, n);
        if (read < 0)
            return read;
        got += (size_t)read;
        if ((size_t)read < n)
            break;
    }
    return (int64_t)got;
}

/* The file ended too early: not an error, the caller has all that there is. */
static int cut(struct sl_trace_reader *r, const char *where)
{
    snprintf(r->source.warning, sizeof r->source.warning,
             "trace is cut after %u frames: it ends %s at byte %llu", r->n_frames, where,
             (unsigned long long)r->offset);
    r->ended = true;
    return 0;
}

/* The frame whose head is at `at` is wrong. */
static int wrong(struct sl_trace_reader *r, uint64_t at, const char *why)
{
    return sl_fail(&r->failed, SL_EFORMAT, "%s: frame %u at byte %llu is damaged: %s", r->path,
                   r->n_frames, (unsigned long long)at, why);
}

/* ---- frames ----------------------------------------------------------------- */

/* Decompresses the payload into r->raw. NULL, or what is wrong with it. */
static const char *decompress(struct sl_trace_reader *r, const struct sl_trace_head *head)
{
    if (XXH64(r->stored, head->stored_size, 0) != head->checksum)
        return "its checksum is wrong";
    if (ZSTD_getFrameContentSize(r->stored, head->stored_size) != head->raw_size ||
        ZSTD_findFrameCompressedSize(r->stored, head->stored_size) != head->stored_size)
        return "its payload does not fit its head";
    if (!SL_GROW(r->raw, r->room_raw, head->raw_size + SL_TRACE_DECODE_SLACK)) {
        sl_fail(&r->failed, SL_ENOMEM, "out of memory while reading %s", r->path);
        return "";
    }
    size_t n = ZSTD_decompressDCtx(r->zstd, r->raw, head->raw_size, r->stored, head->stored_size);
    if (ZSTD_isError(n) || n != head->raw_size)
        return "its payload cannot be decompressed";
    return NULL;
}

static int take_records(struct sl_trace_reader *r, const struct sl_trace_head *head, uint64_t at)
{
    struct sl_failure why;
    uint32_t n = 0;
    for (size_t i = 0; head->raw_size - i >= SL_RECORD_HEAD; n++) {
        uint32_t length = sl_get32(r->raw + i);
        if (length > head->raw_size - i - SL_RECORD_HEAD)
            break;
        i += SL_RECORD_HEAD + length;
    }
    if (n != head->items)
        return wrong(r, at, "it has another number of records than its head says");
    size_t from = r->record_at;
    r->record_at = 0;
    int64_t used = sl_source_records(&r->source, r->raw + from, head->raw_size - from, &why);
    if (used == SL_EFORMAT)
        return wrong(r, at, why.text);
    if (used < 0) {
        r->failed = why;
        return (int)used;
    }
    if ((uint64_t)used != head->raw_size - from)
        return wrong(r, at, "its last record is not whole");
    if (r->source.statics.program.wants != r->frame.wants)
        return wrong(r, at, "its program carries something else than the header says");
    return 1;
}

static int take_events(struct sl_trace_reader *r, const struct sl_trace_head *head, uint64_t at)
{
    const char *why;
    int error = sl_trace_decode(r->codec, &r->frame, &r->source.statics, head, r->raw, &why);
    if (error < 0)
        r->frame.n_chunks = 0;
    if (error == SL_EFORMAT)
        return wrong(r, at, why);
    if (error < 0)
        return sl_fail(&r->failed, error, "%s while reading %s", why, r->path);
    r->chunk_at = r->block_at = r->mem_at = 0;
    return 1;
}

/* The index has come: it has to agree with the frames, and the trailer with it. */
static int take_index(struct sl_trace_reader *r, const struct sl_trace_head *head, uint64_t at)
{
    uint8_t trailer[SL_TRACE_TRAILER_SIZE], more;
    if (head->items != r->n_frames ||
        head->raw_size != (uint64_t)r->n_frames * SL_TRACE_ENTRY_SIZE ||
        XXH64(r->raw, head->raw_size, 0) != XXH64_digest(r->index))
        return wrong(r, at, "the index does not agree with the frames in front of it");
    uint64_t trailer_at = r->offset;
    int64_t n = read_up_to(r, trailer, sizeof trailer);
    if (n < 0)
        return (int)n;
    if (n < (int64_t)sizeof trailer)
        return cut(r, "in its trailer, behind all events,");
    if (memcmp(trailer, SL_TRACE_END_MAGIC, 8) || sl_get64(trailer + 24) != XXH64(trailer, 24, 0) ||
        sl_get64(trailer + 8) != at || sl_get64(trailer + 16) != r->n_frames)
        return sl_fail(&r->failed, SL_EFORMAT, "%s: the trailer at byte %llu is damaged", r->path,
                       (unsigned long long)trailer_at);
    n = read_up_to(r, &more, 1);
    if (n < 0)
        return (int)n;
    if (n)
        return sl_fail(&r->failed, SL_EFORMAT, "%s: something follows the trailer at byte %llu",
                       r->path, (unsigned long long)trailer_at);
    r->ended = true;
    return 0;
}

/* Leaves a payload out. Returns 1, 0 at the end of the file, or an error. */
static int skip_payload(struct sl_trace_reader *r, const struct sl_trace_head *head)
{
    if (r->file_size >= r->offset && r->file_size - r->offset >= head->stored_size) {
        if (lseek(r->fd, (off_t)head->stored_size, SEEK_CUR) < 0)
            return sl_fail_errno(&r->failed, SL_EIO, "cannot seek in %s", r->path);
        r->offset += head->stored_size;
        return 1;
    }
    int64_t n = read_payload(r, head->stored_size);
    if (n < 0)
        return (int)n;
    return n == head->stored_size ? 1 : cut(r, "inside of a frame");
}

/* A frame of `n` instructions lies within those that were asked to be left out. */
static bool left_out(const struct sl_trace_reader *r, uint64_t n)
{
    return r->instructions < r->skip && n <= r->skip - r->instructions;
}

/* Reads a frame: its head, and its payload decompressed unless it is left out.
 * Returns 1, 0 at the end, or an error. */
static int read_frame(struct sl_trace_reader *r)
{
    uint8_t bytes[SL_TRACE_HEAD_SIZE];
    struct sl_trace_head head;
    r->head_at = r->offset;
    int64_t n = read_up_to(r, bytes, sizeof bytes);
    if (n < 0)
        return (int)n;
    if (n < (int64_t)sizeof bytes)
        return cut(r, n ? "inside of a frame" : "without an index");
    if (!sl_trace_get_head(bytes, &head))
        return wrong(r, r->head_at, "the checksum of its head is wrong");
    const char *why = sl_trace_check_head(&head);
    if (why || head.number != r->n_frames)
        return wrong(r, r->head_at, why ? why : "it is not the frame that belongs here");
    r->head = head;
    if (head.kind == SL_TRACE_EVENTS && left_out(r, head.instructions))
        return skip_payload(r, &head);
    n = read_payload(r, head.stored_size);
    if (n < 0)
        return (int)n;
    if (n < head.stored_size)
        return cut(r, "inside of a frame");
    why = decompress(r, &head);
    if (why)
        return r->failed.code ? r->failed.code : wrong(r, r->head_at, why);
    r->ahead = true;
    return 1;
}

/* Reads a frame, unless that has been done, and takes what is in it. Returns 1, 0 at
 * the end, or an error. */
static int next_frame(struct sl_trace_reader *r)
{
    static int (*const take[])(struct sl_trace_reader *, const struct sl_trace_head *, uint64_t) = {
        [SL_TRACE_RECORDS] = take_records,
        [SL_TRACE_EVENTS] = take_events,
        [SL_TRACE_INDEX] = take_index,
    };
    uint8_t entry[SL_TRACE_ENTRY_SIZE];
    int result = 1;
    if (!r->ahead) {
        r->instructions += r->head.instructions;
        r->head = (struct sl_trace_head){0};
        r->frame.n_chunks = r->chunk_at = 0;
        result = read_frame(r);
    }
    if (r->ahead)
        result = take[r->head.kind](r, &r->head, r->head_at);
    r->ahead = false;
    if (result > 0) {
        sl_trace_put_entry(entry, r->head_at, &r->head);
        XXH64_update(r->index, entry, sizeof entry);
        r->n_frames++;
    }
    return result;
}

/* Reads frames until one has chunks. */
static int fill(struct sl_trace_reader *r, struct sl_failure *f)
{
    while (r->chunk_at == r->frame.n_chunks && !r->ended && !r->failed.code)
        next_frame(r);
    if (r->failed.code) {
        if (f)
            *f = r->failed;
        return r->failed.code;
    }
    return r->chunk_at < r->frame.n_chunks;
}

static int trace_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    const struct sl_trace_frame *frame = &r->frame;
    int result = fill(r, f);
    if (result <= 0)
        return result;
    const struct sl_trace_chunk *c = &frame->chunk[r->chunk_at++];
    *chunk = (struct sl_chunk){
        .thread = c->thread,
        .flags = c->flags,
        .n_blocks = c->n_blocks,
        .n_mems = c->n_mems,
        .block = frame->block + r->block_at,
    };
    if (frame->wants) {
        chunk->block_mem = frame->block_mem + r->block_at;
        chunk->mem_insn = frame->mem_insn + r->mem_at;
    }
    if (sl_trace_has_values(frame->wants))
        chunk->mem_value = frame->mem_value + r->mem_at;
    if (sl_trace_has_addresses(frame->wants))
        chunk->mem_addr = frame->mem_addr + r->mem_at;
    r->block_at += c->n_blocks;
    r->mem_at += c->n_mems;
    return 1;
}

static int64_t trace_skip(struct sl_source *source, uint64_t instructions, struct sl_failure *f)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    r->skip = instructions;
    if (!r->ahead && left_out(r, r->head.instructions))
        r->chunk_at = r->frame.n_chunks;
    int result = fill(r, f);
    return result < 0 ? result : (int64_t)r->instructions;
}

/* ---- beginning and end -------------------------------------------------------- */

static void trace_close(struct sl_source *source)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    if (r->fd > STDIN_FILENO)
        close(r->fd);
    sl_statics_free(&source->statics);
    sl_trace_frame_free(&r->frame);
    sl_trace_codec_free(r->codec);
    ZSTD_freeDCtx(r->zstd);
    XXH64_freeState(r->index);
    free(r->stored);
    free(r->raw);
    free(r->path);
    free(r);
}

static const struct sl_source_ops trace_ops = {
    .next = trace_next, .skip = trace_skip, .close = trace_close};

static int read_header(struct sl_trace_reader *r)
{
    uint8_t header[SL_TRACE_HEADER_SIZE];
    int64_t n = read_up_to(r, header, sizeof header);
    if (n < 0)
        return (int)n;
    if (n < 8 || memcmp(header, SL_TRACE_MAGIC, 8))
        return sl_fail(&r->failed, SL_EFORMAT, "%s is not a sluice trace", r->path);
    if (n < (int64_t)sizeof header)
        return sl_fail(&r->failed, SL_EFORMAT, "%s is cut inside of its header", r->path);
    if (sl_get64(header + 24) != XXH64(header, 24, 0))
        return sl_fail(&r->failed, SL_EFORMAT, "%s: the header's checksum is wrong", r->path);
    r->frame.version = sl_get32(header + 8);
    if (!r->frame.version || r->frame.version > SL_TRACE_VERSION)
        return sl_fail(&r->failed, SL_EFORMAT,
                       "%s is a trace of version %u; this sluice reads versions 1 to %u", r->path,
                       r->frame.version, SL_TRACE_VERSION);
    if (sl_get32(header + 12) & ~SL_TRACE_WANTS || sl_get64(header + 16))
        return sl_fail(&r->failed, SL_EFORMAT, "%s carries what this sluice does not know",
                       r->path);
    r->frame.wants = r->source.statics.program.wants = sl_get32(header + 12);
    return 0;
}

static int open_file(struct sl_trace_reader *r)
{
    struct stat status;
    r->fd = !strcmp(r->path, "-") ? STDIN_FILENO : open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0 || fstat(r->fd, &status) < 0)
        return sl_fail_errno(&r->failed, SL_EIO, "cannot open %s", r->path);
    if (S_ISDIR(status.st_mode))
        return sl_fail(&r->failed, SL_EFORMAT, "%s is a directory, not a trace", r->path);
    r->file_size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return read_header(r);
}

/* Applies the program's record, if the trace starts with one as it should. A file
 * that is cut here says so when it is read on. */
static int begin(struct sl_trace_reader *r)
{
    if (read_frame(r) <= 0 || r->head.kind != SL_TRACE_RECORDS ||
        r->head.raw_size < SL_RECORD_HEAD || sl_get32(r->raw + 4) != SL_RECORD_PROGRAM)
        return r->failed.code;
    uint32_t length = sl_get32(r->raw);
    if (length > r->head.raw_size - SL_RECORD_HEAD)
        return 0;
    struct sl_failure why;
    int64_t used = sl_statics_apply(&r->source.statics, r->raw, SL_RECORD_HEAD + length, &why);
    if (used < 0)
        return wrong(r, r->head_at, why.text);
    if (r->source.statics.program.wants != r->frame.wants)
        return wrong(r, r->head_at, "its program carries something else than the header says");
    r->record_at = (size_t)used;
    return 0;
}

int sl_trace_source(struct sl_source **source, const char *path, struct sl_failure *f)
{
    *source = NULL;
    struct sl_trace_reader *r = calloc(1, sizeof *r);
    if (!r)
        return sl_fail(f, SL_ENOMEM, "out of memory");
    r->source.ops = &trace_ops;
    r->fd = -1;
    r->path = strdup(path);
    r->codec = sl_trace_codec_new();
    r->zstd = ZSTD_createDCtx();
    r->index = XXH64_createState();
    bool ready = r->path && r->codec && r->zstd && r->index && XXH64_reset(r->index, 0) == XXH_OK;
    int error = ready ? open_file(r) : sl_fail(&r->failed, SL_ENOMEM, "out of memory");
    if (!error)
        error = begin(r);
    if (error < 0) {
        if (f)
            *f = r->failed;
        trace_close(&r->source);
        return error;
    }
    *source = &r->source;
    return 0;
}
