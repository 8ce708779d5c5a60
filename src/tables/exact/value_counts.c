/* SPDX-License-Identifier: MIT */
/* Implementation of the wide value table, which counts <instruction, value> tuples: counting,
 * growth, spilling to disk and results. value_counts.h describes the table. */
#include "value_counts.h"

#include <stdlib.h>

#include "grow.h"
#include "hash.h"
#include "pages.h"
#include "resources.h"

#define SLOTS_LEAST (8 * (uint64_t)SL_SPILL_RUNS) /* of a table that spills */
#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* tables below this size double */
#define AHEAD 32u                         /* prefetch distance, in events */
#define FAR 1024u                         /* slots from home; random input never gets there */
#define SECRETS 4u                        /* rehashes, at most */
#define RELEASE (UINT64_C(1) << 18)       /* slots freed at a time */

static inline uint64_t hash_of(uint64_t secret, uint32_t insn, uint64_t value)
{
    return __builtin_expect(secret != 0, 0) ? sl_mix(value ^ sl_mix(insn ^ secret))
                                            : sl_value_hash(insn, value);
}

static inline uint64_t home_of(uint64_t hash, uint64_t n_slots)
{
    return (uint64_t)((unsigned __int128)hash * n_slots >> 64);
}

/* Returns the slot of a tuple, or the empty slot where it would be stored. */
static inline struct sl_value_slot *probe(struct sl_value_slot *slot, uint64_t n_slots,
                                          uint64_t hash, uint32_t insn, uint64_t value)
{
    for (uint64_t at = home_of(hash, n_slots);; at = at + 1 == n_slots ? 0 : at + 1) {
        struct sl_value_slot *s = &slot[at];
        if ((s->value == value && s->packed >> SL_VALUE_COUNT_BITS == insn + UINT64_C(1)) ||
            !s->packed)
            return s;
    }
}

/* ---- growing ---- */

static struct sl_value_slot *allocate(uint64_t n)
{
    return sl_pages_new(n * sizeof(struct sl_value_slot));
}

static void release(struct sl_value_slot *slot, uint64_t n)
{
    sl_pages_free(slot, n * sizeof *slot);
}

/* Doubles or grows by half, limited by memory_bytes. Returns 0 if less than 1/16 can be added. */
static uint64_t next_size(const struct sl_value_counts *c)
{
    uint64_t capacity = c->memory_bytes / sizeof *c->slot;
    uint64_t more = c->n_slots < SLOTS_DOUBLED ? c->n_slots : c->n_slots / 2;
    uint64_t n = c->n_slots ? c->n_slots + more : SLOTS_FIRST;
    if (n <= capacity)
        return n;
    if (!c->n_slots && c->spill)
        return capacity > SLOTS_LEAST ? capacity : SLOTS_LEAST;
    return c->n_slots && capacity >= c->n_slots + c->n_slots / 16 ? capacity : 0;
}

/* Moves the first n_old slots to a new table of n slots, by the hash with this key. Returns false,
 * with nothing changed, if n is 0 or memory is out. */
static bool move_slots(struct sl_value_counts *c, uint64_t n_old, uint64_t n, uint64_t secret)
{
    struct sl_value_slot *to = n ? allocate(n) : NULL;
    uint64_t freed = 0;
    if (!to)
        return false;
    for (uint64_t i = 0; i < n_old; i++) {
        const struct sl_value_slot *s = &c->slot[i];
        uint32_t insn = sl_value_insn(s);
        if (s->packed)
            *probe(to, n, hash_of(secret, insn, s->value), insn, s->value) = *s;
        if ((i + 1) % RELEASE == 0) {
            release(c->slot + freed, RELEASE);
            freed += RELEASE;
        }
    }
    release(c->slot + freed, c->n_slots - freed);
    c->slot = to;
    c->n_slots = n;
    c->n_most = n / 4 * 3;
    c->secret = secret;
    return true;
}

/* ---- counting ---- */

static void drop(struct sl_value_counts *c, uint64_t times, uint64_t weight)
{
    c->drops += times;
    c->drops_weight += weight;
}

static struct sl_entry *find_carry(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    for (size_t i = 0; i < c->n_carries; i++)
        if (c->carry[i].tuple.pc == insn && c->carry[i].tuple.value == value)
            return &c->carry[i];
    return NULL;
}

static void carry_over(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t count)
{
    struct sl_entry *carry = find_carry(c, insn, value);
    if (carry)
        carry->count += count;
    else if (!SL_GROW(c->carry, c->carries_capacity, c->n_carries + 1))
        drop(c, 1, count);
    else
        c->carry[c->n_carries++] = (struct sl_entry){.tuple = {insn, value}, .count = count};
}

/* ---- spilling ---- */

/* Turns the table into a sorted array. */
static void sort_slots(struct sl_value_counts *c)
{
    uint64_t n = 0;
    if (c->is_sorted)
        return;
    for (uint64_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].packed)
            c->slot[n++] = c->slot[i];
    sl_spill_sort(c->slot, n);
    c->is_sorted = true;
}

static bool carry_tuple(void *context, const struct sl_value_slot *tuple, uint64_t count)
{
    carry_over(context, sl_value_insn(tuple), tuple->value, count);
    return true;
}

/* Writes the table to disk as a run, and empties it. Returns false if that fails. */
static bool spill(struct sl_value_counts *c)
{
    if (!c->spill || c->spill->error || !c->n_slots)
        return false;
    sort_slots(c);
    struct sl_value_slot *unused = c->slot + c->n_used;
    if (!sl_spill_compact_runs(c->spill, unused, c->n_slots - c->n_used, carry_tuple, c) ||
        !sl_spill_add(c->spill, c->slot, c->n_used))
        return false;
    release(c->slot, c->n_slots);
    if (!(c->slot = allocate(c->n_slots))) {
        c->n_slots = c->n_most = 0;
        c->full = true;
    }
    c->n_used = 0;
    c->is_sorted = false;
    return c->slot;
}

/* Makes the sorted array a hash table again: an empty one if it can be spilled. Returns false if
 * out of memory. */
static bool rebuild(struct sl_value_counts *c)
{
    if (spill(c))
        return true;
    c->is_sorted = !move_slots(c, c->n_used, c->n_slots, c->secret);
    return !c->is_sorted;
}

/* Returns false if no tuple can be added any more. */
static bool make_space(struct sl_value_counts *c)
{
    if (c->full)
        return false;
    if (move_slots(c, c->n_slots, next_size(c), c->secret) || spill(c))
        return true;
    c->full = true;
    if (c->is_sorted)
        rebuild(c);
    return false;
}

/* Rehashes with a new random key. Returns false after SECRETS of them, or if out of memory. */
static bool rehash(struct sl_value_counts *c)
{
    if (c->n_secrets >= SECRETS || !move_slots(c, c->n_slots, c->n_slots, sl_random_key() | 1))
        return false;
    c->n_secrets++;
    return true;
}

static bool is_far(const struct sl_value_counts *c, uint64_t hash, const struct sl_value_slot *s)
{
    uint64_t at = (uint64_t)(s - c->slot), home = home_of(hash, c->n_slots);
    return (at < home ? at + c->n_slots : at) - home > FAR;
}

/* Adds a tuple that is not in the table. Returns its slot, with a count of 0, or NULL if it does
 * not fit. */
static struct sl_value_slot *add(struct sl_value_counts *c, uint64_t hash, uint32_t insn,
                                 uint64_t value)
{
    if (insn > SL_VALUE_INSN_MAX)
        return NULL;
    if (c->n_used >= c->n_most && !make_space(c))
        return NULL;
    struct sl_value_slot *s = probe(c->slot, c->n_slots, hash, insn, value);
    while (is_far(c, hash, s) && rehash(c)) {
        hash = hash_of(c->secret, insn, value);
        s = probe(c->slot, c->n_slots, hash, insn, value);
    }
    *s = (struct sl_value_slot){value, (insn + UINT64_C(1)) << SL_VALUE_COUNT_BITS};
    c->n_used++;
    return s;
}

static inline void count_one(struct sl_value_counts *c, uint32_t insn, uint64_t value,
                             uint64_t times, uint64_t weight)
{
    if (__builtin_expect(c->is_sorted, 0)) { /* rebuild() was out of memory */
        drop(c, times, weight);
        return;
    }
    uint64_t hash = hash_of(c->secret, insn, value);
    struct sl_value_slot *s = c->n_slots ? probe(c->slot, c->n_slots, hash, insn, value) : NULL;
    if (__builtin_expect(!s || !s->packed, 0) && !(s = add(c, hash, insn, value))) {
        drop(c, times, weight);
        return;
    }
    uint64_t sum = sl_value_count(s) + weight;
    if (__builtin_expect(sum > SL_VALUE_COUNT_MAX, 0)) {
        carry_over(c, insn, value, sum);
        sum = 0;
    }
    sl_value_set_count(s, sum);
}

void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch)
{
    const uint32_t *insn = batch->tuple_id;
    const uint64_t *value = batch->value;
    if (c->is_sorted)
        rebuild(c);
    for (size_t i = 0, next = AHEAD; i < batch->n; i++, next++) {
        if (next < batch->n)
            __builtin_prefetch(
                &c->slot[home_of(hash_of(c->secret, insn[next], value[next]), c->n_slots)], 1);
        count_one(c, insn[i], value[i], 1, batch->weight ? batch->weight[i] : 1);
    }
}

void sl_value_counts_add(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t times,
                         uint64_t weight)
{
    count_one(c, insn, value, times, weight);
}

bool sl_value_counts_have_capacity(const struct sl_value_counts *c, uint64_t n)
{
    uint64_t capacity = c->memory_bytes / sizeof *c->slot;
    bool grows = !c->full && capacity >= c->n_slots + c->n_slots / 16;
    return c->n_used + n <= (grows ? capacity : c->n_slots) / 4 * 3;
}

/* ---- results ---- */

bool sl_value_counts_find(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    return c->n_slots &&
           probe(c->slot, c->n_slots, hash_of(c->secret, insn, value), insn, value)->packed;
}

static uint64_t carried(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    const struct sl_entry *carry = find_carry(c, insn, value);
    return carry ? carry->count : 0;
}

uint64_t sl_value_counts_of(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    if (!c->n_slots)
        return 0;
    const struct sl_value_slot *s = probe(c->slot, c->n_slots, hash_of(c->secret, insn, value),
                                          insn, value);
    return s->packed ? sl_value_count(s) + carried(c, insn, value) : 0;
}

struct draining {
    const struct sl_value_counts *counts;
    const struct sl_tuple_names *names;
    bool (*emit)(void *context, const struct sl_entry *entry);
    void *context;
};

static bool emit_tuple(void *context, const struct sl_value_slot *tuple, uint64_t count)
{
    const struct draining *d = context;
    uint32_t insn = sl_value_insn(tuple);
    count += carried(d->counts, insn, tuple->value);
    struct sl_entry entry = {
        .tuple = {d->names->pc[insn], tuple->value}, .count = count, .low = count, .high = count};
    return d->emit(d->context, &entry);
}

static bool merge(struct sl_value_counts *c, sl_spill_sink *take, void *context)
{
    sort_slots(c);
    return sl_spill_merge(c->spill, c->slot, c->n_used, c->slot + c->n_used, c->n_slots - c->n_used,
                          take, context);
}

bool sl_value_counts_drain(struct sl_value_counts *c, const struct sl_tuple_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct draining d = {c, names, emit, context};
    if (c->spill && c->spill->n_runs)
        return merge(c, emit_tuple, &d);
    for (uint64_t i = 0; i < (c->is_sorted ? c->n_used : c->n_slots); i++)
        if (c->slot[i].packed && !emit_tuple(&d, &c->slot[i], sl_value_count(&c->slot[i])))
            return false;
    return true;
}

static bool count_tuple(void *n, const struct sl_value_slot *tuple, uint64_t count)
{
    (void)tuple, (void)count;
    ++*(uint64_t *)n;
    return true;
}

uint64_t sl_value_counts_distinct(struct sl_value_counts *c)
{
    uint64_t n = 0;
    if (!c->spill || !c->spill->n_runs)
        return c->n_used;
    merge(c, count_tuple, &n);
    return n;
}

uint64_t sl_value_counts_bytes(const struct sl_value_counts *c)
{
    return c->n_slots * sizeof *c->slot;
}

void sl_value_counts_close(struct sl_value_counts *c)
{
    release(c->slot, c->n_slots);
    free(c->carry);
    if (c->spill)
        sl_spill_close(c->spill);
}
