/* SPDX-License-Identifier: MIT */
/* Benchmark of profiling sessions: measures, for each kind of profile, how much CPU time a session
 * needs per executed basic block. Producing the instruction stream is not part of the measured
 * time.
 *
 *     build/bench/blocks [-r ROUNDS] [-p SPEC] ... STREAM ...
 *
 * A stream (a trace: `sluice record -p edge -o T.slt -- PROGRAM`) is read into memory once. A
 * session of one thread for each profile then processes all of it, once per round, so that a slow
 * moment of the computer affects all of them. Times are CPU time of this thread in nanoseconds per
 * block: the fastest and the slowest round. "reading" is a loop that adds up the blocks'
 * instructions, as every session does. Loads are left out. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grow.h"
#include "source.h"
#include "timing.h"

static const char *const default_specs[] = {
    "block", "edge", "path@hpt", "function:instructions@leap", "context", "loop", NULL};
#define SPECS_MAX 16

static struct stream {
    struct sl_chunk *chunk;
    size_t n, capacity, at;
    uint64_t blocks;
} stream;

static int next(struct sl_source *source, struct sl_chunk *chunk, struct sl_failure *f)
{
    (void)source, (void)f;
    if (stream.at == stream.n)
        return 0;
    *chunk = stream.chunk[stream.at++];
    return 1;
}

static const struct sl_source_ops from_memory = {.next = next};

static int store_chunk(const struct sl_chunk *chunk)
{
    uint32_t *block = malloc((chunk->n_blocks + 1) * sizeof *block);
    if (!block || !SL_GROW(stream.chunk, stream.capacity, stream.n + 1))
        return SL_ENOMEM;
    memcpy(block, chunk->block, chunk->n_blocks * sizeof *block);
    stream.chunk[stream.n++] = (struct sl_chunk){.thread = chunk->thread,
                                                 .flags = chunk->flags,
                                                 .n_blocks = chunk->n_blocks,
                                                 .block = block};
    stream.blocks += chunk->n_blocks;
    return 0;
}

static int read_stream(const char *name, struct sl_source **source, struct sl_failure *f)
{
    struct sl_chunk chunk;
    int more = sl_source_open(source, name, f);
    while (more >= 0 && (more = sl_source_next(*source, &chunk, f)) > 0)
        if ((more = store_chunk(&chunk)) < 0)
            snprintf(f->text, sizeof f->text, "out of memory");
    return more;
}

static double sum_blocks(const struct sl_source *source)
{
    double start = cpu_seconds();
    uint64_t sum = 0;
    for (size_t c = 0; c < stream.n; c++)
        for (uint32_t i = 0; i < stream.chunk[c].n_blocks; i++)
            sum += source->statics.block_size[stream.chunk[c].block[i]];
    return sum == 42 ? 0 : cpu_seconds() - start; /* so that the loop is not optimized away */
}

static double run(struct sl_source *source, const char *spec)
{
    struct sl_session_config config = {
        .size = sizeof config, .spec = &spec, .n_specs = 1, .threads = 1};
    struct sl_session *session;
    struct sl_failure f;
    if (sl_session_open(&session, &config, &f) < 0) {
        fprintf(stderr, "%s\n", f.text);
        exit(2);
    }
    stream.at = 0;
    double start = cpu_seconds();
    int result = sl_session_run(session, source, NULL, NULL, &f);
    double seconds = cpu_seconds() - start;
    if (result < 0)
        fprintf(stderr, "%s\n", f.text);
    sl_session_close(session);
    return seconds;
}

static void measure(struct sl_source *source, const char *const *spec, size_t n, unsigned rounds)
{
    double best[SPECS_MAX + 1] = {0}, worst[SPECS_MAX + 1] = {0};
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i <= n; i++) {
            double seconds = i == n ? sum_blocks(source) : run(source, spec[i]);
            best[i] = !round || seconds < best[i] ? seconds : best[i];
            worst[i] = seconds > worst[i] ? seconds : worst[i];
        }
    for (size_t i = 0; i <= n; i++)
        printf("| %s | %.2f | %.2f |\n", i == n ? "reading" : spec[i],
               1e9 * best[i] / (double)stream.blocks, 1e9 * worst[i] / (double)stream.blocks);
}

int main(int argc, char **argv)
{
    const char *spec[SPECS_MAX];
    size_t n = 0;
    unsigned rounds = 5;
    int option;
    while ((option = getopt(argc, argv, "r:p:")) != -1) {
        if (option == 'r')
            rounds = (unsigned)atoi(optarg);
        else if (option == 'p' && n < SPECS_MAX)
            spec[n++] = optarg;
        else
            return 2;
    }
    for (; !n || (spec[0] == default_specs[0] && default_specs[n]); n++)
        spec[n] = default_specs[n];
    for (; optind < argc; optind++) {
        struct sl_source *source;
        struct sl_failure f;
        stream = (struct stream){.chunk = stream.chunk, .capacity = stream.capacity};
        if (read_stream(argv[optind], &source, &f) < 0) {
            fprintf(stderr, "%s\n", f.text);
            return 1;
        }
        const struct sl_source_ops *own = source->ops;
        source->ops = &from_memory;
        printf(
            "\n%s: %.1f M blocks\n\n| profile | ns per block | slowest |\n| --- | ---: | ---: |\n",
            argv[optind], (double)stream.blocks / 1e6);
        measure(source, spec, n, rounds);
        source->ops = own;
        sl_source_close(source);
        for (size_t i = 0; i < stream.n; i++)
            free((uint32_t *)stream.chunk[i].block);
    }
    free(stream.chunk);
    return 0;
}
