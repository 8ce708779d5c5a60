/* SPDX-License-Identifier: MIT */
/* Unit tests of the table of whole program paths (wpp). The stored sequence is read back event by
 * event, counts equal those of the exact table, and counting a batch of events gives the same
 * result as counting its events one by one. If the memory limit is reached, the sequence up to then
 * is retained. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "../support/placed_table.h"
#include "random.h"
#include "subpath.h"
#include "table.h"
#include "tap.h"

#define N_EVENTS 40000u
#define N_NAMES 200u
#define PLENTY (UINT64_C(1) << 28)

static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static uint64_t pc[N_NAMES], second[N_NAMES];

/* Some names denote the same tuple; mostly what follows a name is the same. No tuple
 * weighs nothing: the exact table would not have it. */
static void make_stream(void)
{
    uint64_t seed = 19;
    for (size_t i = 0; i < N_NAMES; i++) {
        pc[i] = 0x400000 + 4 * (i - i % 7 / 6);
        second[i] = pc[i] >> 2;
    }
    weight[0] = 1;
    for (size_t i = 1; i < N_EVENTS; i++) {
        tuple_id[i] = (uint32_t)((tuple_id[i - 1] * 5 + 3 + !sl_random_below(&seed, 15)) % N_NAMES);
        value[i] = sl_random_below(&seed, 9) ? tuple_id[i] : sl_random_below(&seed, 4);
        weight[i] = sl_random_below(&seed, 3) ? 1 : sl_random_below(&seed, 1000);
    }
}

static void *open_table(uint64_t memory, size_t names)
{
    struct sl_table_host host = {.memory_bytes = memory, .names = names};
    void *config = calloc(1, sl_table_wpp.config_size);
    sl_options_defaults(sl_table_wpp.options, config);
    size_t bytes = (sl_table_wpp.size(config, &host) + 63) / 64 * 64;
    void *state = aligned_alloc(64, bytes);
    memset(state, 0, bytes);
    if (sl_table_wpp.init(state, config, &host, NULL) < 0)
        abort();
    free(config);
    return state;
}

static void close_table(void *state)
{
    sl_table_wpp.close(state);
    free(state);
}

static struct sl_tuple tuple_at(size_t i, bool values)
{
    return (struct sl_tuple){pc[tuple_id[i]], values ? value[i] : second[tuple_id[i]]};
}

static void feed_batches(const struct sl_table_kind *kind, void *state, bool values, bool weights)
{
    for (size_t at = 0, n; at < N_EVENTS; at += n) {
        n = 1 + at % 777 < N_EVENTS - at ? 1 + at % 777 : N_EVENTS - at;
        struct sl_tuple_names names = {pc, values ? NULL : second, N_NAMES};
        struct sl_batch batch = {n,
                                 tuple_id + at,
                                 values ? value + at : NULL,
                                 weights ? weight + at : NULL,
                                 &names,
                                 NULL,
                                 0,
                                 NULL};
        kind->observe(state, &batch);
    }
}

static void feed_events(void *state, bool values, bool weights)
{
    for (size_t i = 0; i < N_EVENTS; i++)
        sl_table_wpp.step(state, &(struct sl_event){tuple_id[i], tuple_at(i, values),
                                                    weights ? weight[i] : 1, NULL, 0, 0});
}

/* ---- the sequence ---- */

struct replay {
    const struct sl_tuple *tuple;
    size_t at;
    bool values;
};

static bool compare(void *context, uint32_t symbol)
{
    struct replay *r = context;
    struct sl_tuple wanted = tuple_at(r->at, r->values), got = r->tuple[symbol];
    return r->at++ < N_EVENTS && wanted.pc == got.pc && wanted.value == got.value;
}

/* The first n events of a finished table come back in order, and all symbols are different
 * tuples. */
static bool comes_back(const void *state, bool values, size_t n)
{
    struct sl_sequence s;
    bool there = sl_table_wpp.order->sequence(state, &s);
    struct replay replay = {.tuple = s.tuple, .values = values};
    bool back = there && sl_grammar_expand(s.grammar, 0, compare, &replay) && replay.at == n;
    for (size_t a = 0; a < s.n_tuples; a++)
        for (size_t b = 0; b < a; b++)
            back = back && memcmp(&s.tuple[a], &s.tuple[b], sizeof *s.tuple);
    return back;
}

/* ---- threads ---- */

#define N_THREADS 3u

/* Each thread has a third of the events; in which order they come is up to `seed`, in pieces,
 * of which the first belongs to thread 1. */
static void feed_threads(void *state, uint64_t seed, bool by_steps)
{
    size_t done[N_THREADS] = {0}, all = N_EVENTS / N_THREADS, left = N_THREADS * all;
    struct sl_tuple_names names = {pc, second, N_NAMES};
    for (uint32_t thread = 1; left; thread = (uint32_t)sl_random_below(&seed, N_THREADS)) {
        size_t n = 1 + sl_random_below(&seed, 500), at = thread * all + done[thread];
        n = n < all - done[thread] ? n : all - done[thread];
        struct sl_batch batch = {n, tuple_id + at, NULL, weight + at, &names, NULL, thread, NULL};
        for (size_t i = 0; i < n && by_steps; i++) {
            struct sl_event event = sl_batch_event(&batch, i);
            sl_table_wpp.step(state, &event);
        }
        if (!by_steps)
            sl_table_wpp.observe(state, &batch);
        done[thread] += n;
        left -= n;
    }
    sl_table_wpp.finish(state);
}

static bool same_sequence(const struct sl_sequence *a, const struct sl_sequence *b)
{
    size_t n_a, n_b;
    uint8_t *of_a = sl_grammar_save(a->grammar, &n_a), *of_b = sl_grammar_save(b->grammar, &n_b);
    bool same = of_a && of_b && n_a == n_b && !memcmp(of_a, of_b, n_a) &&
                a->n_tuples == b->n_tuples &&
                !memcmp(a->tuple, b->tuple, a->n_tuples * sizeof *a->tuple);
    for (size_t i = 0; i < a->n_tuples && same; i++)
        same = (i < a->n_beyond ? a->beyond[i] : 0) == (i < b->n_beyond ? b->beyond[i] : 0);
    free(of_a);
    free(of_b);
    return same;
}

static void threads(void)
{
    struct sl_sequence first, other;
    struct sl_table_status status;
    void *state = open_table(PLENTY, N_NAMES);
    feed_threads(state, 1, false);
    size_t n = N_EVENTS / N_THREADS * N_THREADS;
    ok(comes_back(state, false, n), "alternating threads are returned one after the other");
    sl_table_wpp.status(state, &status);
    ok(strstr(status.note, "3 threads") && strstr(status.note, "thread 1 13333 events"),
       "and it is reported that there were several");
    bool there = sl_table_wpp.order->sequence(state, &first), same = there;
    for (uint64_t seed = 2; seed < 6 && same; seed++) {
        void *again = open_table(PLENTY, seed % 2 ? 0 : N_NAMES);
        feed_threads(again, seed, seed == 3);
        same = sl_table_wpp.order->sequence(again, &other) && same_sequence(&first, &other);
        close_table(again);
    }
    ok(same, "however they take turns, grammar, symbols and weights are the same");
    close_table(state);
    state = open_table(3000000, 0);
    feed_threads(state, 1, false);
    sl_table_wpp.status(state, &status);
    ok(sl_table_wpp.order->sequence(state, &other) && status.events == n,
       "with little memory, too");
    close_table(state);
}

/* ---- the counts ---- */

static struct entries sorted(const struct sl_table_kind *kind, const void *state)
{
    struct sl_tuple_names names = {pc, second, N_NAMES};
    struct entries all = {NULL, 0, 0};
    kind->drain(state, &names, keep_entry, &all);
    if (all.n)
        qsort(all.entry, all.n, sizeof *all.entry, by_tuple);
    return all;
}

/* As a list: equal tuples with several ids are added up. */
static void merge(struct entries *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (n && !by_tuple(&all->entry[n - 1], &all->entry[i])) {
            all->entry[n - 1].count += all->entry[i].count;
            all->entry[n - 1].low = all->entry[n - 1].high = all->entry[n - 1].count;
        } else {
            all->entry[n++] = all->entry[i];
        }
    all->n = n;
}

static bool as_exact(const void *state, bool values, bool weights)
{
    struct sl_table_host host = {.memory_bytes = PLENTY};
    void *exact = calloc(1, sl_table_exact.size(NULL, &host));
    sl_table_exact.init(exact, NULL, &host, NULL);
    feed_batches(&sl_table_exact, exact, values, weights);
    struct entries wanted = sorted(&sl_table_exact, exact), got = sorted(&sl_table_wpp, state);
    merge(&wanted);
    bool same = same_entries(&wanted, &got);
    sl_table_exact.close(exact);
    free(exact);
    free(wanted.entry);
    free(got.entry);
    return same;
}

static bool same_tables(const void *a, const void *b)
{
    struct entries in_a = sorted(&sl_table_wpp, a), in_b = sorted(&sl_table_wpp, b);
    struct sl_sequence ga, gb;
    struct sl_table_status sa, sb;
    sl_table_wpp.status(a, &sa);
    sl_table_wpp.status(b, &sb);
    bool same = same_entries(&in_a, &in_b) && sl_table_wpp.order->sequence(a, &ga) &&
                sl_table_wpp.order->sequence(b, &gb) &&
                ga.grammar->n_symbols == gb.grammar->n_symbols &&
                !memcmp(ga.grammar->symbol, gb.grammar->symbol,
                        ga.grammar->n_symbols * sizeof *ga.grammar->symbol) &&
                sa.events == sb.events && sa.weight == sb.weight && sa.drops == sb.drops &&
                sa.storage_bits == sb.storage_bits && !strcmp(sa.note, sb.note);
    free(in_a.entry);
    free(in_b.entry);
    return same;
}

static void of_kind(bool values, bool weights)
{
    const char *name = values    ? weights ? "values with weights" : "values"
                       : weights ? "static tuples with weights"
                                 : "static tuples";
    void *batches = open_table(PLENTY, N_NAMES), *few = open_table(PLENTY, 5);
    void *steps = open_table(PLENTY, 0);
    struct sl_table_status s, so_far;
    feed_batches(&sl_table_wpp, batches, values, weights);
    feed_batches(&sl_table_wpp, few, values, weights);
    feed_events(steps, values, weights);
    ok(as_exact(batches, values, weights), "%s: counts in the middle are exact", name);
    sl_table_wpp.status(batches, &so_far);
    sl_table_wpp.finish(batches);
    sl_table_wpp.finish(few);
    sl_table_wpp.finish(steps);
    sl_table_wpp.status(batches, &s);
    ok(comes_back(batches, values, N_EVENTS), "%s: the grammar makes the events, in order", name);
    ok(as_exact(batches, values, weights), "%s: counts from the finished grammar are exact", name);
    ok(same_tables(batches, steps) && same_tables(batches, few),
       "%s: steps give the same grammar, and so does little space for names", name);
    ok(s.events == N_EVENTS && !s.drops && s.bounds == SL_BOUNDS_CERTAIN && !s.note[0],
       "%s: nothing is to be noted", name);
    ok(s.storage_bits && s.storage_bits == so_far.storage_bits,
       "%s: to be finished does not change its storage", name);
    close_table(batches);
    close_table(few);
    close_table(steps);
}

/* ---- little memory ---- */

static size_t allocated(void)
{
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

static void limited(void)
{
    bool prefix = true, added_up = true, reported = true, some = false, within = true;
    for (uint64_t memory = 0; memory < 600000; memory += 1000 + memory / 4) {
        size_t before = allocated();
        void *state = open_table(memory, N_NAMES);
        size_t itself = allocated() - before;
        struct sl_table_status s;
        uint64_t kept = 0;
        feed_batches(&sl_table_wpp, state, true, true);
        within = within && allocated() - before <= itself + memory;
        sl_table_wpp.finish(state);
        within = within && allocated() - before <= itself + memory;
        sl_table_wpp.status(state, &s);
        struct entries all = sorted(&sl_table_wpp, state);
        for (size_t i = 0; i < all.n; i++)
            kept += all.entry[i].count;
        uint64_t weight_before = 0;
        for (size_t i = 0; i < N_EVENTS - s.drops; i++)
            weight_before += weight[i];
        prefix = prefix && comes_back(state, true, N_EVENTS - s.drops) && all.n == s.distinct;
        added_up = added_up && kept + s.drops_weight == s.weight && kept == weight_before;
        reported = reported &&
                   (s.drops ? s.bounds == SL_BOUNDS_NONE : s.bounds == SL_BOUNDS_CERTAIN) &&
                   !s.drops == !strstr(s.note, "not stored");
        some |= s.drops > 1000 && s.drops < N_EVENTS;
        free(all.entry);
        close_table(state);
    }
    ok(prefix && some, "little memory: the grammar makes exactly the events up to some point");
    ok(within, "little memory: no more than it may is taken");
    ok(added_up, "little memory: kept + dropped = all");
    ok(reported, "little memory: the note of the table says so");
}

static void by_spec(void)
{
    struct sl_table_host host = {.memory_bytes = PLENTY};
    struct placed p = place("wpp", &host);
    struct sl_table_status s;
    sl_table_status(p.table, &s);
    struct entries all = drained(p.table, NULL);
    ok(!all.n && !s.events && !s.distinct && !s.note[0], "wpp is a table, and empty at first");
    free(all.entry);
    unplace(&p);
}

int main(void)
{
    make_stream();
    for (int k = 0; k < 4; k++)
        of_kind(k & 1, k & 2);
    limited();
    by_spec();
    threads();
    return done_testing();
}
