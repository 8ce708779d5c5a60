/* The tables behind the front: value_behind.h says what for. */
#include "value_behind.h"

#define AHEAD 32u /* events that memory is asked before it is needed */
#define LATER 8u  /* of those whose home is full, that wait for the next line */
/* Prefixes that get a number, beside one for so many tuples: 20 bytes each. */
#define PREFIXES_ANYWAY 65536u
#define TUPLES_A_PREFIX 8u

#define INLINE __attribute__((always_inline)) static inline

/* ---- memory ---------------------------------------------------------------- */

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* For a tuple of 8 bytes, 32 of carries are enough. */
static uint64_t kept_for_carries(const struct sl_values *v)
{
    return less(v->memory_bytes / 4, 4 * sl_compact_bytes(&v->compact));
}

static uint64_t compact_memory(const struct sl_values *v)
{
    uint64_t others = v->memory_bytes / 4 + sl_prefixes_bytes(v->prefixes) + sl_value_counts_bytes(&v->wide);
    return v->memory_bytes > others ? v->memory_bytes - others : 0;
}

static void limit_wide(struct sl_values *v)
{
    uint64_t others = kept_for_carries(v) + sl_prefixes_bytes(v->prefixes) + sl_compact_bytes(&v->compact);
    v->wide.memory_bytes = v->memory_bytes > others ? v->memory_bytes - others : 0;
}

bool sl_values_have_room(struct sl_values *v, uint64_t n)
{
    limit_wide(v);
    return sl_compact_has_room(&v->compact, n, compact_memory(v)) && sl_value_counts_has_room(&v->wide, n);
}

/* ---- one tuple ------------------------------------------------------------- */

/* What is to be counted: an event, or a slot of the front. */
struct counted {
    uint32_t insn;
    uint64_t value, times, weight;
};

static void drop(struct sl_values *v, const struct counted *one)
{
    v->drops.events += one->times;
    v->drops.weight += one->weight;
}

/* 0: it has none, and gets none. */
static uint32_t number_prefix(struct sl_values *v, const struct counted *one)
{
    uint64_t prefix = sl_prefix_of(one->insn, one->value);
    uint32_t number = sl_prefixes_find(v->prefixes, prefix);
    if (number || v->full || v->prefixes->n >= PREFIXES_ANYWAY + v->compact.n_used / TUPLES_A_PREFIX)
        return number;
    return sl_prefixes_add(v->prefixes, prefix);
}

static void count_wide(struct sl_values *v, const struct counted *one)
{
    limit_wide(v);
    sl_value_counts_add(&v->wide, one->insn, one->value, one->times, one->weight);
}

bool sl_values_make_room(struct sl_values *v)
{
    struct sl_compact *c = &v->compact;
    if (c->n_used < c->n_most)
        return true;
    uint64_t n = v->full ? 0 : sl_compact_next_size(c, compact_memory(v));
    v->full = !n || !sl_compact_grow(c, n);
    return !v->full;
}

static __attribute__((noinline)) void carry(struct sl_values *v, uint64_t *s, uint64_t sum,
                                            const struct counted *one)
{
    *s |= SL_COMPACT_MORE;
    v->carries.memory_bytes = v->memory_bytes / 4;
    sl_value_counts_add(&v->carries, one->insn, one->value, one->times, sum);
}

/* `held` is what the slot has, or is to have. */
INLINE void add_to(struct sl_values *v, uint64_t *s, uint64_t held, const struct counted *one)
{
    uint64_t sum = (held & SL_COMPACT_COUNT_MAX) + one->weight;
    bool fits = sum <= SL_COMPACT_COUNT_MAX;
    *s = fits ? held + one->weight : held & ~SL_COMPACT_COUNT_MAX;
    if (__builtin_expect(!fits, 0))
        carry(v, s, sum, one);
}

/* What is not usual: a tuple that has no slot where the wide table has some or the compact one has no room,
 * or whose slot, an empty one, is too far from its home. */
static __attribute__((noinline)) void count_new(struct sl_values *v, uint64_t key, const struct counted *one)
{
    uint64_t *s = NULL;
    if (v->wide.n_used && sl_value_counts_find(&v->wide, one->insn, one->value)) {
        count_wide(v, one);
        return;
    }
    if (!sl_values_make_room(v) || !(s = sl_compact_add(&v->compact, key)))
        drop(v, one);
    else
        add_to(v, s, *s, one);
}

/* Counts it in its slot, or in the empty one where it is to be. That half of them are new is nothing that
 * a processor foresees. */
INLINE void count_at(struct sl_values *v, uint64_t *s, uint64_t key, const uint64_t *home,
                     const struct counted *one)
{
    struct sl_compact *c = &v->compact;
    bool is_new = !*s;
    if (__builtin_expect(is_new & ((v->wide.n_used != 0) | (c->n_used >= c->n_most) |
                                   (s > home + SL_COMPACT_FAR)), 0)) {
        count_new(v, key, one);
        return;
    }
    c->n_used += is_new;
    add_to(v, s, is_new ? key << SL_COMPACT_KEY_SHIFT : *s, one);
}

INLINE uint64_t *home_of(const struct sl_compact *c, uint64_t key)
{
    return &c->slot[sl_compact_home(c, sl_compact_hash(c, key))];
}

/* Its key, if it is for the compact table; otherwise it has been counted or dropped. `number` is its
 * prefix's, as far as that was known a moment ago. */
INLINE bool find_key(struct sl_values *v, const struct counted *one, uint32_t number, uint64_t *key)
{
    if (__builtin_expect(one->insn > SL_VALUE_INSN_MAX, 0)) {
        drop(v, one);
        return false;
    }
    if (__builtin_expect(!number, 0) && !(number = number_prefix(v, one))) {
        count_wide(v, one);
        return false;
    }
    *key = sl_compact_key(number, one->value);
    return true;
}

/* ---- many ------------------------------------------------------------------ */

/* The number of a prefix; the line of the tuple's home is asked for. */
INLINE uint32_t look_ahead(struct sl_values *v, struct counted one)
{
    uint32_t number = sl_prefixes_find(v->prefixes, sl_prefix_of(one.insn, one.value));
    __builtin_prefetch(home_of(&v->compact, sl_compact_key(number, one.value)), 1);
    return number;
}

static struct counted event_at(const struct sl_batch *batch, size_t i)
{
    return (struct counted){batch->number[i], batch->value[i], 1, batch->weight ? batch->weight[i] : 1};
}

/* In order, as events count that may be the last that find room. */
void sl_values_count_events(struct sl_values *v, const struct sl_batch *batch)
{
    uint32_t number[AHEAD];
    for (size_t i = 0; i < batch->n && i < AHEAD; i++)
        number[i] = look_ahead(v, event_at(batch, i));
    for (size_t i = 0; i < batch->n; i++) {
        struct counted one = event_at(batch, i);
        uint32_t its_number = number[i % AHEAD];
        uint64_t key;
        if (i + AHEAD < batch->n)
            number[i % AHEAD] = look_ahead(v, event_at(batch, i + AHEAD));
        if (find_key(v, &one, its_number, &key)) {
            uint64_t *home = home_of(&v->compact, key);
            count_at(v, sl_compact_probe(home, key), key, home, &one);
        }
    }
}

/* Whose home is full, without it. */
struct later {
    struct counted one;
    uint64_t key;
};

INLINE struct counted slot_as(const struct sl_value_slot *s)
{
    return (struct counted){sl_value_insn(s), s->value, sl_value_count(s), sl_value_count(s)};
}

INLINE void count_late(struct sl_values *v, const struct later *l, sl_compact_looker *look)
{
    uint64_t *home = home_of(&v->compact, l->key), *line = home, *s;
    while (!(s = look(line, l->key)))
        line += SL_COMPACT_LINE;
    count_at(v, s, l->key, home, &l->one);
}

/* There is room for all of them. So those whose home is full may come behind others: the next line is
 * asked for, and they wait until it is there. */
INLINE void count_list_with(struct sl_values *v, const struct sl_value_slot *slot, size_t n,
                            sl_compact_looker *look)
{
    uint32_t number[AHEAD];
    struct later later[LATER];
    size_t n_later = 0;
    for (size_t i = 0; i < n && i < AHEAD; i++)
        number[i] = look_ahead(v, slot_as(&slot[i]));
    for (size_t i = 0; i < n; i++) {
        struct counted one = slot_as(&slot[i]);
        uint32_t its_number = number[i % AHEAD];
        uint64_t key;
        if (i + AHEAD < n)
            number[i % AHEAD] = look_ahead(v, slot_as(&slot[i + AHEAD]));
        if (!find_key(v, &one, its_number, &key))
            continue;
        uint64_t *home = home_of(&v->compact, key), *s = look(home, key);
        if (__builtin_expect(s != NULL, 1)) {
            count_at(v, s, key, home, &one);
            continue;
        }
        __builtin_prefetch(home + SL_COMPACT_LINE, 1);
        struct later *oldest = &later[n_later++ % LATER];
        if (n_later > LATER)
            count_late(v, oldest, look);
        *oldest = (struct later){one, key};
    }
    for (size_t i = n_later < LATER ? 0 : n_later - LATER; i < n_later; i++)
        count_late(v, &later[i % LATER], look);
}

#define COUNT_SLOTS(name, attribute, look)                                                         \
    attribute static void name(struct sl_values *v, const struct sl_value_slot *slot, size_t n)    \
    {                                                                                              \
        count_list_with(v, slot, n, look);                                                         \
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
