/* SPDX-License-Identifier: MIT */
/* Counts of tuples <instruction, value> in a byte each, for loads whose values are close together:
 * positions, counters, addresses in an array.
 *
 *     state[prefix]   tuples in the compact table, up to 255; from then on the number of its span
 *     span            where its values are, and their counts among all:
 *
 *     byte[]          | more (1) | count (7) |   for the values base, base + 2^shift, base + 2 *
 *                                                2^shift ...
 *
 * A *prefix* is a load and the upper half of its values (value_prefixes.h); a span has their lower
 * halves. A byte is what a slot of the compact table has beside its key, and 0 is a tuple that
 * never came.
 *
 * Who is to have a span is found out by watching which tuples are new to the compact table, a
 * window of them after the other, each twice as long as the one before. Of 32 samples of a window,
 * the two lowest and the two highest are left out, as a load may bring few values that are nowhere
 * near the others. Where the window's tuples have no more than 16 places each between those that
 * remain and a little beyond, in steps of the power of 2 that divides the samples' differences,
 * they get a span. As all windows before were as long together, that is about 8 bytes a tuple, what
 * a slot takes. A span is made longer in the same way. Values outside of it stay in the compact
 * table.
 *
 * What the compact table has of tuples that have a place here now is added up at times
 * (sl_values_gather in value_behind.h).
 *
 * All bytes are in one piece, so that they are in huge pages. A span that is made longer moves to
 * its end; it gets half of what it needs in addition, so that what is left behind is no more than
 * twice what is in use. */
#ifndef SL_VALUE_DENSE_H
#define SL_VALUE_DENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SL_DENSE_WATCHED 256u /* tuples of a prefix, before it is */
#define SL_DENSE_SAMPLES 32u

struct sl_dense_span {
    uint64_t at; /* in byte[] */
    uint32_t base, n_places, shift;
    /* The window: values that came to the compact table. */
    uint32_t n, n_window, sample_shift; /* that were new there; when it ends; those of one sample */
    uint32_t sample[SL_DENSE_SAMPLES];
};

struct sl_dense {
    uint32_t *state;
    struct sl_dense_span *span; /* [0] is nobody's and has no places */
    uint8_t *byte;
    uint32_t n_spans;
    size_t room_states, room_spans;
    uint64_t n_bytes, room_bytes; /* that are taken */
    uint64_t n_used;              /* tuples */
    uint64_t
        n_elsewhere; /* tuples that have a place here and came to the compact table before, about */
};

/* States for prefixes below n. False without memory. */
bool sl_dense_make_room(struct sl_dense *d, size_t n);

static inline struct sl_dense_span *sl_dense_span_of(const struct sl_dense *d, uint32_t prefix)
{
    uint32_t state = d->state[prefix];
    return &d->span[state < SL_DENSE_WATCHED ? 0 : state - SL_DENSE_WATCHED];
}

/* Which of the span's places a value has; what is between two of them is beyond all. */
static inline uint32_t sl_dense_index(uint32_t value, uint32_t base, uint32_t shift)
{
    uint32_t offset = value - base;
    return offset >> shift | offset << (-shift & 31);
}

/* Whether the tuple is counted here, and which of the bytes is its then. Its prefix is one that
 * there is room for. */
static inline bool sl_dense_find(const struct sl_dense *d, uint32_t prefix, uint32_t value,
                                 uint64_t *at)
{
    const struct sl_dense_span *s = sl_dense_span_of(d, prefix);
    uint32_t i = sl_dense_index(value, s->base, s->shift);
    *at = s->at + i;
    return i < s->n_places;
}

/* A prefix has so many tuples that it is to be watched from now on. */
void sl_dense_watch(struct sl_dense *d, uint32_t prefix);

/* A tuple that has no place here is in the compact table, and new there or not. Whether a window
 * ends. */
static inline bool sl_dense_note(struct sl_dense *d, uint32_t prefix, uint32_t value, bool is_new)
{
    uint32_t *state = &d->state[prefix];
    if (*state < SL_DENSE_WATCHED) {
        *state += is_new;
        if (__builtin_expect(*state == SL_DENSE_WATCHED, 0))
            sl_dense_watch(d, prefix);
        return false;
    }
    struct sl_dense_span *s = &d->span[*state - SL_DENSE_WATCHED];
    s->sample[(s->n >> s->sample_shift) % SL_DENSE_SAMPLES] = value;
    s->n += is_new;
    return is_new & (s->n == s->n_window);
}

/* Behind a window: how many bytes more it takes to have a span of its values, if they are close
 * together. */
bool sl_dense_wanted(const struct sl_dense *d, uint32_t prefix, uint64_t *bytes);

/* Then the next window begins, with that span or without. */
void sl_dense_go_on(struct sl_dense *d, uint32_t prefix, bool with_span);

uint64_t sl_dense_bytes(const struct sl_dense *d);
void sl_dense_free(struct sl_dense *d);

#endif
