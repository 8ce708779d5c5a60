/* A column of numbers (docs/trace-format.md) on its way into a frame. */
#ifndef SL_TRACE_COLUMN_H
#define SL_TRACE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may be written behind the literals. */
#define SL_TRACE_COLUMN_MARGIN 64u

/* Codes `n` numbers: a byte for each into `code`, literals behind
 * `bytes`; returns their end. Differences are coded if `zigzag`. `plain`: without long vectors, to test
 * that these give the same. */
uint8_t *sl_trace_put_column(const uint64_t *number, size_t n, bool zigzag, bool plain,
                             uint8_t *code, uint8_t *bytes);

#endif
