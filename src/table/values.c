/* Exact counts of tuples with values: values.h says how. */
#include "values.h"

#include <stdlib.h>

#include "value_spill.h"

#define AHEAD 32u                         /* events that memory is asked before it is needed */
#define LATER 8u                          /* of those whose home is full, that wait for the next line */
#define MEMORY_LEAST (UINT64_C(1) << 26)  /* bytes: with less, the wide table is all there is */
#define FRONT_FROM (UINT64_C(1) << 20)    /* events: a table of few is in the cache itself */
#define IN_FRONT (SL_FRONT_SLOTS + SL_VALUE_LISTS * SL_VALUE_LIST_ROOM) /* tuples, at most */
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

/* Room for another tuple; false if there is none any more. */
static bool make_room(struct sl_values *v)
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
    if (!make_room(v) || !(s = sl_compact_add(&v->compact, key)))
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
static void count_events(struct sl_values *v, const struct sl_batch *batch)
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

static void count_slots(struct sl_values *v, const struct sl_value_slot *slot, size_t n)
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

/* ---- in front -------------------------------------------------------------- */

/* Whether all that is in front is sure to find room. Otherwise who comes first has to be in the tables
 * first. */
static bool has_room_behind(struct sl_values *v)
{
    limit_wide(v);
    return sl_compact_has_room(&v->compact, IN_FRONT, compact_memory(v)) &&
           sl_value_counts_has_room(&v->wide, IN_FRONT);
}

static bool count_list(void *values, const struct sl_value_slot *slot, size_t n)
{
    count_slots(values, slot, n);
    return has_room_behind(values);
}

static void open_front(struct sl_values *v)
{
    v->front = calloc(1, sizeof *v->front);
    v->lists = sl_value_lists_open(count_list, v, v->threaded);
    v->front_closed = !v->front || !v->lists || !has_room_behind(v);
    if (!v->front_closed)
        v->front->gone = sl_value_lists_current(v->lists);
}

static void give_gone(struct sl_values *v)
{
    bool room;
    v->front->gone = sl_value_lists_give(v->lists, &room);
    v->front_closed |= !room;
}

/* The tables have everything then, and nobody else is at them. */
static void empty_front(struct sl_values *v)
{
    struct sl_value_front *front = v->front;
    if (!front || !front->events)
        return;
    for (uint64_t i = 0; i < SL_FRONT_SLOTS; i++)
        if (front->slot[i].packed) {
            if (front->gone->n >= SL_VALUE_LIST_FULL)
                give_gone(v);
            front->gone->slot[front->gone->n++] = front->slot[i];
            front->slot[i].packed = 0;
        }
    give_gone(v);
    sl_value_lists_wait(v->lists);
    front->events = 0;
}

/* Events come in steps, by their numbers and not as batches have them, so that what is decided between
 * steps does not depend on batches. */
static void begin_step(struct sl_values *v)
{
    if (!v->front && v->events >= FRONT_FROM && !v->front_closed)
        open_front(v);
    if (!v->front)
        return;
    if (!v->front_closed && v->front->gone->n >= SL_VALUE_LIST_FULL)
        give_gone(v);
    if (v->front_closed || v->front->events > SL_FRONT_MOST)
        empty_front(v);
    v->in_front = !v->front_closed;
}

/* Past the front, though others may be in it. */
static void count_past(struct sl_values *v, const struct sl_batch *step)
{
    if (v->lists)
        sl_value_lists_wait(v->lists);
    count_events(v, step);
    v->front_closed |= v->in_front && !has_room_behind(v);
}

/* ---- all ------------------------------------------------------------------- */

static bool weighs(const struct sl_batch *batch)
{
    bool more = false;
    for (size_t i = 0; i < batch->n && batch->weight; i++)
        more |= batch->weight[i] != 1;
    return more;
}

/* What there will be. */
static void begin(struct sl_values *v, const struct sl_batch *batch)
{
    v->begun = true;
    v->plain = v->spill || v->memory_bytes < MEMORY_LEAST || weighs(batch) ||
               !(v->prefixes = calloc(1, sizeof *v->prefixes)) || !make_room(v);
    v->wide.spill = v->spill;
    v->wide.memory_bytes = v->memory_bytes;
}

void sl_values_observe(struct sl_values *v, const struct sl_batch *batch)
{
    struct sl_batch rest = *batch;
    if (!v->begun)
        begin(v, batch);
    if (v->plain) {
        sl_value_counts_observe(&v->wide, batch);
        return;
    }
    while (rest.n) {
        size_t n = (size_t)less(rest.n, SL_FRONT_STEP - v->events % SL_FRONT_STEP);
        struct sl_batch step = sl_batch_part(&rest, 0, n);
        if (v->events % SL_FRONT_STEP == 0)
            begin_step(v);
        if (v->in_front && !batch->weight && batch->names->n <= SL_VALUE_INSN_MAX)
            sl_value_front_count(v->front, step.number, step.value, n);
        else
            count_past(v, &step);
        v->events += n;
        rest = sl_batch_part(&rest, n, rest.n - n);
    }
}

static bool drain_compact(const struct sl_values *v, const struct sl_names *names,
                          bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_compact *c = &v->compact;
    for (uint64_t i = 0, n = sl_compact_bytes(c) / sizeof *c->slot; i < n; i++) {
        uint64_t s = c->slot[i], key = s >> SL_COMPACT_KEY_SHIFT, count = s & SL_COMPACT_COUNT_MAX;
        if (!s)
            continue;
        uint64_t prefix = v->prefixes->prefix[key >> 32], value = prefix << 32 | (uint32_t)key;
        uint32_t insn = (uint32_t)(prefix >> 32);
        if (s & SL_COMPACT_MORE)
            count += sl_value_counts_of(&v->carries, insn, value);
        struct sl_entry entry = {.tuple = {names->pc[insn], value}, .count = count, .low = count,
                                 .high = count};
        if (!emit(context, &entry))
            return false;
    }
    return true;
}

bool sl_values_drain(struct sl_values *v, const struct sl_names *names,
                     bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    empty_front(v);
    return drain_compact(v, names, emit, context) &&
           sl_value_counts_drain(&v->wide, names, emit, context);
}

uint64_t sl_values_distinct(struct sl_values *v)
{
    empty_front(v);
    return v->compact.n_used + sl_value_counts_distinct(&v->wide);
}

uint64_t sl_values_distinct_about(struct sl_values *v)
{
    empty_front(v);
    return v->compact.n_used + v->wide.n_used + (v->spill ? v->spill->n_slots : 0);
}

struct sl_values_drops sl_values_dropped(const struct sl_values *v)
{
    if (v->lists)
        sl_value_lists_wait(v->lists);
    return (struct sl_values_drops){v->drops.events + v->wide.drops + v->carries.drops,
                                    v->drops.weight + v->wide.drops_weight + v->carries.drops_weight};
}

uint64_t sl_values_bytes(const struct sl_values *v)
{
    if (v->lists)
        sl_value_lists_wait(v->lists);
    return sl_compact_bytes(&v->compact) + (v->prefixes ? sl_prefixes_bytes(v->prefixes) : 0) +
           sl_value_counts_bytes(&v->wide) + sl_value_counts_bytes(&v->carries);
}

void sl_values_close(struct sl_values *v)
{
    sl_value_lists_close(v->lists);
    sl_compact_free(&v->compact);
    if (v->prefixes)
        sl_prefixes_free(v->prefixes);
    free(v->prefixes);
    free(v->front);
    sl_value_counts_close(&v->wide);
    sl_value_counts_close(&v->carries);
}
