/* SPDX-License-Identifier: MIT */
/* Counts <instruction, value> tuples in one of three structures: arrays of one-byte counters
 * (dense spans), the compact table or the wide table. values.h describes which tuples each
 * structure counts. */
#include <string.h>

#include "values.h"

#define AHEAD 32u /* prefetch distance, in events */
#define GROUP SL_VALUES_GROUP
/* Prefixes with an id, 20 bytes each: PREFIXES_MIN, and one for every TUPLES_PER_PREFIX tuples. */
#define PREFIXES_MIN 65536u
#define TUPLES_PER_PREFIX 8u
#define MOVED_SHARE 8u /* if 1/8 of the used slots are left by moved tuples, do not grow */

#define INLINE __attribute__((always_inline)) static inline

/* ---- memory ---- */

/* A carry takes at most 32 bytes. */
static uint64_t reserved_for_carries(const struct sl_values *v)
{
    uint64_t quarter = v->memory_bytes / 4;
    uint64_t most = 4 * sl_compact_bytes(&v->compact) + 32 * v->dense.bytes_capacity;
    return most < quarter ? most : quarter;
}

static uint64_t without(const struct sl_values *v, uint64_t others)
{
    others += sl_prefixes_bytes(&v->prefixes) + sl_dense_bytes(&v->dense);
    return v->memory_bytes > others ? v->memory_bytes - others : 0;
}

static uint64_t compact_memory(const struct sl_values *v)
{
    return without(v, v->memory_bytes / 4 + sl_value_counts_bytes(&v->wide));
}

static void limit_wide(struct sl_values *v)
{
    v->wide.memory_bytes = without(v, reserved_for_carries(v) + sl_compact_bytes(&v->compact));
}

bool sl_values_have_capacity(struct sl_values *v)
{
    limit_wide(v);
    return sl_compact_has_capacity(&v->compact, SL_VALUES_CACHED_MAX, compact_memory(v)) &&
           sl_value_counts_have_capacity(&v->wide, SL_VALUES_CACHED_MAX);
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
static uint32_t prefix_id_of(struct sl_values *v, uint64_t prefix)
{
    uint32_t prefix_id = sl_prefixes_find(&v->prefixes, prefix);
    if (prefix_id || v->full || prefix >> 32 > SL_VALUE_INSN_MAX ||
        v->prefixes.n >= PREFIXES_MIN + (v->compact.n_used + v->dense.n_used) / TUPLES_PER_PREFIX)
        return prefix_id;
    return sl_dense_reserve(&v->dense, (size_t)v->prefixes.n + 2)
               ? sl_prefixes_add(&v->prefixes, prefix)
               : 0;
}

/* Looks the prefix up, and gives it an id if possible. */
static __attribute__((noinline)) void look_up_prefix(struct sl_values *v,
                                                     struct sl_values_recent *r, uint64_t prefix)
{
    uint32_t prefix_id = prefix_id_of(v, prefix);
    const struct sl_dense_span *s = sl_dense_span_of(&v->dense, prefix_id);
    *r = (struct sl_values_recent){
        prefix, (uint64_t)v->dense.byte + s->at, prefix_id, s->base, s->n_positions, s->shift};
}

INLINE uint64_t recent_at(uint64_t prefix)
{
    return ((prefix ^ prefix >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - SL_VALUES_RECENT_LOG2);
}

/* The tuple's prefix. Its prefix_id is 0 if it has no id and gets none. */
INLINE const struct sl_values_recent *recent_of(struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value);
    struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (__builtin_expect((r->prefix != prefix) | !r->prefix_id, 0))
        look_up_prefix(v, r, prefix);
    return r;
}

/* True if the value has a position in the prefix's span; sets *position, its address. */
INLINE bool find_position(const struct sl_values_recent *r, uint64_t value, uint64_t *position)
{
    uint32_t i = sl_dense_index((uint32_t)value, r->base, r->shift);
    *position = r->bytes + i;
    return i < r->n_positions;
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

/* Returns the new content of a slot or position. A sum of 0 is carried, too: a byte of 0 would be
 * an empty position. */
INLINE uint64_t added(struct sl_values *v, uint64_t held, struct counted one)
{
    uint64_t sum = (held & SL_COMPACT_COUNT_MAX) + one.weight;
    if (__builtin_expect(sum - 1 < SL_COMPACT_COUNT_MAX, 1))
        return held + one.weight;
    carry(v, sum, one);
    return (held & ~SL_COMPACT_COUNT_MAX) | SL_COMPACT_MORE;
}

/* Adds the count of a slot of the compact table to the tuple's position in a span; clears it. */
static void move(struct sl_values *v, uint64_t *s, uint8_t *position)
{
    uint64_t key = *s >> SL_COMPACT_KEY_SHIFT, count = *s & SL_COMPACT_COUNT_MAX;
    uint64_t prefix = v->prefixes.prefix[key >> 32];
    struct counted one = {(uint32_t)(prefix >> 32), prefix << 32 | (uint32_t)key, count, count};
    v->dense.n_used += !*position;
    *position = (uint8_t)(added(v, *position, one) | (*s & SL_COMPACT_MORE));
    *s &= ~SL_COMPACT_HELD;
    v->compact.n_left++;
}

void sl_values_unite(struct sl_values *v)
{
    uint64_t *end = v->compact.slot + sl_compact_slots(&v->compact), at;
    if (!v->dense.n_to_move)
        return;
    v->dense.n_to_move = 0;
    for (uint64_t *s = v->compact.slot; s < end; s++) {
        uint64_t key = *s >> SL_COMPACT_KEY_SHIFT;
        if (*s & SL_COMPACT_HELD &&
            sl_dense_find(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, &at))
            move(v, s, v->dense.byte + at);
    }
}

bool sl_values_reserve_one(struct sl_values *v)
{
    struct sl_compact *c = &v->compact;
    if (c->n_used < c->n_most)
        return true;
    if (v->full)
        return false;
    if (v->dense.n_to_move > c->n_used / MOVED_SHARE)
        sl_values_unite(v);
    bool enough = c->n_left > c->n_used / MOVED_SHARE;
    uint64_t n = enough ? c->n_slots : sl_compact_next_size(c, compact_memory(v));
    v->full = !n || !sl_compact_grow(c, n);
    return !v->full;
}

/* At the end of a prefix's window. The span is made only if all tuples of cache and lists still
 * fit. */
static void extend_span(struct sl_values *v, uint32_t prefix)
{
    uint64_t bytes;
    bool wanted = sl_dense_should_extend(&v->dense, prefix, &bytes) && !v->full;
    v->dense.bytes_capacity += bytes;
    bool has_capacity = wanted && sl_values_have_capacity(v);
    v->dense.bytes_capacity -= bytes;
    sl_dense_next_window(&v->dense, prefix, has_capacity);
}

static void extend_spans(struct sl_values *v)
{
    for (size_t i = 0; i < v->n_due; i++)
        extend_span(v, v->due[i]);
    if (v->n_due) /* spans may have moved */
        memset(v->recent, 0, SL_VALUES_RECENT * sizeof *v->recent);
    v->n_due = 0;
}

INLINE void note(struct sl_values *v, uint64_t key, bool is_new)
{
    if (__builtin_expect(sl_dense_note(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, is_new), 0))
        v->due[v->n_due++] = (uint32_t)(key >> 32);
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
    if (!sl_values_reserve_one(v) || !(s = sl_compact_add(&v->compact, key))) {
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

INLINE void count_in_span(struct sl_values *v, uint8_t *position, struct counted one)
{
    bool is_new = !*position;
    if (__builtin_expect(is_new & (v->wide.n_used != 0), 0) &&
        sl_value_counts_find(&v->wide, one.insn, one.value)) {
        count_wide(v, one);
        return;
    }
    v->dense.n_used += is_new;
    *position = (uint8_t)added(v, *position, one);
}

/* For a tuple whose prefix has no id. */
static __attribute__((noinline)) void count_without_id(struct sl_values *v, struct counted one)
{
    if (one.insn > SL_VALUE_INSN_MAX)
        drop(v, one);
    else
        count_wide(v, one);
}

/* ---- many ---- */

static struct counted event_at(const struct sl_batch *batch, size_t i)
{
    return (struct counted){batch->tuple_id[i], batch->value[i], 1,
                            batch->weight ? batch->weight[i] : 1};
}

/* Prefetches the memory of a later event. */
INLINE void prefetch(const struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value), position;
    const struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (r->prefix != prefix)
        return;
    if (find_position(r, one.value, &position))
        __builtin_prefetch((const void *)position, 1);
    else
        __builtin_prefetch(sl_compact_home(&v->compact, sl_compact_key(r->prefix_id, one.value)),
                           1);
}

void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct counted one = event_at(batch, i);
        if (i + AHEAD < batch->n)
            prefetch(v, event_at(batch, i + AHEAD));
        const struct sl_values_recent *r = recent_of(v, one);
        if (!r->prefix_id) {
            count_without_id(v, one);
            continue;
        }
        uint64_t key = sl_compact_key(r->prefix_id, one.value), position,
                 *home = sl_compact_home(&v->compact, key);
        if (find_position(r, one.value, &position))
            count_in_span(v, (uint8_t *)position, one);
        else
            count_at(v, sl_compact_probe(home, key), key, home, one);
        extend_spans(v);
    }
}

INLINE struct counted slot_as(const struct sl_value_slot *s)
{
    return (struct counted){sl_value_insn(s), s->value, sl_value_count(s), sl_value_count(s)};
}

/* A group of evicted tuples: all are prefetched, then those with a position are counted, then those
 * of the compact table. The group is small enough for the L1 cache. */
struct sorted {
    struct in_span {
        uint64_t position;
        const struct sl_value_slot *slot;
    } in_span[GROUP];
    struct in_table {
        uint64_t key;
        const struct sl_value_slot *slot;
    } in_table[GROUP];
    size_t n_in_span, n_in_table;
};

/* Both arrays are written for each tuple, as a branch would often be mispredicted. */
INLINE void split_group(struct sl_values *v, struct sorted *to, const struct sl_value_slot *slot,
                        size_t n)
{
    to->n_in_span = to->n_in_table = 0;
    for (const struct sl_value_slot *s = slot; s < slot + n; s++) {
        struct counted one = slot_as(s);
        const struct sl_values_recent *r = recent_of(v, one);
        if (__builtin_expect(!r->prefix_id, 0)) {
            count_without_id(v, one);
            continue;
        }
        uint64_t position, key = sl_compact_key(r->prefix_id, one.value),
                           home = (uint64_t)sl_compact_home(&v->compact, key);
        bool dense = find_position(r, one.value, &position);
        __builtin_prefetch((const void *)(home ^ ((home ^ position) & -(uint64_t)dense)), 1);
        to->in_span[to->n_in_span] = (struct in_span){position, s};
        to->in_table[to->n_in_table] = (struct in_table){key, s};
        to->n_in_span += dense;
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
        uint64_t *home = sl_compact_home(&v->compact, it.key),
                 *s = sl_compact_find_in_line(home, it.key);
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

/* Spans are made after each group, so that positions do not move within it. */
void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n)
{
    struct sorted sorted;
    for (size_t at = 0; at < n; at += GROUP) {
        split_group(v, &sorted, slot + at, n - at < GROUP ? n - at : GROUP);
        for (size_t i = 0; i < sorted.n_in_span; i++)
            count_in_span(v, (uint8_t *)sorted.in_span[i].position,
                          slot_as(sorted.in_span[i].slot));
        count_in_table(v, sorted.in_table, sorted.n_in_table);
        extend_spans(v);
    }
}
