/* SPDX-License-Identifier: MIT */
/* Unit tests of exact counts of load values, which are divided among several hash tables
 * (values.h). All tables together contain the same counts as a sorted list of the events, however
 * the events are divided into batches. Values that were chosen to collide in the hash table are
 * found as fast as others. */
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "support/placed_table.h"
#include "tap.h"
#include "values.h"

#define N 3000000u
#define N_INSNS 200u
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)  /* of the public hashes */
#define INVERSE UINT64_C(0xf1de83e19937733d) /* FACTOR * INVERSE = 1 */

static uint32_t tuple_id[N];
static uint64_t value[N], pc[N_INSNS];
static const struct sl_tuple_names names = {pc, NULL, N_INSNS};

/* Hot values, small values, addresses, and enough 64-bit values that not all get a number for their
 * upper halves. */
static void make_stream(void)
{
    uint64_t seed = 5;
    for (size_t i = 0; i < N_INSNS; i++)
        pc[i] = 0x400000 + 4 * i;
    for (size_t i = 0; i < N; i++) {
        uint64_t draw = sl_random_below(&seed, 10), random = sl_random_next(&seed);
        tuple_id[i] = (uint32_t)sl_random_below(&seed, N_INSNS);
        value[i] = draw < 4   ? 0
                   : draw < 6 ? random >> 54
                   : draw < 8 ? UINT64_C(0x7fff00000000) + (random >> 44)
                              : random >> (draw == 8 ? 45 : 0);
    }
}

/* Each load in its own way: up and down, in steps, at random, in steps of 8 that become steps of 4,
 * around the largest of 32 bits, in two positions far apart, mostly the same; and now and then what
 * is nowhere near. */
static void make_close_stream(void)
{
    uint64_t seed = 6;
    for (size_t i = 0; i < N; i++) {
        uint32_t at = (uint32_t)(i / 8), random = (uint32_t)sl_random_below(&seed, 100000);
        uint64_t far = sl_random_next(&seed);
        const uint32_t low[] = {at,
                                UINT32_MAX - at,
                                0x80000000 + 4096 * at,
                                random,
                                i < N / 2 ? 8 * random : 4 * random,
                                random - 50000,
                                i % 16 < 8 ? random : 0xc0000000 - random / 2,
                                random / 1000 * 77};
        tuple_id[i] = (uint32_t)(i % 8);
        value[i] = sl_random_below(&seed, 500) ? (uint64_t)tuple_id[i] % 3 << 32 | low[tuple_id[i]]
                                               : far >> far % 40;
    }
}

/* All loads get a span but for the last three: two are in two positions each, and one has few. */
static void spans_are_made(void)
{
    struct sl_values v = {.memory_bytes = UINT64_C(1) << 30};
    sl_values_observe(
        &v, &(struct sl_batch){.n = N, .tuple_id = tuple_id, .value = value, .names = &names});
    uint64_t distinct = sl_values_distinct(&v), n_spans = 0;
    for (uint32_t i = 0; i < v.dense.n_spans; i++)
        n_spans += v.dense.span[i].n_positions != 0;
    ok(n_spans == 5 && v.dense.n_used > distinct / 5 * 4 && sl_values_bytes(&v) < 8 * distinct,
       "values that are close together take less than 8 bytes: %llu tuples, %llu of them in %llu "
       "spans, %llu bytes",
       (unsigned long long)distinct, (unsigned long long)v.dense.n_used,
       (unsigned long long)n_spans, (unsigned long long)sl_values_bytes(&v));
    sl_values_close(&v);
}

static struct placed open_exact(uint64_t memory, unsigned helpers)
{
    return place("exact", &(struct sl_table_host){.memory_bytes = memory, .helpers = helpers});
}

/* In batches of about `size`; it is drained after each `every` of them, if that is not 0. */
static void feed(struct sl_table *table, size_t size, size_t every)
{
    size_t batches = 0;
    for (size_t at = 0, n; at < N; at += n) {
        n = 1 + size / 2 + at % size;
        n = n < N - at ? n : N - at;
        sl_table_observe(
            table, &(struct sl_batch){
                       .n = n, .tuple_id = tuple_id + at, .value = value + at, .names = &names});
        if (every && ++batches % every == 0) {
            struct entries some = drained(table, &names);
            free(some.entry);
        }
    }
    sl_table_finish(table);
}

/* Sorts the events and adds up what is equal. */
static struct entries plainly(void)
{
    struct entries list = {.entry = calloc(N, sizeof(struct sl_entry))};
    struct sl_entry *all = calloc(N, sizeof *all);
    for (size_t i = 0; i < N; i++)
        all[i].tuple = (struct sl_tuple){pc[tuple_id[i]], value[i]};
    qsort(all, N, sizeof *all, by_tuple);
    for (size_t i = 0; i < N; i++) {
        if (!list.n || by_tuple(&list.entry[list.n - 1], &all[i]))
            list.entry[list.n++] = all[i];
        struct sl_entry *last = &list.entry[list.n - 1];
        last->low = last->high = ++last->count;
    }
    free(all);
    return list;
}

static void as_a_list(const struct entries *wanted, size_t size, size_t every, unsigned helpers)
{
    struct placed t = open_exact(UINT64_C(1) << 30, helpers);
    struct sl_table_status status;
    feed(t.table, size, every);
    struct entries got = drained(t.table, &names);
    sl_table_status(t.table, &status);
    ok(same_entries(wanted, &got),
       "batches of %zu%s%s: every tuple and count is as in a sorted list", size,
       every ? ", drained on the way" : "", helpers ? ", with a thread" : "");
    ok(status.distinct == wanted->n && status.events == N && status.weight == N && !status.drops,
       "and its status adds up");
    free(got.entry);
    unplace(&t);
}

/* `helpers` for the second. */
static void with_little(uint64_t memory, unsigned helpers)
{
    struct entries got[2];
    struct sl_table_status status[2];
    for (int i = 0; i < 2; i++) {
        struct placed t = open_exact(memory, i ? helpers : 0);
        feed(t.table, i ? 70000 : 700, 0);
        got[i] = drained(t.table, &names);
        sl_table_status(t.table, &status[i]);
        unplace(&t);
    }
    uint64_t kept = 0;
    for (size_t i = 0; i < got[0].n; i++)
        kept += got[0].entry[i].count;
    ok(status[0].drops && kept + status[0].drops_weight == N &&
           status[0].storage_bits <= 8 * memory,
       "%llu bytes: what is kept and dropped is everything, and memory is kept to",
       (unsigned long long)memory);
    ok(same_entries(&got[0], &got[1]) && status[0].drops == status[1].drops &&
           status[0].storage_bits == status[1].storage_bits,
       "and it is the same, however events come in batches%s",
       helpers ? ", and with a thread" : "");
    free(got[0].entry);
    free(got[1].entry);
}

/* Many tuples, each once, in the order of their values, which are far apart. */
#define APART 101u
struct in_order {
    uint64_t n, events, beyond, order; /* a hash of all, one after the other */
};

static bool add_value(void *context, const struct sl_entry *entry)
{
    struct in_order *all = context;
    all->n++;
    all->events += entry->count;
    all->order = sl_mix(all->order ^ entry->tuple.value) + entry->count;
    all->beyond = entry->tuple.value + 1 > all->beyond ? entry->tuple.value + 1 : all->beyond;
    return true;
}

static uint64_t first_comers(size_t size, bool threaded)
{
    enum { TUPLES = 6000000 };
    struct sl_values v = {.memory_bytes = UINT64_C(1) << 26, .threaded = threaded};
    struct in_order kept = {0};
    memset(tuple_id, 0, size * sizeof *tuple_id);
    for (uint64_t at = 0; at < TUPLES; at += size) {
        for (size_t i = 0; i < size; i++)
            value[i] = (at + i) * APART;
        sl_values_observe(
            &v,
            &(struct sl_batch){.n = size, .tuple_id = tuple_id, .value = value, .names = &names});
    }
    sl_values_drain(&v, &names, &(uint64_t){0}, add_value, &kept);
    ok(v.compact.n_used > 4000000 && kept.n < TUPLES && kept.beyond == (kept.n - 1) * APART + 1 &&
           sl_values_dropped(&v).events == TUPLES - kept.n && sl_values_bytes(&v) <= v.memory_bytes,
       "a full table, batches of %zu: who came first is kept, the others are counted as dropped%s",
       size, threaded ? ", with a thread" : "");
    sl_values_close(&v);
    return kept.order;
}

/* A load whose values are close together, then another with enough that are far apart that memory
 * is used up, then the first again: half of its values came before, and half are new. */
static uint64_t spans_when_full(size_t size, bool threaded)
{
    enum { CLOSE = 2000000, FAR = 6000000, AGAIN = 1000000, TUPLES = CLOSE + FAR + AGAIN };
    struct sl_values v = {.memory_bytes = UINT64_C(1) << 26, .threaded = threaded};
    struct in_order kept = {0};
    for (uint64_t at = 0; at < TUPLES; at += size) {
        for (size_t i = 0; i < size; i++) {
            uint64_t k = at + i;
            tuple_id[i] = k >= CLOSE && k < CLOSE + FAR;
            value[i] = k < CLOSE + FAR ? k * (tuple_id[i] ? APART : 1) : k - FAR - AGAIN / 2;
        }
        sl_values_observe(
            &v,
            &(struct sl_batch){.n = size, .tuple_id = tuple_id, .value = value, .names = &names});
    }
    sl_values_drain(&v, &names, &(uint64_t){0}, add_value, &kept);
    uint64_t dropped = sl_values_dropped(&v).events;
    ok(v.dense.n_used >= CLOSE && dropped && kept.events + dropped == TUPLES &&
           kept.n == kept.events - AGAIN / 2 && sl_values_bytes(&v) <= v.memory_bytes,
       "a full table with spans, batches of %zu: who came first is kept and counted, what is kept "
       "and dropped is "
       "everything%s",
       size, threaded ? ", with a thread" : "");
    sl_values_close(&v);
    return kept.order;
}

/* ---- chosen values ---- */

static bool add_up(void *context, const struct sl_entry *entry)
{
    *(size_t *)context += entry->count == 2;
    return true;
}

/* Counts n values of instruction 0 twice; how many are there with a count of 2. */
static size_t counted_twice(struct sl_values *v, size_t n)
{
    size_t twice = 0;
    memset(tuple_id, 0, n * sizeof *tuple_id);
    for (int i = 0; i < 2; i++)
        sl_values_observe(
            v, &(struct sl_batch){.n = n, .tuple_id = tuple_id, .value = value, .names = &names});
    sl_values_drain(v, &names, &(uint64_t){0}, add_up, &twice);
    return twice;
}

/* The furthest from home. */
static uint64_t furthest(const struct sl_compact *c)
{
    uint64_t far = 0;
    for (uint64_t i = 0; i < c->n_slots + SL_COMPACT_MARGIN; i++) {
        const uint64_t *home = sl_compact_home(c, c->slot[i] >> SL_COMPACT_KEY_SHIFT);
        if (c->slot[i] && (uint64_t)(&c->slot[i] - home) > far)
            far = (uint64_t)(&c->slot[i] - home);
    }
    return far;
}

/* All have their home in one position of 4096, and the same upper half. */
static void chosen_for_compact(void)
{
    struct sl_values v = {.memory_bytes = UINT64_C(1) << 30};
    size_t n = 0;
    for (uint64_t low = 0; n < 40000; low++)
        if ((UINT64_C(1) << 32 | low) * FACTOR >> 52 == 77)
            value[n++] = low;
    ok(counted_twice(&v, n) == n, "values that collide: all are counted");
    ok(v.compact.secret && furthest(&v.compact) < 200, "and are near an unpredictable home");
    sl_values_close(&v);
}

/* All have the same home, by the hash of the table with 16 bytes a slot. */
static void chosen_for_wide(uint64_t memory, size_t n)
{
    struct sl_values v = {.memory_bytes = memory};
    for (size_t i = 0; i < n; i++)
        value[i] = (UINT64_C(1) << 63 | i) * INVERSE;
    ok(counted_twice(&v, n) == n && v.wide.secret,
       "%zu values that collide, %llu bytes: all are counted, "
       "by another hash",
       n, (unsigned long long)memory);
    sl_values_close(&v);
}

/* In a full table, for keys that are in it and keys that are not. */
static void looks_agree(const struct sl_compact *c)
{
    uint64_t seed = 12;
    size_t apart = 0, n = 0, n_there = 0;
    for (; n < 200000; n++) {
        uint64_t key = n % 2 ? c->slot[sl_random_below(&seed, c->n_slots)] >> SL_COMPACT_KEY_SHIFT
                             : sl_random_below(&seed, UINT64_C(1) << 56);
        uint64_t *line = sl_compact_home(c, key), *found, *s = sl_compact_probe(line, key);
        while (!(found = sl_compact_find_in_line(line, key)))
            line += SL_COMPACT_LINE;
        apart += found != s || (*s && *s >> SL_COMPACT_KEY_SHIFT != key);
        n_there += *s != 0;
    }
    ok(!apart && n_there > n / 3 && n_there < n / 2 + n / 8,
       "a lookup line by line finds the same slots as one slot by slot");
}

static void full_table(void)
{
    struct sl_compact c = {0};
    uint64_t seed = 11;
    if (!sl_compact_grow(&c, UINT64_C(1) << 16))
        abort();
    while (c.n_used < c.n_most) {
        uint64_t key = sl_random_below(&seed, UINT64_C(1) << 56);
        if (!*sl_compact_probe(sl_compact_home(&c, key), key))
            sl_compact_add(&c, key);
    }
    looks_agree(&c);
    sl_compact_free(&c);
}

int main(void)
{
    make_stream();
    full_table();
    struct entries wanted = plainly();
    as_a_list(&wanted, 8192, 0, 0);
    as_a_list(&wanted, 333, 0, 0);
    as_a_list(&wanted, 333, 0, 1);
    as_a_list(&wanted, 50000, 9, 0);
    as_a_list(&wanted, 50000, 9, 1);
    free(wanted.entry);
    make_close_stream();
    wanted = plainly();
    as_a_list(&wanted, 8192, 0, 0);
    as_a_list(&wanted, 333, 0, 1);
    as_a_list(&wanted, 50000, 9, 1);
    free(wanted.entry);
    spans_are_made();
    make_stream();
    with_little(UINT64_C(1) << 23, 1);
    with_little(UINT64_C(20) << 20, 1);
    uint64_t order = first_comers(500, false);
    ok(first_comers(12000, true) == order, "and in the same order");
    order = spans_when_full(500, false);
    ok(spans_when_full(10000, true) == order, "and in the same order");
    chosen_for_compact();
    chosen_for_wide(UINT64_C(1) << 25, 1000000);
    chosen_for_wide(UINT64_C(1) << 30, 1000000);
    return done_testing();
}
