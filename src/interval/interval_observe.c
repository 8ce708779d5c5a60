/* The fast form of the interval profilers: equal to the step to the bit.
 *
 * Whether a tuple is in the accumulator is what a processor cannot predict. So a batch
 * is worked on in groups: first the whole group is looked up and split into hits and
 * misses, without branches; then the misses are hashed and their counters raised in order,
 * then the hits are counted:
 *
 *     look up:   h m m h h m h m          by the accumulator as the group finds it
 *     raise:       1 2     3   4          all tables of a tuple hashed at once (byte_hash.h)
 *     count:     1     2 3   4
 *
 * A look-up has two steps: a filter (the heads of the accumulator's chains, or what fits the
 * registers) says of most misses that they are some; the rest is compared one by one.
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

static size_t at_most(size_t n, size_t limit)
{
    return n < limit ? n : limit;
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

/* An event that is not in the accumulator. */
__attribute__((always_inline)) static inline void add_miss(struct sl_interval_group *g, size_t i,
                                                           uint64_t word, uint64_t value)
{
    g->miss[g->n_misses] = (uint8_t)i;
    g->word[g->n_misses] = word;
    g->value[g->n_misses++] = value;
}

/* The heads of chains are a filter: few of them have one. */
static void split_values(const struct sl_interval_table *t, const struct sl_batch *batch,
                         struct sl_interval_group *g, size_t from, size_t n)
{
    const struct sl_accumulator *a = &t->accumulator;
    const uint32_t *number = batch->number + from;
    const uint64_t *value = batch->value + from;
    uint16_t head[SL_INTERVAL_MASK];
    uint64_t word[SL_INTERVAL_MASK], maybe = 0;
    for (size_t i = 0; i < n; i++) {
        word[i] = name_word(t, batch, number[i], 0);
        head[i] = a->head[sl_accumulator_key(word[i], value[i]) >> a->head_shift];
        maybe |= (uint64_t)(head[i] != 0) << i;
    }
    uint64_t misses = ~maybe & UINT64_MAX >> (SL_INTERVAL_MASK - n);
    for (; maybe; maybe &= maybe - 1) {
        size_t i = (size_t)__builtin_ctzll(maybe);
        size_t slot = sl_interval_look_up(a, a->tuple, head[i], batch->names->pc[number[i]], value[i]);
        g->found[g->n_found] = (uint8_t)(from + i);
        g->slot[g->n_found++] = (uint16_t)slot;
        misses |= (uint64_t)!slot << i;
    }
    for (; misses; misses &= misses - 1) {
        size_t i = (size_t)__builtin_ctzll(misses);
        add_miss(g, from + i, word[i], value[i]);
    }
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
    size_t n_hits = 0, n_misses = 0;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t number = batch->number[i];
        size_t slot = number < t->names_kept ? t->name_slot[number] : 0;
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
                  struct sl_interval_group *g)
{
    g->n_found = g->n_misses = 0;
    if (by_avx512(t, batch))
        sl_interval_split_avx512(t, batch, g);
    else if (!batch->value)
        split_static(t, batch, g);
    else
        for (size_t from = 0; from < g->n; from += SL_INTERVAL_MASK)
            split_values(t, batch, g, from, at_most(g->n - from, SL_INTERVAL_MASK));
}

/* ---- hash ---------------------------------------------------------------- */

/* The names' parts of word w of the misses' hashes. */
static void take_words(const struct sl_interval_table *t, const struct sl_batch *batch,
                       const struct sl_interval_group *g, unsigned w, uint64_t *word)
{
    for (size_t j = 0; j < g->n_misses; j++)
        word[j] = name_word(t, batch, batch->number[g->miss[j]], w);
}

static void hash_misses(const struct sl_interval_table *t, const struct sl_batch *batch,
                        const struct sl_interval_group *g, sl_interval_places *place)
{
    uint64_t word[SL_INTERVAL_LIST];
    for (unsigned w = 0; w < t->words; w++) {
        take_words(t, batch, g, w, word);
        if (by_avx512(t, batch)) {
            sl_interval_hash_avx512(t, g->value, word, w, g->n_misses, place[w]);
            continue;
        }
        for (size_t j = 0; j < g->n_misses; j++) {
            uint64_t hash = word[j];
            if (batch->value)
                hash ^= sl_packed_value(&t->packed[w], g->value[j]);
            for (unsigned k = 0; k < SL_PACKED_FUNCTIONS; k++)
                place[w][j][k] = (uint16_t)(hash >> 16 * k);
        }
    }
}

/* Hashes the misses and raises their counters, as sl_interval_raise; in one where that is
 * faster. */
static size_t raise_misses(struct sl_interval_table *t, const struct sl_batch *batch,
                           const struct sl_interval_group *g, uint32_t *smallest)
{
    sl_interval_places place[SL_INTERVAL_WORDS];
    if (batch->value && t->config.tables == SL_PACKED_FUNCTIONS &&
        sl_interval_raises_units(t, batch->weight)) {
        if (t->form == SL_INTERVAL_PORTABLE)
            return sl_interval_count(t, g, smallest);
        return t->form == SL_INTERVAL_AVX512 ? sl_interval_count_avx512(t, g, smallest)
                                             : sl_interval_count_avx2(t, g, smallest);
    }
    hash_misses(t, batch, g, place);
    return sl_interval_raise(t, batch->weight, g, place, smallest);
}

/* ---- count --------------------------------------------------------------- */

/* Counts the first n of those that were found, and `done` events in all. */
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

/* Works on a group that has been split; how many of its events were done. */
static size_t observe_group(struct sl_interval_table *t, const struct sl_batch *batch,
                            const struct sl_interval_group *g)
{
    uint32_t smallest = 0, at[SL_BYTE_HASH_MAX];
    size_t j = raise_misses(t, batch, g, &smallest), before = 0;
    if (j == g->n_misses) {
        count_hits(t, batch->weight, g, g->n_found, g->n);
        return g->n;
    }
    size_t i = g->miss[j];
    struct sl_event event = {batch->value ? SL_NO_NUMBER : batch->number[i], tuple_at(batch, i),
                             weight_at(batch, i), NULL, 0, 0};
    while (before < g->n_found && g->found[before] < i)
        before++;
    count_hits(t, batch->weight, g, before, i + 1);
    sl_interval_find_counters(t, event.tuple, at);
    sl_interval_promote(t, &event, at, smallest);
    return i + 1;
}

static void observe_plainly(struct sl_interval_table *t, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct sl_event event = {batch->number[i], tuple_at(batch, i), weight_at(batch, i), NULL,
                                 0, 0};
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

void sl_interval_observe(void *state, const struct sl_batch *batch)
{
    struct sl_interval_table *t = state;
    struct sl_interval_group g;
    struct sl_batch rest = *batch;
    if (t->form == SL_INTERVAL_PLAIN) {
        observe_plainly(t, batch);
        return;
    }
    keep_names(t, batch);
    while (rest.n) {
        g.n = sl_interval_cut_at(t, rest.weight, at_most(rest.n, SL_INTERVAL_GROUP));
        split(t, &rest, &g);
        advance(&rest, observe_group(t, &rest, &g));
        if (t->weight >= t->length)
            sl_interval_end(t);
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
