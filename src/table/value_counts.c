/* Counts of tuples with values: value_counts.h says how they are kept. */
#include "value_counts.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "grow.h"

#define COUNT_BITS 40
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define INSN_MAX ((UINT32_C(1) << 24) - 2)
#define SLOTS_FIRST (UINT64_C(1) << 14)
#define SLOTS_DOUBLED (UINT64_C(1) << 22) /* up to here, where memory does not matter */
#define AHEAD 32u                     /* events that memory is asked before it is needed */
#define RELEASE (UINT64_C(1) << 18)   /* slots that are given back at a time */

static inline uint64_t hash_of(uint32_t insn, uint64_t value)
{
    /* Every bit of the product's highest bytes, which say where a tuple's home is, depends on
     * all of the input (doubles differ in their high bits only). */
    return (value ^ (uint64_t)insn << 40 ^ insn) * UINT64_C(0x9e3779b97f4a7c15);
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
        if ((s->value == value && s->packed >> COUNT_BITS == insn + UINT64_C(1)) || !s->packed)
            return s;
    }
}

/* ---- growing -------------------------------------------------------------- */

static struct sl_value_slot *allocate(uint64_t n)
{
    size_t bytes = n * sizeof(struct sl_value_slot);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static void release(struct sl_value_slot *slot, uint64_t n)
{
    if (n)
        munmap(slot, n * sizeof *slot);
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
    return c->n_slots && room >= c->n_slots + c->n_slots / 16 ? room : 0;
}

/* A table that is filled in the order of hashes, nearly: slots from `start` on and before
 * `next` are taken. */
struct filling {
    struct sl_value_slot *slot;
    uint64_t n_slots, start, next;
};

/* What comes in order goes to its home or, where that is taken, behind the last one, without a
 * search. What does not (the last of a table may be in its first slots) is put where a search
 * finds room; that may be in the way of others, which then do the same. */
static inline void move(struct filling *f, const struct sl_value_slot *s)
{
    uint32_t insn = (uint32_t)(s->packed >> COUNT_BITS) - 1;
    uint64_t hash = hash_of(insn, s->value), home = home_of(hash, f->n_slots);
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
    struct filling filling = {larger, n, 0, 0};
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

/* ---- counting ------------------------------------------------------------- */

static void drop(struct sl_value_counts *c, uint64_t weight)
{
    c->drops++;
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
        drop(c, count);
        return;
    }
    c->carry[c->n_carries++] = (struct sl_entry){.tuple = {insn, value}, .count = count};
}

/* An empty slot for a new tuple, or NULL if there is no room for it. */
static struct sl_value_slot *add(struct sl_value_counts *c, uint64_t hash, uint32_t insn,
                                 uint64_t value)
{
    if (insn > INSN_MAX)
        return NULL;
    if (c->n_used >= c->n_most) {
        c->full = c->full || !grow(c);
        if (c->full)
            return NULL;
    }
    struct sl_value_slot *s = probe(c->slot, c->n_slots, hash, insn, value);
    *s = (struct sl_value_slot){value, (insn + UINT64_C(1)) << COUNT_BITS};
    c->n_used++;
    return s;
}

static inline void count_one(struct sl_value_counts *c, uint64_t hash, uint32_t insn,
                             uint64_t value, uint64_t weight)
{
    struct sl_value_slot *s = c->n_slots ? probe(c->slot, c->n_slots, hash, insn, value) : NULL;
    if (__builtin_expect(!s || !s->packed, 0) && !(s = add(c, hash, insn, value))) {
        drop(c, weight);
        return;
    }
    uint64_t sum = (s->packed & COUNT_MASK) + weight;
    if (__builtin_expect(sum > COUNT_MASK, 0)) {
        carry_over(c, insn, value, sum);
        sum = 0;
    }
    s->packed = (s->packed & ~COUNT_MASK) | sum;
}

/* Hashes event i, and asks for the line of its home. */
static inline void look_ahead(const struct sl_value_counts *c, const struct sl_batch *batch,
                              size_t i, uint64_t *hash)
{
    hash[i % AHEAD] = hash_of(batch->number[i], batch->value[i]);
    __builtin_prefetch(&c->slot[home_of(hash[i % AHEAD], c->n_slots)], 1);
}

void sl_value_counts_observe(struct sl_value_counts *c, const struct sl_batch *batch)
{
    uint64_t hash[AHEAD];
    for (size_t i = 0; i < batch->n && i < AHEAD; i++)
        look_ahead(c, batch, i, hash);
    for (size_t i = 0; i < batch->n; i++) {
        uint64_t this_hash = hash[i % AHEAD];
        if (i + AHEAD < batch->n)
            look_ahead(c, batch, i + AHEAD, hash);
        count_one(c, this_hash, batch->number[i], batch->value[i],
                  batch->weight ? batch->weight[i] : 1);
    }
}

/* ---- results -------------------------------------------------------------- */

static uint64_t carried(const struct sl_value_counts *c, uint32_t insn, uint64_t value)
{
    for (size_t i = 0; i < c->n_carries; i++)
        if (c->carry[i].tuple.pc == insn && c->carry[i].tuple.value == value)
            return c->carry[i].count;
    return 0;
}

bool sl_value_counts_drain(const struct sl_value_counts *c, const struct sl_names *names,
                           bool (*emit)(void *context, const struct sl_entry *entry),
                           void *context)
{
    for (uint64_t i = 0; i < c->n_slots; i++) {
        const struct sl_value_slot *s = &c->slot[i];
        if (!s->packed)
            continue;
        uint32_t insn = (uint32_t)(s->packed >> COUNT_BITS) - 1;
        uint64_t count = (s->packed & COUNT_MASK) + carried(c, insn, s->value);
        struct sl_entry entry = {.tuple = {names->pc[insn], s->value}, .count = count,
                                 .low = count, .high = count};
        if (!emit(context, &entry))
            return false;
    }
    return true;
}

uint64_t sl_value_counts_bytes(const struct sl_value_counts *c)
{
    return c->n_slots * sizeof *c->slot;
}

void sl_value_counts_close(struct sl_value_counts *c)
{
    release(c->slot, c->n_slots);
    free(c->carry);
}
