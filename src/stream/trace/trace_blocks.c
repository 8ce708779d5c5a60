/* SPDX-License-Identifier: MIT */
#include "trace_blocks.h"

void sl_block_tokens_begin(struct sl_block_tokens *t)
{
    t->history = t->previous = t->hits = 0;
    sl_trace_slots_clear(&t->by_history);
}

void sl_block_tokens_put(struct sl_block_tokens *t, const uint32_t *block, uint32_t n,
                         struct sl_block_streams *to)
{
    uint32_t history = t->history, previous = t->previous, hits = t->hits;
    uint8_t *runs = to->runs, *literals = to->literals;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t token = block[i] - previous - 1;
        struct sl_trace_slot *slot = &t->by_history.slot[history % SL_TRACE_SLOTS];
        history = sl_trace_history(history, block[i]);
        previous = block[i];
        if (__builtin_expect(slot->a == token, 1)) {
            hits++;
            continue;
        }
        uint32_t miss = slot->b != token;
        runs = sl_trace_put_varint(runs, 2 * hits + miss);
        if (miss) {
            literals = sl_trace_put_varint(literals, sl_trace_zigzag(token));
            sl_trace_slot_missed(&t->by_history, slot);
        }
        hits = 0;
        *slot = (struct sl_trace_slot){token, slot->a};
    }
    t->history = history;
    t->previous = previous;
    t->hits = hits;
    *to = (struct sl_block_streams){runs, literals};
}
