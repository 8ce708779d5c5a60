/* SPDX-License-Identifier: MIT */
/* The numbers of a frame that is decoded: from columns to the order of events. */
#ifndef SL_TRACE_NUMBERS_H
#define SL_TRACE_NUMBERS_H

#include "trace_tokens.h"

/* Fills `number`, the frame's values or addresses, from the two streams at `stream`; and `word`,
 * its words, unless that is NULL. Lists are those of sl_trace_get_lists. NULL, `wrong`, or
 * SL_TRACE_NO_MEMORY. */
const char *sl_trace_get_numbers(struct sl_trace_codec *codec, const struct sl_trace_frame *frame,
                                 uint64_t *number, uint32_t *word,
                                 const struct sl_trace_span *stream, const char *wrong);

/* Whether the streams of `n` numbers are such that these can be decoded. */
bool sl_trace_check_numbers(uint32_t n, const struct sl_trace_span *stream);

#endif
