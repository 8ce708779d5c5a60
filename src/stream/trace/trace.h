/* SPDX-License-Identifier: MIT */
/* Writer of trace files (.slt). A trace file contains chunks of events, and static records that
 * describe code, in independent zstd frames. docs/trace-format.md is the normative description.
 * trace_read.c reads trace files. */
#ifndef SL_TRACE_H
#define SL_TRACE_H

#include "source.h"

struct sl_trace_writer;

/* Creates the file, or replaces an existing trace. `needs` specifies the arrays of the chunks.
 * `how` may be NULL. Returns 0, SL_EUSAGE (invalid level or needs, or `path` is a file of another
 * kind), SL_EIO or SL_ENOMEM. */
int sl_trace_create(struct sl_trace_writer **writer, const char *path, unsigned needs,
                    const struct sl_recording *how, struct sl_failure *f);

/* Adds whole static records; call it before the events that need them are added. SL_EFORMAT or
 * SL_EUSAGE if they are invalid, SL_EIO. */
int sl_trace_records(struct sl_trace_writer *writer, const uint8_t *data, size_t size,
                     struct sl_failure *f);

/* Adds the PROGRAM record of a source, which is applied when the source opens. SL_EFORMAT if it has
 * none. */
int sl_trace_program(struct sl_trace_writer *writer, const struct sl_statics *statics,
                     struct sl_failure *f);

/* Adds a chunk. SL_EUSAGE, and nothing is added, if the chunk does not fit the records or the
 * needs. SL_EIO if the file cannot be written; every later call then fails with the same message.
 * (A program that writes to a pipe must ignore SIGPIPE for that.) */
int sl_trace_chunk(struct sl_trace_writer *writer, const struct sl_chunk *chunk,
                   struct sl_failure *f);

/* For sources that sort events themselves (sl_source.sorter): the first function returns the sorter
 * for the next chunk; the second must be called after the source has used it. */
int sl_trace_sort_begin(struct sl_trace_writer *writer, struct sl_trace_sorter **sorter,
                        struct sl_failure *f);
void sl_trace_sort_end(struct sl_trace_writer *writer);

/* Instructions of all chunks so far. */
uint64_t sl_trace_instructions(const struct sl_trace_writer *writer);

/* Writes the last frames and the index, and frees the writer in any case. Returns 0 or an error. */
int sl_trace_finish(struct sl_trace_writer *writer, struct sl_failure *f);

#endif
