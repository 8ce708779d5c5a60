/* SPDX-License-Identifier: MIT */
/* Version 1 of mem events in traces, for reading. */
#ifndef SL_TRACE_DECODE_1_H
#define SL_TRACE_DECODE_1_H

#include "trace_tokens.h"

/* Fills block_mem, the chunks' n_mems and the mem events of a frame whose chunks and blocks are
 * there, from the eight streams behind those. NULL, or what is wrong, as SL_TRACE_NO_MEMORY. *old
 * is NULL at first, and made then. */
const char *sl_trace_decode_1(struct sl_trace_old **old, struct sl_trace_frame *frame,
                              const struct sl_statics *statics, const struct sl_trace_span *stream);
void sl_trace_old_free(struct sl_trace_old *old);

#endif
