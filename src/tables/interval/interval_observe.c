/* SPDX-License-Identifier: MIT */
/* Counts a batch of events in the interval profilers, in portable code. Counting a batch with
 * observe() gives bit-identical results to counting its events one by one with step().
 *
 * Whether a tuple is in the accumulator is hard to predict. So a batch is processed in groups: the
 * whole group is looked up and split into hits and misses without branches; then the misses are
 * hashed and their counters raised in order; then the hits are counted:
 *
 *     look up:   h m m h h m h m          in the accumulator at the start of the group
 *     raise:       1 2     3   4          all hash functions of a tuple at once (byte_hash.h)
 *     count:     1     2 3   4
 *
 * The lookup rejects most misses by `mark` or by the filter (interval_table.h) and compares the
 * rest one by one.
 *
 * Hits and misses touch different data, so only the order of the misses matters, except for a
 * promotion, which changes the accumulator and is rare: then the hits before it are counted, the
 * tuple is promoted, and the events after it are looked up again as the next group.
 *
 * The hash of the pc, and the whole hash and the slot of a static tuple, are stored by tuple id, as
 * far as the host reserves memory. */
#include <string.h>

#include "interval_group.h"

/* ---- names ---- */

static uint64_t hash_name(const struct sl_interval_table *t, const struct sl_batch *batch,
                          uint32_t tuple_id, unsigned word)
{
    uint64_t pc = batch->names->pc[tuple_id];
    if (batch->value && word == 0)
        return sl_interval_pc_part(t, pc);
    uint64_t hash = sl_packed_pc(&t->packed[word], pc) ^ t->packed_base[word];
    uint64_t value = sl_tuple_named(batch->names, tuple_id).value;
    return batch->value ? hash : hash ^ sl_packed_value(&t->packed[word], value);
}

/* Stores the hashes of new names. */
static void store_names(struct sl_interval_table *t, const struct sl_batch *batch)
{
    size_t n = batch->names->n < t->names_stored ? batch->names->n : t->names_stored;
    if (t->names_static != !batch->value) {
        t->names_static = !batch->value;
        t->names_hashed = 0;
        t->slots_stale = true;
    }
    for (; t->names_hashed < n; t->names_hashed++)
        for (unsigned w = 0; w < t->words; w++)
            t->name_hash[t->names_hashed * t->words + w] = hash_name(t, batch,
                                                                     (uint32_t)t->names_hashed, w);
    if (t->names_static && t->slots_stale) {
        if (t->names_stored)
            memset(t->name_slot, 0, t->names_stored * sizeof *t->name_slot);
        t->slots_stale = false;
    }
}

static inline uint64_t name_word(const struct sl_interval_table *t, const struct sl_batch *batch,
                                 uint32_t tuple_id, unsigned word)
{
    return __builtin_expect(tuple_id < t->names_hashed, 1)
               ? t->name_hash[(size_t)tuple_id * t->words + word]
               : hash_name(t, batch, tuple_id, word);
}

/* ---- look up ---- */

/* Splits the events from `from` to before `to` by the accumulator's marks. An event without a mark
 * is a miss. */
__attribute__((always_inline)) static inline void
sort_some(const struct sl_interval_table *t, const struct sl_batch *batch, size_t from, size_t to,
          bool all_stored, struct sl_interval_group *g, uint64_t *word)
{
    const uint8_t *marks = t->accumulator.mark;
    const uint64_t *name_hash = t->name_hash;
    unsigned mark_shift = t->accumulator.mark_shift, cache_shift = t->accumulator.cache_shift;
    size_t n_found = g->n_found;
    for (size_t i = from; i < to; i++) {
        word[i] = all_stored ? name_hash[batch->tuple_id[i]]
                             : name_word(t, batch, batch->tuple_id[i], 0);
        uint64_t key = sl_accumulator_key(word[i], batch->value[i]);
        g->cache_index[i] = (uint32_t)(key >> cache_shift);
        g->found[n_found] = g->miss[i - n_found] = (uint8_t)i;
        n_found += marks[key >> mark_shift];
    }
    g->n_found = n_found;
}

#define LINE 8u /* values in a line of the cache */

static void sort_values(const struct sl_interval_table *t, const struct sl_batch *batch,
                        struct sl_interval_group *g, uint64_t *word)
{
    bool all_stored = batch->names->n <= t->names_hashed && t->words == 1;
    size_t lines = all_stored ? g->n / LINE * LINE : 0;
    g->n_found = 0;
    for (size_t i = 0; i < lines; i += LINE) {
        __builtin_prefetch(batch->value + i + SL_INTERVAL_GROUP);
        __builtin_prefetch(batch->tuple_id + i + SL_INTERVAL_GROUP);
        sort_some(t, batch, i, i + LINE, true, g, word);
    }
    sort_some(t, batch, lines, g->n, false, g, word);
    g->n_misses = g->n - g->n_found;
}

/* Inserts events that turned out to be misses. among[i] is the number of other misses before each
 * of them. */
static void add_misses(struct sl_interval_group *g, const uint8_t *event, const uint8_t *among,
                       size_t n)
{
    size_t end = g->n_misses;
    g->n_misses += n;
    for (; n; n--) {
        size_t from = among[n - 1];
        memmove(g->miss + from + n, g->miss + from, end - from);
        g->miss[from + n - 1] = event[n - 1];
        end = from;
    }
}

/* Looks up the events that may be hits. Most of them are hits of the cache. */
static void find_values(struct sl_interval_table *t, const struct sl_batch *batch,
                        struct sl_interval_group *g)
{
    struct sl_accumulator *a = &t->accumulator;
    const struct sl_accumulator_cache *cache = a->cache;
    const uint32_t *tuple_id = batch->tuple_id;
    const uint64_t *value = batch->value;
    uint8_t absent[SL_INTERVAL_GROUP], among[SL_INTERVAL_GROUP];
    size_t n_absent = 0, n_found = g->n_found;
    for (size_t j = 0; j < n_found; j++) {
        size_t i = g->found[j];
        const struct sl_accumulator_cache *cached = &cache[g->cache_index[i]];
        size_t slot = cached->slot;
        if (__builtin_expect(cached->value != value[i] || cached->tuple_id != tuple_id[i], 0)) {
            slot = sl_interval_find_uncached(a, name_word(t, batch, tuple_id[i], 0), tuple_id[i],
                                             batch->names->pc[tuple_id[i]], value[i]);
            absent[n_absent] = (uint8_t)i;
            among[n_absent] = (uint8_t)(i - j);
            n_absent += !slot;
        }
        g->slot[j] = (uint16_t)slot;
    }
    add_misses(g, absent, among, n_absent);
}

static size_t find_static(struct sl_interval_table *t, const struct sl_batch *batch, size_t i)
{
    uint32_t tuple_id = batch->tuple_id[i];
    struct sl_tuple tuple = sl_tuple_named(batch->names, tuple_id);
    uint64_t key = sl_accumulator_key(sl_interval_pc_part(t, tuple.pc), tuple.value);
    size_t slot = sl_accumulator_find(&t->accumulator, key, tuple.pc, tuple.value);
    if (tuple_id < t->names_stored) {
        t->name_slot[tuple_id] = (uint16_t)(slot ? slot : SL_SLOT_ABSENT);
        if (slot)
            t->accumulator.note[slot].tuple_id = tuple_id;
    }
    return slot;
}

static void split_static(struct sl_interval_table *t, const struct sl_batch *batch,
                         struct sl_interval_group *g)
{
    size_t n_hits = 0, n_misses = 0;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t tuple_id = batch->tuple_id[i];
        size_t slot = tuple_id < t->names_stored ? t->name_slot[tuple_id] : 0;
        if (__builtin_expect(!slot, 0))
            slot = find_static(t, batch, i);
        slot &= SL_HEAD_SLOT;
        g->slot[n_hits] = (uint16_t)slot;
        g->found[n_hits] = g->miss[n_misses] = (uint8_t)i;
        n_hits += slot != 0;
        n_misses += slot == 0;
    }
    g->n_found = n_hits;
    g->n_misses = n_misses;
}

static bool by_avx512(const struct sl_interval_table *t, const struct sl_batch *batch)
{
    return t->form == SL_INTERVAL_AVX512 && batch->value && batch->names->n <= t->names_hashed;
}

static void split(struct sl_interval_table *t, const struct sl_batch *batch,
                  struct sl_interval_group *g, sl_interval_hashes hash)
{
    if (!batch->value) {
        split_static(t, batch, g);
        return;
    }
    if (by_avx512(t, batch))
        sl_interval_sort_avx512(t, batch, g, hash);
    else
        sort_values(t, batch, g, hash[0]);
    find_values(t, batch, g);
}

/* ---- hash ---- */

static void hash_misses(const struct sl_interval_table *t, const struct sl_batch *batch,
                        const struct sl_interval_group *g, sl_interval_hashes hash)
{
    for (unsigned w = 0; w < t->words; w++)
        for (size_t j = 0; j < g->n_misses; j++) {
            size_t i = g->miss[j];
            hash[w][i] = name_word(t, batch, batch->tuple_id[i], w);
            if (batch->value)
                hash[w][i] ^= sl_packed_value(&t->packed[w], batch->value[i]);
        }
}

/* Hashes the misses, unless that was done, and raises their counters as sl_interval_raise() does,
 * in one pass if possible. */
static size_t raise_misses(struct sl_interval_table *t, const struct sl_batch *batch,
                           const struct sl_interval_group *g, sl_interval_hashes hash,
                           uint32_t *smallest)
{
    if (!by_avx512(t, batch)) {
        if (batch->value && t->words == 1 && sl_interval_raises_units(t, batch->weight))
            return sl_interval_count(t, batch->value, g, hash[0], smallest);
        hash_misses(t, batch, g, hash);
    }
    return sl_interval_raise(t, batch->weight, g, hash, smallest);
}

/* ---- count ---- */

/* Counts the first n hits of the group, and `done` events in total. */
static void count_hits(struct sl_interval_table *t, const uint64_t *weight,
                       const struct sl_interval_group *g, size_t n, size_t done)
{
    uint64_t *count = t->accumulator.count;
    t->events += done;
    if (!weight) {
        for (size_t j = 0; j < n; j++)
            count[g->slot[j]]++;
        t->weight += done;
    } else {
        for (size_t j = 0; j < n; j++)
            count[g->slot[j]] += weight[g->found[j]];
        for (size_t i = 0; i < done; i++)
            t->weight += weight[i];
    }
    count[0] = 0;
}

/* Counts a group that was split. Returns the number of events that were processed. */
static size_t observe_group(struct sl_interval_table *t, const struct sl_batch *batch,
                            const struct sl_interval_group *g, sl_interval_hashes hash)
{
    uint32_t smallest = 0, at[SL_BYTE_HASH_MAX];
    size_t j = raise_misses(t, batch, g, hash, &smallest), before = 0;
    if (j == g->n_misses) {
        count_hits(t, batch->weight, g, g->n_found, g->n);
        return g->n;
    }
    size_t i = g->miss[j];
    struct sl_event event = sl_batch_event(batch, i);
    if (batch->value)
        event.tuple_id = SL_NO_INDEX;
    while (before < g->n_found && g->found[before] < i)
        before++;
    count_hits(t, batch->weight, g, before, i + 1);
    sl_interval_find_counters(t, event.tuple, at);
    sl_interval_promote(t, &event, at, smallest);
    return i + 1;
}

void sl_interval_observe(void *state, const struct sl_batch *batch)
{
    struct sl_interval_table *t = state;
    struct sl_interval_group g;
    sl_interval_hashes hash;
    struct sl_batch rest = *batch;
    if (t->form == SL_INTERVAL_PLAIN) {
        sl_batch_step(batch, t, sl_interval_step);
        return;
    }
    store_names(t, batch);
    while (rest.n) {
        g.n = sl_interval_cut_at(t, rest.weight,
                                 rest.n < SL_INTERVAL_GROUP ? rest.n : SL_INTERVAL_GROUP);
        split(t, &rest, &g, hash);
        size_t n = observe_group(t, &rest, &g, hash);
        rest = sl_batch_part(&rest, n, rest.n - n);
        if (t->weight >= t->length)
            sl_interval_end(t);
    }
}

/* ---- forms ---- */

bool sl_interval_force_form(struct sl_interval_table *t, enum sl_interval_form form)
{
    if (form != SL_INTERVAL_PLAIN && (!t->packed || t->approximate.estimates))
        return false;
    if (form >= SL_INTERVAL_AVX512 && (!sl_interval_has_avx512() || t->config.word != 64))
        return false;
    t->form = form;
    return true;
}

void sl_interval_choose_form(struct sl_interval_table *t)
{
    unsigned form = SL_INTERVAL_FORMS;
    while (!sl_interval_force_form(t, (enum sl_interval_form)-- form))
        ;
}
