/* SPDX-License-Identifier: MIT */
/* Reads a trace file as a stream of events (docs/trace-format.md).
 *
 * Frames come from trace_prefetch.h, which never seeks backwards, so that a trace can be a pipe.
 * The name "-" means standard input. Opening applies the PROGRAM record of the first frame, so that
 * the program is known from the start, as with a guest; all other records go to on_records. A frame
 * is checked and decoded as a whole before its first chunk is returned; chunks are parts of the
 * frame's arrays. The index is not needed for reading, but its hash is compared with the heads of
 * the frames. Memory: that of trace_prefetch.h and of the static table. */
#include <xxhash.h>

#include "failure.h"
#include "trace.h"
#include "trace_prefetch.h"

struct sl_trace_reader {
    struct sl_source source;
    struct sl_trace_prefetch *prefetch;
    pthread_mutex_t lock; /* of the static table, which threads of `prefetch` read */
    unsigned needs;
    uint32_t n_frames;                   /* used so far */
    uint64_t instructions;               /* before `now` */
    uint64_t skip;                       /* leave out frames within the first instructions */
    struct sl_trace_ready *now;          /* the current frame; NULL: none yet */
    bool waits;                          /* it was read, but not used yet */
    size_t record_at;                    /* offset of the first record not applied */
    uint32_t chunk_at, block_at, mem_at; /* the next chunk */
    uint32_t n_chunks;                   /* of `now`; 0: no EVENTS frame */
    XXH64_state_t *index;                /* hash of the expected index entries */
    bool ended;
    struct sl_failure failed; /* code 0: no error */
};

/* Fails: the current frame is invalid. */
static int damaged(struct sl_trace_reader *r, const char *why)
{
    return sl_fail(&r->failed, SL_EFORMAT, "%s: frame %u at byte %llu is damaged: %s",
                   r->source.name, r->n_frames, (unsigned long long)r->now->at, why);
}

/* Reports the error of the trace, if there is one. */
static int failure_of(const struct sl_trace_reader *r, struct sl_failure *f)
{
    if (f && r->failed.code)
        *f = r->failed;
    return r->failed.code;
}

/* ---- frames ---- */

static int apply_records(struct sl_trace_reader *r)
{
    const struct sl_trace_head *head = &r->now->head;
    const uint8_t *raw = r->now->raw;
    struct sl_failure why;
    uint32_t n = 0;
    for (size_t i = 0; head->raw_size - i >= SL_RECORD_HEAD; n++) {
        uint32_t length = sl_get32(raw + i);
        if (length > head->raw_size - i - SL_RECORD_HEAD)
            break;
        i += SL_RECORD_HEAD + length;
    }
    if (n != head->items)
        return damaged(r, "the number of records differs from the frame head");
    size_t from = r->record_at;
    r->record_at = 0;
    pthread_mutex_lock(&r->lock);
    int64_t used = sl_source_records(&r->source, raw + from, head->raw_size - from, &why);
    pthread_mutex_unlock(&r->lock);
    if (used == SL_EFORMAT)
        return damaged(r, why.text);
    if (used < 0) {
        r->failed = why;
        return (int)used;
    }
    if ((uint64_t)used != head->raw_size - from)
        return damaged(r, "the last record is incomplete");
    if (r->source.statics.program.needs != r->needs)
        return damaged(r, "the PROGRAM record and the file header specify different contents");
    return 1;
}

static int resolve_events(struct sl_trace_reader *r)
{
    struct sl_trace_ready *now = r->now;
    const char *why = sl_trace_resolve(now->codec, &now->frame, &r->source.statics, &now->head);
    if (why && !strcmp(why, SL_TRACE_NO_MEMORY))
        return sl_fail(&r->failed, SL_ENOMEM, "%s while reading %s", why, r->source.name);
    if (why)
        return damaged(r, why);
    r->n_chunks = now->frame.n_chunks;
    r->chunk_at = r->block_at = r->mem_at = 0;
    return 1;
}

/* Checks the index against the frames, and the trailer against the index. */
static int check_index(struct sl_trace_reader *r)
{
    const struct sl_trace_ready *now = r->now;
    const uint8_t *trailer = now->trailer;
    uint64_t trailer_at = now->at + SL_TRACE_HEAD_SIZE + now->head.stored_size;
    if (now->head.items != r->n_frames ||
        now->head.raw_size != (uint64_t)r->n_frames * SL_TRACE_ENTRY_SIZE ||
        XXH64(now->raw, now->head.raw_size, 0) != XXH64_digest(r->index))
        return damaged(r, "the index does not match the frames of the file");
    r->ended = true;
    if (now->trailer_size < SL_TRACE_TRAILER_SIZE) {
        snprintf(r->source.warning, sizeof r->source.warning,
                 "trace is truncated after %u frames: it ends at byte %llu, within its trailer; "
                 "no events are missing",
                 r->n_frames, (unsigned long long)trailer_at + now->trailer_size);
        return 0;
    }
    if (memcmp(trailer, SL_TRACE_END_MAGIC, 8) || sl_get64(trailer + 24) != XXH64(trailer, 24, 0) ||
        sl_get64(trailer + 8) != now->at || sl_get64(trailer + 16) != r->n_frames)
        return sl_fail(&r->failed, SL_EFORMAT, "%s: the trailer at byte %llu is damaged",
                       r->source.name, (unsigned long long)trailer_at);
    if (now->more)
        return sl_fail(&r->failed, SL_EFORMAT, "%s: unexpected data after the trailer at byte %llu",
                       r->source.name, (unsigned long long)trailer_at);
    return 0;
}

/* True if the current frame, of `n` instructions, is within the instructions to skip. */
static bool is_skipped(const struct sl_trace_reader *r, uint64_t n)
{
    return r->instructions < r->skip && n <= r->skip - r->instructions;
}

/* Reads the next frame. Returns 1, 0 at the end, or an error. */
static int await_frame(struct sl_trace_reader *r)
{
    r->instructions += r->now ? r->now->head.instructions : 0;
    r->n_chunks = r->chunk_at = 0;
    r->now = sl_trace_prefetch_next(r->prefetch, r->source.unneeded);
    r->source.ahead_bytes = sl_trace_prefetch_bytes(r->prefetch);
    r->waits = r->now->is_frame;
    if (r->now->failed.code) {
        r->failed = r->now->failed;
        return r->failed.code;
    }
    if (!r->now->is_frame) {
        snprintf(r->source.warning, sizeof r->source.warning, "%s", r->now->warning);
        r->ended = true;
    }
    return r->now->is_frame;
}

/* Uses the frame that was read. Returns 1, 0 at the end, or an error. */
static int use_frame(struct sl_trace_reader *r)
{
    static int (*const use[])(struct sl_trace_reader *) = {
        [SL_TRACE_RECORDS] = apply_records,
        [SL_TRACE_EVENTS] = resolve_events,
        [SL_TRACE_INDEX] = check_index,
    };
    uint8_t entry[SL_TRACE_ENTRY_SIZE];
    const struct sl_trace_head *head = &r->now->head;
    bool skips = r->now->left_out ||
                 (head->kind == SL_TRACE_EVENTS && is_skipped(r, head->instructions));
    int result = skips ? 1 : use[head->kind](r);
    r->waits = false;
    if (result > 0) {
        sl_trace_put_entry(entry, r->now->at, head);
        XXH64_update(r->index, entry, sizeof entry);
        r->n_frames++;
    }
    return result;
}

/* Reads frames until one has chunks. */
static int fill(struct sl_trace_reader *r, struct sl_failure *f)
{
    while (r->chunk_at == r->n_chunks && !r->ended && !r->failed.code)
        if (r->waits || await_frame(r) > 0)
            use_frame(r);
    return r->failed.code ? failure_of(r, f) : r->chunk_at < r->n_chunks;
}

static int trace_next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    int result = fill(r, f);
    if (result <= 0)
        return result;
    const struct sl_trace_frame *frame = &r->now->frame;
    const struct sl_trace_chunk *c = &frame->chunk[r->chunk_at++];
    *chunk = (struct sl_chunk){
        .thread = c->thread,
        .flags = c->flags,
        .n_blocks = c->n_blocks,
        .n_mems = c->n_mems,
        .block = frame->block + r->block_at,
    };
    unsigned numbers = sl_trace_frame_numbers(frame);
    if (frame->needs)
        chunk->block_mem = frame->block_mem + r->block_at;
    if (sl_trace_frame_has_words(frame))
        chunk->mem_insn = frame->mem_insn + r->mem_at;
    if (sl_trace_has_values(numbers))
        chunk->mem_value = frame->mem_value + r->mem_at;
    if (sl_trace_has_addresses(numbers))
        chunk->mem_addr = frame->mem_addr + r->mem_at;
    r->block_at += c->n_blocks;
    r->mem_at += c->n_mems;
    return 1;
}

static int64_t trace_skip(struct sl_source *source, uint64_t instructions, struct sl_failure *f)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    r->skip = instructions;
    sl_trace_prefetch_skip(r->prefetch, instructions);
    if (!r->waits && r->now && is_skipped(r, r->now->head.instructions))
        r->chunk_at = r->n_chunks;
    int result = fill(r, f);
    return result < 0 ? result : (int64_t)r->instructions;
}

/* ---- beginning and end ---- */

static void trace_close(struct sl_source *source)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    sl_trace_prefetch_close(r->prefetch);
    pthread_mutex_destroy(&r->lock);
    XXH64_freeState(r->index);
}

/* Applies the PROGRAM record if it is the first one, as it should be. A file that is truncated here
 * gives its warning when it is read further. */
static void begin(struct sl_trace_reader *r)
{
    r->source.statics.program.needs = r->needs;
    if (await_frame(r) <= 0)
        return;
    const struct sl_trace_head *head = &r->now->head;
    const uint8_t *raw = r->now->raw;
    if (head->kind != SL_TRACE_RECORDS || head->raw_size < SL_RECORD_HEAD ||
        sl_get32(raw + 4) != SL_RECORD_PROGRAM)
        return;
    uint32_t length = sl_get32(raw);
    if (length > head->raw_size - SL_RECORD_HEAD)
        return;
    struct sl_failure why;
    int64_t used = sl_statics_apply(&r->source.statics, raw, SL_RECORD_HEAD + length, &why);
    if (used < 0)
        damaged(r, why.text);
    else if (r->source.statics.program.needs != r->needs)
        damaged(r, "the PROGRAM record and the file header specify different contents");
    else
        r->record_at = (size_t)used;
}

static int trace_open(struct sl_source *source, struct sl_failure *f)
{
    struct sl_trace_reader *r = (struct sl_trace_reader *)source;
    struct sl_trace_known known = {&r->lock, &source->statics};
    pthread_mutex_init(&r->lock, NULL);
    r->index = XXH64_createState();
    if (!r->index || XXH64_reset(r->index, 0) != XXH_OK)
        sl_out_of_memory(&r->failed);
    else if ((r->prefetch = sl_trace_prefetch_open(source->name, known, &r->needs, &r->failed)))
        begin(r);
    return failure_of(r, f);
}

const struct sl_source_ops sl_trace_ops = {
    .size = sizeof(struct sl_trace_reader),
    .open = trace_open,
    .next = trace_next,
    .skip = trace_skip,
    .close = trace_close,
};
