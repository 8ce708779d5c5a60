/* SPDX-License-Identifier: MIT */
/* Counts of tuples with values: value_counts.h says how they are kept. */
#include "value_counts.h"

#include <stdlib.h>

#include "grow.h"
#include "hash.h"
#include "pages.h"
#include "unforeseen.h"
#include "value_spill.h"

#define SLOTS_LEAST (8 * (uint64_t)SL_SPILL_RUNS) /* of a table that spills */
#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* up to here, where memory does not matter */
#define AHEAD 32u                         /* events that memory is asked before it is needed */
#define FAR 1024u                         /* from home: by chance, nobody gets there */
#define SECRETS 4u                        /* that are tried */
#define RELEASE (UINT64_C(1) << 18)       /* slots that are given back at a time */

/* The known hash until somebody has chosen values that collide by it; from then on one by a secret.
 */
static inline uint64_t hash_of(uint64_t secret, uint32_t insn, uint64_t value)
{
    return __builtin_expect(secret != 0, 0) ? sl_mix(value ^ sl_mix(insn ^ secret))
                                            : sl_value_hash(insn, value);
}

static inline uint64_t home_of(uint64_t hash, uint64_t n_slots)
{
    return (uint64_t)((unsigned __int128)hash * n_slots >> 64);
}

/* The slot of a tuple, or the empty one where it would go. */
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

/* Twice as large, then half as large again, or what memory allows; 0 if that is not worth the
 * walk. */
static uint64_t next_size(const struct sl_value_counts *c)
{
    uint64_t room = c->memory_bytes / sizeof *c->slot;
    uint64_t more = c->n_slots < SLOTS_DOUBLED ? c->n_slots : c->n_slots / 2;
    uint64_t n = c->n_slots ? c->n_slots + more : SLOTS_FIRST;
    if (n <= room)
        return n;
    if (!c->n_slots && c->spill)
        return room > SLOTS_LEAST ? room : SLOTS_LEAST;
    return c->n_slots && room >= c->n_slots + c->n_slots / 16 ? room : 0;
}

/* A table that is filled in the order of hashes, nearly: slots from `start` on and before
 * `next` are taken. */
struct filling {
    struct sl_value_slot *slot;
    uint64_t n_slots, secret, start, next;
};

/* What comes in order goes to its home or, where that is taken, behind the last one, without a
 * search. What does not (the last of a table may be in its first slots) is put where a search
 * finds room; that may be in the way of others, which then do the same. */
static inline void move(struct filling *f, const struct sl_value_slot *s)
{
    uint32_t insn = sl_value_insn(s);
    uint64_t hash = hash_of(f->secret, insn, s->value), home = home_of(hash, f->n_slots);
    uint64_t at = home < f->next ? f->next : home;
    bool far = home > f->next + f->n_slots / 2;
    if (__builtin_expect(home < f->start || far || at >= f->n_slots || f->slot[at].packed, 0)) {
        *probe(f->slot, f->n_slots, hash, insn, s->value) = *s;
        return;
    }
    f->start = home <= f->next ? f->start : home;
    f->next = at + 1;
    f->slot[at] = *s;
}

static bool grow(struct sl_value_counts *c)
{
    uint64_t n = next_size(c), given_back = 0;
    struct sl_value_slot *larger = n ? allocate(n) : NULL;
    if (!larger)
        return false;
    struct filling filling = {larger, n, c->secret, 0, 0};
    for (uint64_t i = 0; i < c->n_slots; i++) {
        if (c->slot[i].packed)
            move(&filling, &c->slot[i]);
        if ((i + 1) % RELEASE == 0) {
            release(c->slot + given_back, RELEASE);
            given_back += RELEASE;
        }
    }
    release(c->slot + given_back, c->n_slots - given_back);
    c->slot = larger;
    c->n_slots = n;
    c->n_most = n / 4 * 3;
    return true;
}

/* ---- counting ---- */

static void drop(struct sl_value_counts *c, uint64_t times, uint64_t weight)
{
    c->drops += times;
    c->drops_weight += weight;
}

static void carry_over(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t count)
{
    for (size_t i = 0; i < c->n_carries; i++) {
        struct sl_entry *entry = &c->carry[i];
        if (entry->tuple.pc == insn && entry->tuple.value == value) {
            entry->count += count;
            return;
        }
    }
    if (!SL_GROW(c->carry, c->room_carries, c->n_carries + 1)) {
        drop(c, 1, count);
        return;
    }
    c->carry[c->n_carries++] = (struct sl_entry){.tuple = {insn, value}, .count = count};
}

/* ---- spilling ---- */

/* Puts all slots in use to the front, in order. */
static void settle(struct sl_value_counts *c)
{
    uint64_t n = 0;
    if (c->settled)
        return;
    for (uint64_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].packed)
            c->slot[n++] = c->slot[i];
    sl_spill_sort(c->slot, n);
    c->settled = true;
}

static bool carry_tuple(void *context, const struct sl_value_slot *tuple, uint64_t count)
{
    carry_over(context, sl_value_insn(tuple), tuple->value, count);
    return true;
}

/* Writes the table out, and empties it. */
static bool spill(struct sl_value_counts *c)
{
    if (!c->spill || c->spill->error || !c->n_slots)
        return false;
    settle(c);
    struct sl_value_slot *unused = c->slot + c->n_used;
    if (!sl_spill_make_room(c->spill, unused, c->n_slots - c->n_used, carry_tuple, c) ||
        !sl_spill_add(c->spill, c->slot, c->n_used))
        return false;
    release(c->slot, c->n_slots);
    if (!(c->slot = allocate(c->n_slots))) {
        c->n_slots = c->n_most = 0;
        c->full = true;
    }
    c->n_used = 0;
    c->settled = false;
    return c->slot;
}

/* Makes it a table again, or has it empty; false if there is none for lack of memory. */
static bool unsettle(struct sl_value_counts *c)
{
    if (spill(c))
        return true;
    struct sl_value_slot *again = allocate(c->n_slots);
    if (!again)
        return false;
    struct filling filling = {again, c->n_slots, c->secret, 0, 0};
    for (uint64_t i = 0; i < c->n_used; i++)
        move(&filling, &c->slot[i]);
    release(c->slot, c->n_slots);
    c->slot = again;
    c->settled = false;
    return true;
}

/* Makes space for another tuple. Where that cannot be, the table stays as it is. */
static bool make_space(struct sl_value_counts *c)
{
    if (c->full)
        return false;
    if (grow(c) || spill(c))
        return true;
    c->full = true;
    if (c->settled)
        unsettle(c);
    return false;
}

/* Gives everybody a new home by another secret, if there is memory for that. */
static bool rehash(struct sl_value_counts *c)
{
    struct sl_value_slot *again = c->n_secrets < SECRETS ? allocate(c->n_slots) : NULL;
    if (!again)
        return false;
    c->n_secrets++;
    c->secret = sl_unforeseen() | 1;
    for (const struct sl_value_slot *s = c->slot; s < c->slot + c->n_slots; s++)
        if (s->packed)
            *probe(again, c->n_slots, hash_of(c->secret, sl_value_insn(s), s->value),
                   sl_value_insn(s), s->value) = *s;
    release(c->slot, c->n_slots);
    c->slot = again;
    return true;
}

static bool is_far(const struct sl_value_counts *c, uint64_t hash, const struct sl_value_slot *s)
{
    uint64_t at = (uint64_t)(s - c->slot), home = home_of(hash, c->n_slots);
    return (at < home ? at + c->n_slots : at) - home > FAR;
}

/* An empty slot for a new tuple, or NULL if there is no room for it. */
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

static inline void count_one(struct sl_value_counts *c, uint64_t hash, uint32_t insn,
                             uint64_t value, uint64_t times, uint64_t weight)
{
    if (__builtin_expect(c->settled, 0)) { /* no table any more, and no memory to make it one */
        drop(c, times, weight);
        return;
    }
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

/* Hashes event i, and asks for the line of its home. */
static inline void look_ahead(const struct sl_value_counts *c, const struct sl_batch *batch,
                              size_t i, uint64_t *hash)
{
    hash[i % AHEAD] = hash_of(c->secret, batch->number[i], batch->value[i]);
    __builtin_prefetch(&c->slot[home_of(hash[i % AHEAD], c->n_slots)], 1);
}

/* All that it cannot count, as there is no table. */
static void drop_all(struct sl_value_counts *c, const struct sl_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++)
        drop(c, 1, batch->weight ? batch->weight[i] : 1);
}

void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch)
{
    if (c->settled && !unsettle(c)) {
        drop_all(c, batch);
        return;
    }
    uint64_t hash[AHEAD];
    for (size_t i = 0; i < batch->n && i < AHEAD; i++)
        look_ahead(c, batch, i, hash);
    for (size_t i = 0; i < batch->n; i++) {
        uint64_t this_hash = hash[i % AHEAD];
        if (i + AHEAD < batch->n)
            look_ahead(c, batch, i + AHEAD, hash);
        if (c->secret) /* which may be newer than the hash */
            this_hash = hash_of(c->secret, batch->number[i], batch->value[i]);
        count_one(c, this_hash, batch->number[i], batch->value[i], 1,
                  batch->weight ? batch->weight[i] : 1);
    }
}

void sl_value_counts_add(struct sl_value_counts *c, uint32_t insn, uint64_t value, uint64_t times,
                         uint64_t weight)
{
    count_one(c, hash_of(c->secret, insn, value), insn, value, times, weight);
}

bool sl_value_counts_has_room(const struct sl_value_counts *c, uint64_t n)
{
    uint64_t room = c->memory_bytes / sizeof *c->slot;
    bool grows = !c->full && room >= c->n_slots + c->n_slots / 16;
    return c->n_used + n <= (grows ? room : c->n_slots) / 4 * 3;
}

/* ---- results ---- */

bool sl_value_counts_find(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    return c->n_slots &&
           probe(c->slot, c->n_slots, hash_of(c->secret, insn, value), insn, value)->packed;
}

static uint64_t carried(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    for (size_t i = 0; i < c->n_carries; i++)
        if (c->carry[i].tuple.pc == insn && c->carry[i].tuple.value == value)
            return c->carry[i].count;
    return 0;
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
    const struct sl_names *names;
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

static bool merge(struct sl_value_counts *c, sl_spill_take *take, void *context)
{
    settle(c);
    return sl_spill_merge(c->spill, c->slot, c->n_used, c->slot + c->n_used, c->n_slots - c->n_used,
                          take, context);
}

bool sl_value_counts_drain(struct sl_value_counts *c, const struct sl_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct draining d = {c, names, emit, context};
    if (c->spill && c->spill->n_runs)
        return merge(c, emit_tuple, &d);
    for (uint64_t i = 0; i < (c->settled ? c->n_used : c->n_slots); i++)
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
