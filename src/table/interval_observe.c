/* The fast form of the interval profilers: equal to the step to the bit.
 *
 * Whether a tuple is in the accumulator is what a processor cannot predict. So a batch
 * is worked on in groups: first the whole group is looked up and split into hits and
 * misses, without branches; then the misses are hashed together, then their counters
 * are raised in order, then the hits are counted:
 *
 *     look up:   h m m h h m h m          by the accumulator as the group finds it
 *     hash:        1 2     3   4          all tables of a tuple at once (byte_hash.h)
 *     raise:       1 2     3   4
 *     count:     1     2 3   4
 *
 * Hits and misses touch different things, so only the order among the misses matters;
 * except when a miss is promoted, which changes the accumulator. That is rare. Then
 * the hits in front of it are counted, it is promoted, and what comes behind it is
 * looked up again as the next group.
 *
 * The instruction's half of the hash is a constant, and so is the whole hash of a
 * static tuple: both are kept by number, for as many as the host has room for. A static
 * tuple's slot in the accumulator is kept by number too. */
#include <string.h>

#include "interval_group.h"

/* The second word of a static tuple. */
static inline uint64_t static_value(const struct sl_batch *batch, uint32_t number)
{
    return batch->names->value ? batch->names->value[number] : 0;
}

static inline struct sl_tuple tuple_at(const struct sl_batch *batch, size_t i)
{
    uint32_t number = batch->number[i];
    return (struct sl_tuple){batch->names->pc[number],
                             batch->value ? batch->value[i] : static_value(batch, number)};
}

static inline uint64_t weight_at(const struct sl_batch *batch, size_t i)
{
    return batch->weight ? batch->weight[i] : 1;
}

/* ---- names --------------------------------------------------------------- */

static uint64_t hash_name(const struct sl_interval_table *t, const struct sl_batch *batch,
                          uint32_t number, unsigned word)
{
    uint64_t hash = sl_packed_pc(&t->packed[word], batch->names->pc[number]);
    return batch->value ? hash : hash ^ sl_packed_value(&t->packed[word],
                                                        static_value(batch, number));
}

/* Keeps hashes of the names that are new. */
static void keep_names(struct sl_interval_table *t, const struct sl_batch *batch)
{
    size_t n = batch->names->n < t->names_kept ? batch->names->n : t->names_kept;
    if (t->names_static != !batch->value) {
        t->names_static = !batch->value;
        t->names_hashed = 0;
        t->slots_stale = true;
    }
    for (; t->names_hashed < n; t->names_hashed++)
        for (unsigned w = 0; w < t->words; w++)
            t->name_hash[t->names_hashed * t->words + w] =
                hash_name(t, batch, (uint32_t)t->names_hashed, w);
    if (t->names_static && t->slots_stale) {
        if (t->names_kept)
            memset(t->name_slot, 0, t->names_kept * sizeof *t->name_slot);
        t->slots_stale = false;
    }
}

/* ---- look up ------------------------------------------------------------- */

static inline void put(struct sl_interval_group *g, size_t at, size_t slot)
{
    g->hit_at[g->n_hits] = (uint8_t)at;
    g->hit_slot[g->n_hits] = (uint16_t)slot;
    g->n_hits += slot != 0;
    g->miss_at[g->n_misses] = (uint8_t)at;
    g->n_misses += slot == 0;
}

static void split_values(const struct sl_interval_table *t, const struct sl_batch *batch, size_t n,
                         struct sl_interval_group *g)
{
    const struct sl_accumulator *a = &t->accumulator;
    for (size_t i = 0; i < n; i++) {
        struct sl_tuple tuple = {batch->names->pc[batch->number[i]], batch->value[i]};
        uint16_t head = a->head[sl_accumulator_hash(a, tuple)];
        size_t slot = head & SL_HEAD_SLOT;
        bool same = (a->tuple[slot].value == tuple.value) & (a->tuple[slot].pc == tuple.pc);
        slot = same ? slot : 0;
        if (__builtin_expect(!same && head & SL_HEAD_MORE, 0))
            slot = sl_accumulator_find(a, tuple);
        put(g, i, slot);
    }
}

static size_t find_static(struct sl_interval_table *t, const struct sl_batch *batch, size_t i)
{
    uint32_t number = batch->number[i];
    size_t slot = sl_accumulator_find(&t->accumulator, tuple_at(batch, i));
    if (number < t->names_kept) {
        t->name_slot[number] = (uint16_t)(slot ? slot : SL_SLOT_ABSENT);
        if (slot)
            t->accumulator.note[slot].number = number;
    }
    return slot;
}

static void split_static(struct sl_interval_table *t, const struct sl_batch *batch, size_t n,
                         struct sl_interval_group *g)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t number = batch->number[i];
        size_t slot = number < t->names_kept ? t->name_slot[number] : 0;
        if (__builtin_expect(!slot, 0))
            slot = find_static(t, batch, i);
        put(g, i, slot & SL_HEAD_SLOT);
    }
}

/* ---- hash ---------------------------------------------------------------- */

void sl_interval_hash_portable(const struct sl_interval_table *t, const uint64_t *value, size_t n,
                               uint64_t hash[][SL_INTERVAL_GROUP])
{
    for (unsigned w = 0; w < t->words; w++)
        for (size_t j = 0; j < n; j++)
            hash[w][j] = sl_packed_value(&t->packed[w], value[j]);
}

/* The names' part of the misses' hashes, XORed to what is there. */
static void add_names(const struct sl_interval_table *t, const struct sl_batch *batch,
                      struct sl_interval_group *g)
{
    for (unsigned w = 0; w < t->words; w++)
        for (size_t j = 0; j < g->n_misses; j++) {
            uint32_t number = batch->number[g->miss_at[j]];
            g->hash[w][j] ^= number < t->names_hashed
                                 ? t->name_hash[(size_t)number * t->words + w]
                                 : hash_name(t, batch, number, w);
        }
}

static void hash_misses(const struct sl_interval_table *t, const struct sl_batch *batch,
                        struct sl_interval_group *g)
{
    uint64_t value[SL_INTERVAL_GROUP];
    if (batch->value) {
        for (size_t j = 0; j < g->n_misses; j++)
            value[j] = batch->value[g->miss_at[j]];
        sl_interval_hash_portable(t, value, g->n_misses, g->hash);
    } else {
        memset(g->hash, 0, t->words * sizeof *g->hash);
    }
    add_names(t, batch, g);
}

/* ---- raise --------------------------------------------------------------- */

static inline uint32_t index_of(const struct sl_interval_group *g, size_t j, unsigned k)
{
    return g->hash[k / SL_PACKED_FUNCTIONS][j] >> 16 * (k % SL_PACKED_FUNCTIONS) & 0xffff;
}

static inline uint32_t raised(uint32_t counter, uint64_t weight, uint32_t most)
{
    return weight < most - counter ? counter + (uint32_t)weight : most;
}

/* Raises the misses' counters, up to and with the first one that is to be promoted;
 * its place among the misses, or n_misses. The constant arguments make a loop for each. */
__attribute__((always_inline)) static inline size_t
raise_for(struct sl_interval_table *t, const struct sl_batch *batch,
          const struct sl_interval_group *g, uint32_t *smallest_out, unsigned n, bool conservative,
          bool weighted)
{
    uint32_t *table[SL_BYTE_HASH_MAX], most = t->counter_max, threshold = (uint32_t)t->threshold;
    size_t n_misses = g->n_misses;
    for (unsigned k = 0; k < n; k++)
        table[k] = t->counter + ((size_t)k << t->index_bits);
    for (size_t j = 0; j < n_misses; j++) {
        uint64_t weight = weighted ? batch->weight[g->miss_at[j]] : 1;
        uint32_t *counter[SL_BYTE_HASH_MAX], smallest = UINT32_MAX;
        for (unsigned k = 0; k < n; k++) {
            counter[k] = table[k] + index_of(g, j, k);
            smallest = *counter[k] < smallest ? *counter[k] : smallest;
        }
        uint32_t least = raised(smallest, weight, most);
        for (unsigned k = 0; k < n; k++)
            *counter[k] = !conservative        ? raised(*counter[k], weight, most)
                          : *counter[k] < least ? least
                                                : *counter[k];
        if (__builtin_expect(least >= threshold, 0)) {
            if (!t->accumulator.closed) {
                *smallest_out = smallest;
                return j;
            }
            t->drops++;
            t->drops_weight += weight;
        }
    }
    return n_misses;
}

static size_t raise_misses(struct sl_interval_table *t, const struct sl_batch *batch,
                           const struct sl_interval_group *g, uint32_t *smallest)
{
    unsigned n = (unsigned)t->config.tables;
    if (!t->config.conservative || n == 1)
        return n == 1 ? raise_for(t, batch, g, smallest, 1, false, batch->weight)
                      : raise_for(t, batch, g, smallest, n, false, batch->weight);
    if (batch->weight)
        return raise_for(t, batch, g, smallest, n, true, true);
    switch (n) {
    case 2:
        return raise_for(t, batch, g, smallest, 2, true, false);
    case 4:
        return raise_for(t, batch, g, smallest, 4, true, false);
    case 8:
        return raise_for(t, batch, g, smallest, 8, true, false);
    default:
        return raise_for(t, batch, g, smallest, n, true, false);
    }
}

/* ---- count --------------------------------------------------------------- */

/* Counts the hits in front of place `end`, and the group's events up to there. */
static void count_hits(struct sl_interval_table *t, const struct sl_batch *batch,
                       const struct sl_interval_group *g, size_t end)
{
    uint64_t *count = t->accumulator.count;
    if (!batch->weight) {
        for (size_t j = 0; j < g->n_hits && g->hit_at[j] < end; j++)
            count[g->hit_slot[j]]++;
        t->weight += end;
    } else {
        for (size_t j = 0; j < g->n_hits && g->hit_at[j] < end; j++)
            count[g->hit_slot[j]] += batch->weight[g->hit_at[j]];
        for (size_t i = 0; i < end; i++)
            t->weight += batch->weight[i];
    }
    t->events += end;
}

static void promote_miss(struct sl_interval_table *t, const struct sl_batch *batch,
                         const struct sl_interval_group *g, size_t j, uint32_t smallest)
{
    size_t at = g->miss_at[j];
    uint32_t index[SL_BYTE_HASH_MAX];
    for (unsigned k = 0; k < t->config.tables; k++)
        index[k] = index_of(g, j, k);
    struct sl_event event = {batch->value ? SL_NO_NUMBER : batch->number[at], tuple_at(batch, at),
                             weight_at(batch, at)};
    sl_interval_promote(t, &event, index, smallest);
}

/* The batch's first n events, which are within the interval; how many were done. */
static size_t observe_group(struct sl_interval_table *t, const struct sl_batch *batch, size_t n)
{
    struct sl_interval_group g;
    uint32_t smallest = 0;
    g.n_hits = g.n_misses = 0;
    if (batch->value)
        split_values(t, batch, n, &g);
    else
        split_static(t, batch, n, &g);
    hash_misses(t, batch, &g);
    size_t j = raise_misses(t, batch, &g, &smallest);
    size_t done = j < g.n_misses ? g.miss_at[j] + 1u : n;
    count_hits(t, batch, &g, done);
    if (j < g.n_misses)
        promote_miss(t, batch, &g, j, smallest);
    return done;
}

static void observe_plainly(struct sl_interval_table *t, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_event event = {batch->number[i], tuple_at(batch, i), weight_at(batch, i)};
        sl_interval_step(t, &event);
    }
}

void sl_interval_observe(void *state, const struct sl_batch *batch)
{
    struct sl_interval_table *t = state;
    struct sl_batch rest = *batch;
    if (t->form == SL_INTERVAL_PLAIN) {
        observe_plainly(t, batch);
        return;
    }
    keep_names(t, batch);
    while (rest.n) {
        struct sl_batch group = rest;
        group.n = rest.n < SL_INTERVAL_GROUP ? rest.n : SL_INTERVAL_GROUP;
        size_t done = observe_group(t, &rest, sl_interval_cut(t, &group));
        if (t->weight >= t->length)
            sl_interval_end(t);
        rest.n -= done;
        rest.number += done;
        rest.value = rest.value ? rest.value + done : NULL;
        rest.weight = rest.weight ? rest.weight + done : NULL;
    }
}

/* ---- forms --------------------------------------------------------------- */

bool sl_interval_force_form(struct sl_interval_table *t, enum sl_interval_form form)
{
    if (form != SL_INTERVAL_PLAIN && !t->packed)
        return false;
    if (form == SL_INTERVAL_AVX512)
        return false;
    t->form = form;
    return true;
}

void sl_interval_choose_form(struct sl_interval_table *t)
{
    unsigned form = SL_INTERVAL_FORMS;
    while (!sl_interval_force_form(t, (enum sl_interval_form)--form))
        ;
}
