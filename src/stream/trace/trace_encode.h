/* SPDX-License-Identifier: MIT */
/* Sorted frames of a trace as raw payloads. */
#ifndef SL_TRACE_ENCODE_H
#define SL_TRACE_ENCODE_H

#include "trace_column.h"
#include "trace_sort.h"

/* What one thread needs for it. */
struct sl_trace_encoder {
    bool plain;       /* without long vectors, to test that these give the same */
    uint64_t *number; /* of a column, or the literals of blocks */
    uint8_t *code;
    size_t room_numbers, room_codes;
    struct sl_block_tokens blocks;
};

/* Writes the raw payload into `raw`, which has to have SL_TRACE_ENCODE_ROOM bytes, and returns its
 * size; 0 when memory ran out. */
#define SL_TRACE_ENCODE_ROOM ((size_t)SL_TRACE_EVENTS_MAX + SL_TRACE_COLUMN_MARGIN)
size_t sl_trace_encode(struct sl_trace_encoder *encoder, const struct sl_trace_sorted *sorted,
                       unsigned wants, uint8_t *raw);

struct sl_trace_encoder *sl_trace_encoder_new(void); /* NULL when memory ran out */
void sl_trace_encoder_free(struct sl_trace_encoder *encoder);

#endif
