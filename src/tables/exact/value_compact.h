/* SPDX-License-Identifier: MIT */
/* Compact value tables: counts of <instruction, value> tuples in 8 bytes (compact table) or in 1
 * byte (dense spans). They store a tuple only if its prefix, the instruction with the upper half of
 * the value, has an id.
 *
 * Prefixes. A load's values are mostly small, or addresses of one region. The *prefix* of a tuple
 * is its instruction and the upper half of its value; millions of tuples share few prefixes, which
 * get ids in order of appearance:
 *
 *     prefix[id]   | instruction (32) | upper half (32) |
 *     slot[hash]   | id |                                   0: empty; at most half are used
 *
 * Compact table: a hash table that grows.
 *
 *     slot:  | prefix id (24) | low half of the value (32) | more (1) | count (7) |
 *              \______________ key (56) ________________/
 *
 * The home of a key is a cache line of 8 slots: hash h (64 bits), n lines: line h * n / 2^64. From
 * there the key is in the first slot that was empty (linear probing), mostly in its home line, so
 * that a lookup costs one cache miss. SL_COMPACT_MARGIN slots after the last home avoid wrapping
 * around. Lines are almost in hash order, so that growing is one sequential pass (as in
 * value_counts.h), which frees the old table as it goes. The table grows by half (a small one
 * doubles) when 7/8 of the slots are used: 9 to 14 bytes per tuple. Counts above 7 bits are
 * carried: the caller stores the rest in another table, and `more` is set.
 *
 * Dense spans: one byte per value, for loads whose values are close together (positions, counters,
 * addresses in an array).
 *
 *     state[prefix id]   new tuples in the compact table, up to 255; then 256 + the span's index
 *     span               base, shift, n_positions, and where its bytes are
 *     byte[]             | more (1) | count (7) |   of base, base + 2^shift, base + 2 * 2^shift ...
 *
 * A byte of 0 is a tuple without events. After 256 tuples, a prefix is sampled: a *window* counts
 * its new tuples in the compact table and keeps 32 samples. The two lowest and the two highest
 * samples are ignored as outliers. If the others, with a margin of a quarter on both sides, need at
 * most 16 positions per tuple of the window, the prefix gets a span; its shift is the power of 2
 * that divides all differences. Otherwise the next window is twice as long. Since all earlier
 * windows together are as long as the last one, that is about 8 bytes per tuple, as in the compact
 * table. A span is extended by the same rule, with half of its length in reserve on the side where
 * it grew. All bytes are in one array, for huge pages; an extended span moves to its end, and at
 * most twice the used bytes are left unused. Values outside of the span stay in the compact table,
 * and sl_values_unite() (values.h) moves those that were there before their span existed.
 *
 * Hostile input. Prefixes are hashed with a random key. The compact table uses a public hash until
 * a tuple would be more than SL_COMPACT_FAR slots from its home, and a random key from then on.
 * (With a fraction a of the slots used, e^-(d(a - 1 - ln a)) of random tuples are d slots away:
 * with 10^8 tuples and 7/8, one as far as SL_COMPACT_FAR is expected in one of 10^9 runs.) The key
 * changes only the order of the drained tuples. */
#ifndef SL_VALUE_COMPACT_H
#define SL_VALUE_COMPACT_H

#include <stdbool.h>
#include <stddef.h>

#include "hash.h"

/* ---- prefixes ---- */

#define SL_PREFIX_BITS 24
#define SL_PREFIXES_MAX ((UINT32_C(1) << SL_PREFIX_BITS) - 1)

struct sl_prefixes {
    uint64_t key;
    uint64_t *prefix; /* by id; ids begin at 1 */
    uint32_t *slot;
    uint32_t n;
    size_t capacity, n_slots;
};

static inline uint64_t sl_prefix_of(uint32_t insn, uint64_t value)
{
    return (uint64_t)insn << 32 | value >> 32;
}

/* Returns the id, or 0 if the prefix has none. */
uint32_t sl_prefixes_find(const struct sl_prefixes *all, uint64_t prefix);

/* Returns a new id for a prefix that has none, or 0 if out of memory or ids. */
uint32_t sl_prefixes_add(struct sl_prefixes *all, uint64_t prefix);

uint64_t sl_prefixes_bytes(const struct sl_prefixes *all);
void sl_prefixes_free(struct sl_prefixes *all);

/* ---- compact table ---- */

#define SL_COMPACT_COUNT_BITS 7
#define SL_COMPACT_COUNT_MAX ((UINT64_C(1) << SL_COMPACT_COUNT_BITS) - 1)
#define SL_COMPACT_MORE (UINT64_C(1) << SL_COMPACT_COUNT_BITS)
#define SL_COMPACT_KEY_SHIFT (SL_COMPACT_COUNT_BITS + 1)
#define SL_COMPACT_HELD (SL_COMPACT_MORE | SL_COMPACT_COUNT_MAX)
#define SL_COMPACT_LINE 8u                     /* slots of a cache line */
#define SL_COMPACT_FAR 4608u                   /* largest distance from home, in slots */
#define SL_COMPACT_MARGIN (2 * SL_COMPACT_FAR) /* slots after the last home */

struct sl_compact {
    uint64_t *slot;
    uint64_t n_slots, n_used; /* without the margin; slots in use */
    uint64_t n_left; /* slots in use whose tuple moved to a dense span (count and `more` are 0) */
    uint64_t n_most; /* grow when n_used reaches this */
    uint64_t secret; /* hash key; 0: the public hash */
};

static inline uint64_t sl_compact_key(uint32_t prefix, uint64_t value)
{
    return (uint64_t)prefix << 32 | (uint32_t)value;
}

/* The top bits of the product, which select the home, depend on all bits of the key. */
static inline uint64_t sl_compact_hash(const struct sl_compact *c, uint64_t key)
{
    return __builtin_expect(c->secret != 0, 0) ? sl_mix(key ^ c->secret)
                                               : key * UINT64_C(0x9e3779b97f4a7c15);
}

/* First slot of the key's home line. The table has slots. */
static inline uint64_t *sl_compact_home(const struct sl_compact *c, uint64_t key)
{
    unsigned __int128 scaled = (unsigned __int128)sl_compact_hash(c, key) *
                               (c->n_slots / SL_COMPACT_LINE);
    return c->slot + (uint64_t)(scaled >> 64) * SL_COMPACT_LINE;
}

/* Looks in one line only: returns the slot of a key, or the first empty slot, or NULL if the line
 * is full of other keys. */
static inline uint64_t *sl_compact_find_in_line(uint64_t *line, uint64_t key)
{
    for (uint64_t *s = line; s < line + SL_COMPACT_LINE; s++)
        if (!*s || *s >> SL_COMPACT_KEY_SHIFT == key)
            return s;
    return NULL;
}

/* Returns the slot of a key with this home, or the empty slot where it would be stored. */
static inline uint64_t *sl_compact_probe(uint64_t *home, uint64_t key)
{
    while (*home && *home >> SL_COMPACT_KEY_SHIFT != key)
        home++;
    return home;
}

/* Number of slots after the next growth within `bytes` bytes; 0: less than 1/16 could be added. */
uint64_t sl_compact_next_size(const struct sl_compact *c, uint64_t bytes);

/* True if n new tuples are certain to fit within `bytes` bytes. */
bool sl_compact_has_capacity(const struct sl_compact *c, uint64_t n, uint64_t bytes);

/* Resizes to n_slots (at least the current number) and discards slots whose tuple moved. Returns
 * false if out of memory. */
bool sl_compact_grow(struct sl_compact *c, uint64_t n_slots);

/* Adds a key that is not in the table, when n_used < n_most. Returns its slot, with a count of 0,
 * or NULL if it would be too far from its home with any hash key, or if out of memory. */
uint64_t *sl_compact_add(struct sl_compact *c, uint64_t key);

/* Number of slots with the margin, and their size. */
uint64_t sl_compact_slots(const struct sl_compact *c);
uint64_t sl_compact_bytes(const struct sl_compact *c);
void sl_compact_free(struct sl_compact *c);

/* ---- dense spans ---- */

#define SL_DENSE_SAMPLE_FROM 256u /* tuples of a prefix before it is sampled */
#define SL_DENSE_SAMPLES 32u

struct sl_dense_span {
    uint64_t at; /* in byte[] */
    uint32_t base, n_positions, shift;
    /* The window: its new tuples so far; its length; log2 of the tuples per sample. */
    uint32_t n, n_window, sample_shift;
    uint32_t sample[SL_DENSE_SAMPLES]; /* low halves of values */
};

struct sl_dense {
    uint32_t *state;
    struct sl_dense_span *span; /* span[0] is empty: that of prefixes without one */
    uint8_t *byte;
    uint32_t n_spans;
    size_t states_capacity, spans_capacity;
    uint64_t n_bytes, bytes_capacity;
    uint64_t n_used; /* tuples */
    uint64_t
        n_to_move; /* tuples that have a position now but are in the compact table; estimated */
};

/* Allocates the states of prefix ids below n. Returns false if out of memory. */
bool sl_dense_reserve(struct sl_dense *d, size_t n);

static inline struct sl_dense_span *sl_dense_span_of(const struct sl_dense *d, uint32_t prefix)
{
    uint32_t state = d->state[prefix];
    return &d->span[state < SL_DENSE_SAMPLE_FROM ? 0 : state - SL_DENSE_SAMPLE_FROM];
}

/* Index of a value in a span. Values between two positions get an index beyond every span. */
static inline uint32_t sl_dense_index(uint32_t value, uint32_t base, uint32_t shift)
{
    uint32_t offset = value - base;
    return offset >> shift | offset << (-shift & 31);
}

/* Returns true if the tuple has a position, and sets *at, its index in byte[]. */
static inline bool sl_dense_find(const struct sl_dense *d, uint32_t prefix, uint32_t value,
                                 uint64_t *at)
{
    const struct sl_dense_span *s = sl_dense_span_of(d, prefix);
    uint32_t i = sl_dense_index(value, s->base, s->shift);
    *at = s->at + i;
    return i < s->n_positions;
}

/* Starts to sample a prefix. */
void sl_dense_sample(struct sl_dense *d, uint32_t prefix);

/* Records an event of a tuple without a position; is_new: the tuple is new in the compact table.
 * Returns true if a window ends: call sl_dense_should_extend() and sl_dense_next_window() then. */
static inline bool sl_dense_note(struct sl_dense *d, uint32_t prefix, uint32_t value, bool is_new)
{
    uint32_t *state = &d->state[prefix];
    if (*state < SL_DENSE_SAMPLE_FROM) {
        *state += is_new;
        if (__builtin_expect(*state == SL_DENSE_SAMPLE_FROM, 0))
            sl_dense_sample(d, prefix);
        return false;
    }
    struct sl_dense_span *s = &d->span[*state - SL_DENSE_SAMPLE_FROM];
    s->sample[(s->n >> s->sample_shift) % SL_DENSE_SAMPLES] = value;
    s->n += is_new;
    return is_new & (s->n == s->n_window);
}

/* At the end of a window: returns true if the prefix should get a span or a longer one. Sets
 * *bytes, the additional memory for it. */
bool sl_dense_should_extend(const struct sl_dense *d, uint32_t prefix, uint64_t *bytes);

/* Makes that span if with_span, and starts the next window. */
void sl_dense_next_window(struct sl_dense *d, uint32_t prefix, bool with_span);

uint64_t sl_dense_bytes(const struct sl_dense *d);
void sl_dense_free(struct sl_dense *d);

#endif
