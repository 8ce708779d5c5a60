/* SPDX-License-Identifier: MIT */
/* Unit tests of the hot path table (hpt). Small examples are compared with transitions worked out
 * by hand, and random streams with a simple model of the paper's definition (hpt_naive.h). Counting
 * a batch of events gives the same result as counting its events one by one. Counters stay within
 * their bounds, and the counted weight and the lost weight add up to all weight. */
#include <stdint.h>

#include "hpt_naive.h"
#include "random.h"
#include "table.h"
#include "tap.h"

#define N_EVENTS 20000u
#define N_NAMES 400u

static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static uint64_t pc[N_NAMES], second[N_NAMES];

/* Some names denote the same tuple; names come one after the other; few are frequent,
 * and which ones changes. Some weights are 0, one in a hundred is large. */
static void make_stream(void)
{
    uint64_t seed = 11;
    for (size_t i = 0; i < N_NAMES; i++) {
        size_t like = i % 10 == 9 ? i - 1 : i;
        pc[i] = 0x401000 + 6 * like;
        second[i] = like * like << 32 | like * 2654435761u % 1024;
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        size_t known = 1 + i * N_NAMES / N_EVENTS, few = known < 12 ? known : 12;
        size_t shift = sl_random_below(&seed, 3) ? 0 : known - few;
        tuple_id[i] = (uint32_t)(sl_random_below(&seed, 3) ? shift + sl_random_below(&seed, few)
                                                           : sl_random_below(&seed, known));
        value[i] = sl_random_below(&seed, 2) ? 7 : sl_random_below(&seed, 30) << 32;
        weight[i] = sl_random_below(&seed, 100) ? sl_random_below(&seed, 4)
                                                : sl_random_below(&seed, 5000);
    }
}

/* ---- by hand ---- */

struct event {
    uint64_t tuple, weight;
};

/* A set of three: the events, then tuples 1 to 6 with their counts, 0 where not there. */
static bool ends_as(const char *replacement, size_t n, const struct event *event,
                    const uint64_t wanted[6])
{
    char spec[64];
    struct sl_table_host host = {0};
    uint64_t got[6] = {0};
    snprintf(spec, sizeof spec, "hpt(3x3,replacement=%s,counter=4)", replacement);
    struct placed p = place(spec, &host);
    for (size_t i = 0; i < n; i++)
        sl_table_step(p.table,
                      &(struct sl_event){0, {event[i].tuple, 5}, event[i].weight, NULL, 0, 0});
    struct entries all = drained(p.table, NULL);
    for (size_t i = 0; i < all.n; i++)
        got[all.entry[i].tuple.pc - 1] = all.entry[i].count;
    bool good = all.n <= 3 && !memcmp(got, wanted, sizeof got);
    free(all.entry);
    unplace(&p);
    return good;
}

#define ENDS_AS(replacement, wanted, ...)                                              \
    ends_as(replacement, sizeof((struct event[]){__VA_ARGS__}) / sizeof(struct event), \
            (struct event[]){__VA_ARGS__}, (const uint64_t[6])wanted)
#define COUNTS(...) \
    {               \
        __VA_ARGS__ \
    }

static void by_hand(void)
{
    ok(ENDS_AS("lfu", COUNTS(2, 1, 1), {1, 1}, {2, 1}, {3, 1}, {1, 1}),
       "a hit adds the weight, empty ways are taken first");
    ok(ENDS_AS("lfu", COUNTS(3, 0, 5, 2), {1, 3}, {2, 2}, {3, 5}, {4, 2}),
       "lfu: a miss evicts what counts least and starts from the incoming count");
    ok(ENDS_AS("lfu", COUNTS(0, 2, 2, 0, 1), {1, 2}, {2, 2}, {3, 2}, {4, 1}, {5, 1}),
       "lfu: newcomers evict one another");
    ok(ENDS_AS("lru", COUNTS(9, 0, 1, 1), {1, 8}, {2, 9}, {3, 1}, {1, 1}, {4, 1}),
       "lru: a miss evicts what was not used for longest, whatever it counts");
    ok(ENDS_AS("lru", COUNTS(1, 2, 0, 1), {1, 1}, {2, 1}, {3, 1}, {2, 1}, {1, 0}, {4, 1}, {1, 1}),
       "lru: an event that weighs nothing is no use");
    ok(ENDS_AS("age", COUNTS(1, 5, 5), {1, 3}, {2, 4}, {3, 5}, {2, 1}, {4, 2}, {1, 2}, {4, 2}),
       "age: a miss takes its weight from what counts least, and is lost");
    ok(ENDS_AS("age", COUNTS(0, 4, 5, 2), {1, 3}, {2, 4}, {3, 5}, {4, 2}, {4, 2}),
       "age: what counts no more than the newcomer weighs is replaced by it");
    ok(ENDS_AS("age", COUNTS(0, 4, 5, 2), {1, 2}, {2, 4}, {3, 5}, {4, 2}),
       "age: also when that is just as much");
    ok(ENDS_AS("lfu", COUNTS(1, 1, 1), {1, 1}, {2, 1}, {3, 1}, {4, 0}, {2, 0}),
       "an event that weighs nothing takes no entry");
    ok(ENDS_AS("lfu", COUNTS(15, 15), {1, 14}, {1, 3}, {1, 9}, {2, 99}),
       "a counter of 4 bits stops at 15");
}

/* Entries come out way by way: the only sign of which way is which. */
static void ways_by_hand(void)
{
    static const uint64_t tuple[] = {1, 2, 3, 3, 2, 1, 4}, wanted[] = {4, 2, 3};
    struct sl_table_host host = {0};
    struct placed p = place("hpt(3x3)", &host);
    struct entries all = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof tuple / sizeof *tuple; i++)
        sl_table_step(p.table, &(struct sl_event){0, {tuple[i], 5}, 1, NULL, 0, 0});
    sl_table_drain(p.table, NULL, keep_entry, &all);
    bool right = all.n == 3;
    for (size_t i = 0; i < 3 && right; i++)
        right = all.entry[i].tuple.pc == wanted[i];
    ok(right, "ways are taken from the lowest, which also goes first on a tie");
    free(all.entry);
    unplace(&p);
}

/* Tuples of one set evict one another in a table of one way, and no others do. */
static bool same_set(const char *spec, struct sl_tuple a, struct sl_tuple b)
{
    struct sl_table_host host = {0};
    struct placed p = place(spec, &host);
    struct sl_table_status s;
    sl_table_step(p.table, &(struct sl_event){0, a, 1, NULL, 0, 0});
    sl_table_step(p.table, &(struct sl_event){0, b, 1, NULL, 0, 0});
    sl_table_status(p.table, &s);
    unplace(&p);
    return s.distinct == 1;
}

static void index_by_hand(void)
{
    /* 3 bits. Start 0x49: 001 001 001, together 001. Length 5: bits 32 and 34, so 100 in
     * chunk 10 and 010 in chunk 11; outcomes 0x24: 100 100; together 110, turned 101. */
    struct sl_tuple path = {0x49, UINT64_C(5) << 32 | 0x24};
    ok(set_plainly(0x49, path.value, 3, false) == (1 ^ 5) &&
           set_plainly(0x49, path.value, 3, true) == 1,
       "the set of a path by hand is that of the plain definition");
    ok(same_set("hpt(8x1)", path, (struct sl_tuple){1 ^ 5, 0}) &&
           !same_set("hpt(8x1)", path, (struct sl_tuple){1, 0}),
       "and that of the table");
    ok(same_set("hpt(8x1,index=start)", path, (struct sl_tuple){1, 99}) &&
           !same_set("hpt(8x1,index=start)", path, (struct sl_tuple){0, 0}),
       "index=start looks at the start alone");
}

/* Of as many branches that fall through as there are sets of one way. */
static void fall_through(void)
{
    bool spread = true;
    for (unsigned bits = 4; bits <= 12; bits++) {
        char spec[32];
        struct sl_table_host host = {0};
        struct sl_table_status s;
        snprintf(spec, sizeof spec, "hpt(%ux1)", 1u << bits);
        struct placed p = place(spec, &host);
        for (uint64_t i = 0, at = 0x401000; i < UINT64_C(1) << bits; i++, at += 9 + i * i % 16)
            sl_table_step(p.table,
                          &(struct sl_event){0, {at, at + 2 + 4 * (i & 1)}, 1, NULL, 0, 0});
        sl_table_status(p.table, &s);
        unplace(&p);
        spread &= s.distinct * 3 > UINT64_C(1) << bits;
    }
    ok(spread, "branches that fall through are spread over more than a third of the sets, "
               "however many these are");
}

/* ---- the plain definition ---- */

static struct sl_tuple tuple_at(size_t i, bool values)
{
    return (struct sl_tuple){pc[tuple_id[i]], values ? value[i] : second[tuple_id[i]]};
}

static bool as_defined(const struct sl_table *table, bool values, bool weights, struct plain *plain)
{
    plain->entry = calloc(plain->entries, sizeof *plain->entry);
    for (size_t i = 0; i < N_EVENTS; i++)
        plain_step(plain, tuple_at(i, values), weights ? weight[i] : 1, i + 1);
    struct entries wanted = plain_entries(plain), got = drained(table, NULL);
    struct sl_table_status s;
    sl_table_status(table, &s);
    bool same = wanted.n == got.n && plain->drops == s.drops;
    for (size_t i = 0; i < got.n && same; i++)
        same = !by_tuple(&wanted.entry[i], &got.entry[i]) &&
               wanted.entry[i].count == got.entry[i].count;
    free(wanted.entry);
    free(got.entry);
    free(plain->entry);
    return same;
}

/* ---- what holds of every table ---- */

static uint64_t true_count(struct sl_tuple tuple, bool values, bool weights)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_tuple t = tuple_at(i, values);
        if (t.pc == tuple.pc && t.value == tuple.value)
            sum += weights ? weight[i] : 1;
    }
    return sum;
}

static bool bounds_hold(const struct sl_table *table, bool values, bool weights)
{
    struct entries all = drained(table, NULL);
    struct sl_table_status s;
    bool hold = true;
    uint64_t kept = 0, exact = 0;
    for (size_t i = 0; i < all.n; i++) {
        const struct sl_entry *e = &all.entry[i];
        uint64_t true_one = true_count(e->tuple, values, weights);
        hold = hold && e->low <= true_one && true_one <= e->high && e->count == e->low;
        kept += e->count;
        exact += e->low == e->high;
    }
    sl_table_status(table, &s);
    hold = hold && s.bounds == SL_BOUNDS_CERTAIN && kept + s.drops_weight == s.weight &&
           s.distinct == all.n && s.events == N_EVENTS && s.drops <= N_EVENTS &&
           (weights || s.drops == s.drops_weight) && (s.drops || exact == all.n);
    free(all.entry);
    return hold;
}

/* ---- batches against steps ---- */

static void feed_events(struct sl_table *table, bool values, bool weights)
{
    for (size_t i = 0; i < N_EVENTS; i++)
        sl_table_step(table, &(struct sl_event){tuple_id[i], tuple_at(i, values),
                                                weights ? weight[i] : 1, NULL, 0, 0});
}

static void feed_batches(struct sl_table *table, bool values, bool weights)
{
    uint64_t seed = 5;
    for (size_t at = 0; at < N_EVENTS;) {
        size_t n = (size_t)sl_random_below(&seed, 2000);
        n = n < N_EVENTS - at ? n : N_EVENTS - at;
        size_t known = n ? 1 + (at + n - 1) * N_NAMES / N_EVENTS : 1;
        struct sl_tuple_names names = {pc, values ? NULL : second, known};
        struct sl_batch batch = {n,
                                 tuple_id + at,
                                 values ? value + at : NULL,
                                 weights ? weight + at : NULL,
                                 &names,
                                 NULL,
                                 0,
                                 NULL};
        /* Some of it one by one: a table can be requested both. */
        if (sl_random_below(&seed, 4))
            sl_table_observe(table, &batch);
        else
            for (size_t i = at; i < at + n; i++)
                sl_table_step(table, &(struct sl_event){tuple_id[i], tuple_at(i, values),
                                                        weights ? weight[i] : 1, NULL, 0, 0});
        at += n;
    }
}

static bool same_tables(const struct sl_table *a, const struct sl_table *b)
{
    struct entries in_a = drained(a, NULL), in_b = drained(b, NULL);
    struct sl_table_status sa, sb;
    sl_table_status(a, &sa);
    sl_table_status(b, &sb);
    bool same = same_entries(&in_a, &in_b) && sa.events == sb.events && sa.weight == sb.weight &&
                sa.drops == sb.drops && sa.drops_weight == sb.drops_weight &&
                !strcmp(sa.note, sb.note);
    free(in_a.entry);
    free(in_b.entry);
    return same;
}

static void on_streams(const char *geometry, const char *replacement, const char *index,
                       unsigned counter_bits, size_t names)
{
    const char *bad = NULL;
    char spec[99];
    snprintf(spec, sizeof spec, "hpt(%s,replacement=%s,index=%s,counter=%u)", geometry, replacement,
             index, counter_bits);
    for (unsigned kind = 0; kind < 4 && !bad; kind++) {
        bool values = kind & 1, weights = kind & 2;
        struct sl_table_host host = {.names = names};
        struct plain plain = {.replacement = replacement[1],
                              .start = !strcmp(index, "start"),
                              .counter_bits = counter_bits};
        struct placed by_steps = place(spec, &host), by_batches = place(spec, &host);
        sscanf(geometry, "%zux%zu", &plain.entries, &plain.ways);
        feed_events(by_steps.table, values, weights);
        feed_batches(by_batches.table, values, weights);
        if (!same_tables(by_steps.table, by_batches.table))
            bad = "batches";
        else if (!as_defined(by_steps.table, values, weights, &plain))
            bad = "the plain definition";
        else if (!bounds_hold(by_steps.table, values, weights))
            bad = "bounds and sums";
        unplace(&by_steps);
        unplace(&by_batches);
    }
    ok(!bad,
       "%s, space for %zu names: as defined, batches as steps, counts within bounds, kept + "
       "lost = all%s%s",
       spec, names, bad ? "; not so: " : "", bad ? bad : "");
}

/* No tuple has two ids, and the host says so: batches alone, and with a
 * step in the middle. */
static void distinct(const char *geometry, const char *replacement, size_t capacity)
{
    static uint64_t apart[N_NAMES];
    struct sl_table_host host = {.names = capacity, .distinct_names = true};
    char spec[64];
    bool same = true;
    snprintf(spec, sizeof spec, "hpt(%s,replacement=%s)", geometry, replacement);
    for (size_t i = 0; i < N_NAMES; i++)
        apart[i] = 0x401000 + 6 * i;
    for (unsigned kind = 0; kind < 4; kind++) {
        bool weights = kind & 1, mixed = kind & 2;
        struct placed steps = place(spec, &host), batches = place(spec, &host);
        for (size_t at = 0, n; at < N_EVENTS; at += n) {
            n = 1 + at % 1777 < N_EVENTS - at ? 1 + at % 1777 : N_EVENTS - at;
            struct sl_tuple_names names = {apart, second, 1 + (at + n - 1) * N_NAMES / N_EVENTS};
            struct sl_batch batch = {n,      tuple_id + at, NULL, weights ? weight + at : NULL,
                                     &names, NULL,          0,    NULL};
            bool by_step = mixed && at > N_EVENTS / 2 && at % 3 == 0;
            for (size_t i = 0; i < n; i++) {
                struct sl_event event = sl_batch_event(&batch, i);
                sl_table_step(steps.table, &event);
                if (by_step)
                    sl_table_step(batches.table, &event);
            }
            if (!by_step)
                sl_table_observe(batches.table, &batch);
        }
        same = same && same_tables(steps.table, batches.table);
        unplace(&steps);
        unplace(&batches);
    }
    ok(same, "%s, %zu ids of different tuples: batches as steps", spec, capacity);
}

/* ---- time ---- */

static bool is_there(const struct sl_table *table, struct sl_tuple tuple)
{
    struct entries all = drained(table, NULL);
    struct sl_entry key = {.tuple = tuple};
    bool there = all.n && bsearch(&key, all.entry, all.n, sizeof key, by_tuple);
    free(all.entry);
    return there;
}

static void delays(const char *geometry, uint32_t miss)
{
    char spec[64];
    struct sl_table_host host = {0};
    size_t wrong = 0, misses = 0, n = N_EVENTS / 4;
    snprintf(spec, sizeof spec, "hpt(%s)", geometry);
    struct placed p = place(spec, &host);
    for (size_t i = 0; i < n; i++) {
        struct sl_event event = {
            tuple_id[i], {pc[tuple_id[i]], second[tuple_id[i]]}, weight[i], NULL, 0, 0};
        bool waits = event.weight && !is_there(p.table, event.tuple);
        wrong += sl_table_delay(p.table, &event) != (waits ? miss : 0);
        misses += waits;
        sl_table_step(p.table, &event);
    }
    ok(!wrong && misses > 100 && misses < n, "%s: a path that is not there takes %u cycles more",
       spec, (unsigned)miss);
    unplace(&p);
}

static void resolved(const char *spec, const char *wanted, uint64_t bits)
{
    const struct sl_table_kind *kind;
    void *config;
    size_t end;
    char printed[200] = "";
    struct sl_failure f = {0};
    if (sl_table_parse(&kind, &config, spec, 0, &end, &f) >= 0) {
        sl_table_print(kind, config, printed, sizeof printed);
        free(config);
    }
    ok(!strcmp(printed, wanted) && sl_table_storage(spec, NULL) == bits,
       "%s is %s and has %llu bits", spec, wanted, (unsigned long long)bits);
}

static void refused(const char *spec, const char *why)
{
    struct sl_failure f = {0};
    struct sl_table_host host = {0};
    ok(!sl_table_bytes(spec, &host, &f) && f.code == SL_EUSAGE && strstr(f.text, why),
       "%s is refused: %s", spec, why);
}

static void configurations(void)
{
    resolved("hpt", "hpt(geometry=512x4,index=xor,replacement=lfu,counter=32,phase=0,turnover=50%)",
             512 * 134);
    resolved("hpt(0096x03,replacement=lru,counter=20)",
             "hpt(geometry=96x3,index=xor,replacement=lru,counter=20,phase=0,turnover=50%)",
             96 * (102 + 20 + 2));
    resolved("hpt(1x1,index=start,replacement=age)",
             "hpt(geometry=1x1,index=start,replacement=age,counter=32,phase=0,turnover=50%)", 134);
    refused("hpt(512)", "ENTRIESxWAYS");
    refused("hpt(x4)", "ENTRIESxWAYS");
    refused("hpt(512x)", "ENTRIESxWAYS");
    refused("hpt(512x4x2)", "ENTRIESxWAYS");
    refused("hpt(512x0)", "sets of 1 to 256");
    refused("hpt(512x512)", "sets of 1 to 256");
    refused("hpt(2097152x4)", "1048576 entries");
    refused("hpt(0x4)", "for example 4x4");
    refused("hpt(96x4)", "for example 64x4");
    refused("hpt(512x3)", "for example 384x3");
    refused("hpt(counter=61)", "counter");
}

int main(void)
{
    static const char *const geometry[] = {"1x1", "16x1", "12x3", "64x4", "256x32", "1024x2"};
    static const char *const replacement[] = {"lfu", "lru", "age"};
    make_stream();
    by_hand();
    ways_by_hand();
    index_by_hand();
    fall_through();
    configurations();
    delays("64x1", 0);
    delays("24x3", 2);
    delays("64x4", 2);
    delays("64x32", 5);
    for (size_t g = 0; g < sizeof geometry / sizeof *geometry; g++)
        for (size_t r = 0; r < 3; r++) {
            on_streams(geometry[g], replacement[r], "xor", 32, N_NAMES);
            on_streams(geometry[g], replacement[r], g % 2 ? "start" : "xor", 7, N_NAMES / 3);
            distinct(geometry[g], replacement[r], g % 2 ? N_NAMES : N_NAMES / 3);
        }
    return done_testing();
}
