/* SPDX-License-Identifier: MIT */
/* Benchmark of trace files: their size, and the speed of writing and reading them.
 *
 *     build/bench/trace [STREAM ...]
 *
 * Encodes streams into a memory file and reads them back. Given streams are encoded with all their
 * contents and with blocks only; without arguments, synthetic streams are used. A token is a block
 * or a mem event. Times are wall-clock times, because several threads encode and decode; the best
 * of three rounds counts. */
#include <sys/mman.h>
#include <unistd.h>

#include "../tests/support/synthetic_stream.h"
#include "source.h"
#include "timing.h"
#include "trace.h"
#include "trace_summary.h"

#define ROUNDS 3
#define CHUNKS_MAX 4096u /* in memory, at most 1 GiB */

/* A stream in memory: static records, and chunks with their arrays. */
struct stream {
    unsigned needs;
    uint8_t *records;
    size_t records_size;
    struct sl_chunk chunk[CHUNKS_MAX];
    unsigned n_chunks;
    uint64_t blocks, mems;
};

static void *copy(const void *data, size_t size)
{
    void *c = data ? malloc(size + 1) : NULL;
    return c && size ? memcpy(c, data, size) : c;
}

static void add_chunk(struct stream *s, const struct sl_chunk *c)
{
    struct sl_chunk *to = &s->chunk[s->n_chunks++];
    *to = *c;
    to->block = copy(c->block, 4 * (size_t)c->n_blocks);
    to->block_mem = copy(c->block_mem, 4 * (size_t)c->n_blocks);
    to->mem_insn = copy(c->mem_insn, 4 * (size_t)c->n_mems);
    to->mem_value = copy(c->mem_value, 8 * (size_t)c->n_mems);
    to->mem_addr = copy(c->mem_addr, 8 * (size_t)c->n_mems);
    s->blocks += c->n_blocks;
    s->mems += c->n_mems;
}

static void free_stream(struct stream *s)
{
    for (unsigned i = 0; i < s->n_chunks; i++) {
        free((void *)s->chunk[i].block);
        free((void *)s->chunk[i].block_mem);
        free((void *)s->chunk[i].mem_insn);
        free((void *)s->chunk[i].mem_value);
        free((void *)s->chunk[i].mem_addr);
    }
    free(s->records);
    free(s);
}

static int add_records(void *context, const uint8_t *data, size_t size, struct sl_failure *f)
{
    struct stream *s = context;
    (void)f;
    s->records = realloc(s->records, s->records_size + size);
    memcpy(s->records + s->records_size, data, size);
    s->records_size += size;
    return 0;
}

/* Adds the program's record, which the source consumed when it was opened. */
static void add_program(struct stream *s, const struct sl_statics *statics)
{
    static uint8_t record[SL_RECORD_HEAD + SL_RECORD_MAX];
    if (statics->program.path)
        add_records(s, record, sl_statics_program_record(statics, record, sizeof record), NULL);
}

/* Removes the mem events, and the needs from the first record, that of the program. */
static void remove_loads(struct stream *s)
{
    s->needs = 0;
    s->mems = 0;
    if (s->records_size >= 16 && s->records[4] == SL_RECORD_PROGRAM)
        s->records[SL_RECORD_HEAD + 4] = 0;
    for (unsigned i = 0; i < s->n_chunks; i++)
        s->chunk[i].n_mems = 0;
}

static int measure(const char *name, const struct stream *s, struct sl_failure *f)
{
    char path[32];
    double best_write = 1e9, best_read = 1e9;
    struct sl_trace_summary sum = {0};
    int fd = memfd_create("trace", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int round = 0; round < ROUNDS; round++) {
        struct sl_trace_writer *w;
        struct sl_source *source;
        struct sl_chunk chunk;
        double start = wall_seconds();
        int result = sl_trace_create(&w, path, s->needs, NULL, f);
        if (result < 0)
            return result;
        result = sl_trace_records(w, s->records, s->records_size, f);
        for (unsigned i = 0; !result && i < s->n_chunks; i++)
            result = sl_trace_chunk(w, &s->chunk[i], f);
        int end = sl_trace_finish(w, result ? NULL : f);
        if (result < 0 || end < 0)
            return SL_EIO;
        double written = wall_seconds();
        if ((result = sl_source_open(&source, path, f)) < 0)
            return result;
        while ((result = sl_source_next(source, &chunk, f)) > 0)
            ;
        sl_source_close(source);
        if (result < 0 || (result = sl_trace_summarize(path, &sum, f)) < 0)
            return result;
        double read = wall_seconds();
        best_write = written - start < best_write ? written - start : best_write;
        best_read = read - written < best_read ? read - written : best_read;
    }
    double tokens = (double)(s->blocks + s->mems);
    printf("%-34s %5u %8.1f %9.4f %9.4f %9.0f %9.0f\n", name, s->needs, tokens / 1e6,
           (double)sum.bytes / (double)sum.instructions, (double)sum.bytes / tokens,
           tokens / best_write / 1e6, tokens / best_read / 1e6);
    close(fd);
    return 0;
}

static int measure_synthetic(unsigned needs, enum made_shape shape, const char *name,
                             struct sl_failure *f)
{
    struct stream *s = calloc(1, sizeof *s);
    struct made *m = made_new(1, needs);
    struct sl_chunk c;
    s->needs = needs;
    made_program(m);
    made_blocks(m, 5000);
    add_records(s, m->records, m->n_records, f);
    while (s->n_chunks < CHUNKS_MAX && s->blocks + s->mems < 8000000) {
        made_chunk(m, shape, &c);
        add_chunk(s, &c);
    }
    int error = measure(name, s, f);
    made_free(m);
    free_stream(s);
    return error;
}

/* Measures a source that can be opened by name: a trace or a synthetic stream. */
static int measure_source(const char *name, struct sl_failure *f)
{
    struct stream *s = calloc(1, sizeof *s);
    struct sl_source *source;
    struct sl_chunk c;
    int result = sl_source_open(&source, name, f);
    if (result < 0) {
        free_stream(s);
        return result;
    }
    s->needs = sl_source_contents(source);
    add_program(s, &source->statics);
    source->on_records = add_records;
    source->on_records_context = s;
    while (s->n_chunks < CHUNKS_MAX && (result = sl_source_next(source, &c, f)) > 0)
        add_chunk(s, &c);
    sl_source_close(source);
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    if (result >= 0)
        result = measure(base, s, f);
    if (result >= 0 && s->needs) {
        remove_loads(s);
        result = measure(base, s, f);
    }
    free_stream(s);
    return result;
}

int main(int argc, char **argv)
{
    struct sl_failure f = {0};
    int error = 0;
    printf("%-34s %5s %8s %9s %9s %9s %9s\n", "stream", "needs", "Mtokens", "B/insn", "B/token",
           "write M/s", "read M/s");
    if (argc < 2) {
        error = measure_synthetic(0, MADE_WALK, "synthetic: walk", &f);
        if (!error)
            error = measure_synthetic(1, MADE_WALK, "synthetic: walk", &f);
        if (!error)
            error = measure_synthetic(7, MADE_WALK, "synthetic: walk", &f);
        if (!error)
            error = measure_synthetic(7, MADE_FULL, "synthetic: noise", &f);
        if (!error)
            error = measure_source("synth:zipf(events=4M)", &f);
        if (!error)
            error = measure_source("synth:uniform(events=4M)", &f);
    }
    for (int i = 1; i < argc && !error; i++)
        error = measure_source(argv[i], &f);
    if (error < 0)
        fprintf(stderr, "trace: %s\n", f.text);
    return error < 0;
}
