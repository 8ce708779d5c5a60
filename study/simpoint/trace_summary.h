/* SPDX-License-Identifier: MIT */
/* Size and event counts of a trace file, from its index. (src/stream/trace/trace_read.c, which
 * reads the events, does not need the index.) */
#ifndef SL_TRACE_SUMMARY_H
#define SL_TRACE_SUMMARY_H

#include "sluice.h"

struct sl_trace_summary {
    uint64_t bytes, frames, chunks, blocks, mems, instructions;
};

/* Reads the index of a trace. SL_EFORMAT if the trace is truncated and has no index, SL_EIO if it
 * is not a regular file. */
int sl_trace_summarize(const char *path, struct sl_trace_summary *summary, struct sl_failure *f);

#endif
