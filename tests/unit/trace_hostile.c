/* SPDX-License-Identifier: MIT */
/* Unit tests of hostile traces, in which all checksums are correct, but one field contradicts
 * docs/trace-format.md. The reader refuses each of them with a specific message, before it returns
 * any event of the affected frame, also if it reads only some columns of the trace. */
#include <sys/mman.h>

#include "hostile_traces.h"
#include "tap.h"

/* ---- streams of events ---- */

static void accepts_what_is_right(void)
{
    char said[1024];
    unsigned n;
    for (unsigned needs = 0; needs < 8; needs++) {
        struct pieces p = valid(needs);
        int result = read_file(put_together(&p, &none), &n, said);
        ok(result == 0 && n == 4 && !*said, "needs %u: taken apart and put together it is read %s",
           needs, said);
        free_pieces(&p);
    }
    struct pieces p = with_frame(3, 4096, 1, 4096, 3, 29, 5);
    int result = read_file(put_together(&p, &none), &n, said);
    ok(result == 0 && n == 1, "a full chunk, made by hand, is read %s", said);
    free_pieces(&p);
}

static void chunks(void)
{
    struct pieces p = with_frame(3, 8193, 0, 0, 0, 0, 0);
    refused(&p, "chunk table is invalid", "8,193 blocks in a chunk");
    p = with_frame(3, 0, 0, 8193, 0, 0, 0);
    refused(&p, "chunk table is invalid", "8,193 mem events before a chunk's blocks");
    p = with_frame(3, 3, 2731, 0, 0, 0, 0);
    refused(&p, "access layouts cannot be decoded", "8,193 mem events in a chunk");
    p = with_frame(3, 1, 1, 0, 8, 0, 0);
    refused(&p, "chunk table is invalid", "unknown flags");
    p = with_frame(0, 3, 0, 0, 0, 30, 0);
    refused(&p, "no record describes one of the executed blocks", "block 30 of 30");
    p = with_frame(1, 1, 1, 0, 0, 0, 100000);
    refused(&p, "no record describes one of the executed instructions", "an unknown instruction");
    p = with_frame(1, 1, 1, 0, 0, 0, SL_MEM_STORE);
    refused(&p, "no record describes one of the executed instructions",
            "flags in a stream without addresses");
    p = with_frame(2, 1, 1, 0, 0, 0, SL_MEM_INSN_MASK);
    refused(&p, "no record describes one of the executed instructions", "the greatest number");
}

/* The EVENTS payload with `change` made to one of its streams. */
static void change_stream(struct bytes *raw, unsigned which, void (*change)(struct bytes *))
{
    struct bytes changed = {malloc(4 * SL_STREAMS + 64), 4 * SL_STREAMS};
    size_t at = 4 * SL_STREAMS;
    for (unsigned i = 0; i < SL_STREAMS; i++) {
        struct bytes stream = copy((struct bytes){raw->at + at, sl_get32(raw->at + 4 * i)});
        at += stream.size;
        if (i == which)
            change(&stream);
        sl_put32(changed.at + 4 * i, (uint32_t)stream.size);
        append(&changed, stream.at, stream.size);
        free(stream.at);
    }
    free(raw->at);
    *raw = changed;
}

static void one_more(struct bytes *b)
{
    append(b, "", 1);
}

static void one_less(struct bytes *b)
{
    b->size -= b->size > 0;
}

/* More hits than any frame has tokens, then one that is none: never reached. */
static void endless_run(struct bytes *b)
{
    append(b, "\xff\xff\xff\xff\x0f", 5);
}

static void long_varint(struct bytes *b)
{
    b->size = 0;
    append(b, "\xff\xff\xff\xff\x10", 5);
}

/* The only literal of a frame that enters block 0 is 1. */
static void one_and_bit_32(struct bytes *b)
{
    b->size = 0;
    append(b, "\x81\x80\x80\x80\x10", 5);
}

static void count_of_two(struct bytes *b)
{
    b->at[0] = 2;
}

static void longer_varint(struct bytes *b)
{
    b->size = 0;
    append(b, "\x80\x80\x80\x80\x80\x01", 6);
}

static void streams(void)
{
    static const char *const message[SL_STREAMS] = {
        "chunk table",
        "blocks cannot be decoded",
        "blocks cannot be decoded",
        "access layouts",
        "access layouts",
        "access layouts",
        "values cannot",
        "values cannot be decoded",
        "addresses cannot",
        "addresses cannot be decoded",
    };
    for (unsigned i = 0; i < SL_STREAMS; i++) {
        char name[64];
        struct pieces p = valid(7);
        snprintf(name, sizeof name, "a byte more in stream %u", i);
        change_stream(&p.frame[1].raw, i, one_more);
        refused(&p, message[i], name);
        p = valid(7);
        snprintf(name, sizeof name, "a byte less in stream %u", i);
        change_stream(&p.frame[1].raw, i, one_less);
        refused(&p, message[i], name);
    }
    for (unsigned i = SL_STREAM_BLOCK_RUNS; i <= SL_STREAM_LAYOUT_RUNS; i += 2) {
        struct pieces p = valid(7);
        change_stream(&p.frame[1].raw, i, endless_run);
        refused(&p, message[i], "a run that never ends");
        p = valid(7);
        change_stream(&p.frame[1].raw, i, long_varint);
        refused(&p, message[i], "a varint of 33 bits");
        p = valid(7);
        change_stream(&p.frame[1].raw, i, longer_varint);
        refused(&p, message[i], "a varint of 6 bytes");
    }
    for (unsigned i = SL_STREAM_LAYOUT_RUNS; i < SL_STREAMS; i++) {
        struct pieces p = valid(0);
        change_stream(&p.frame[1].raw, i, one_more);
        refused(&p, "a trace that contains only blocks", "mem events in a stream without");
    }
    struct pieces p = with_frame(0, 1, 0, 0, 0, 0, 0);
    change_stream(&p.frame[1].raw, SL_STREAM_BLOCK_LITERALS, one_and_bit_32);
    refused(&p, "blocks cannot be decoded", "a literal that is right but for its bit 32");
    p = valid(2);
    change_stream(&p.frame[1].raw, SL_STREAM_VALUE_BYTES, one_more);
    refused(&p, "values cannot be decoded", "values in a stream without");
    p = valid(1);
    change_stream(&p.frame[1].raw, SL_STREAM_ADDR_CODES, one_more);
    refused(&p, "addresses cannot be decoded", "addresses in a stream without");

    /* One mem event with a literal of 9 bytes, which the bytes could serve. */
    p = with_frame(1, 1, 1, 0, 0, 0, 0);
    struct bytes *raw = &p.frame[1].raw;
    uint32_t bytes = sl_get32(raw->at + 4 * SL_STREAM_VALUE_BYTES);
    raw->at[raw->size - bytes - 1] = 11;
    raw->size -= bytes;
    append(raw, "123456789", 9);
    sl_put32(raw->at + 4 * SL_STREAM_VALUE_BYTES, 9);
    refused(&p, "values cannot be decoded", "a literal of 9 bytes");

    /* One mem event, and a code after it. */
    p = with_frame(1, 1, 1, 0, 0, 0, 0);
    raw = &p.frame[1].raw;
    bytes = sl_get32(raw->at + 4 * SL_STREAM_VALUE_BYTES);
    raw->at[raw->size - bytes - 1] |= 0x10;
    refused(&p, "values cannot be decoded", "half a byte that is no code");

    /* A list of more words than the frame has mem events. */
    p = with_frame(1, 1, 1, 0, 0, 0, 0);
    change_stream(&p.frame[1].raw, SL_STREAM_LAYOUT_COUNTS, count_of_two);
    refused(&p, "access layouts cannot be decoded", "a list longer than the frame");

    p = valid(7);
    p.frame[1].raw.size = 4 * SL_STREAMS - 1;
    refused(&p, "the lengths of the frame's byte streams do not match the size of the payload",
            "no space for the lengths of streams");
    p = valid(7);
    sl_put32(p.frame[1].raw.at, UINT32_MAX);
    refused(&p, "the lengths of the frame's byte streams do not match the size of the payload",
            "a stream longer than the frame");
    p = valid(7);
    append(&p.frame[1].raw, "", 1);
    refused(&p, "the lengths of the frame's byte streams do not match the size of the payload",
            "a byte after the streams");
}

/* ---- frames ---- */

static void heads(void)
{
    struct pieces p = valid(7);
    p.frame[1].head.items++;
    refused(&p, "chunk table is truncated", "one chunk more in the head");
    p = valid(7);
    p.frame[1].head.items--;
    refused(&p, "chunk table differs from the frame head", "one chunk less in the head");
    p = valid(7);
    p.frame[1].head.blocks++;
    refused(&p, "chunk table differs from the frame head", "one block more in the head");
    p = valid(7);
    p.frame[1].head.mems++;
    refused(&p, "access layouts", "one mem event more in the head");
    p = valid(7);
    p.frame[1].head.instructions++;
    refused(&p, "number of instructions differs", "one instruction more in the head");
    p = valid(7);
    p.frame[1].head.blocks = 1 << 20;
    p.frame[1].head.mems = 1;
    refused(&p, "number of chunks or events exceeds the maximum", "2^20 + 1 events in the head");
    p = valid(7);
    p.frame[1].head.mems = UINT32_MAX;
    refused(&p, "number of chunks or events exceeds the maximum",
            "2^32 - 1 mem events in the head");
    p = valid(7);
    p.frame[1].head.items = 65537;
    refused(&p, "number of chunks or events exceeds the maximum", "65,537 chunks in the head");
    p = valid(7);
    p.frame[0].head.blocks = 1;
    refused(&p, "not an EVENTS frame", "events in the head of records");
    p = valid(7);
    p.frame[0].head.kind = 4;
    refused(&p, "kind is unknown", "a frame of kind 4");
    p = valid(7);
    p.frame[0].head.items++;
    refused(&p, "number of records differs", "one record more in the head");
    p = valid(7);
    free(p.frame[0].raw.at);
    p.frame[0].raw = (struct bytes){calloc(SL_TRACE_RECORDS_MAX + 65, 1), SL_TRACE_RECORDS_MAX + 1};
    refused(&p, "exceeds the maximum size of a frame", "2 MiB and a byte of records");
}

static void order(void)
{
    static const struct faults keep_numbers = {.number = true};
    struct pieces p = valid(7);
    struct piece t = p.frame[0];
    p.frame[0] = p.frame[1];
    p.frame[1] = t;
    refused(&p, "no record describes one of the executed blocks", "events before their records");
    p = valid(7);
    p.frame[2].head.number = 7;
    refused_with(&p, &keep_numbers, 4, "number is out of sequence", "frame 7 after frame 1");
    p = valid(7);
    free(p.frame[2].raw.at);
    p.frame[2] = p.frame[1];
    p.frame[2].raw = copy(p.frame[1].raw);
    refused_with(&p, &keep_numbers, 4, "number is out of sequence", "frame 1 twice");
    p = valid(7);
    free(p.frame[2].raw.at);
    p.frame[2] = p.frame[0];
    p.frame[2].raw = copy(p.frame[0].raw);
    refused_with(&p, &none, 4, "the stream has a second program record", "the program twice");
}

static void headers(void)
{
    struct pieces p = valid(7);
    p.version = 3;
    refused(&p, "version 3, but this sluice reads version 2", "version 3");
    p = valid(7);
    p.version = 0;
    refused(&p, "version 0, but this sluice reads version 2", "version 0");
    p = valid(7);
    p.version = 1;
    refused(&p, "version 1, but this sluice reads version 2", "version 1, which no release wrote");
    p = valid(7);
    p.needs = 15;
    refused(&p, "has contents that this version of sluice cannot read", "needs 15");
    p = valid(7);
    p.flags = 1;
    refused(&p, "has contents that this version of sluice cannot read", "flags 1");
    p = valid(7);
    p.needs = 3;
    refused(&p, "PROGRAM record and the file header", "other needs than the program's");
}

/* The program's record, which is the first, becomes the last: of a program without code. */
static void move_program(struct bytes *raw)
{
    size_t size = 8 + (size_t)sl_get32(raw->at);
    uint8_t *record = malloc(size);
    memcpy(record, raw->at, size);
    sl_put32(record + 8, SL_ARCH_DESCRIBED);
    memmove(raw->at, raw->at + size, raw->size - size);
    memcpy(raw->at + raw->size - size, record, size);
    free(record);
}

static void records(void)
{
    struct pieces p = valid(7);
    move_program(&p.frame[0].raw);
    refused(&p, "program record follows a block record", "a program without code after its blocks");
    p = valid(7);
    append(&p.frame[0].raw, "\x04\0\0\0\x04\0\0\0\0", 9);
    refused(&p, "the last record is incomplete", "a record cut by the frame's end");
    p = valid(7);
    sl_put32(p.frame[0].raw.at, SL_RECORD_MAX + 1);
    refused(&p, "number of records differs", "a record longer than the frame");
    p = valid(7);
    sl_put32(p.frame[2].raw.at + 4, 9);
    refused_with(&p, &none, 4, "unknown static record: type 9", "a record of type 9");
}

/* ---- the file's end and zstd ---- */

/* The file of a valid trace, changed in its trailer or index with right checksums. */
static void ends(void)
{
    char said[1024];
    unsigned n;
    for (int field = 8; field <= 16; field += 8) {
        struct pieces p = valid(1);
        struct bytes file = put_together(&p, &none);
        uint8_t *trailer = file.at + file.size - SL_TRACE_TRAILER_SIZE;
        trailer[field]++;
        sl_put64(trailer + 24, XXH64(trailer, 24, 0));
        ok(read_file(file, &n, said) == SL_EFORMAT && n == 4 && strstr(said, "trailer"),
           "the trailer's field at %d is one more: %s", field, said);
        free_pieces(&p);
    }
    uint64_t random = 1;
    struct faults wrong_index = {.index = true, .random = &random};
    struct pieces p = valid(1);
    refused_with(&p, &wrong_index, 4, "the index does not match", "another index");
}

/* A frame whose payload is `stored`, before nothing else. */
static void refused_payload(const uint8_t *stored, size_t size, uint32_t raw_size, const char *name)
{
    char said[1024];
    unsigned n;
    struct pieces p = {.version = SL_TRACE_VERSION, .needs = 1};
    struct bytes file = put_together(&p, &none);
    uint8_t head[SL_TRACE_HEAD_SIZE];
    file.size = SL_TRACE_HEADER_SIZE;
    sl_trace_put_head(head, &(struct sl_trace_head){.kind = SL_TRACE_RECORDS,
                                                    .stored_size = (uint32_t)size,
                                                    .raw_size = raw_size,
                                                    .checksum = XXH64(stored, size, 0)});
    append(&file, head, sizeof head);
    append(&file, stored, size);
    ok(read_file(file, &n, said) == SL_EFORMAT &&
           (strstr(said, "size of the payload differs") || strstr(said, "cannot be decompressed")),
       "%s: %s", name, said);
}

static void payloads(void)
{
    uint8_t raw[1000] = {0}, stored[4000];
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, 0);
    size_t size = ZSTD_compress2(zstd, stored, sizeof stored, raw, sizeof raw);
    refused_payload(stored, size, sizeof raw, "a payload that hides its size");
    ZSTD_freeCCtx(zstd);
    size = ZSTD_compress(stored, sizeof stored, raw, 500, 3);
    size += ZSTD_compress(stored + size, sizeof stored - size, raw, 500, 3);
    refused_payload(stored, size, 1000, "a payload of two zstd frames");
    size_t first = ZSTD_compress(stored + size, sizeof stored - size, raw, sizeof raw, 3);
    first += ZSTD_compress(stored + size + first, sizeof stored - size - first, raw, 0, 3);
    refused_payload(stored + size, first, sizeof raw, "a payload with an empty second zstd frame");
    refused_payload(stored, size / 2, 501, "a payload shorter than its head says");
    refused_payload(stored, size / 2, 499, "a payload longer than its head says");
    refused_payload(stored, size / 2 - 1, 500, "a payload that is cut");
    refused_payload((const uint8_t *)"plain text", 10, 10, "a payload that is not compressed");
    refused_payload(stored, 0, 0, "an empty payload");
}

int main(void)
{
    fd = memfd_create("trace", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    accepts_what_is_right();
    chunks();
    streams();
    heads();
    order();
    headers();
    records();
    ends();
    payloads();
    return done_testing();
}
