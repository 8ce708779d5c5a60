/* SPDX-License-Identifier: MIT */
/* Source for tests of sessions: random walks of several threads through a random program, with
 * signals, jumps out of procedures and gaps. Equal seeds give equal streams. */
#ifndef SL_TESTS_WALK_STREAM_H
#define SL_TESTS_WALK_STREAM_H

#include "random_walk.h"
#include "source.h"

#define WALK_THREADS 3
#define WALK_CHUNK 900
#define WALK_CHUNKS 80

struct stream {
    struct sl_source source;
    struct walk_program *program;
    struct walker walker[WALK_THREADS];
    bool begun[WALK_THREADS];
    uint64_t random;
    unsigned n_chunks, chunks_max;
    uint32_t block[WALK_CHUNK];
};

static inline int next_chunk(struct sl_source *source, struct sl_chunk *chunk,
                             struct sl_failure *failure)
{
    struct stream *s = (struct stream *)source;
    uint32_t thread = (uint32_t)sl_random_below(&s->random, WALK_THREADS);
    (void)failure;
    if (s->n_chunks++ == s->chunks_max)
        return 0;
    *chunk = (struct sl_chunk){.thread = thread,
                               .block = s->block,
                               .n_blocks = 1 + (uint32_t)sl_random_below(&s->random, WALK_CHUNK)};
    chunk->flags = !s->begun[thread]                  ? SL_CHUNK_START
                   : !sl_random_below(&s->random, 12) ? SL_CHUNK_GAP
                                                      : 0;
    s->begun[thread] = true;
    for (uint32_t i = 0; i < chunk->n_blocks; i++)
        s->block[i] = walk(&s->walker[thread]);
    return 1;
}

static inline struct stream *stream_new(uint64_t seed)
{
    static const struct sl_source_ops ops = {.next = next_chunk};
    struct stream *s = calloc(1, sizeof *s);
    s->program = walk_program_new(seed, 3 + (uint32_t)seed % 9);
    s->random = seed;
    s->chunks_max = WALK_CHUNKS;
    s->source = (struct sl_source){.ops = &ops, .statics = s->program->tiny->statics};
    for (unsigned i = 0; i < WALK_THREADS; i++)
        s->walker[i] = (struct walker){.program = s->program,
                                       .random = sl_random_next(&s->random),
                                       .odd = 20 * (unsigned)(seed % 3),
                                       .signals = 2 * (unsigned)(seed % 3)};
    return s;
}

static inline void stream_free(struct stream *s)
{
    walk_program_free(s->program); /* has the statics */
    free(s);
}

#endif
