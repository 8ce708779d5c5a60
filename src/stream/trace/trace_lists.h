/* SPDX-License-Identifier: MIT */
/* Blocks of a frame that is decoded, and the lists of their mem events. */
#ifndef SL_TRACE_LISTS_H
#define SL_TRACE_LISTS_H

#include "trace_tokens.h"

/* Fills the frame's blocks, whose number is set, and codec->greatest, from the frame's streams.
 * NULL, or what is wrong. */
const char *sl_trace_get_blocks(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                                const struct sl_trace_span *stream);

/* The same for a frame with mem events of version 2; and block_mem, each chunk's n_mems, the
 * codec's lists and, in a frame with words, which of them each block has. There has to be room
 * (sl_trace_lists_reserve). Words are tokens still, relative to their block's. */
const char *sl_trace_get_lists(struct sl_trace_codec *codec, struct sl_trace_frame *frame,
                               const struct sl_trace_span *stream);

#endif
