/* SPDX-License-Identifier: MIT */
/* Writes a trace with all data of a run's slices. Of the memory accesses between slices, the trace
 * contains those shortly before a slice (cutting.h) and the last one to each cache line, which
 * suffices to warm caches. Each part of the
 * run between two slices is read twice: first to find these accesses, and then to write the part
 * without all others. */
#include "cutting.h"

#include <stdlib.h>

#include "failure.h"
#include "run_pieces.h"
#include "last_accesses.h"
#include "trace.h"

struct cutting {
    struct sl_run_pieces first, second; /* the first reader, and the second */
    struct sl_last_accesses touched;
    struct sl_chunk_arrays arrays; /* buffers for a chunk with fewer accesses */
    struct sl_trace_writer *writer;
    struct sl_failure *f;
};

static int no_memory(struct sl_failure *f)
{
    return sl_out_of_memory(f);
}

static int find_last_accesses(struct cutting *c, uint64_t until)
{
    struct sl_chunk piece;
    int more;
    sl_last_accesses_clear(&c->touched);
    while ((more = sl_run_pieces_next(&c->first, until, &piece, c->f)) > 0)
        if (!sl_last_accesses_add(&c->touched, &piece))
            return no_memory(c->f);
    return more;
}

/* Removes all accesses from the chunk except the last ones. */
static void thin_out(struct cutting *c, struct sl_chunk *chunk)
{
    struct sl_chunk_arrays *to = &c->arrays;
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i <= chunk->n_blocks; i++) {
        uint32_t high = sl_chunk_mem(chunk, i);
        for (; at < high; at++) {
            uint32_t word = chunk->mem_insn[at];
            if (!sl_last_accesses_is_last(&c->touched, chunk->mem_addr[at], &word))
                continue;
            to->mem_insn[n] = word & ~SL_MEM_MORE;
            to->mem_addr[n] = chunk->mem_addr[at];
            to->mem_value[n++] = chunk->mem_value ? chunk->mem_value[at] : 0;
        }
        if (i < chunk->n_blocks)
            to->block_mem[i] = n;
    }
    chunk->block_mem = to->block_mem;
    chunk->mem_insn = to->mem_insn;
    chunk->mem_addr = to->mem_addr;
    chunk->mem_value = chunk->mem_value ? to->mem_value : NULL;
    chunk->n_mems = n;
}

static int write_until(struct cutting *c, uint64_t until, bool whole)
{
    struct sl_chunk piece;
    int more, error = 0;
    while (error >= 0 && (more = sl_run_pieces_next(&c->second, until, &piece, c->f)) > 0) {
        if (!whole)
            thin_out(c, &piece);
        error = sl_trace_chunk(c->writer, &piece, c->f);
    }
    return error < 0 ? error : more;
}

static int copy_records(void *writer, const uint8_t *data, size_t size, struct sl_failure *f)
{
    return sl_trace_records(writer, data, size, f);
}

static int write_slices(struct cutting *c, const struct sl_stored_slices *slices, uint64_t whole)
{
    struct sl_source *source = c->second.source;
    int error = sl_trace_program(c->writer, &source->statics, c->f);
    source->on_records = copy_records;
    source->on_records_context = c->writer;
    for (size_t i = 0; i < slices->n && error >= 0; i++) {
        const struct sl_stored_slice *slice = &slices->slice[i];
        uint64_t from = slice->start > whole ? slice->start - whole : 0;
        error = find_last_accesses(c, from);
        if (error >= 0)
            error = write_until(c, from, false);
        if (error >= 0)
            error = write_until(c, slice->start + slice->length, true);
        /* The first reader skips the part that was written completely. */
        struct sl_chunk skipped;
        while (error >= 0 &&
               (error = sl_run_pieces_next(&c->first, c->second.done, &skipped, c->f)) > 0)
            ;
    }
    return error;
}

int sl_cut(const char *trace, const struct sl_stored_slices *slices, uint64_t whole,
           struct sl_failure *f)
{
    struct cutting *c = calloc(1, sizeof *c);
    struct sl_failure ignored;
    if (!c)
        return no_memory(f);
    c->f = f;
    int error = sl_run_pieces_open(&c->first, trace, f);
    if (error >= 0)
        error = sl_run_pieces_open(&c->second, trace, f);
    if (error >= 0)
        error = sl_trace_create(&c->writer, slices->trace, c->second.source->statics.program.needs,
                                NULL, f);
    if (error >= 0) {
        error = write_slices(c, slices, whole);
        int end = sl_trace_finish(c->writer, error < 0 ? &ignored : f);
        error = error < 0 ? error : end;
    }
    sl_last_accesses_free(&c->touched);
    sl_run_pieces_close(&c->first);
    sl_run_pieces_close(&c->second);
    free(c);
    return error;
}
