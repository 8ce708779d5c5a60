/* SPDX-License-Identifier: MIT */
/* Unit tests of the table `exact`, which counts every tuple. Its counts are compared with those of
 * a simple model, which sorts a list of all events. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "table.h"
#include "tap.h"

#define N_EVENTS 200000u
#define N_INSNS 300u

static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static uint64_t pc[N_INSNS], second[N_INSNS];

static void *open_table(uint64_t memory)
{
    void *state = calloc(1, sl_table_exact.size(NULL, NULL));
    struct sl_table_host host = {.memory_bytes = memory};
    if (!state || sl_table_exact.init(state, NULL, &host, NULL) < 0)
        abort();
    return state;
}

static void close_table(void *state)
{
    sl_table_exact.close(state);
    free(state);
}

/* In batches of uneven sizes, as detectors submit them. */
static void feed(void *state, const struct sl_tuple_names *names, size_t n, bool values,
                 bool weights)
{
    for (size_t at = 0; at < n;) {
        size_t size = 1 + at % 777;
        if (size > n - at)
            size = n - at;
        struct sl_batch batch = {size,
                                 tuple_id + at,
                                 values ? value + at : NULL,
                                 weights ? weight + at : NULL,
                                 names,
                                 NULL,
                                 0,
                                 NULL};
        sl_table_exact.observe(state, &batch);
        at += size;
    }
}

struct list {
    struct sl_entry *entry;
    size_t n;
};

static bool collect(void *context, const struct sl_entry *entry)
{
    struct list *list = context;
    list->entry[list->n++] = *entry;
    return true;
}

static int by_tuple(const void *left, const void *right)
{
    return memcmp(&((const struct sl_entry *)left)->tuple, &((const struct sl_entry *)right)->tuple,
                  sizeof(struct sl_tuple));
}

/* Sorts the events and adds up what is equal. */
static struct list plainly(size_t n, bool values, bool weights)
{
    struct list list = {calloc(n, sizeof(struct sl_entry)), 0};
    struct sl_entry *all = calloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (struct sl_entry){
            .tuple = {pc[tuple_id[i]], values ? value[i] : second[tuple_id[i]]},
            .count = weights ? weight[i] : 1};
    qsort(all, n, sizeof *all, by_tuple);
    for (size_t i = 0; i < n; i++) {
        if (!list.n || by_tuple(&list.entry[list.n - 1], &all[i]))
            list.entry[list.n++] = (struct sl_entry){.tuple = all[i].tuple};
        struct sl_entry *last = &list.entry[list.n - 1];
        last->low = last->high = last->count += all[i].count;
    }
    free(all);
    return list;
}

static struct list drained(void *state, const struct sl_tuple_names *names, size_t capacity)
{
    struct list list = {calloc(capacity, sizeof(struct sl_entry)), 0};
    sl_table_exact.drain(state, names, collect, &list);
    qsort(list.entry, list.n, sizeof *list.entry, by_tuple);
    return list;
}

static bool same(const struct list *a, const struct list *b)
{
    return a->n == b->n && !memcmp(a->entry, b->entry, a->n * sizeof *a->entry);
}

static void compare(const char *name, bool values, bool weights)
{
    struct sl_tuple_names names = {pc, values ? NULL : second, N_INSNS};
    void *state = open_table(UINT64_C(1) << 30);
    struct sl_table_status status;
    feed(state, &names, N_EVENTS, values, weights);
    sl_table_exact.status(state, &status);
    struct list wanted = plainly(N_EVENTS, values, weights), got = drained(state, &names, N_EVENTS);
    uint64_t sum = 0;
    for (size_t i = 0; i < got.n; i++)
        sum += got.entry[i].count;
    ok(same(&wanted, &got), "%s: every tuple, count and bound is that of the plain definition",
       name);
    ok(status.events == N_EVENTS && status.weight == sum && !status.drops &&
           status.distinct == wanted.n,
       "%s: events, weight and distinct tuples add up", name);
    free(wanted.entry);
    free(got.entry);
    close_table(state);
}

/* One event at a time. */
static void steps(bool values)
{
    struct sl_tuple_names names = {pc, values ? NULL : second, N_INSNS};
    void *state = open_table(UINT64_C(1) << 30);
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_tuple tuple = {pc[tuple_id[i]], values ? value[i] : second[tuple_id[i]]};
        sl_table_exact.step(state, &(struct sl_event){tuple_id[i], tuple, weight[i], NULL, 0, 0});
    }
    struct list wanted = plainly(N_EVENTS, values, true), got = drained(state, &names, N_EVENTS);
    ok(same(&wanted, &got), "%s: a step for each event gives the same",
       values ? "values" : "static tuples");
    free(wanted.entry);
    free(got.entry);
    close_table(state);
}

/* All events of a tuple at once, the last tuple first. */
static void sums(uint64_t memory)
{
    struct sl_tuple_names names = {pc, second, N_INSNS};
    void *by_events = open_table(memory), *by_sums = open_table(memory);
    struct sl_table_status wanted, status;
    feed(by_events, &names, N_EVENTS, false, true);
    for (uint32_t k = N_INSNS; k-- > 0;) {
        uint64_t times = 0, sum = 0;
        for (size_t i = 0; i < N_EVENTS; i++) {
            times += tuple_id[i] == k;
            sum += tuple_id[i] == k ? weight[i] : 0;
        }
        if (times)
            sl_table_exact.totals->add(by_sums, k, times, sum);
    }
    sl_table_exact.status(by_events, &wanted);
    sl_table_exact.status(by_sums, &status);
    struct list one = drained(by_events, &names, N_EVENTS),
                other = drained(by_sums, &names, N_EVENTS);
    ok(same(&one, &other), "sums of static tuples, %llu bytes: as the events one by one",
       (unsigned long long)memory);
    ok(status.events == wanted.events && status.weight == wanted.weight &&
           status.drops == wanted.drops && status.drops_weight == wanted.drops_weight &&
           status.distinct == wanted.distinct && !strcmp(status.note, wanted.note),
       "sums of static tuples, %llu bytes: its status, too", (unsigned long long)memory);
    free(one.entry);
    free(other.entry);
    close_table(by_events);
    close_table(by_sums);
}

/* With little memory: what is kept is right, the rest is counted as dropped. */
static void limit(bool values)
{
    const char *kind = values ? "values" : "static tuples";
    struct sl_tuple_names names = {pc, values ? NULL : second, N_INSNS};
    void *state = open_table(values ? 3u << 18 : 1000);
    struct sl_table_status status;
    feed(state, &names, N_EVENTS, values, true);
    sl_table_exact.status(state, &status);
    struct list all = plainly(N_EVENTS, values, true), got = drained(state, &names, N_EVENTS);
    uint64_t sum = 0;
    size_t too_high = 0, unknown = 0;
    for (size_t i = 0; i < got.n; i++) {
        struct sl_entry *exact = bsearch(&got.entry[i], all.entry, all.n, sizeof *all.entry,
                                         by_tuple);
        sum += got.entry[i].count;
        unknown += !exact;
        too_high += exact && got.entry[i].count > exact->count;
    }
    ok(status.drops > 0 && status.note[0], "%s, little memory: it drops, and says so", kind);
    ok(!unknown && !too_high, "%s, little memory: no tuple is invented or counted too often", kind);
    ok(sum + status.drops_weight == status.weight, "%s, little memory: kept + dropped = all", kind);
    free(all.entry);
    free(got.entry);
    close_table(state);
}

/* What is kept when memory is short does not depend on how events come in batches. */
static void limit_by_batches(void)
{
    struct sl_tuple_names names = {pc, NULL, N_INSNS};
    struct list got[2];
    for (int whole = 0; whole < 2; whole++) {
        void *state = open_table(3u << 18);
        if (whole)
            sl_table_exact.observe(state, &(struct sl_batch){N_EVENTS, tuple_id, value, weight,
                                                             &names, NULL, 0, NULL});
        else
            feed(state, &names, N_EVENTS, true, true);
        got[whole] = drained(state, &names, N_EVENTS);
        close_table(state);
    }
    ok(same(&got[0], &got[1]), "little memory: the same is kept, however events come in batches");
    free(got[0].entry);
    free(got[1].entry);
}

/* Enough tuples that the table grows in every way it has. Value i is in it once, or twice
 * if i is a multiple of 3. */
struct many {
    uint64_t n, wrong;
};

#define N_MANY 6000000u
#define SPREAD UINT64_C(0x9e3779b97f4a7c15) /* odd: no two values are the same */
#define GATHER UINT64_C(0xf1de83e19937733d) /* SPREAD * GATHER = 1 */

static bool check_many(void *context, const struct sl_entry *entry)
{
    struct many *many = context;
    uint64_t i = entry->tuple.value * GATHER;
    many->n++;
    many->wrong += i >= N_MANY || entry->tuple.pc != pc[i % N_INSNS] ||
                   entry->count != (i % 3 ? 1u : 2u);
    return true;
}

static void many_tuples(uint64_t memory, bool fits)
{
    struct sl_tuple_names names = {pc, NULL, N_INSNS};
    struct many many = {0};
    struct sl_table_status status;
    void *state = open_table(memory);
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t i = 0; i < N_MANY;) {
            size_t n = 0;
            for (; n < 10000 && i < N_MANY; i += round ? 3 : 1, n++) {
                tuple_id[n] = (uint32_t)(i % N_INSNS);
                value[n] = i * SPREAD;
            }
            sl_table_exact.observe(
                state, &(struct sl_batch){n, tuple_id, value, NULL, &names, NULL, 0, NULL});
        }
    sl_table_exact.drain(state, &names, check_many, &many);
    sl_table_exact.status(state, &status);
    ok(!many.wrong && many.n == status.distinct, "many tuples%s: none is lost or counted wrongly",
       fits ? "" : " for little memory");
    ok(fits ? many.n == N_MANY && !status.drops
            : many.n < N_MANY && status.drops && status.storage_bits <= 8 * memory,
       fits ? "many tuples: all are there" : "many tuples for little memory: it is kept to");
    close_table(state);
}

static void large_counts(void)
{
    struct sl_tuple_names names = {pc, NULL, N_INSNS};
    void *state = open_table(UINT64_C(1) << 24);
    uint64_t want = 0;
    for (size_t i = 0; i < 1000; i++) {
        tuple_id[i] = 7;
        value[i] = 42;
        weight[i] = (UINT64_C(1) << 39) + i;
        want += weight[i];
    }
    feed(state, &names, 1000, true, true);
    struct list got = drained(state, &names, 1000);
    ok(got.n == 1 && got.entry[0].count == want, "a count beyond 40 bits is exact");
    free(got.entry);
    close_table(state);
}

int main(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < N_INSNS; i++) {
        pc[i] = 0x400000 + 4 * i;
        second[i] = sl_random_next(&seed);
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        tuple_id[i] = (uint32_t)sl_random_below(&seed, N_INSNS);
        /* Few values often, many rarely, zero and all ones among them. */
        uint64_t draw = sl_random_below(&seed, 100);
        value[i] = draw < 40   ? 0
                   : draw < 50 ? UINT64_MAX
                   : draw < 80 ? draw
                               : sl_random_next(&seed);
        weight[i] = sl_random_below(&seed, 1000);
    }
    compare("values", true, false);
    compare("values with weights", true, true);
    compare("static tuples", false, false);
    compare("static tuples with weights", false, true);
    steps(true);
    steps(false);
    limit(true);
    limit(false);
    sums(UINT64_C(1) << 30);
    sums(1000);
    limit_by_batches();
    large_counts();
    many_tuples(UINT64_C(1) << 30, true);
    many_tuples(100000000, false);
    return done_testing();
}
