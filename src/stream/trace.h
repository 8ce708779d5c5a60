/* Trace files (.slt): the event vocabulary in independent zstd frames.
 * docs/trace-format.md is the normative description. Reading is in source.h. */
#ifndef SL_TRACE_H
#define SL_TRACE_H

#include "event.h"
#include "statics.h"

struct sl_trace_writer;

/* Creates `path` (an existing file is replaced only when writing succeeds in
 * creating it). `wants` says which arrays the chunks will have. */
int sl_trace_create(struct sl_trace_writer **writer, const char *path, unsigned wants,
                    struct sl_failure *f);

/* Static records, whole ones, in front of the events that need them. */
int sl_trace_records(struct sl_trace_writer *writer, const uint8_t *data, size_t size,
                     struct sl_failure *f);

int sl_trace_chunk(struct sl_trace_writer *writer, const struct sl_chunk *chunk,
                   struct sl_failure *f);

/* Writes what is pending and the index, and frees the writer in any case. */
int sl_trace_finish(struct sl_trace_writer *writer, struct sl_failure *f);

/* Bytes written so far. */
uint64_t sl_trace_size(const struct sl_trace_writer *writer);

#endif
