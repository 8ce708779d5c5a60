/* SPDX-License-Identifier: MIT */
/* Test helpers for hostile traces: they build a valid trace, change a single field, correct the
 * checksums, and check that the reader of traces refuses the changed trace. */
#ifndef SL_TESTS_HOSTILE_TRACES_H
#define SL_TESTS_HOSTILE_TRACES_H

#include <unistd.h>

#include "../support/slt_pieces.h"
#include "../support/synthetic_stream.h"
#include "source.h"
#include "tap.h"
#include "trace.h"

static int fd;
static char path[32];
static const struct faults none;

/* A valid trace: records, events, the end's record. */
static struct pieces valid(unsigned needs)
{
    struct made *m = made_new(99, needs);
    struct sl_trace_writer *w;
    struct sl_chunk c;
    struct sl_failure f;
    made_program(m);
    made_blocks(m, 30);
    sl_trace_create(&w, path, needs, NULL, &f);
    sl_trace_records(w, m->records, m->n_records, &f);
    for (int i = 0; i < 4; i++) {
        made_chunk(m, MADE_RANDOM, &c);
        sl_trace_chunk(w, &c, &f);
    }
    size_t reported = m->n_records;
    made_end(m);
    sl_trace_records(w, m->records + reported, m->n_records - reported, &f);
    if (sl_trace_finish(w, &f) < 0)
        abort();
    made_free(m);
    return take_apart_file(fd);
}

/* Reads what is needed; returns the result and what was reported, and how many chunks there were.
 */
static int read_needed(unsigned needs, unsigned *n_chunks, char *said)
{
    struct sl_source *source;
    struct sl_chunk c;
    struct sl_failure f = {0};
    *n_chunks = 0;
    int result = sl_source_open(&source, path, &f);
    if (result < 0) {
        strcpy(said, f.text);
        return result;
    }
    sl_source_needs(source, needs);
    while ((result = sl_source_next(source, &c, &f)) > 0)
        ++*n_chunks;
    strcpy(said, result < 0 ? f.text : source->warning);
    sl_source_close(source);
    return result;
}

/* The same for all of it; a reader that needs less gets the same result. */
static int read_file(struct bytes file, unsigned *n_chunks, char *said)
{
    char the_same[1024];
    unsigned n;
    if (ftruncate(fd, 0) < 0 || pwrite(fd, file.at, file.size, 0) != (ssize_t)file.size)
        abort();
    free(file.at);
    int result = read_needed(SL_TRACE_NEEDS, n_chunks, said);
    for (unsigned needs = 0; needs <= SL_NEED_VALUES; needs += SL_NEED_VALUES)
        if (read_needed(needs, &n, the_same) != result || n != *n_chunks || strcmp(the_same, said))
            ok(false, "needs %u: after %u chunks: %s", needs, n, the_same);
    return result;
}

/* Puts the pieces together, frees them, and expects the message and `chunks`. */
static void refused_with(struct pieces *p, const struct faults *faults, unsigned chunks,
                         const char *message, const char *name)
{
    char said[1024];
    unsigned n;
    int result = read_file(put_together(p, faults), &n, said);
    free_pieces(p);
    if (!ok(result == SL_EFORMAT && n == chunks && strstr(said, message), "%s: %s", name, said))
        printf("# returned %d after %u chunks; expected %s\n", result, n, message);
}

static void refused(struct pieces *p, const char *message, const char *name)
{
    refused_with(p, &none, 0, message, name);
}

/* A frame of one chunk, straight from sorter and encoder, which check nothing, in place of
 * the valid one: `blocks` times block 0, each with `mems` mem events of word 0. */
static struct pieces with_frame(unsigned needs, uint32_t blocks, uint32_t mems, uint32_t lead,
                                uint32_t flags, uint32_t block, uint32_t word)
{
    struct pieces p = valid(needs);
    struct sl_trace_sorter *sorter = calloc(1, sizeof *sorter);
    struct sl_trace_sorted *sorted = calloc(1, sizeof *sorted);
    struct sl_trace_encoder *encoder = calloc(1, sizeof *encoder);
    struct sl_statics statics = {0};
    struct sl_failure f;
    uint8_t *raw = malloc(SL_TRACE_ENCODE_BYTES);
    struct piece *events = &p.frame[1];
    uint32_t n_mems = lead + blocks * mems;
    sl_statics_apply(&statics, p.frame[0].raw.at, p.frame[0].raw.size, &f);
    /* A chunk larger than arrays are has its own. */
    uint32_t *numbers = malloc((blocks + 1) * sizeof *numbers),
             *at = malloc((blocks + 1) * sizeof *at);
    uint32_t *words = calloc(n_mems + SL_CHUNK_MARGIN, sizeof *words);
    uint64_t *zeros = calloc(n_mems + SL_CHUNK_MARGIN, sizeof *zeros);
    struct sl_chunk chunk = {3, flags, blocks, n_mems, numbers, at, words, zeros, zeros};
    for (uint32_t i = 0; i < blocks; i++) {
        numbers[i] = block;
        at[i] = lead + i * mems;
    }
    for (uint32_t i = 0; i < n_mems; i++)
        words[i] = word;
    /* The sorter may ask for the first instruction of a block that is not there. */
    if (block >= statics.n_blocks) {
        statics.block = realloc(statics.block, (block + 1) * sizeof *statics.block);
        statics.block_size = realloc(statics.block_size, (block + 1) * sizeof *statics.block_size);
    }
    for (size_t i = statics.n_blocks; i <= block; i++) {
        statics.block[i] = (struct sl_block){.n_insns = 1};
        statics.block_size[i] = 1;
    }
    sorter->needs = needs;
    sorter->statics = &statics;
    sl_sort_begin(sorter, sorted);
    sl_sort_chunk(sorter, &chunk);
    size_t size = sl_trace_encode(encoder, sorted, needs, raw);
    free(events->raw.at);
    events->raw = copy((struct bytes){raw, size});
    events->head.items = 1;
    events->head.blocks = blocks;
    events->head.mems = n_mems;
    events->head.instructions = (uint64_t)blocks * statics.block[block].n_insns;
    free(raw);
    free(numbers);
    free(at);
    free(words);
    free(zeros);
    sl_trace_encoder_free(encoder);
    sl_trace_sorted_free(sorted);
    free(sorter);
    sl_statics_free(&statics);
    return p;
}

#endif
