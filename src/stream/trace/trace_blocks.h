/* SPDX-License-Identifier: MIT */
/* Block numbers as tokens of a frame: docs/trace-format.md, Blocks. */
#ifndef SL_TRACE_BLOCKS_H
#define SL_TRACE_BLOCKS_H

#include "trace_codec.h"

/* Where it is in a frame. */
struct sl_block_tokens {
    uint32_t history, previous;
    uint32_t hits; /* since the last token that was none */
    struct sl_trace_slots by_history;
};

void sl_block_tokens_begin(struct sl_block_tokens *t);

/* Puts runs and literals, each up to SL_TRACE_VARINT bytes a block, behind those that are there. */
struct sl_block_streams {
    uint8_t *runs, *literals;
};
void sl_block_tokens_put(struct sl_block_tokens *t, const uint32_t *block, uint32_t n,
                         struct sl_block_streams *to);

#endif
