/* SPDX-License-Identifier: MIT */
/* The tables behind the front: value_behind.h says what for. */
#include "value_behind.h"

#include <string.h>

#define AHEAD 32u /* events that memory is asked before it is needed */
#define TOGETHER SL_VALUES_TOGETHER
/* Prefixes that get a number, beside one for so many tuples: 20 bytes each. */
#define PREFIXES_ANYWAY 65536u
#define TUPLES_A_PREFIX 8u
#define SHARE_LEFT 8u /* of the slots in use: when more are left, the table need not grow */

#define INLINE __attribute__((always_inline)) static inline

/* ---- memory ---- */

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* For a tuple, 32 bytes of carries are enough. */
static uint64_t kept_for_carries(const struct sl_values *v)
{
    return less(v->memory_bytes / 4, 4 * sl_compact_bytes(&v->compact) + 32 * v->dense.room_bytes);
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

/* What is to be counted: an event, or a slot of the front. */
struct counted {
    uint32_t insn;
    uint64_t value, times, weight;
};

static void drop(struct sl_values *v, struct counted one)
{
    v->drops.events += one.times;
    v->drops.weight += one.weight;
}

/* 0: it has none, and gets none. */
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

/* What is known of the prefix now, which may get a number. */
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

/* What is known of its prefix: with a number, but if it is not to have one. */
INLINE const struct sl_values_recent *recent_of(struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value);
    struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (__builtin_expect((r->prefix != prefix) | !r->number, 0))
        remember(v, r, prefix);
    return r;
}

/* Its place among the dense, if it has one there. */
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

/* What a slot or a place is to have then. A count of 0 is carried, so that it is not taken for
 * none. */
INLINE uint64_t added(struct sl_values *v, uint64_t held, struct counted one)
{
    uint64_t sum = (held & SL_COMPACT_COUNT_MAX) + one.weight;
    if (__builtin_expect(sum - 1 < SL_COMPACT_COUNT_MAX, 1))
        return held + one.weight;
    carry(v, sum, one);
    return (held & ~SL_COMPACT_COUNT_MAX) | SL_COMPACT_MORE;
}

/* Counts in its place what a slot of the compact table has, which is left then. */
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

/* Of up to TOGETHER slots, those that have a place: these are asked for first. */
static void move_some(struct sl_values *v, uint64_t *slot, size_t n)
{
    uint8_t *place[TOGETHER];
    uint64_t *moved[TOGETHER];
    size_t n_moved = 0;
    for (uint64_t *s = slot; s < slot + n; s++) {
        uint64_t key = *s >> SL_COMPACT_KEY_SHIFT, at;
        bool dense = sl_dense_find(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, &at);
        place[n_moved] = dense ? v->dense.byte + at : NULL;
        moved[n_moved] = s;
        __builtin_prefetch(place[n_moved], 1);
        n_moved += dense & ((*s & SL_COMPACT_HELD) != 0);
    }
    for (size_t i = 0; i < n_moved; i++)
        move(v, moved[i], place[i]);
}

void sl_values_gather(struct sl_values *v)
{
    uint64_t n = sl_compact_bytes(&v->compact) / sizeof *v->compact.slot;
    if (!v->dense.n_elsewhere)
        return;
    v->dense.n_elsewhere = 0;
    for (uint64_t *s = v->compact.slot, *end = s + n; s < end; s += TOGETHER)
        move_some(v, s, end - s < TOGETHER ? (size_t)(end - s) : TOGETHER);
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

/* Behind so many new tuples of a prefix. All that is in front is still sure to find room then. */
static void consider_span(struct sl_values *v, uint32_t prefix)
{
    uint64_t bytes;
    bool wanted = sl_dense_wanted(&v->dense, prefix, &bytes) && !v->full;
    v->dense.room_bytes += bytes;
    bool has_room = wanted && sl_values_have_room(v, SL_VALUES_IN_FRONT);
    v->dense.room_bytes -= bytes;
    sl_dense_go_on(&v->dense, prefix, has_room);
}

static void consider_spans(struct sl_values *v)
{
    for (size_t i = 0; i < v->n_considered; i++)
        consider_span(v, v->considered[i]);
    if (v->n_considered) /* where bytes are may have changed */
        memset(v->recent, 0, SL_VALUES_RECENT * sizeof *v->recent);
    v->n_considered = 0;
}

INLINE void note(struct sl_values *v, uint64_t key, bool is_new)
{
    if (__builtin_expect(sl_dense_note(&v->dense, (uint32_t)(key >> 32), (uint32_t)key, is_new), 0))
        v->considered[v->n_considered++] = (uint32_t)(key >> 32);
}

/* What is not usual: a tuple that has no slot where the wide table has some or the compact one has
 * no room, or whose slot, an empty one, is too far from its home. */
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

/* Counts it in its slot, or in the empty one where it is to be. That half of them are new is
 * nothing that a processor foresees. */
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

INLINE uint64_t *home_of(const struct sl_compact *c, uint64_t key)
{
    return &c->slot[sl_compact_home(c, sl_compact_hash(c, key))];
}

/* A tuple whose prefix has no number. */
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

/* Asks for the line of an event that is still to come, and changes nothing. */
INLINE void look_ahead(const struct sl_values *v, struct counted one)
{
    uint64_t prefix = sl_prefix_of(one.insn, one.value), place;
    const struct sl_values_recent *r = &v->recent[recent_at(prefix)];
    if (r->prefix != prefix)
        return;
    if (place_by(r, one.value, &place))
        __builtin_prefetch((const void *)place, 1);
    else
        __builtin_prefetch(home_of(&v->compact, sl_compact_key(r->number, one.value)), 1);
}

/* In order, as events count that may be the last that find room. */
void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct counted one = event_at(batch, i);
        if (i + AHEAD < batch->n)
            look_ahead(v, event_at(batch, i + AHEAD));
        const struct sl_values_recent *r = recent_of(v, one);
        if (!r->number) {
            count_without_number(v, one);
            continue;
        }
        uint64_t key = sl_compact_key(r->number, one.value), place,
                 *home = home_of(&v->compact, key);
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

/* Slots of the front, so many of them that what they ask of memory is there in the nearest cache
 * when they are counted: first those that have a place, then those of the compact table. */
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

/* Which of both it is, no processor foresees: so there is no branch on it. */
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
                        home = (uint64_t)home_of(&v->compact, key);
        bool dense = place_by(r, one.value, &place);
        __builtin_prefetch((const void *)(home ^ ((home ^ place) & -(uint64_t)dense)), 1);
        to->in_place[to->n_in_place] = (struct in_place){place, s};
        to->in_table[to->n_in_table] = (struct in_table){key, s};
        to->n_in_place += dense;
        to->n_in_table += !dense;
    }
}

INLINE void count_late(struct sl_values *v, const struct in_table *late, sl_compact_looker *look)
{
    struct counted one = slot_as(late->slot);
    uint64_t *home = home_of(&v->compact, late->key), *line = home, *s;
    while (!(s = look(line, late->key)))
        line += SL_COMPACT_LINE;
    count_at(v, s, late->key, home, one);
}

/* There is room for all of them. So those whose home is full, without them, may come behind others:
 * the next line is asked for, and they wait until it is there. */
INLINE void count_in_table(struct sl_values *v, struct in_table *all, size_t n,
                           sl_compact_looker *look)
{
    size_t n_late = 0;
    for (size_t i = 0; i < n; i++) {
        struct in_table it = all[i];
        uint64_t *home = home_of(&v->compact, it.key), *s = look(home, it.key);
        if (__builtin_expect(!s, 0)) {
            __builtin_prefetch(home + SL_COMPACT_LINE, 1);
            all[n_late++] = it;
            continue;
        }
        struct counted one = slot_as(it.slot);
        count_at(v, s, it.key, home, one);
    }
    for (size_t i = 0; i < n_late; i++)
        count_late(v, &all[i], look);
}

/* Spans are made when all are counted, so that places stay where they are until then. */
INLINE void count_list_with(struct sl_values *v, const struct sl_value_slot *slot, size_t n,
                            sl_compact_looker *look)
{
    struct sorted sorted;
    for (size_t at = 0; at < n; at += TOGETHER) {
        sort_out(v, &sorted, slot + at, n - at < TOGETHER ? n - at : TOGETHER);
        for (size_t i = 0; i < sorted.n_in_place; i++) {
            struct counted one = slot_as(sorted.in_place[i].slot);
            count_in_place(v, (uint8_t *)sorted.in_place[i].place, one);
        }
        count_in_table(v, sorted.in_table, sorted.n_in_table, look);
        consider_spans(v);
    }
}

#define COUNT_SLOTS(name, attribute, look)                                                      \
    attribute static void name(struct sl_values *v, const struct sl_value_slot *slot, size_t n) \
    {                                                                                           \
        count_list_with(v, slot, n, look);                                                      \
    }

COUNT_SLOTS(count_slots_plain, , sl_compact_look)
#if defined(__x86_64__)
COUNT_SLOTS(count_slots_avx2, SL_COMPACT_AVX2, sl_compact_look_avx2)
COUNT_SLOTS(count_slots_avx512, SL_COMPACT_AVX512, sl_compact_look_avx512)
#endif

void sl_values_count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        count_slots_avx512(v, slot, n);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        count_slots_avx2(v, slot, n);
        return;
    }
#endif
    count_slots_plain(v, slot, n);
}
