/* SPDX-License-Identifier: MIT */
/* Component A<k> of a stream compressor: a fully associative table with exact counters of the k
 * most recently used tuples.
 *
 * Paper: the associative counter table of Sastry, Bodik, Smith, "Rapid Profiling via Stratified
 * Sampling", 2001, section 3.4. It changes the number of messages, never their sum for a tuple:
 *
 *     hit                            count and samples grow; the entry becomes most recently used
 *     hit that exceeds the counter   everything leaves as one message; the entry is free
 *     miss, the count is too wide    the message passes; the table does not change
 *     miss                           takes a free entry, or the least recently used one, which
 *                                    leaves as a message
 *
 * Departure: the paper sends a counter when it "reaches a maximum value"; here it is sent when it
 * would exceed its width, so that the full width is used.
 *
 * The hardware compares a tuple with all entries at once. The model has an index, chains of entries
 * in at least 2k buckets. The order of use is a ring of all entries through entry 0, which holds no
 * tuple and is also the end of every chain:
 *
 *     | k, n_used, ... | entry 0 | entry 1 | ... | entry k | bucket 0 | bucket 1 | ...
 *
 *     ring:  0 -> newest -> ... -> oldest -> empty -> ... -> empty -> 0     (older)
 *
 * Free entries are at the old end, so that the last entry is always the one to take; it holds a
 * message only if all k are used.
 *
 * Assumed: the count of a tuple stays below 2^64; all messages of a tuple have the same substream,
 * that of the hash. */
#include "compressor.h"

#include <assert.h>

#include "table.h"

struct entry {
    struct sl_tuple tuple;
    uint64_t count, samples;
    uint32_t stream;
    uint32_t newer, older;
    uint32_t chain; /* the next entry of the same bucket */
};

struct sl_associative {
    uint64_t count_max;
    uint32_t entries, n_used;
    unsigned bucket_bits; /* log2 of their number */
    struct entry entry[];
};

size_t sl_associative_bytes(uint64_t entries)
{
    return sizeof(struct sl_associative) + (size_t)(entries + 1) * sizeof(struct entry) +
           (sizeof(uint32_t) << sl_log2_up(2 * entries));
}

void sl_associative_init(struct sl_associative *a, uint64_t entries, unsigned counter_bits)
{
    assert(entries >= 1 && entries <= 65536 && counter_bits >= 1 && counter_bits <= 64);
    a->count_max = UINT64_MAX >> (64 - counter_bits);
    a->entries = (uint32_t)entries;
    a->bucket_bits = sl_log2_up(2 * entries);
    for (uint32_t i = 0; i <= a->entries; i++) {
        a->entry[i].older = i < a->entries ? i + 1 : 0;
        a->entry[i].newer = i ? i - 1 : a->entries;
    }
}

/* ---- the index ---- */

/* The highest bits of a product depend on all bits of its factors: where every event is
 * a message, a thorough mix would take a quarter of the time. */
static size_t bucket_index(const struct sl_associative *a, struct sl_tuple tuple)
{
    uint64_t mixed = tuple.pc * UINT64_C(0xd1b54a32d192ed03) ^ tuple.value;
    return (size_t)(mixed * UINT64_C(0x9e3779b97f4a7c15) >> (64 - a->bucket_bits));
}

static uint32_t *bucket_of(struct sl_associative *a, struct sl_tuple tuple)
{
    return (uint32_t *)(a->entry + a->entries + 1) + bucket_index(a, tuple);
}

/* The tuple's entry in the chain that begins with `first`, or 0. */
static uint32_t find(const struct sl_associative *a, uint32_t first, struct sl_tuple tuple)
{
    uint32_t i = first;
    while (i && !sl_tuple_same(a->entry[i].tuple, tuple))
        i = a->entry[i].chain;
    return i;
}

static void unchain(struct sl_associative *a, uint32_t i)
{
    uint32_t *link = bucket_of(a, a->entry[i].tuple);
    while (*link != i)
        link = &a->entry[*link].chain;
    *link = a->entry[i].chain;
}

/* ---- the order of use ---- */

/* Moves entry i after entry `newer`: after 0 it is the newest, after the oldest one the oldest. */
static void move_after(struct sl_associative *a, uint32_t i, uint32_t newer)
{
    struct entry *e = a->entry;
    if (i == newer)
        return;
    e[e[i].newer].older = e[i].older;
    e[e[i].older].newer = e[i].newer;
    e[i].newer = newer;
    e[i].older = e[newer].older;
    e[e[i].older].newer = i;
    e[newer].older = i;
}

/* ---- messages ---- */

static struct sl_message message_of(const struct entry *e)
{
    return (struct sl_message){e->tuple, e->count, e->samples, e->stream};
}

bool sl_associative_add(struct sl_associative *a, const struct sl_message *message,
                        struct sl_message *out)
{
    uint32_t *bucket = bucket_of(a, message->tuple), i = find(a, *bucket, message->tuple);
    struct entry *e = &a->entry[i];
    if (i) {
        bool fits = message->count <= a->count_max && e->count <= a->count_max - message->count;
        e->count += message->count;
        e->samples += message->samples;
        move_after(a, i, fits ? 0 : a->entry[0].newer);
        if (fits)
            return false;
        *out = message_of(e);
        unchain(a, i);
        a->n_used--;
        return true;
    }
    if (message->count > a->count_max) {
        *out = *message;
        return true;
    }
    bool full = a->n_used == a->entries;
    i = a->entry[0].newer;
    e = &a->entry[i];
    if (full) {
        *out = message_of(e);
        unchain(a, i);
    } else {
        a->n_used++;
    }
    e->tuple = message->tuple;
    e->count = message->count;
    e->samples = message->samples;
    e->stream = message->stream;
    e->chain = *bucket;
    *bucket = i;
    move_after(a, i, 0);
    return full;
}

bool sl_associative_each(const struct sl_associative *a,
                         bool (*each)(void *context, const struct sl_message *resident),
                         void *context)
{
    uint32_t i = 0;
    for (uint32_t n = a->entries - a->n_used + 1; n; n--)
        i = a->entry[i].newer;
    for (; i; i = a->entry[i].newer) {
        struct sl_message resident = message_of(&a->entry[i]);
        if (!each(context, &resident))
            return false;
    }
    return true;
}

bool sl_associative_find(const struct sl_associative *a, struct sl_tuple tuple,
                         struct sl_message *resident)
{
    const uint32_t *bucket = (const uint32_t *)(a->entry + a->entries + 1);
    uint32_t i = find(a, bucket[bucket_index(a, tuple)], tuple);
    if (i)
        *resident = message_of(&a->entry[i]);
    return i != 0;
}

uint64_t sl_associative_residue(const struct sl_associative *a)
{
    uint64_t sum = 0;
    for (uint32_t i = a->entry[0].older, n = a->n_used; n; n--, i = a->entry[i].older)
        sum += a->entry[i].count;
    return sum;
}
