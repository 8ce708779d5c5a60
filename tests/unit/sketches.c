/* SPDX-License-Identifier: MIT */
/* Unit tests of the sketches and counter summaries. They are compared with simple models
 * (support/plain_sketches.h). Counting a batch of events gives the same result as counting its
 * events one by one. The error guarantees of the published algorithms hold, on streams of code
 * events and of load values, with and without weights. */
#include <stdint.h>

#include "../support/placed_table.h"
#include "../support/plain_sketches.h"
#include "table.h"
#include "tap.h"

#define N_EVENTS 30000u
#define N_NAMES 600u
#define TUPLES_MAX (N_NAMES * 64u)

static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS], pc[N_NAMES], second[N_NAMES];

struct stream {
    const char *name;
    bool values, weights;
    struct sl_tuple tuple[TUPLES_MAX]; /* those there are, with what they weigh */
    uint64_t exact[TUPLES_MAX], total;
    size_t n;
};

static struct sl_tuple tuple_of(const struct stream *s, size_t i)
{
    return (struct sl_tuple){pc[tuple_id[i]], s->values ? value[i] : second[tuple_id[i]]};
}

static uint64_t weight_of(const struct stream *s, size_t i)
{
    return s->weights ? weight[i] : 1;
}

/* Few are frequent, and half of these change on the way. */
static void make_events(void)
{
    uint64_t seed = 5;
    for (size_t i = 0; i < N_NAMES; i++) {
        pc[i] = 0x401000 + 4 * i;
        second[i] = 0x402000 + 12 * (i ^ 5);
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        size_t few = sl_random_below(&seed, 12) +
                     (i > N_EVENTS / 2 && sl_random_below(&seed, 2) ? 40 : 0);
        tuple_id[i] = (uint32_t)(sl_random_below(&seed, 5) < 3 ? few
                                                               : sl_random_below(&seed, N_NAMES));
        value[i] = sl_random_below(&seed, 3) ? 7 : sl_random_below(&seed, 60) << 20;
        weight[i] = sl_random_below(&seed, 50) ? sl_random_below(&seed, 4)
                                               : sl_random_below(&seed, 400);
    }
}

static void count_exactly(struct stream *s)
{
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_tuple t = tuple_of(s, i);
        size_t at = 0;
        while (at < s->n && !plain_same(s->tuple[at], t))
            at++;
        if (at == s->n)
            s->tuple[s->n++] = t;
        s->exact[at] += weight_of(s, i);
        s->total += weight_of(s, i);
    }
}

static uint64_t exact_of(const struct stream *s, struct sl_tuple t)
{
    for (size_t i = 0; i < s->n; i++)
        if (plain_same(s->tuple[i], t))
            return s->exact[i];
    return 0;
}

/* ---- the table, event by event and in batches ---- */

static struct placed stepped(const char *spec, const struct stream *s)
{
    struct sl_table_host host = {0};
    struct placed p = place(spec, &host);
    for (size_t i = 0; i < N_EVENTS; i++)
        sl_table_step(p.table, &(struct sl_event){.tuple_id = tuple_id[i],
                                                  .tuple = tuple_of(s, i),
                                                  .weight = weight_of(s, i)});
    return p;
}

/* Names become known on the way, and the host has space for half of them. */
static struct placed batched(const char *spec, const struct stream *s)
{
    struct sl_table_host host = {.names = N_NAMES / 2};
    struct placed p = place(spec, &host);
    struct sl_tuple_names names = {pc, s->values ? NULL : second, 0};
    uint64_t seed = 9;
    for (size_t from = 0, n; from < N_EVENTS; from += n) {
        n = 1 + sl_random_below(&seed, 700);
        n = n < N_EVENTS - from ? n : N_EVENTS - from;
        for (size_t i = from; i < from + n; i++)
            names.n = tuple_id[i] >= names.n ? tuple_id[i] + 1 : names.n;
        sl_table_observe(p.table, &(struct sl_batch){.n = n,
                                                     .tuple_id = tuple_id + from,
                                                     .value = s->values ? value + from : NULL,
                                                     .weight = s->weights ? weight + from : NULL,
                                                     .names = &names});
    }
    return p;
}

/* ---- plain forms ---- */

static struct entries plain_list(const struct plain *p)
{
    struct entries all = {.entry = calloc(p->n + 1, sizeof *all.entry)};
    for (size_t i = 0; i < p->n; i++)
        if (p->count[i])
            all.entry[all.n++] = (struct sl_entry){.tuple = p->name[i], .count = p->count[i]};
    return all;
}

static struct entries plain_cells(const struct plain *p)
{
    struct entries all = {.entry = calloc(PLAIN_CELLS, sizeof *all.entry)};
    for (size_t i = 0; i < p->rows * p->columns; i++) {
        uint64_t before = 0;
        if (p->flag[i])
            before = p->lights[plain_hash(1, 65536, p->cell_name[i]) % p->light];
        if (p->cell[i])
            all.entry[all.n++] = (struct sl_entry){.tuple = p->cell_name[i],
                                                   .count = (uint64_t)p->cell[i] + before};
    }
    return all;
}

/* What is drained is in the order of its tuples. */
static bool same_counts(const struct entries *got, const struct entries *plain)
{
    qsort(plain->entry, plain->n, sizeof *plain->entry, by_tuple);
    bool same = got->n == plain->n && got->n;
    for (size_t i = 0; same && i < got->n; i++)
        same = !by_tuple(&got->entry[i], &plain->entry[i]) &&
               got->entry[i].count == plain->entry[i].count;
    return same;
}

/* ---- what the papers promise ---- */

static bool within_bounds(const struct stream *s, const struct entries *all)
{
    size_t inside = 0;
    for (size_t i = 0; i < all->n; i++) {
        uint64_t exact = exact_of(s, all->entry[i].tuple);
        inside += all->entry[i].low <= exact && exact <= all->entry[i].high;
    }
    return all->n && inside == all->n;
}

/* Every tuple that weighs more than `above` is listed. */
static bool has_all_above(const struct stream *s, const struct entries *all, uint64_t above)
{
    for (size_t i = 0; i < s->n; i++) {
        bool there = s->exact[i] <= above;
        for (size_t k = 0; k < all->n && !there; k++)
            there = plain_same(all->entry[k].tuple, s->tuple[i]);
        if (!there)
            return false;
    }
    return true;
}

static uint64_t widest(const struct entries *all)
{
    uint64_t most = 0;
    for (size_t i = 0; i < all->n; i++)
        if (all->entry[i].high - all->entry[i].low > most)
            most = all->entry[i].high - all->entry[i].low;
    return most;
}

static const struct design {
    const char *spec;
    void (*plain)(struct plain *p, struct sl_tuple t, uint64_t weight);
    struct plain as;
    bool cells;   /* its names are in its cells */
    bool bounded; /* what it says is certain */
} designs[] = {
    {"spacesaving(entries=48)", plain_spacesaving, {.entries = 48}, false, true},
    {"misragries(entries=48)", plain_misragries, {.entries = 48}, false, true},
    {"countmin(rows=4,columns=128,entries=24)",
     plain_countmin,
     {.entries = 24, .rows = 4, .columns = 128},
     false,
     true},
    {"countmin(rows=2,columns=64,entries=40,conservative=1)",
     plain_countmin,
     {.entries = 40, .rows = 2, .columns = 64, .conservative = true},
     false,
     true},
    {"countsketch(columns=128,entries=24)",
     plain_countsketch,
     {.entries = 24, .rows = 3, .columns = 128},
     false,
     false},
    {"heavykeeper(columns=64,entries=24)",
     plain_heavykeeper,
     {.entries = 24, .rows = 2, .columns = 64, .random = 1},
     false,
     false},
    {"elastic(buckets=8,ways=4,light=256)",
     plain_elastic,
     {.rows = 4, .columns = 8, .light = 256},
     true,
     true},
    {"elastic(buckets=2,ways=8,light=256)",
     plain_elastic,
     {.rows = 8, .columns = 2, .light = 256},
     true,
     true},
    {"elastic(buckets=4,ways=12,light=256)",
     plain_elastic,
     {.rows = 12, .columns = 4, .light = 256},
     true,
     true},
    {"cocosketch(rows=3,columns=32)",
     plain_cocosketch,
     {.rows = 3, .columns = 32, .random = 1},
     true,
     false},
};

static void one(const struct design *design, const struct stream *s)
{
    struct placed by_step = stepped(design->spec, s), by_batch = batched(design->spec, s);
    struct entries all = drained(by_step.table, NULL), batches = drained(by_batch.table, NULL);
    struct plain *plain = malloc(sizeof *plain);
    *plain = design->as;
    for (size_t i = 0; i < N_EVENTS; i++)
        if (weight_of(s, i))
            design->plain(plain, tuple_of(s, i), weight_of(s, i));
    struct entries wanted = design->cells ? plain_cells(plain) : plain_list(plain);
    ok(same_counts(&all, &wanted), "%s, %s: as its plain definition has it", design->spec, s->name);
    ok(same_entries(&all, &batches), "%s, %s: batches are steps", design->spec, s->name);
    struct sl_table_status status;
    sl_table_status(by_batch.table, &status);
    ok(status.events == N_EVENTS && status.weight == s->total && status.distinct == all.n,
       "%s, %s: its status has the given events and the number of entries", design->spec, s->name);
    if (design->bounded)
        ok(within_bounds(s, &all), "%s, %s: true counts are within the bounds", design->spec,
           s->name);
    if (design->plain == plain_spacesaving)
        ok(counted(&all) == s->total && widest(&all) <= s->total / 48 &&
               has_all_above(s, &all, s->total / 48),
           "Space-Saving, %s: counts add up; no error is above N / k; nor is a tuple that is "
           "missing",
           s->name);
    if (design->plain == plain_misragries)
        ok(widest(&all) <= s->total / 49 && has_all_above(s, &all, s->total / 49),
           "Misra-Gries, %s: no error is above N / (k + 1), nor is a tuple that is missing",
           s->name);
    if (design->plain == plain_cocosketch)
        ok(counted(&all) == s->total, "CocoSketch, %s: counts add up", s->name);
    free(wanted.entry);
    free(plain);
    free(all.entry);
    free(batches.entry);
    unplace(&by_step);
    unplace(&by_batch);
}

/* Over many seeds, the mean of what CocoSketch reports of a tuple, 0 where it is not there, is
 * right.
 */
static void unbiased(const struct stream *s)
{
    enum { SEEDS = 300 };
    double mean = 0, square = 0, exact = (double)exact_of(s, tuple_of(s, 3));
    for (int seed = 0; seed < SEEDS; seed++) {
        char spec[64];
        snprintf(spec, sizeof spec, "cocosketch(rows=2,columns=8,seed=%d)", seed);
        struct placed p = batched(spec, s);
        struct entries all = drained(p.table, NULL);
        double said = 0;
        for (size_t i = 0; i < all.n; i++)
            said += plain_same(all.entry[i].tuple, tuple_of(s, 3)) ? (double)all.entry[i].count : 0;
        mean += said / SEEDS;
        square += said * said / SEEDS;
        free(all.entry);
        unplace(&p);
    }
    double deviation = sqrt((square - mean * mean) / SEEDS);
    ok(fabs(mean - exact) < 4 * deviation, "CocoSketch is right in the mean (%.0f of %.0f, +-%.0f)",
       mean, exact, deviation);
}

int main(void)
{
    static struct stream streams[] = {
        {.name = "static"},
        {.name = "static, weights", .weights = true},
        {.name = "values", .values = true},
        {.name = "values, weights", .values = true, .weights = true},
    };
    make_events();
    for (size_t k = 0; k < sizeof streams / sizeof *streams; k++) {
        count_exactly(&streams[k]);
        for (size_t i = 0; i < sizeof designs / sizeof *designs; i++)
            one(&designs[i], &streams[k]);
    }
    unbiased(&streams[0]);
    return done_testing();
}
