/* SPDX-License-Identifier: MIT */
/* Counting in the dense spans, the compact and the wide table: see values.h. */
#include <string.h>

#include "values.h"

#define AHEAD 32u /* prefetch distance, in events */
#define TOGETHER SL_VALUES_TOGETHER
/* Prefixes with an id, 20 bytes each: PREFIXES_ANYWAY, and one for every TUPLES_A_PREFIX tuples. */
#define PREFIXES_ANYWAY 65536u
#define TUPLES_A_PREFIX 8u
#define SHARE_LEFT 8u /* if 1/8 of the used slots are left by moved tuples, do not grow */

#define INLINE __attribute__((always_inline)) static inline

/* ---- memory ---- */

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A carry takes at most 32 bytes. */
static uint64_t kept_for_carries(const struct sl_values *v)
{
    return less(v->memory_bytes / 4,
                4 * sl_compact_bytes(&v->compact) + 32 * v->dense.bytes_capacity);
}

static uint64_t without(const struct sl_values *v, uint64_t others)
{
    others += sl_prefixes_bytes(v->prefixes) + sl_dense_bytes(&v->dense);
    return v->memory_bytes > others ? v->memory_bytes - others : 0;
}

static uint64_t compact_memory(const struct sl_values *v)
{
    return without(v, v->memory_bytes / 4 + sl_value_counts_bytes(&v->wide));
}

static void limit_wide(struct sl_values *v)
{
    v->wide.memory_bytes = without(v, kept_for_carries(v) + sl_compact_bytes(&v->compact));
}

bool sl_values_have_room(struct sl_values *v, uint64_t n)
{
    limit_wide(v);
    return sl_compact_has_room(&v->compact, n, compact_memory(v)) &&
           sl_value_counts_has_room(&v->wide, n);
}

/* ---- one tuple ---- */

/* An event, or a tuple evicted from the cache. */
struct counted {
    uint32_t insn;
    uint64_t value, times, weight;
};

static void drop(struct sl_values *v, struct counted one)
{
    v->drops.events += one.times;
    v->drops.weight += one.weight;
}

/* Returns the prefix's id, a new one if it may get one, else 0. */
static uint32_t number_prefix(struct sl_values *v, uint64_t prefix)
{
    uint32_t number = sl_prefixes_find(v->prefixes, prefix);
    if (number || v->full || prefix >> 32 > SL_VALUE_INSN_MAX ||
        v->prefixes->n >= PREFIXES_ANYWAY + (v->compact.n_used + v->dense.n_used) / TUPLES_A_PREFIX)
        return number;
    return sl_dense_make_room(&v->dense, (size_t)v->prefixes->n + 2)
               ? sl_prefixes_add(v->prefixes, prefix)
               : 0;
}

/* Looks the prefix up, and gives it an id if possible. */
static __attribute__((noinline)) void remember(struct sl_values *v, struct sl_values_recent *r,
                                               uint64_t prefix)
{
    uint32_t number = number_prefix(v, prefix);
    const struct sl_dense_span *s = sl_dense_span_of(&v->dense, number);
    *r = (struct sl_values_recent){
        prefix, (uint64_t)v->dense.byte + s->at, number, s->base, s->n_places, s->shift};
}

INLINE uint64_t recent_at(uint64_t prefix)
{
    return ((prefix ^ prefix >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - SL_VALUES_RECENT_LOG2);
}

/* The tuple's prefix; its number is 0 if it has and gets no id. */
INLINE const struct sl_values_recent *recent_of(struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value);
    struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (__builtin_expect((r->prefix != prefix) | !r->number, 0))
        remember(v, r, prefix);
    return r;
}

/* Returns true if the value has a place in the prefix's span, and sets *place, its address. */
INLINE bool place_by(const struct sl_values_recent *r, uint64_t value, uint64_t *place)
{
    uint32_t i = sl_dense_index((uint32_t)value, r->base, r->shift);
    *place = r->bytes + i;
    return i < r->n_places;
}

static void count_wide(struct sl_values *v, struct counted one)
{
    limit_wide(v);
    sl_value_counts_add(&v->wide, one.insn, one.value, one.times, one.weight);
}

/* ---- counting ---- */

static __attribute__((noinline)) void carry(struct sl_values *v, uint64_t sum, struct counted one)
{
    v->carries.memory_bytes = v->memory_bytes / 4;
    sl_value_counts_add(&v->carries, one.insn, one.value, one.times, sum);
}

/* Returns the new content of a slot or place. A sum of 0 is carried, too: a byte of 0 would be an
 * empty place. */
INLINE uint64_t added(struct sl_values *v, uint64_t held, struct counted one)
{
    uint64_t sum = (held & SL_COMPACT_COUNT_MAX) + one.weight;
    if (__builtin_expect(sum - 1 < SL_COMPACT_COUNT_MAX, 1))
        return held + one.weight;
    carry(v, sum, one);
    return (held & ~SL_COMPACT_COUNT_MAX) | SL_COMPACT_MORE;
}

/* Adds the count of a slot of the compact table to the tuple's place in a span, and clears it. */
static void move(struct sl_values *v, uint64_t *s, uint8_t *place)
{
    uint64_t key = *s >> SL_COMPACT_KEY_SHIFT, count = *s & SL_COMPACT_COUNT_MAX;
    uint64_t prefix = v->prefixes->prefix[key >> 32];
    struct counted one = {(uint32_t)(prefix >> 32), prefix << 32 | (uint32_t)key, count, count};
    v->dense.n_used += !*place;
    *place = (uint8_t)(added(v, *place, one) | (*s & SL_COMPACT_MORE));
    *s &= ~SL_COMPACT_HELD;
    v->compact.n_left++;
}

void sl_values_gather(struct sl_values *v)
{
    uint64_t *end = v->compact.slot + sl_compact_slots(&v->compact), at;
    if (!v->dense.n_elsewhere)
        return;
    v->dense.n_elsewhere = 0;
    for (uint64_t *s = v->compact.slot; s < end; s++) {
        uint64_t key = *s >> SL_COMPACT_KEY_SHIFT;
        if (*s & SL_COMPACT_HELD &&
            sl_dense_find(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, &at))
            move(v, s, v->dense.byte + at);
    }
}

bool sl_values_make_room(struct sl_values *v)
{
    struct sl_compact *c = &v->compact;
    if (c->n_used < c->n_most)
        return true;
    if (v->full)
        return false;
    if (v->dense.n_elsewhere > c->n_used / SHARE_LEFT)
        sl_values_gather(v);
    bool enough = c->n_left > c->n_used / SHARE_LEFT;
    uint64_t n = enough ? c->n_slots : sl_compact_next_size(c, compact_memory(v));
    v->full = !n || !sl_compact_grow(c, n);
    return !v->full;
}

/* At the end of a prefix's window. The span is made only if all tuples of cache and lists still
 * fit. */
static void consider_span(struct sl_values *v, uint32_t prefix)
{
    uint64_t bytes;
    bool wanted = sl_dense_wanted(&v->dense, prefix, &bytes) && !v->full;
    v->dense.bytes_capacity += bytes;
    bool has_room = wanted && sl_values_have_room(v, SL_VALUES_IN_FRONT);
    v->dense.bytes_capacity -= bytes;
    sl_dense_go_on(&v->dense, prefix, has_room);
}

static void consider_spans(struct sl_values *v)
{
    for (size_t i = 0; i < v->n_considered; i++)
        consider_span(v, v->considered[i]);
    if (v->n_considered) /* spans may have moved */
        memset(v->recent, 0, SL_VALUES_RECENT * sizeof *v->recent);
    v->n_considered = 0;
}

INLINE void note(struct sl_values *v, uint64_t key, bool is_new)
{
    if (__builtin_expect(sl_dense_note(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, is_new), 0))
        v->considered[v->n_considered++] = (uint32_t)(key >> 32);
}

/* The rare cases of a tuple that is not in the compact table: it may be in the wide one, or the
 * compact one is full, or the empty slot is too far from its home. */
static __attribute__((noinline)) void count_new(struct sl_values *v, uint64_t key,
                                                struct counted one)
{
    uint64_t *s = NULL;
    if (v->wide.n_used && sl_value_counts_find(&v->wide, one.insn, one.value)) {
        count_wide(v, one);
        return;
    }
    if (!sl_values_make_room(v) || !(s = sl_compact_add(&v->compact, key))) {
        drop(v, one);
        return;
    }
    *s = added(v, *s, one);
    note(v, key, true);
}

/* Counts in the tuple's slot, or in the empty slot where it is to be stored. Without a branch on
 * which, as half of the tuples are new and the branch would be mispredicted. */
INLINE void count_at(struct sl_values *v, uint64_t *s, uint64_t key, const uint64_t *home,
                     struct counted one)
{
    struct sl_compact *c = &v->compact;
    bool is_new = !*s;
    if (__builtin_expect(is_new & ((v->wide.n_used != 0) | (c->n_used >= c->n_most) |
                                   (s > home + SL_COMPACT_FAR)),
                         0)) {
        count_new(v, key, one);
        return;
    }
    c->n_used += is_new;
    *s = added(v, is_new ? key << SL_COMPACT_KEY_SHIFT : *s, one);
    note(v, key, is_new);
}

INLINE void count_in_place(struct sl_values *v, uint8_t *place, struct counted one)
{
    bool is_new = !*place;
    if (__builtin_expect(is_new & (v->wide.n_used != 0), 0) &&
        sl_value_counts_find(&v->wide, one.insn, one.value)) {
        count_wide(v, one);
        return;
    }
    v->dense.n_used += is_new;
    *place = (uint8_t)added(v, *place, one);
}

/* For a tuple whose prefix has no id. */
static __attribute__((noinline)) void count_without_number(struct sl_values *v, struct counted one)
{
    if (one.insn > SL_VALUE_INSN_MAX)
        drop(v, one);
    else
        count_wide(v, one);
}

/* ---- many ---- */

static struct counted event_at(const struct sl_batch *batch, size_t i)
{
    return (struct counted){batch->number[i], batch->value[i], 1,
                            batch->weight ? batch->weight[i] : 1};
}

/* Prefetches the memory of a later event. */
INLINE void prefetch(const struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value), place;
    const struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (r->prefix != prefix)
        return;
    if (place_by(r, one.value, &place))
        __builtin_prefetch((const void *)place, 1);
    else
        __builtin_prefetch(sl_compact_home(&v->compact, sl_compact_key(r->number, one.value)), 1);
}

void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct counted one = event_at(batch, i);
        if (i + AHEAD < batch->n)
            prefetch(v, event_at(batch, i + AHEAD));
        const struct sl_values_recent *r = recent_of(v, one);
        if (!r->number) {
            count_without_number(v, one);
            continue;
        }
        uint64_t key = sl_compact_key(r->number, one.value), place,
                 *home = sl_compact_home(&v->compact, key);
        if (place_by(r, one.value, &place))
            count_in_place(v, (uint8_t *)place, one);
        else
            count_at(v, sl_compact_probe(home, key), key, home, one);
        consider_spans(v);
    }
}

INLINE struct counted slot_as(const struct sl_value_slot *s)
{
    return (struct counted){sl_value_insn(s), s->value, sl_value_count(s), sl_value_count(s)};
}

/* A group of evicted tuples: all are prefetched, then those with a place are counted, then those of
 * the compact table. The group is small enough for the L1 cache. */
struct sorted {
    struct in_place {
        uint64_t place;
        const struct sl_value_slot *slot;
    } in_place[TOGETHER];
    struct in_table {
        uint64_t key;
        const struct sl_value_slot *slot;
    } in_table[TOGETHER];
    size_t n_in_place, n_in_table;
};

/* Both arrays are written for each tuple, as a branch would often be mispredicted. */
INLINE void sort_out(struct sl_values *v, struct sorted *to, const struct sl_value_slot *slot,
                     size_t n)
{
    to->n_in_place = to->n_in_table = 0;
    for (const struct sl_value_slot *s = slot; s < slot + n; s++) {
        struct counted one = slot_as(s);
        const struct sl_values_recent *r = recent_of(v, one);
        if (__builtin_expect(!r->number, 0)) {
            count_without_number(v, one);
            continue;
        }
        uint64_t place, key = sl_compact_key(r->number, one.value),
                        home = (uint64_t)sl_compact_home(&v->compact, key);
        bool dense = place_by(r, one.value, &place);
        __builtin_prefetch((const void *)(home ^ ((home ^ place) & -(uint64_t)dense)), 1);
        to->in_place[to->n_in_place] = (struct in_place){place, s};
        to->in_table[to->n_in_table] = (struct in_table){key, s};
        to->n_in_place += dense;
        to->n_in_table += !dense;
    }
}

/* All tuples fit, so that their order does not matter: those whose home line is full of others wait
 * while the next line is prefetched. */
static void count_in_table(struct sl_values *v, struct in_table *all, size_t n)
{
    size_t n_late = 0;
    for (size_t i = 0; i < n; i++) {
        struct in_table it = all[i];
        uint64_t *home = sl_compact_home(&v->compact, it.key), *s = sl_compact_look(home, it.key);
        if (__builtin_expect(!s, 0)) {
            __builtin_prefetch(home + SL_COMPACT_LINE, 1);
            all[n_late++] = it;
            continue;
        }
        count_at(v, s, it.key, home, slot_as(it.slot));
    }
    for (size_t i = 0; i < n_late; i++) {
        uint64_t key = all[i].key, *home = sl_compact_home(&v->compact, key);
        count_at(v, sl_compact_probe(home, key), key, home, slot_as(all[i].slot));
    }
}

/* Spans are made after each group, so that places do not move within it. */
void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n)
{
    struct sorted sorted;
    for (size_t at = 0; at < n; at += TOGETHER) {
        sort_out(v, &sorted, slot + at, n - at < TOGETHER ? n - at : TOGETHER);
        for (size_t i = 0; i < sorted.n_in_place; i++)
            count_in_place(v, (uint8_t *)sorted.in_place[i].place,
                           slot_as(sorted.in_place[i].slot));
        count_in_table(v, sorted.in_table, sorted.n_in_table);
        consider_spans(v);
    }
}
