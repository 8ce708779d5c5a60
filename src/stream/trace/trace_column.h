/* SPDX-License-Identifier: MIT */
/* Codec for a column of values or addresses of a trace (docs/trace-format.md). */
#ifndef SL_TRACE_COLUMN_H
#define SL_TRACE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes after the literals that may be written, and read. */
#define SL_TRACE_COLUMN_MARGIN 64u

/* Encodes `n` numbers: one byte each in `code`, literals at `bytes`. Literals are differences if
 * `zigzag`. `plain`: no AVX-512, for the test that compares both. Returns the end of the literals.
 */
uint8_t *sl_trace_put_column(const uint64_t *number, size_t n, bool zigzag, bool plain,
                             uint8_t *code, uint8_t *bytes);

/* Size in bytes of the literals of `n` codes, starting with code number `at`; a byte has two codes.
 * More than 2^40 if a code is unknown. */
uint64_t sl_trace_literals_size(const uint8_t *codes, size_t at, size_t n, bool plain);

/* Position in a column that is being decoded. */
struct sl_column_position {
    uint64_t last, before; /* the last number, and the one before it */
    const uint8_t *bytes;  /* the next literal */
};

/* Decodes the next `n` numbers to number[0], number[row], number[2 * row] ... The codes must be
 * valid, and the literals complete. */
void sl_trace_get_column(uint64_t *number, size_t row, size_t n, bool zigzag, bool plain,
                         const uint8_t *code, struct sl_column_position *at);

#endif
