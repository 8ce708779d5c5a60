/* SPDX-License-Identifier: MIT */
/* Test helpers for tests that write, damage and read traces: they record a trace to a file in
 * memory, copy the bytes of the trace, and find the offsets of its frames. */
#ifndef SL_TESTS_KEPT_TRACE_H
#define SL_TESTS_KEPT_TRACE_H

#include <sys/mman.h>
#include <unistd.h>

#include "synthetic_stream.h"
#include "trace.h"
#include "trace_format.h"

struct kept { /* a copy of all chunks, in order */
    struct sl_chunk *chunk;
    size_t n, capacity;
    uint64_t instructions;
};

static inline void *copy(const void *data, size_t size)
{
    void *c = malloc(size + 1);
    if (size)
        memcpy(c, data, size);
    return c;
}

static inline void keep(struct kept *k, const struct sl_chunk *c, const struct made *m)
{
    if (k->n == k->capacity)
        k->chunk = realloc(k->chunk, (k->capacity = 2 * k->capacity + 16) * sizeof *k->chunk);
    struct sl_chunk *to = &k->chunk[k->n++];
    *to = *c;
    to->block = copy(c->block, 4 * (size_t)c->n_blocks);
    if (c->block_mem)
        to->block_mem = copy(c->block_mem, 4 * (size_t)c->n_blocks);
    if (c->mem_insn)
        to->mem_insn = copy(c->mem_insn, 4 * (size_t)c->n_mems);
    if (c->mem_value)
        to->mem_value = copy(c->mem_value, 8 * (size_t)c->n_mems);
    if (c->mem_addr)
        to->mem_addr = copy(c->mem_addr, 8 * (size_t)c->n_mems);
    for (uint32_t i = 0; i < c->n_blocks; i++)
        k->instructions += m->n_in_block[c->block[i]];
}

static inline void forget(struct kept *k)
{
    for (size_t i = 0; i < k->n; i++) {
        free((void *)k->chunk[i].block);
        free((void *)k->chunk[i].block_mem);
        free((void *)k->chunk[i].mem_insn);
        free((void *)k->chunk[i].mem_value);
        free((void *)k->chunk[i].mem_addr);
    }
    free(k->chunk);
    *k = (struct kept){0};
}

static inline bool same_array(const void *a, const void *b, size_t size)
{
    return !a == !b && (!a || !memcmp(a, b, size));
}

static inline bool same_chunk(const struct sl_chunk *a, const struct sl_chunk *b)
{
    return a->thread == b->thread && a->flags == b->flags && a->n_blocks == b->n_blocks &&
           a->n_mems == b->n_mems && same_array(a->block, b->block, 4 * (size_t)a->n_blocks) &&
           same_array(a->block_mem, b->block_mem, 4 * (size_t)a->n_blocks) &&
           same_array(a->mem_insn, b->mem_insn, 4 * (size_t)a->n_mems) &&
           same_array(a->mem_value, b->mem_value, 8 * (size_t)a->n_mems) &&
           same_array(a->mem_addr, b->mem_addr, 8 * (size_t)a->n_mems);
}

/* A file without a name. */
struct memory_file {
    int fd;
    char path[32];
};

static inline struct memory_file memory_file(void)
{
    struct memory_file file = {.fd = memfd_create("trace", 0)};
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static inline uint8_t *contents(const struct memory_file *file, size_t *size)
{
    *size = (size_t)lseek(file->fd, 0, SEEK_END);
    uint8_t *data = malloc(*size + 1);
    return pread(file->fd, data, *size, 0) == (ssize_t)*size ? data : NULL;
}

static inline void set_contents(const struct memory_file *file, const uint8_t *data, size_t size)
{
    if (ftruncate(file->fd, 0) < 0 || pwrite(file->fd, data, size, 0) != (ssize_t)size)
        abort();
}

/* Writes `n` chunks of the shapes given (one letter each: e w r l f, repeated),
 * with new blocks in between. */
static inline int write_trace(const char *path, struct made *m, const char *shapes, size_t n,
                              struct kept *k, struct sl_failure *f)
{
    static const char letters[] = "ewrlf";
    struct sl_trace_writer *w;
    struct sl_chunk chunk;
    size_t reported = 0;
    int error = sl_trace_create(&w, path, m->needs, NULL, f);
    if (error < 0)
        return error;
    made_program(m);
    made_blocks(m, 20);
    for (size_t i = 0; i < n && !error; i++) {
        if (i % 16 == 3)
            made_blocks(m, 40);
        error = sl_trace_records(w, m->records + reported, m->n_records - reported, f);
        reported = m->n_records;
        const char *letter = strchr(letters, shapes[i % strlen(shapes)]);
        made_chunk(m, (enum made_shape)(letter - letters), &chunk);
        if (!error)
            error = sl_trace_chunk(w, &chunk, f);
        if (!error && k)
            keep(k, &chunk, m);
    }
    made_end(m);
    if (!error)
        error = sl_trace_records(w, m->records + reported, m->n_records - reported, f);
    int at_end = sl_trace_finish(w, error ? NULL : f);
    return error ? error : at_end;
}

/* Reads to the end. Returns the last result; *n_same is the number of chunks that
 * were the expected ones, from number `from` on, or -1 if one was not. */
static inline int read_chunks(struct sl_source *source, const struct kept *k, size_t from,
                              long *n_same, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int result;
    *n_same = 0;
    f->text[0] = 0;
    while ((result = sl_source_next(source, &chunk, f)) > 0)
        if (*n_same >= 0) {
            size_t i = from + (size_t)*n_same;
            *n_same = i < k->n && same_chunk(&chunk, &k->chunk[i]) ? *n_same + 1 : -1;
        }
    return result;
}

static inline int read_trace(const char *path, const struct kept *k, long *n_same, char *warning,
                             struct sl_failure *f)
{
    struct sl_source *source;
    *n_same = 0;
    *warning = 0;
    int result = sl_source_open(&source, path, f);
    if (result < 0)
        return result;
    result = read_chunks(source, k, 0, n_same, f);
    strcpy(warning, source->warning);
    sl_source_close(source);
    return result;
}

struct layout { /* by our own walk over the heads, not the reader's */
    size_t n;
    struct {
        uint64_t at, end;
        uint32_t kind, chunks, blocks, mems;
        uint64_t instructions;
        size_t chunks_before;
        uint64_t instructions_before;
    } frame[512];
};

static inline struct layout lay_out(const uint8_t *data, size_t size)
{
    struct layout l = {0};
    size_t chunks = 0;
    uint64_t at = SL_TRACE_HEADER_SIZE, instructions = 0;
    while (at + SL_TRACE_HEAD_SIZE + SL_TRACE_TRAILER_SIZE <= size && l.n < 512) {
        const uint8_t *h = data + at;
        bool events = sl_get32(h + 4) == 2;
        uint64_t end = at + SL_TRACE_HEAD_SIZE + sl_get32(h + 12);
        l.frame[l.n].at = at;
        l.frame[l.n].end = end;
        l.frame[l.n].kind = sl_get32(h + 4);
        l.frame[l.n].chunks = sl_get32(h + 20);
        l.frame[l.n].blocks = sl_get32(h + 24);
        l.frame[l.n].mems = sl_get32(h + 28);
        l.frame[l.n].instructions = sl_get64(h + 32);
        l.frame[l.n].chunks_before = chunks;
        l.frame[l.n].instructions_before = instructions;
        chunks += events ? sl_get32(h + 20) : 0;
        instructions += events ? sl_get64(h + 32) : 0;
        l.n++;
        at = end;
    }
    return l;
}

/* Chunks in frames that end at or before `offset`. */
static inline size_t whole_chunks(const struct layout *l, uint64_t offset, size_t *frames)
{
    size_t n = 0;
    *frames = 0;
    for (size_t i = 0; i < l->n && l->frame[i].end <= offset; i++) {
        n += l->frame[i].kind == 2 ? l->frame[i].chunks : 0;
        ++*frames;
    }
    return n;
}

#endif
