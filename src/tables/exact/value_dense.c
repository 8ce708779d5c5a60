/* SPDX-License-Identifier: MIT */
/* Dense spans, arrays of one-byte counters for loads whose values are close together.
 * value_compact.h describes the arrays. */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "pages.h"
#include "value_compact.h"

#define SAMPLE_FIRST 4u /* log2 of the tuples per sample */
#define SAMPLE_MOST 25u
#define LEFT_OUT 2u             /* outliers at either end */
#define BYTES_PER_TUPLE_MAX 16u /* largest number of positions per tuple of the window */
#define AHEAD 2u                /* 1/2 of an extended span is reserve */
#define BEYOND 4u               /* 1/4 of the samples' range is the margin on either side */
#define BYTES_LEAST (UINT64_C(1) << 16)

bool sl_dense_reserve(struct sl_dense *d, size_t n)
{
    if (!d->n_spans && SL_GROW(d->span, d->spans_capacity, 1))
        d->n_spans = 1;
    return d->n_spans && SL_GROW(d->state, d->states_capacity, n);
}

static void begin_window(struct sl_dense_span *s, uint32_t sample_shift)
{
    s->n = 0;
    s->n_window = SL_DENSE_SAMPLES << sample_shift;
    s->sample_shift = sample_shift;
}

/* If out of memory, the state stays just below the limit, and the next new tuple tries again. */
void sl_dense_sample(struct sl_dense *d, uint32_t prefix)
{
    d->state[prefix] = SL_DENSE_SAMPLE_FROM - 1;
    if (!SL_GROW(d->span, d->spans_capacity, (size_t)d->n_spans + 1))
        return;
    begin_window(&d->span[d->n_spans], SAMPLE_FIRST);
    d->state[prefix] = SL_DENSE_SAMPLE_FROM + d->n_spans++;
}

/* ---- range of a span ---- */

struct range {
    uint32_t low, high, shift;
};

static uint64_t positions_of(struct range r)
{
    return ((uint64_t)(r.high - r.low) >> r.shift) + 1;
}

static void sort(uint32_t *value, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && value[k - 1] > value[k]; k--) {
            uint32_t moved = value[k];
            value[k] = value[k - 1];
            value[k - 1] = moved;
        }
}

static uint32_t last_of(const struct sl_dense_span *s)
{
    return s->base + ((s->n_positions - 1) << s->shift);
}

static uint32_t below(uint32_t value, uint32_t by, uint32_t shift)
{
    return value - ((value < by ? value : by) >> shift << shift);
}

static uint32_t above(uint32_t value, uint32_t by, uint32_t shift)
{
    return value + ((UINT32_MAX - value < by ? UINT32_MAX - value : by) >> shift << shift);
}

/* Range of the window's samples with the margin, and of the existing span. */
static struct range range_of(const struct sl_dense_span *s)
{
    uint32_t sample[SL_DENSE_SAMPLES], last = SL_DENSE_SAMPLES - 1 - LEFT_OUT,
                                       differing = UINT32_C(1) << 31;
    memcpy(sample, s->sample, sizeof sample);
    sort(sample, SL_DENSE_SAMPLES);
    for (uint32_t i = LEFT_OUT; i < last; i++)
        differing |= sample[i] ^ sample[i + 1];
    if (s->n_positions)
        differing |= (s->base ^ sample[last]) | UINT32_C(1) << s->shift;
    struct range r = {.shift = (uint32_t)__builtin_ctz(differing)};
    uint32_t beyond = (sample[last] - sample[LEFT_OUT]) / BEYOND;
    r.low = below(sample[LEFT_OUT], beyond, r.shift);
    r.high = above(sample[last], beyond, r.shift);
    if (s->n_positions) {
        r.low = s->base < r.low ? s->base : r.low;
        r.high = last_of(s) > r.high ? last_of(s) : r.high;
    }
    return r;
}

/* An extended span will probably be extended again: adds a reserve on the side where it grew. */
static struct range further(struct range r, const struct sl_dense_span *s)
{
    uint32_t more = (r.high - r.low) / AHEAD;
    if (s->n_positions && r.low < s->base)
        r.low = below(r.low, more, r.shift);
    if (s->n_positions && r.high > last_of(s))
        r.high = above(r.high, more, r.shift);
    return r;
}

/* ---- bytes ---- */

/* Size of byte[] with n more bytes in use. */
static uint64_t with_capacity(const struct sl_dense *d, uint64_t n)
{
    uint64_t all = d->n_bytes + n;
    return all <= d->bytes_capacity ? d->bytes_capacity
                                    : (all + all / 8 + BYTES_LEAST) / BYTES_LEAST * BYTES_LEAST;
}

static bool make_bytes(struct sl_dense *d, uint64_t n)
{
    uint64_t capacity = with_capacity(d, n);
    if (capacity == d->bytes_capacity)
        return true;
    uint8_t *byte = d->byte
                        ? sl_pages_grow(d->byte, d->bytes_capacity, capacity - d->bytes_capacity)
                        : sl_pages_new(capacity);
    if (!byte)
        return false;
    d->byte = byte;
    d->bytes_capacity = capacity;
    return true;
}

static bool make_span(struct sl_dense *d, struct sl_dense_span *s, struct range r)
{
    uint64_t n = positions_of(r);
    if (!make_bytes(d, n))
        return false;
    uint8_t *to = d->byte + d->n_bytes, *from = d->byte + s->at;
    for (uint32_t i = 0; i < s->n_positions; i++)
        to[(s->base + (i << s->shift) - r.low) >> r.shift] = from[i];
    d->n_to_move += s->n_positions ? s->n : 2 * (uint64_t)s->n;
    s->at = d->n_bytes;
    s->base = r.low;
    s->shift = r.shift;
    s->n_positions = (uint32_t)n;
    d->n_bytes += n;
    return true;
}

bool sl_dense_should_extend(const struct sl_dense *d, uint32_t prefix, uint64_t *bytes)
{
    const struct sl_dense_span *s = sl_dense_span_of(d, prefix);
    struct range r = range_of(s);
    uint64_t n = positions_of(further(r, s));
    *bytes = with_capacity(d, n) - d->bytes_capacity;
    return positions_of(r) <= s->n_positions + (uint64_t)BYTES_PER_TUPLE_MAX * s->n &&
           n <= UINT32_MAX;
}

void sl_dense_next_window(struct sl_dense *d, uint32_t prefix, bool with_span)
{
    struct sl_dense_span *s = sl_dense_span_of(d, prefix);
    uint32_t longer = s->sample_shift + (s->sample_shift < SAMPLE_MOST);
    bool made = with_span && make_span(d, s, further(range_of(s), s));
    begin_window(s, made ? SAMPLE_FIRST : longer);
}

/* ---- all ---- */

uint64_t sl_dense_bytes(const struct sl_dense *d)
{
    return d->bytes_capacity + d->states_capacity * sizeof *d->state +
           d->spans_capacity * sizeof *d->span;
}

void sl_dense_free(struct sl_dense *d)
{
    sl_pages_free(d->byte, d->bytes_capacity);
    free(d->span);
    free(d->state);
}
