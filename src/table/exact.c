/* The exact table: every tuple with its count. The reference for all others.
 *
 * Tuples with static words have dense numbers: an array of counts, one increment
 * an event. Tuples with a value that comes along, <instruction, value>, are in a
 * hash table with linear probing, at most 5/8 full, doubled as it fills:
 *
 *     slot:  | value (64) | instruction + 1 (24) | count (40) |
 *
 * so that a look-up touches one cache line. A count that outgrows its 40 bits
 * is carried into a list beside the table; instructions beyond 2^24 - 2 cannot
 * be kept and are dropped.
 *
 * Looking up is bound by memory. So a batch is worked on in small groups: first
 * the hashes of a group are computed and their lines prefetched, then the group
 * is counted. And the table is in huge pages where the system has them.
 *
 * The table grows up to the memory it was given. Then it keeps what it has: known
 * tuples go on being counted, new ones are dropped, and counted as such.
 *
 * Assumed: counts and weights stay below 2^63 in all. */
#include <stdlib.h>
#include <sys/mman.h>

#include "grow.h"
#include "table.h"

#define COUNT_BITS 40
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define INSN_MAX ((UINT32_C(1) << 24) - 2)
#define SLOTS_FIRST (UINT64_C(1) << 14)
#define GROUP 32u

struct slot {
    uint64_t value;
    uint64_t packed;
};

struct exact {
    uint64_t memory_bytes;
    uint64_t events, weight, drops, drops_weight;
    /* Static tuples. */
    uint64_t *count;
    size_t n_counts, room_counts;
    /* Tuples with values. */
    struct slot *slot;
    uint64_t n_slots, n_used;
    struct sl_entry *carry; /* tuple.pc is the instruction's number */
    size_t n_carries, room_carries;
    bool full;
};

static size_t size(const void *config, const struct sl_table_host *host)
{
    (void)config, (void)host;
    return sizeof(struct exact);
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct exact *e = state;
    (void)config, (void)f;
    *e = (struct exact){.memory_bytes = host->memory_bytes};
    return 0;
}

/* ---- static tuples ------------------------------------------------------- */

static void drop(struct exact *e, uint64_t weight)
{
    e->drops++;
    e->drops_weight += weight;
}

/* Makes room for `n` static tuples, as far as memory allows. */
static void make_counts(struct exact *e, size_t n)
{
    if (e->n_counts >= n || e->full)
        return;
    uint64_t room = e->memory_bytes / sizeof *e->count;
    size_t wanted = n <= room ? n : (size_t)room;
    e->full = wanted < n;
    if (SL_GROW(e->count, e->room_counts, wanted))
        e->n_counts = wanted;
    else
        e->full = true;
}

static void observe_static(struct exact *e, const struct sl_batch *batch)
{
    size_t n = batch->n;
    make_counts(e, batch->names->n);
    uint64_t *count = e->count;
    if (e->full) {
        for (size_t i = 0; i < n; i++) {
            uint64_t weight = batch->weight ? batch->weight[i] : 1;
            if (batch->number[i] < e->n_counts)
                count[batch->number[i]] += weight;
            else
                drop(e, weight);
        }
    } else if (batch->weight) {
        for (size_t i = 0; i < n; i++)
            count[batch->number[i]] += batch->weight[i];
    } else {
        for (size_t i = 0; i < n; i++)
            count[batch->number[i]]++;
    }
}

/* ---- tuples with values -------------------------------------------------- */

static inline uint64_t hash_of(uint32_t insn, uint64_t value)
{
    /* Every bit of the product's highest byte depends on all of the input (doubles
     * differ in their high bits only), so that byte goes to where the mask takes. */
    return __builtin_bswap64((value ^ (uint64_t)insn << 40 ^ insn) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The slot of a tuple, or the empty one where it would go. */
static inline struct slot *probe(struct slot *slot, uint64_t mask, uint64_t hash, uint32_t insn,
                                 uint64_t value)
{
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
        struct slot *s = &slot[at];
        if ((s->value == value && s->packed >> COUNT_BITS == insn + UINT64_C(1)) || !s->packed)
            return s;
    }
}

static struct slot *allocate(uint64_t n)
{
    size_t bytes = n * sizeof(struct slot);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static void release(struct slot *slot, uint64_t n)
{
    if (slot)
        munmap(slot, n * sizeof *slot);
}

static bool grow(struct exact *e)
{
    uint64_t n = e->n_slots ? 2 * e->n_slots : SLOTS_FIRST;
    /* While moving, the old table is there too. */
    if ((n + e->n_slots) * sizeof *e->slot > e->memory_bytes)
        return false;
    struct slot *bigger = allocate(n);
    if (!bigger)
        return false;
    for (uint64_t i = 0; i < e->n_slots; i++) {
        const struct slot *s = &e->slot[i];
        if (!s->packed)
            continue;
        uint32_t insn = (uint32_t)(s->packed >> COUNT_BITS) - 1;
        *probe(bigger, n - 1, hash_of(insn, s->value), insn, s->value) = *s;
    }
    release(e->slot, e->n_slots);
    e->slot = bigger;
    e->n_slots = n;
    return true;
}

/* Makes room for `n` new tuples, if memory allows. */
static void make_room(struct exact *e, uint64_t n)
{
    while (!e->full && 8 * (e->n_used + n) > 5 * e->n_slots)
        if (!grow(e))
            e->full = true;
}

static void carry_over(struct exact *e, uint32_t insn, uint64_t value, uint64_t count)
{
    for (size_t i = 0; i < e->n_carries; i++) {
        struct sl_entry *entry = &e->carry[i];
        if (entry->tuple.pc == insn && entry->tuple.value == value) {
            entry->count += count;
            return;
        }
    }
    if (!SL_GROW(e->carry, e->room_carries, e->n_carries + 1)) {
        drop(e, count);
        return;
    }
    e->carry[e->n_carries++] = (struct sl_entry){.tuple = {insn, value}, .count = count};
}

static inline void count_one(struct exact *e, uint64_t hash, uint32_t insn, uint64_t value,
                             uint64_t weight)
{
    struct slot *s = probe(e->slot, e->n_slots - 1, hash, insn, value);
    if (__builtin_expect(!s->packed, 0)) {
        /* A full table keeps the rest empty, so that probing ends soon. */
        if (insn > INSN_MAX || (e->full && 8 * e->n_used >= 5 * e->n_slots)) {
            drop(e, weight);
            return;
        }
        *s = (struct slot){value, (insn + UINT64_C(1)) << COUNT_BITS};
        e->n_used++;
    }
    uint64_t sum = (s->packed & COUNT_MASK) + weight;
    if (__builtin_expect(sum > COUNT_MASK, 0)) {
        carry_over(e, insn, value, sum);
        sum = 0;
    }
    s->packed = (s->packed & ~COUNT_MASK) | sum;
}

static void observe_values(struct exact *e, const struct sl_batch *batch)
{
    for (size_t done = 0; done < batch->n; done += GROUP) {
        size_t n = batch->n - done < GROUP ? batch->n - done : GROUP;
        const uint32_t *insn = batch->number + done;
        const uint64_t *value = batch->value + done;
        uint64_t hash[GROUP];
        make_room(e, n);
        if (!e->n_slots) {
            for (size_t i = 0; i < n; i++)
                drop(e, batch->weight ? batch->weight[done + i] : 1);
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            hash[i] = hash_of(insn[i], value[i]);
            __builtin_prefetch(&e->slot[hash[i] & (e->n_slots - 1)], 1);
        }
        for (size_t i = 0; i < n; i++)
            count_one(e, hash[i], insn[i], value[i], batch->weight ? batch->weight[done + i] : 1);
    }
}

static void observe(void *state, const struct sl_batch *batch)
{
    struct exact *e = state;
    e->events += batch->n;
    if (batch->weight)
        for (size_t i = 0; i < batch->n; i++)
            e->weight += batch->weight[i];
    else
        e->weight += batch->n;
    if (batch->value)
        observe_values(e, batch);
    else
        observe_static(e, batch);
}

/* The instruction goes by its number, not by its address. */
static void step(void *state, const struct sl_event *event)
{
    struct sl_names names = {.n = (size_t)event->number + 1};
    struct sl_batch batch = {1, &event->number, &event->tuple.value, &event->weight, &names,
                             NULL, event->thread};
    observe(state, &batch);
}

/* ---- results ------------------------------------------------------------- */

static uint64_t carried(const struct exact *e, uint32_t insn, uint64_t value)
{
    for (size_t i = 0; i < e->n_carries; i++)
        if (e->carry[i].tuple.pc == insn && e->carry[i].tuple.value == value)
            return e->carry[i].count;
    return 0;
}

static bool emit_exact(struct sl_tuple tuple, uint64_t count,
                       bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    struct sl_entry entry = {.tuple = tuple, .count = count, .low = count, .high = count};
    return emit(context, &entry);
}

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct exact *e = state;
    for (size_t i = 0; i < e->n_counts; i++) {
        struct sl_tuple tuple = {names->pc[i], names->value ? names->value[i] : 0};
        if (e->count[i] && !emit_exact(tuple, e->count[i], emit, context))
            return;
    }
    for (uint64_t i = 0; i < e->n_slots; i++) {
        const struct slot *s = &e->slot[i];
        if (!s->packed)
            continue;
        uint32_t insn = (uint32_t)(s->packed >> COUNT_BITS) - 1;
        uint64_t count = (s->packed & COUNT_MASK) + carried(e, insn, s->value);
        if (!emit_exact((struct sl_tuple){names->pc[insn], s->value}, count, emit, context))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct exact *e = state;
    *out = (struct sl_table_status){.events = e->events,
                                    .weight = e->weight,
                                    .drops = e->drops,
                                    .drops_weight = e->drops_weight,
                                    .bounds = e->drops ? SL_BOUNDS_NONE : SL_BOUNDS_CERTAIN,
                                    .distinct = e->n_used};
    /* What the tuples need. How far the arrays have grown also depends on how the
     * events came in batches, which is not the same in every run. */
    uint64_t n_static = 0, slots = e->n_used ? SLOTS_FIRST : 0;
    for (size_t i = 0; i < e->n_counts; i++)
        n_static += e->count[i] != 0;
    while (8 * e->n_used > 5 * slots)
        slots *= 2;
    out->distinct += n_static;
    out->storage_bits = 8 * (n_static * sizeof *e->count + slots * sizeof *e->slot);
    if (e->drops)
        snprintf(out->note, sizeof out->note,
                 "the exact table reached its share of memory (%.1f MB) and kept what it had: "
                 "%llu events of tuples it had not seen before are not in it",
                 (double)e->memory_bytes / 1e6, (unsigned long long)e->drops);
}

static void close_exact(void *state)
{
    struct exact *e = state;
    free(e->count);
    release(e->slot, e->n_slots);
    free(e->carry);
}

const struct sl_table_kind sl_table_exact = {
    .name = "exact",
    .summary = "every tuple with its count; grows as far as memory lets it",
    .storage = "64 bits a static tuple; 128 bits a slot, at most 5/8 of them used, for values",
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
    .close = close_exact,
};
