/* SPDX-License-Identifier: MIT */
/* A column of numbers (docs/trace-format.md) on its way into a frame, and out of it. */
#ifndef SL_TRACE_COLUMN_H
#define SL_TRACE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may be written behind the literals, and read behind them. */
#define SL_TRACE_COLUMN_MARGIN 64u

/* Codes `n` numbers: a byte for each into `code`, literals behind
 * `bytes`; returns their end. Differences are coded if `zigzag`. `plain`: without long vectors, to
 * test that these give the same. */
uint8_t *sl_trace_put_column(const uint64_t *number, size_t n, bool zigzag, bool plain,
                             uint8_t *code, uint8_t *bytes);

/* How many bytes the literals of `n` codes have, from number `at` on, where a byte has two of them;
 * more than 2^40 if there is one that is unknown. */
uint64_t sl_trace_literals_size(const uint8_t *codes, size_t at, size_t n, bool plain);

/* Where reading a column is. */
struct sl_column_position {
    uint64_t last, before; /* numbers */
    const uint8_t *bytes;  /* the next literal */
};

/* The next `n` numbers, `row` apart, from as many codes, which are known to be good, and literals,
 * which are known to be there. */
void sl_trace_get_column(uint64_t *number, size_t row, size_t n, bool zigzag, bool plain,
                         const uint8_t *code, struct sl_column_position *at);

#endif
