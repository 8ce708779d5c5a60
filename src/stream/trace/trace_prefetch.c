/* SPDX-License-Identifier: MIT */
/* Prefetcher for the frames of a trace (trace_prefetch.h). Frame n is in slot n % SLOTS. One mutex
 * protects the slots and counters, and another mutex protects the static table. Only one thread at
 * a time reads the file. A thread that decodes a frame does not hold the mutex of the slots. */
#include "trace_prefetch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "failure.h"
#include "grow.h"
#include "resources.h"

#define THREADS_MAX 3u

/* Frame n of the file is in slot n % SLOTS. */
#define SPARE \
    4u /* slots more than threads: the caller decodes a frame while it waits for another */
#define SLOTS (THREADS_MAX + SPARE)
#define LARGE (UINT64_C(32) << 20) /* bytes: more than any frame that sluice writes */

struct slot {
    struct sl_trace_ready ready;
    bool done;
    uint8_t *stored;
    size_t stored_capacity, raw_capacity;
    ZSTD_DCtx *zstd;
};

struct sl_trace_prefetch {
    int fd;
    const char *path;
    unsigned needs;
    uint64_t offset;       /* of the next byte to read */
    uint64_t file_size;    /* 0 if it is not a regular file */
    uint64_t instructions; /* before the next frame to read */

    pthread_mutex_t lock; /* of the following members */
    pthread_cond_t changed;
    uint64_t begun, returned; /* frames whose reading has begun; that were returned */
    uint64_t requested;       /* frames that were requested */
    bool held; /* a large frame: its head was read, the rest waits until it is requested */
    uint64_t skip;
    unsigned unneeded;
    bool reading; /* a thread reads, and owns fd, offset and instructions */
    bool ended;   /* the last frame was read */
    bool closing;
    bool events_seen, started; /* an EVENTS frame was returned; threads were started */
    struct sl_trace_known known;
    unsigned n_threads;
    pthread_t thread[THREADS_MAX];
    struct slot slot[SLOTS];
};

/* ---- bytes ---- */

/* Reads `size` bytes, fewer only at the end of the file. */
static int64_t read_up_to(struct sl_trace_prefetch *a, uint8_t *data, size_t size,
                          struct sl_failure *f)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = TEMP_FAILURE_RETRY(read(a->fd, data + got, size - got));
        if (n < 0)
            return sl_fail_errno(f, SL_EIO, "cannot read %s", a->path);
        if (!n)
            break;
        got += (size_t)n;
    }
    a->offset += got;
    return (int64_t)got;
}

static int out_of_memory(const struct sl_trace_prefetch *a, struct sl_failure *f)
{
    return sl_fail(f, SL_ENOMEM, "out of memory while reading %s", a->path);
}

/* Reads a payload in pieces, so that memory grows with the file, not with what the head claims.
 * Returns the number of bytes. */
static int64_t read_payload(struct sl_trace_prefetch *a, struct slot *p, size_t size)
{
    const size_t step = 1 << 20;
    size_t got = 0;
    while (got < size) {
        size_t n = size - got < step ? size - got : step;
        if (!SL_GROW(p->stored, p->stored_capacity, got + n))
            return out_of_memory(a, &p->ready.failed);
        int64_t read = read_up_to(a, p->stored + got, n, &p->ready.failed);
        if (read < 0)
            return read;
        got += (size_t)read;
        if ((size_t)read < n)
            break;
    }
    return (int64_t)got;
}

/* The file is truncated: a warning, since all frames before can be used. */
static int truncated(const struct sl_trace_prefetch *a, struct slot *p, const char *where)
{
    snprintf(p->ready.warning, sizeof p->ready.warning,
             "trace is truncated after %u frames: it ends at byte %llu, %s", p->ready.head.number,
             (unsigned long long)a->offset, where);
    return 0;
}

static int damaged(const struct sl_trace_prefetch *a, struct slot *p, const char *why)
{
    return sl_fail(&p->ready.failed, SL_EFORMAT, "%s: frame %u at byte %llu is damaged: %s",
                   a->path, p->ready.head.number, (unsigned long long)p->ready.at, why);
}

/* ---- reading, by one thread at a time ---- */

/* Reads the trailer, and whether anything follows it. */
static int read_trailer(struct sl_trace_prefetch *a, struct slot *p)
{
    struct sl_trace_ready *r = &p->ready;
    uint8_t more;
    int64_t n = read_up_to(a, r->trailer, sizeof r->trailer, &r->failed);
    if (n < 0)
        return (int)n;
    r->trailer_size = (size_t)n;
    n = n < (int64_t)sizeof r->trailer ? 0 : read_up_to(a, &more, 1, &r->failed);
    r->more = n > 0;
    return n < 0 ? (int)n : 1;
}

/* Reads the head of frame `number`. Returns 1, 0 at the end, or an error. */
static int read_head(struct sl_trace_prefetch *a, struct slot *p, uint32_t number)
{
    uint8_t bytes[SL_TRACE_HEAD_SIZE];
    struct sl_trace_head head;
    p->ready.at = a->offset;
    p->ready.head = (struct sl_trace_head){.number = number};
    int64_t n = read_up_to(a, bytes, sizeof bytes, &p->ready.failed);
    if (n < 0)
        return (int)n;
    if (n < (int64_t)sizeof bytes)
        return truncated(a, p, n ? "within a frame" : "without an index");
    if (!sl_trace_get_head(bytes, &head))
        return damaged(a, p, "the checksum of the frame head is wrong");
    const char *why = sl_trace_check_head(&head);
    if (why || head.number != number)
        return damaged(a, p, why ? why : "the frame number is out of sequence");
    p->ready.head = head;
    return 1;
}

/* Reads or skips what follows the head. Returns as above. */
static int read_rest(struct sl_trace_prefetch *a, struct slot *p, uint64_t skip)
{
    const struct sl_trace_head *head = &p->ready.head;
    uint64_t before = a->instructions;
    a->instructions += head->instructions;
    p->ready.left_out = head->kind == SL_TRACE_EVENTS && before < skip &&
                        head->instructions <= skip - before;
    if (p->ready.left_out && a->file_size >= a->offset &&
        a->file_size - a->offset >= head->stored_size) {
        if (lseek(a->fd, (off_t)head->stored_size, SEEK_CUR) < 0)
            return sl_fail_errno(&p->ready.failed, SL_EIO, "cannot seek in %s", a->path);
        a->offset += head->stored_size;
        return 1;
    }
    int64_t n = read_payload(a, p, head->stored_size);
    if (n < 0)
        return (int)n;
    if (n < head->stored_size)
        return truncated(a, p, "within a frame");
    return head->kind == SL_TRACE_INDEX ? read_trailer(a, p) : 1;
}

/* ---- decoding, by any thread ---- */

/* Returns NULL, a message that says what is wrong with the payload, or SL_TRACE_NO_MEMORY. */
static const char *decompress(struct slot *p)
{
    const struct sl_trace_head *head = &p->ready.head;
    if (XXH64(p->stored, head->stored_size, 0) != head->checksum)
        return "the checksum of the payload is wrong";
    if (ZSTD_getFrameContentSize(p->stored, head->stored_size) != head->raw_size ||
        ZSTD_findFrameCompressedSize(p->stored, head->stored_size) != head->stored_size)
        return "the size of the payload differs from the frame head";
    if ((!p->zstd && !(p->zstd = ZSTD_createDCtx())) ||
        !SL_GROW(p->ready.raw, p->raw_capacity, head->raw_size + SL_TRACE_DECODE_SLACK))
        return SL_TRACE_NO_MEMORY;
    size_t n = ZSTD_decompressDCtx(p->zstd, p->ready.raw, head->raw_size, p->stored,
                                   head->stored_size);
    if (ZSTD_isError(n) || n != head->raw_size)
        return "the payload cannot be decompressed";
    return NULL;
}

static void decode(const struct sl_trace_prefetch *a, struct slot *p, unsigned unneeded)
{
    struct sl_trace_ready *r = &p->ready;
    const char *why = decompress(p);
    if (!why && r->head.kind == SL_TRACE_EVENTS) {
        r->frame.needs = a->needs;
        r->frame.unneeded = unneeded;
        if (!r->codec && !(r->codec = calloc(1, sizeof *r->codec)))
            why = SL_TRACE_NO_MEMORY;
        else
            why = sl_trace_unpack(r->codec, &r->frame, &r->head, r->raw, &a->known);
    }
    if (why && !strcmp(why, SL_TRACE_NO_MEMORY))
        out_of_memory(a, &r->failed);
    else if (why)
        damaged(a, p, why);
}

/* ---- large frames ---- */

/* Memory of a frame: payloads, arrays and codec (trace_codec.h). */
static bool is_large(const struct sl_trace_prefetch *a, const struct slot *p)
{
    const struct sl_trace_head *head = &p->ready.head;
    uint64_t events = (uint64_t)head->blocks + head->mems;
    return (uint64_t)head->stored_size + head->raw_size + events * (a->needs ? 28 + 40 : 4) > LARGE;
}

static void empty(struct slot *p)
{
    sl_trace_frame_free(&p->ready.frame);
    sl_trace_codec_free(p->ready.codec);
    ZSTD_freeDCtx(p->zstd);
    free(p->ready.raw);
    free(p->stored);
    *p = (struct slot){.done = p->done};
}

/* ---- threads ---- */

static bool may_read(const struct sl_trace_prefetch *a)
{
    /* The frame that was returned last is still in use. */
    return !a->reading && !a->ended &&
           a->begun + (a->returned != 0) < a->returned + a->n_threads + SPARE &&
           (!a->held || a->requested > a->begun);
}

/* Reads and decodes the next frame, or holds a large one; the lock is held before and after. */
static void do_next(struct sl_trace_prefetch *a)
{
    struct slot *p = &a->slot[a->begun % SLOTS];
    struct sl_trace_ready *r = &p->ready;
    uint64_t number = a->begun, skip = a->skip;
    unsigned unneeded = a->unneeded;
    a->reading = true;
    if (!a->held) {
        pthread_mutex_unlock(&a->lock);
        r->failed.code = 0;
        r->warning[0] = 0;
        r->is_frame = read_head(a, p, (uint32_t)number) > 0;
        pthread_mutex_lock(&a->lock);
        if ((a->held = r->is_frame && is_large(a, p) && a->requested <= number)) {
            a->reading = false;
            pthread_cond_broadcast(&a->changed);
            return;
        }
    }
    a->held = false;
    p->done = false;
    a->begun++;
    pthread_mutex_unlock(&a->lock);
    r->is_frame = r->is_frame && read_rest(a, p, skip) > 0;
    pthread_mutex_lock(&a->lock);
    a->reading = false;
    a->ended = a->ended || !r->is_frame || r->head.kind == SL_TRACE_INDEX;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    if (r->is_frame && !r->left_out)
        decode(a, p, unneeded);
    r->is_frame = r->is_frame && !r->failed.code;
    pthread_mutex_lock(&a->lock);
    a->ended = a->ended || !r->is_frame;
    p->done = true;
    pthread_cond_broadcast(&a->changed);
}

static void *work(void *context)
{
    struct sl_trace_prefetch *a = context;
    pthread_mutex_lock(&a->lock);
    while (!a->closing && !a->ended)
        if (may_read(a))
            do_next(a);
        else
            pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void start_threads(struct sl_trace_prefetch *a)
{
    unsigned n_wanted = sl_cpus(0) - 1;
    a->started = true;
    if (!a->file_size) /* a thread that waits for a pipe could not be ended */
        return;
    while (a->n_threads < n_wanted && a->n_threads < THREADS_MAX &&
           !pthread_create(&a->thread[a->n_threads], NULL, work, a))
        a->n_threads++;
}

struct sl_trace_ready *sl_trace_prefetch_next(struct sl_trace_prefetch *a, unsigned unneeded)
{
    struct slot *p = &a->slot[a->returned % SLOTS],
                *before = &a->slot[(a->returned + SLOTS - 1) % SLOTS];
    pthread_mutex_lock(&a->lock);
    if (a->returned && is_large(a, before))
        empty(before);
    a->requested = a->returned + 1;
    a->unneeded = unneeded;
    pthread_cond_broadcast(&a->changed);
    if (a->events_seen && !a->started)
        start_threads(a);
    while (a->begun == a->returned || !p->done)
        if (may_read(a))
            do_next(a);
        else
            pthread_cond_wait(&a->changed, &a->lock);
    a->returned++;
    a->events_seen = a->events_seen || p->ready.head.kind == SL_TRACE_EVENTS;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return &p->ready;
}

void sl_trace_prefetch_skip(struct sl_trace_prefetch *a, uint64_t instructions)
{
    pthread_mutex_lock(&a->lock);
    a->skip = instructions;
    pthread_mutex_unlock(&a->lock);
}

uint64_t sl_trace_prefetch_bytes(struct sl_trace_prefetch *a)
{
    pthread_mutex_lock(&a->lock);
    uint64_t slots = a->n_threads + SPARE;
    pthread_mutex_unlock(&a->lock);
    return slots * (UINT64_C(10) << 20);
}

/* ---- beginning and end ---- */

static int read_header(struct sl_trace_prefetch *a, struct sl_failure *f)
{
    uint8_t header[SL_TRACE_HEADER_SIZE];
    int64_t n = read_up_to(a, header, sizeof header, f);
    if (n < 0)
        return (int)n;
    if (n < 8 || memcmp(header, SL_TRACE_MAGIC, 8))
        return sl_fail(f, SL_EFORMAT, "%s is not a sluice trace", a->path);
    if (n < (int64_t)sizeof header)
        return sl_fail(f, SL_EFORMAT, "%s is truncated: the file ends within its header", a->path);
    if (sl_get64(header + 24) != XXH64(header, 24, 0))
        return sl_fail(f, SL_EFORMAT, "%s: the checksum of the file header is wrong", a->path);
    uint32_t version = sl_get32(header + 8);
    if (version != SL_TRACE_VERSION)
        return sl_fail(
            f, SL_EFORMAT,
            "%s is a trace of version %u, but this sluice reads version %u: record it again",
            a->path, version, SL_TRACE_VERSION);
    if (sl_get32(header + 12) & ~SL_TRACE_NEEDS || sl_get64(header + 16))
        return sl_fail(
            f, SL_EFORMAT,
            "%s has contents that this version of sluice cannot read: use a newer version",
            a->path);
    a->needs = sl_get32(header + 12);
    return 0;
}

static int open_file(struct sl_trace_prefetch *a, struct sl_failure *f)
{
    struct stat status;
    a->fd = !strcmp(a->path, "-") ? STDIN_FILENO : open(a->path, O_RDONLY | O_CLOEXEC);
    if (a->fd < 0 || fstat(a->fd, &status) < 0)
        return sl_fail_errno(f, SL_EIO, "cannot open %s", a->path);
    if (S_ISDIR(status.st_mode))
        return sl_fail(f, SL_EFORMAT, "%s is a directory, not a trace", a->path);
    a->file_size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return read_header(a, f);
}

struct sl_trace_prefetch *sl_trace_prefetch_open(const char *path, struct sl_trace_known known,
                                                 unsigned *needs, struct sl_failure *f)
{
    struct sl_trace_prefetch *a = calloc(1, sizeof *a);
    if (!a) {
        sl_out_of_memory(f);
        return NULL;
    }
    a->fd = -1;
    a->path = path;
    pthread_mutex_init(&a->lock, NULL);
    a->known = known;
    pthread_cond_init(&a->changed, NULL);
    if (open_file(a, f) < 0) {
        sl_trace_prefetch_close(a);
        return NULL;
    }
    *needs = a->needs;
    return a;
}

void sl_trace_prefetch_close(struct sl_trace_prefetch *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->closing = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    for (unsigned i = 0; i < a->n_threads; i++)
        pthread_join(a->thread[i], NULL);
    for (struct slot *p = a->slot; p < a->slot + SLOTS; p++)
        empty(p);
    if (a->fd > STDIN_FILENO)
        close(a->fd);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    free(a);
}
