/* SPDX-License-Identifier: MIT */
/* Fuzzer for the reader of traces: damaged or hostile traces must cause no crash (usage: trace.t
 * [SECONDS]).
 *
 * Splits valid traces into frames, changes something, reassembles them and reads the result to its
 * end. Changes are made on every level: bytes of the file, headers, compressed payloads, records,
 * streams of events, the order of frames. On all levels but the lowest the checksums are
 * recomputed, so that the code after the checksum tests is reached.
 *
 * No input may crash, hang, or use unbounded memory, and every chunk that is returned keeps the
 * guarantees of event.h. Some traces are read again by a reader that needs less of them, with the
 * same chunks and the same end. The table at the end shows how far the inputs got, by the reader's
 * own messages. */
#define TAPE_MAX 256u
#define ARRAY_MAX_MB "192"
#include "fuzz.h"

#include <sys/mman.h>

#include "../support/synthetic_stream.h"
#include "../support/slt_pieces.h"
#include "chunk_bounds.h"
#include "hash.h"
#include "source.h"
#include "trace.h"
#include "trace_summary.h"

const char fuzz_name[] = "trace";
static struct tape tape;

static uint64_t below(uint64_t n)
{
    return draw(&tape, n);
}

/* ---- seeds ---- */

static int trace_fd;
static char trace_path[32];

static struct pieces make_seed(uint64_t number, unsigned needs, const char *shapes, unsigned n)
{
    static const char letters[] = "ewrlf";
    struct made *m = made_new(number, needs);
    struct sl_trace_writer *w;
    struct sl_failure f;
    struct sl_chunk c;
    made_program(m);
    made_blocks(m, 30);
    if (sl_trace_create(&w, trace_path, needs, NULL, &f) < 0 ||
        sl_trace_records(w, m->records, m->n_records, &f) < 0)
        abort();
    for (unsigned i = 0; i < n; i++) {
        made_chunk(m, (enum made_shape)(strchr(letters, shapes[i % strlen(shapes)]) - letters), &c);
        if (sl_trace_chunk(w, &c, &f) < 0)
            abort();
    }
    size_t reported = m->n_records;
    made_end(m);
    if (sl_trace_records(w, m->records + reported, m->n_records - reported, &f) < 0 ||
        sl_trace_finish(w, &f) < 0)
        abort();
    made_free(m);
    return take_apart_file(trace_fd);
}

/* ---- changes ---- */

/* Some bytes of anything: other bits, other values, less, more, moved. */
static void change_bytes(struct bytes *b)
{
    for (unsigned n = 1 + (unsigned)below(3); n && b->size; n--) {
        size_t at = below(b->size), length = 1 + below(below(4) ? 4 : b->size - at);
        length = length < b->size - at ? length : b->size - at;
        switch (below(7)) {
        case 0:
            b->at[at] ^= (uint8_t)(1 << below(8));
            break;
        case 1:
            b->at[at] = (uint8_t)(below(2) ? 0xff : below(256));
            break;
        case 2:
            for (size_t i = 0; i < length; i++)
                b->at[at + i] = (uint8_t)sl_random_next(&tape.beyond);
            break;
        case 3:
            memmove(b->at + at, b->at + at + length, b->size - at - length);
            b->size -= length;
            break;
        case 4:
            b->size = at;
            break;
        case 5: {
            uint8_t junk[16];
            for (size_t i = 0; i < sizeof junk; i++)
                junk[i] = (uint8_t)sl_random_next(&tape.beyond);
            append(b, junk, below(sizeof junk));
            break;
        }
        default:
            memmove(b->at + at, b->at + below(b->size - length + 1), length);
        }
    }
}

/* A frame of this kind, if the trace has one. */
static struct piece *any(struct pieces *p, uint32_t kind)
{
    unsigned from = (unsigned)below(p->n);
    for (unsigned i = 0; i < p->n; i++)
        if (p->frame[(from + i) % p->n].head.kind == kind)
            return &p->frame[(from + i) % p->n];
    return NULL;
}

/* One stream of an EVENTS payload gets another content; lengths stay right. */
static void change_stream(struct bytes *raw, unsigned n_streams)
{
    struct bytes changed = {malloc(4 * n_streams + 64), 4 * n_streams};
    unsigned victim = (unsigned)below(n_streams);
    size_t at = 4 * n_streams;
    for (unsigned i = 0; i < n_streams; i++) {
        struct bytes stream = copy((struct bytes){raw->at + at, sl_get32(raw->at + 4 * i)});
        at += stream.size;
        if (i == victim && stream.size)
            change_bytes(&stream);
        sl_put32(changed.at + 4 * i, (uint32_t)stream.size);
        append(&changed, stream.at, stream.size);
        free(stream.at);
    }
    free(raw->at);
    *raw = changed;
}

/* Streams of random tokens for the counts that the head gives: the chunk table
 * stays, so that decoders run to their ends. */
static void random_streams(struct bytes *raw, unsigned n_streams)
{
    struct bytes changed = {malloc(4 * n_streams + 64), 4 * n_streams};
    size_t table = sl_get32(raw->at);
    memcpy(changed.at, raw->at, 4 * n_streams);
    append(&changed, raw->at + 4 * n_streams, table);
    for (unsigned i = 1; i < n_streams; i++) {
        uint32_t size = sl_get32(raw->at + 4 * i), limit = below(2) ? 256 : 1 + (uint32_t)below(12);
        size_t from = changed.size;
        append(&changed, raw->at, size); /* space for as many */
        for (uint32_t k = 0; k < size; k++)
            changed.at[from + k] = (uint8_t)below(limit);
    }
    free(raw->at);
    *raw = changed;
}

/* A field of some record: lengths, types, numbers, sizes. */
static void change_record(struct bytes *raw)
{
    size_t at = 0, target = below(raw->size);
    while (at + SL_RECORD_HEAD <= raw->size) {
        uint32_t length = sl_get32(raw->at + at);
        if (at + SL_RECORD_HEAD + length > target || length > raw->size)
            break;
        at += SL_RECORD_HEAD + length;
    }
    if (at + SL_RECORD_HEAD + 20 > raw->size)
        return;
    static const uint8_t field[] = {0, 4, 8, 12, 16, 20, 21, 23, 24};
    uint8_t *p = raw->at + at + field[below(sizeof field)];
    switch (below(4)) {
    case 0:
        sl_put32(p, (uint32_t)sl_random_next(&tape.beyond) >> below(32));
        break;
    case 1:
        sl_put32(p, UINT32_MAX >> below(16));
        break;
    default:
        *p = (uint8_t)(*p + (below(2) ? 1 : 255));
    }
}

static void swap_frames(struct pieces *p)
{
    struct piece *a = &p->frame[below(p->n)], *b = &p->frame[below(p->n)], t = *a;
    *a = *b;
    *b = t;
}

static void splice(struct pieces *p, const struct pieces *other)
{
    struct piece *at = &p->frame[below(p->n)];
    const struct piece *from = &other->frame[below(other->n)];
    if (p->n < FRAMES && below(2)) { /* once more, or of another trace, after it */
        memmove(at + 1, at, (size_t)(p->frame + p->n - at) * sizeof *at);
        p->n++;
    } else {
        free(at->raw.at);
    }
    at->head = from->head;
    at->raw = copy(from->raw);
}

static void drop_frame(struct pieces *p)
{
    unsigned i = (unsigned)below(p->n);
    free(p->frame[i].raw.at);
    memmove(&p->frame[i], &p->frame[i + 1], (--p->n - i) * sizeof p->frame[0]);
}

enum level {
    FILE_BYTES,
    HEADS,
    COMPRESSED,
    PAYLOADS,
    RECORDS,
    STREAMS,
    RANDOM_STREAMS,
    FRAME_ORDER,
    OTHER_NEEDS,
    UNCHANGED,
    LEVELS
};

static const char *const level_name[] = {
    "bytes of the file", "heads",   "compressed payloads",
    "payloads",          "records", "streams of events",
    "random streams",    "frames",  "needs of header",
    "nothing",
};

static struct bytes make_input(enum level level, const struct pieces *a, const struct pieces *b)
{
    struct pieces p = copy_pieces(a);
    struct faults faults = {.random = &tape.beyond};
    struct piece *events = any(&p, SL_TRACE_EVENTS), *records = any(&p, SL_TRACE_RECORDS);
    switch (level) {
    case HEADS:
        faults.head = below(2);
        faults.raw_size = !below(4);
        faults.index = !below(4);
        faults.trailer = !below(8);
        p.version += !below(8);
        break;
    case COMPRESSED:
        faults.stored = true;
        break;
    case PAYLOADS:
        change_bytes(&p.frame[below(p.n)].raw);
        break;
    case RECORDS:
        for (unsigned n = 1 + (unsigned)below(2); n; n--)
            change_record(&records->raw);
        break;
    case STREAMS:
        change_stream(&events->raw, SL_STREAMS);
        break;
    case RANDOM_STREAMS:
        random_streams(&events->raw, SL_STREAMS);
        break;
    case FRAME_ORDER:
        for (unsigned n = 1 + (unsigned)below(3); n; n--) {
            if (below(3) == 0)
                splice(&p, b);
            else if (below(2) || p.n < 2)
                swap_frames(&p);
            else
                drop_frame(&p);
        }
        faults.number = !below(8);
        break;
    case OTHER_NEEDS:
        p.needs = (uint32_t)below(below(4) ? 8 : 1 << 20);
        if (below(2) && records->raw.size > 16)
            records->raw.at[12] = (uint8_t)p.needs; /* the program says the same */
        break;
    default:
        break;
    }
    struct bytes file = put_together(&p, &faults);
    if (level == FILE_BYTES)
        change_bytes(&file);
    free_pieces(&p);
    return file;
}

/* ---- reading ---- */

/* True if the chunk is one that consumers may trust. Touches all of it. */
static bool keeps_promises(const struct sl_chunk *c, const struct sl_source *source)
{
    unsigned needs = sl_source_contents(source);
    return c->flags <= SL_CHUNK_FLAGS && c->block && !needs == !c->block_mem &&
           !needs == !c->mem_insn && !(needs & 1) == !c->mem_value &&
           !(needs & 6) == !c->mem_addr && (needs || !c->n_mems) &&
           chunk_in_bounds(c, source, needs & 6 ? SL_MEM_INSN_MASK : UINT32_MAX);
}

/* What of a chunk has to be there, whatever is needed. */
static uint64_t sum_of(const struct sl_chunk *c, uint64_t sum)
{
    sum = sl_mix(sum ^ (uint64_t)c->thread << 32 ^ c->flags ^ (uint64_t)c->n_blocks << 8);
    for (uint32_t i = 0; i < c->n_blocks; i++)
        sum = sl_mix(sum ^ c->block[i] ^ (uint64_t)(c->block_mem ? c->block_mem[i] : 0) << 32);
    return sl_mix(sum ^ c->n_mems);
}

/* How far inputs got: what the reader said, without names and numbers. */
static struct {
    char text[128];
    unsigned long n;
} depth[64];
static unsigned n_depths;
static unsigned long n_chunks, n_level[LEVELS], n_read[LEVELS];
static struct pieces trace[12];
static unsigned n_traces;

static void reached(const char *text)
{
    const char *damaged = strstr(text, "is damaged: ");
    text = damaged ? damaged + 12 : text;
    char plain[128];
    size_t n = 0;
    for (const char *c = text; *c && n < sizeof plain - 1; c++)
        if (*c < '0' || *c > '9')
            plain[n++] = *c;
        else if (!n || plain[n - 1] != '#')
            plain[n++] = '#';
    plain[n] = 0;
    for (unsigned i = 0; i < n_depths; i++)
        if (!strcmp(depth[i].text, plain)) {
            depth[i].n++;
            return;
        }
    if (n_depths < 64) {
        strcpy(depth[n_depths].text, plain);
        depth[n_depths++].n = 1;
    }
}

/* What came of reading: what the reader said at the end, and of all chunks sum_of. */
struct ending {
    int result;
    char said[sizeof(struct sl_failure)];
    uint64_t sum;
};

static struct ending read_source(struct sl_source *source, uint64_t skip, bool all)
{
    struct ending e = {0};
    struct sl_chunk c;
    struct sl_failure f = {0};
    int64_t at = skip ? source->ops->skip(source, skip, &f) : 0;
    e.result = at < 0 ? (int)at : 0;
    while (e.result >= 0 && (e.result = sl_source_next(source, &c, &f)) > 0) {
        n_chunks++;
        e.sum = sum_of(&c, e.sum);
        if (all && !keeps_promises(&c, source))
            fuzz_wrong("every chunk that was given out keeps what event.h promises");
    }
    snprintf(e.said, sizeof e.said, "%s",
             e.result < 0         ? f.text
             : source->warning[0] ? source->warning
                                  : "read to its end");
    return e;
}

/* Returns what the reader said at the end. */
static int read_input(struct bytes file)
{
    struct sl_source *source;
    struct sl_failure f = {0};
    if (ftruncate(trace_fd, 0) < 0 || pwrite(trace_fd, file.at, file.size, 0) != (ssize_t)file.size)
        abort();
    struct ending all = {.result = sl_source_open(&source, trace_path, &f)}, some;
    if (all.result >= 0) {
        uint64_t skip = below(8) ? 0 : 1 + below(10000);
        all = read_source(source, skip, true);
        sl_source_close(source);
        reached(all.said);
        if (!below(4) && !sl_source_open(&source, trace_path, &f)) {
            sl_source_needs(source, (unsigned)below(8));
            some = read_source(source, skip, false);
            sl_source_close(source);
            if (some.result != all.result || some.sum != all.sum || strcmp(some.said, all.said))
                fuzz_wrong("a reader that needs less gets other blocks or another message");
        }
    } else {
        reached(f.text);
    }
    sl_trace_summarize(trace_path, &(struct sl_trace_summary){0}, &f);
    return all.result;
}

static int by_count(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)((const char *)a + sizeof depth[0].text);
    unsigned long y = *(const unsigned long *)((const char *)b + sizeof depth[0].text);
    return (x < y) - (x > y);
}

void fuzz_begin(void)
{
    trace_fd = memfd_create("trace", 0);
    snprintf(trace_path, sizeof trace_path, "/proc/self/fd/%d", trace_fd);
    for (unsigned needs = 0; needs < 8; needs++)
        trace[n_traces++] = make_seed(needs, needs, "rlwre", 5);
    trace[n_traces++] = make_seed(11, 7, "rl", 2);
    trace[n_traces++] = make_seed(12, 1, "rrrrrrrw", 16);
    trace[n_traces++] = make_seed(13, 3, "lwe", 6);
    trace[n_traces++] = make_seed(14, 6, "wrl", 6);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    tape = endless_tape(data, size);
    enum level level = (enum level)below(LEVELS);
    const struct pieces *a = &trace[below(n_traces)], *b = &trace[below(n_traces)];
    struct bytes file = make_input(level, a, b);
    n_level[level]++;
    bool whole = read_input(file) >= 0;
    n_read[level] += whole;
    if (level == UNCHANGED && !whole)
        fuzz_wrong("a trace that was only put together again is read");
    free(file.at);
}

void fuzz_figures(void)
{
    printf("# %lu chunks given out\n", n_chunks);
    for (unsigned i = 0; i < LEVELS; i++)
        printf("# %8lu inputs with other %s: %lu read to an end\n", n_level[i], level_name[i],
               n_read[i]);
    qsort(depth, n_depths, sizeof depth[0], by_count);
    for (unsigned i = 0; i < n_depths; i++)
        printf("# %8lu %s\n", depth[i].n, depth[i].text);
    ok(!fuzz_many || (n_read[RANDOM_STREAMS] + n_read[STREAMS] > 0 && n_depths > 20),
       "inputs got through to the decoders (%u different ends)", n_depths);
    for (unsigned i = 0; i < n_traces; i++)
        free_pieces(&trace[i]);
}
