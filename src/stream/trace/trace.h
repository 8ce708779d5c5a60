/* SPDX-License-Identifier: MIT */
/* Trace files (.slt): the event vocabulary in independent zstd frames.
 * docs/trace-format.md is the normative description. Reading is in source.h. */
#ifndef SL_TRACE_H
#define SL_TRACE_H

#include "event.h"
#include "source.h"
#include "statics.h"

struct sl_trace_writer;

/* Creates `path` (an existing file is replaced only when writing succeeds in
 * creating it). `wants` says which arrays the chunks will have. `how` may be NULL; SL_EUSAGE
 * if its level is not one. */
int sl_trace_create(struct sl_trace_writer **writer, const char *path, unsigned wants,
                    const struct sl_recording *how, struct sl_failure *f);

/* Static records, whole ones, in front of the events that need them. */
int sl_trace_records(struct sl_trace_writer *writer, const uint8_t *data, size_t size,
                     struct sl_failure *f);

/* The record of the program that a source knew before anybody could listen to it. */
int sl_trace_program(struct sl_trace_writer *writer, const struct sl_statics *statics,
                     struct sl_failure *f);

/* SL_EUSAGE, and nothing is kept of the chunk, if it is not one that the records
 * and the wants allow. SL_EIO if the file cannot be written; from then on every
 * call says so again, without trying. A program that writes into pipes has to
 * ignore SIGPIPE to see this. */
int sl_trace_chunk(struct sl_trace_writer *writer, const struct sl_chunk *chunk,
                   struct sl_failure *f);

/* What a source that can sort its events itself (sl_source.sorter) sorts the next chunk into; and
 * then, that it has done so. */
int sl_trace_sorting(struct sl_trace_writer *writer, struct sl_trace_sorter **sorter,
                     struct sl_failure *f);
void sl_trace_sorted(struct sl_trace_writer *writer);

/* Of all chunks that were taken. */
uint64_t sl_trace_instructions(const struct sl_trace_writer *writer);

/* Writes what is pending and the index, and frees the writer in any case. */
int sl_trace_finish(struct sl_trace_writer *writer, struct sl_failure *f);

/* What a trace holds, from its index, without reading it: SL_EFORMAT for a trace
 * that was cut and has none, SL_EIO for what is not a file. */
struct sl_trace_summary {
    uint64_t bytes, frames, chunks, blocks, mems, instructions;
};
int sl_trace_summarize(const char *path, struct sl_trace_summary *summary, struct sl_failure *f);

#endif
