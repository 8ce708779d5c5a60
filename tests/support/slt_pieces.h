/* SPDX-License-Identifier: MIT */
/* Test helpers that split traces into frames and reassemble them with recomputed checksums, so
 * that tests can change data that checksums protect. */
#ifndef SL_TESTS_SLT_PIECES_H
#define SL_TESTS_SLT_PIECES_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "random.h"
#include "trace_encode.h"

#define FRAMES 12

struct bytes {
    uint8_t *at;
    size_t size;
};

struct piece { /* a frame: its head as far as it is not computed, its raw payload */
    struct sl_trace_head head;
    struct bytes raw;
};

struct pieces {
    uint32_t version, needs, flags; /* of the header */
    struct piece frame[FRAMES];
    unsigned n; /* without the index */
};

/* What goes wrong while a trace is put together. The first three happen to one
 * frame, chosen by `random`. */
struct faults {
    bool head, stored, raw_size;
    bool number; /* frames keep the numbers that are in their heads */
    bool index, trailer;
    uint64_t *random; /* NULL if none of these, but `number`, is requested */
};

static uint64_t below_of(uint64_t *random, uint64_t n)
{
    return n ? sl_random_below(random, n) : 0;
}

static struct bytes copy(struct bytes b)
{
    struct bytes c = {malloc(b.size + 64), b.size};
    memcpy(c.at, b.at, b.size);
    return c;
}

static void free_pieces(struct pieces *p)
{
    for (unsigned i = 0; i < p->n; i++)
        free(p->frame[i].raw.at);
    p->n = 0;
}

static inline struct pieces copy_pieces(const struct pieces *p)
{
    struct pieces c = *p;
    for (unsigned i = 0; i < p->n; i++)
        c.frame[i].raw = copy(p->frame[i].raw);
    return c;
}

static void append(struct bytes *b, const void *data, size_t size)
{
    b->at = realloc(b->at, b->size + size + 64);
    memcpy(b->at + b->size, data, size);
    b->size += size;
}

/* Hits heads with numbers that are large, small, or just next to. */
static void change_head(struct sl_trace_head *h, uint64_t *random)
{
    uint32_t *field[] = {&h->kind, &h->stored_size, &h->raw_size, &h->items, &h->blocks, &h->mems};
    uint32_t *f = field[below_of(random, 6)];
    switch (below_of(random, 5)) {
    case 0:
        *f = (uint32_t)sl_random_next(random);
        break;
    case 1:
        *f = (uint32_t)sl_random_next(random) >> below_of(random, 32);
        break;
    case 2:
        h->instructions += below_of(random, 3) - 1;
        break;
    default:
        *f += below_of(random, 2) ? 1u : ~0u;
    }
}

static void add_frame(struct bytes *file, struct sl_trace_head head, struct bytes raw,
                      const struct faults *faults)
{
    uint8_t bytes[SL_TRACE_HEAD_SIZE];
    size_t capacity = ZSTD_compressBound(raw.size);
    uint8_t *stored = malloc(capacity + 64);
    size_t size = ZSTD_compress(stored, capacity, raw.at, raw.size, 1);
    if (faults->stored) {
        if (below_of(faults->random, 4))
            stored[below_of(faults->random, size)] ^= (uint8_t)(1 << below_of(faults->random, 8));
        else
            size = below_of(faults->random, size);
    }
    head.stored_size = (uint32_t)size;
    head.raw_size = (uint32_t)raw.size;
    if (faults->raw_size)
        head.raw_size += (uint32_t)below_of(faults->random, 9) - 4;
    head.checksum = XXH64(stored, size, 0);
    if (faults->head)
        change_head(&head, faults->random);
    sl_trace_put_head(bytes, &head);
    append(file, bytes, sizeof bytes);
    append(file, stored, size);
    free(stored);
}

static inline struct bytes put_together(const struct pieces *p, const struct faults *faults)
{
    static const struct faults none;
    struct bytes file = {0}, index = {malloc(64), 0};
    uint8_t header[SL_TRACE_HEADER_SIZE] = {0}, trailer[SL_TRACE_TRAILER_SIZE];
    unsigned victim = faults->random ? (unsigned)sl_random_below(faults->random, p->n + 1) : 0;
    memcpy(header, SL_TRACE_MAGIC, 8);
    sl_put32(header + 8, p->version);
    sl_put32(header + 12, p->needs);
    sl_put32(header + 16, p->flags);
    sl_put64(header + 24, XXH64(header, 24, 0));
    append(&file, header, sizeof header);
    for (unsigned i = 0; i < p->n; i++) {
        uint8_t entry[SL_TRACE_ENTRY_SIZE];
        struct sl_trace_head head = p->frame[i].head;
        head.number = faults->number ? head.number : i;
        sl_trace_put_entry(entry, file.size, &head);
        append(&index, entry, sizeof entry);
        add_frame(&file, head, p->frame[i].raw, i == victim ? faults : &none);
    }
    if (faults->index && index.size)
        index.at[below_of(faults->random, index.size)] ^= 4;
    uint64_t index_at = file.size;
    struct sl_trace_head head = {.kind = SL_TRACE_INDEX, .number = p->n, .items = p->n};
    add_frame(&file, head, index, victim == p->n ? faults : &none);
    memcpy(trailer, SL_TRACE_END_MAGIC, 8);
    sl_put64(trailer + 8, index_at + (faults->trailer ? below_of(faults->random, 2) : 0));
    sl_put64(trailer + 16, p->n);
    sl_put64(trailer + 24, XXH64(trailer, 24, 0));
    append(&file, trailer, sizeof trailer);
    free(index.at);
    return file;
}

static inline struct pieces take_apart(const uint8_t *file, size_t size)
{
    struct pieces p = {.version = sl_get32(file + 8), .needs = sl_get32(file + 12)};
    size_t at = SL_TRACE_HEADER_SIZE;
    struct sl_trace_head head;
    while (at + SL_TRACE_HEAD_SIZE < size && sl_trace_get_head(file + at, &head) &&
           head.kind != SL_TRACE_INDEX && p.n < FRAMES) {
        struct piece *f = &p.frame[p.n++];
        f->head = head;
        f->raw = (struct bytes){malloc(head.raw_size + 64u), head.raw_size};
        ZSTD_decompress(f->raw.at, head.raw_size, file + at + SL_TRACE_HEAD_SIZE, head.stored_size);
        at += SL_TRACE_HEAD_SIZE + head.stored_size;
    }
    return p;
}

/* The same of the file after `fd`. */
static inline struct pieces take_apart_file(int fd)
{
    size_t size = (size_t)lseek(fd, 0, SEEK_END);
    uint8_t *file = malloc(size);
    if (pread(fd, file, size, 0) != (ssize_t)size)
        abort();
    struct pieces p = take_apart(file, size);
    free(file);
    return p;
}

#endif
