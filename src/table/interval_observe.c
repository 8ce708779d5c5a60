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
    uint64_t hash = sl_packed_pc(&t->packed[word], batch->names->pc[number]) ^ t->packed_base[word];
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

static inline uint64_t name_word(const struct sl_interval_table *t, const struct sl_batch *batch,
                                 uint32_t number, unsigned word)
{
    return __builtin_expect(number < t->names_hashed, 1)
               ? t->name_hash[(size_t)number * t->words + word]
               : hash_name(t, batch, number, word);
}

/* ---- look up ------------------------------------------------------------- */

static void split_values(const struct sl_interval_table *t, const struct sl_batch *batch,
                         struct sl_interval_group *g)
{
    uint64_t hits = 0;
    size_t n = g->n, n_hits = 0;
    for (size_t i = 0; i < n; i++) {
        struct sl_tuple tuple = tuple_at(batch, i);
        uint64_t key = sl_accumulator_key(name_word(t, batch, batch->number[i], 0), tuple.value);
        size_t slot = sl_accumulator_find(&t->accumulator, key, tuple.pc, tuple.value);
        g->slot[n_hits] = (uint16_t)slot;
        n_hits += slot != 0;
        hits |= (uint64_t)(slot != 0) << i;
    }
    g->found = hits;
    g->n_found = n_hits;
}

static size_t find_static(struct sl_interval_table *t, const struct sl_batch *batch, size_t i)
{
    uint32_t number = batch->number[i];
    struct sl_tuple tuple = tuple_at(batch, i);
    uint64_t key = sl_accumulator_key(sl_interval_pc_part(t, tuple.pc), tuple.value);
    size_t slot = sl_accumulator_find(&t->accumulator, key, tuple.pc, tuple.value);
    if (number < t->names_kept) {
        t->name_slot[number] = (uint16_t)(slot ? slot : SL_SLOT_ABSENT);
        if (slot)
            t->accumulator.note[slot].number = number;
    }
    return slot;
}

static void split_static(struct sl_interval_table *t, const struct sl_batch *batch,
                         struct sl_interval_group *g)
{
    uint64_t hits = 0;
    size_t n = g->n, n_hits = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = batch->number[i];
        size_t slot = number < t->names_kept ? t->name_slot[number] : 0;
        if (__builtin_expect(!slot, 0))
            slot = find_static(t, batch, i);
        slot &= SL_HEAD_SLOT;
        g->slot[n_hits] = (uint16_t)slot;
        n_hits += slot != 0;
        hits |= (uint64_t)(slot != 0) << i;
    }
    g->found = hits;
    g->n_found = n_hits;
}

/* ---- hash ---------------------------------------------------------------- */

static void hash_misses(const struct sl_interval_table *t, const struct sl_batch *batch,
                        const struct sl_interval_group *g, sl_interval_places *place)
{
    for (unsigned w = 0; w < t->words; w++) {
        size_t j = 0;
        for (uint64_t left = g->misses; left; left &= left - 1, j++) {
            size_t i = (size_t)__builtin_ctzll(left);
            uint64_t hash = name_word(t, batch, batch->number[i], w);
            if (batch->value)
                hash ^= sl_packed_value(&t->packed[w], batch->value[i]);
            for (unsigned k = 0; k < SL_PACKED_FUNCTIONS; k++)
                place[w][j][k] = (uint16_t)(hash >> 16 * k);
        }
    }
}

static void split(struct sl_interval_table *t, const struct sl_batch *batch,
                  struct sl_interval_group *g, sl_interval_places *place)
{
    if (batch->value)
        split_values(t, batch, g);
    else
        split_static(t, batch, g);
    g->misses = ~g->found & UINT64_MAX >> (64 - g->n);
    g->n_misses = g->n - g->n_found;
    hash_misses(t, batch, g, place);
}

/* ---- count --------------------------------------------------------------- */

/* Counts the first n of those that were found, and `done` events in all. */
static void count_hits(struct sl_interval_table *t, const uint64_t *weight,
                       const struct sl_interval_group *g, size_t n, size_t done)
{
    uint64_t *count = t->accumulator.count, found = g->found;
    t->events += done;
    if (!weight) {
        for (size_t j = 0; j < n; j++)
            count[g->slot[j]]++;
        t->weight += done;
    } else {
        for (size_t j = 0; j < n; j++, found &= found - 1)
            count[g->slot[j]] += weight[__builtin_ctzll(found)];
        for (size_t i = 0; i < done; i++)
            t->weight += weight[i];
    }
    count[0] = 0;
}

/* The j-th of the set bits. */
static size_t nth_bit(uint64_t bits, size_t j)
{
    for (; j; j--)
        bits &= bits - 1;
    return (size_t)__builtin_ctzll(bits);
}

/* Works on a group that has been split; how many of its events were done. */
static size_t observe_group(struct sl_interval_table *t, const struct sl_batch *batch,
                            const struct sl_interval_group *g, const sl_interval_places *place)
{
    uint32_t smallest = 0;
    size_t j = sl_interval_raise(t, batch->weight, g, place, &smallest);
    if (j == g->n_misses) {
        count_hits(t, batch->weight, g, g->n_found, g->n);
        return g->n;
    }
    size_t i = nth_bit(g->misses, j);
    struct sl_event event = {batch->value ? SL_NO_NUMBER : batch->number[i], tuple_at(batch, i),
                             weight_at(batch, i), NULL, 0};
    uint32_t at[SL_BYTE_HASH_MAX];
    for (unsigned k = 0; k < t->config.tables; k++)
        at[k] = sl_interval_place(place, j, k);
    uint64_t before = g->found & ((UINT64_C(1) << i) - 1);
    count_hits(t, batch->weight, g, (size_t)__builtin_popcountll(before), i + 1);
    sl_interval_promote(t, &event, at, smallest);
    return i + 1;
}

static void observe_plainly(struct sl_interval_table *t, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_event event = {batch->number[i], tuple_at(batch, i), weight_at(batch, i), NULL,
                                 0};
        sl_interval_step(t, &event);
    }
}

static void advance(struct sl_batch *batch, size_t n)
{
    batch->n -= n;
    batch->number += n;
    batch->value = batch->value ? batch->value + n : NULL;
    batch->weight = batch->weight ? batch->weight + n : NULL;
}

static size_t at_most(size_t n, size_t limit)
{
    return n < limit ? n : limit;
}

/* A part of a batch, whose hashes are there already or (NULL) not. */
static void observe_part(struct sl_interval_table *t, struct sl_batch part,
                         const struct sl_interval_hashes *hashes)
{
    struct sl_interval_group g;
    sl_interval_places place[SL_INTERVAL_WORDS];
    size_t all = part.n;
    while (part.n) {
        g.n = sl_interval_cut_at(t, part.weight, at_most(part.n, SL_INTERVAL_GROUP));
        if (hashes)
            sl_interval_split_avx512(t, &part, hashes, all - part.n, &g, place);
        else
            split(t, &part, &g, place);
        advance(&part, observe_group(t, &part, &g, place));
        if (t->weight >= t->length)
            sl_interval_end(t);
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
    if (t->form != SL_INTERVAL_AVX512 || !batch->value || batch->names->n > t->names_hashed) {
        observe_part(t, rest, NULL);
        return;
    }
    while (rest.n) {
        struct sl_interval_hashes hashes;
        struct sl_batch chunk = rest;
        chunk.n = at_most(rest.n, SL_INTERVAL_CHUNK);
        sl_interval_hash_avx512(t, &chunk, &hashes);
        observe_part(t, chunk, &hashes);
        advance(&rest, chunk.n);
    }
}

/* ---- forms --------------------------------------------------------------- */

bool sl_interval_force_form(struct sl_interval_table *t, enum sl_interval_form form)
{
    if (form != SL_INTERVAL_PLAIN && (!t->packed || t->approximate.stands_for))
        return false;
    if (form >= SL_INTERVAL_AVX2 && !sl_interval_has_avx2())
        return false;
    if (form >= SL_INTERVAL_AVX512 && (!sl_interval_has_avx512() || t->config.word != 64))
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
