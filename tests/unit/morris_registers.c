/* SPDX-License-Identifier: MIT */
/* Unit tests of the shift registers that give Morris counters their random bits. A register can be
 * shared by a group of counters, and can advance with every clock cycle. The counters are compared
 * with a plain implementation that moves each register bit by bit. */
#include <stdint.h>

#include "../support/placed_table.h"
#include "approximate.h"
#include "random.h"
#include "table.h"
#include "tap.h"

#define GROUPS 4u
#define GROUP 3u
#define N_EVENTS 1500u

static struct sl_event event[N_EVENTS];

static void make_stream(void)
{
    uint64_t seed = 5, now = 0;
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint32_t tuple_id = (uint32_t)sl_random_below(&seed, GROUPS + 1); /* one too many */
        now += sl_random_below(&seed, 4) ? sl_random_below(&seed, 6) : sl_random_below(&seed, 900);
        event[i] = (struct sl_event){.tuple_id = tuple_id,
                                     .tuple = {0x10 + tuple_id, 0},
                                     .weight = sl_random_below(&seed, 7),
                                     .time = now + 1};
    }
}

/* ---- the plain form ---- */

/* The sequence of one register's bits, from its beginning on. */
struct bits {
    uint64_t state;
    const struct sl_lfsr *lfsr;
};

static void step(struct bits *b)
{
    const struct sl_lfsr *l = b->lfsr;
    uint64_t fresh = (b->state ^ b->state >> l->tap[0] ^ b->state >> l->tap[1] ^
                      b->state >> l->tap[2]) &
                     1;
    b->state = b->state >> 1 | fresh << (l->width - 1);
}

static bool zeros(const struct bits *b, uint32_t level)
{
    for (uint32_t i = 0; i < level; i++)
        if (b->state >> i & 1)
            return false;
    return true;
}

struct plain {
    struct bits reg[GROUP];
    uint64_t place; /* steps that the registers have made */
    uint32_t value[GROUPS][GROUP];
};

static void go_to(struct plain *p, uint64_t place)
{
    for (; p->place < place; p->place++)
        for (size_t i = 0; i < GROUP; i++)
            step(&p->reg[i]);
}

static void count(struct plain *p, uint32_t *value)
{
    for (size_t i = 0; i < GROUP; i++)
        value[i] += zeros(&p->reg[i], value[i]);
}

static uint64_t steps_of(const struct sl_lfsr *l, bool all)
{
    return all ? l->width : 1;
}

static void shared_plainly(struct plain *p, bool all)
{
    for (size_t i = 0; i < N_EVENTS; i++)
        for (uint64_t k = 0; k < event[i].weight && event[i].tuple_id < GROUPS; k++) {
            count(p, p->value[event[i].tuple_id]);
            go_to(p, p->place + steps_of(p->reg[0].lfsr, all));
        }
}

static struct plain plain_new(const struct sl_lfsr *l, uint64_t seed)
{
    struct plain p = {.place = 0};
    for (size_t i = 0; i < GROUP; i++)
        p.reg[i] = (struct bits){sl_lfsr_begin(l, sl_random_next(&seed)), l};
    return p;
}

/* ---- what must hold ---- */

static bool same(const char *spec, const struct plain *p, bool batches)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    const struct sl_table_kind *kind;
    void *config;
    size_t end;
    struct sl_failure f;
    if (sl_table_parse(&kind, &config, spec, 0, &end, &f) < 0)
        return false;
    void *state = aligned_alloc(64, (kind->size(config, &host) + 63) & ~(size_t)63);
    memset(state, 0, kind->size(config, &host));
    kind->init(state, config, &host, &f);
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t pc[GROUPS + 1] = {0x10, 0x11, 0x12, 0x13, 0x14};
        struct sl_tuple_names names = {pc, NULL, GROUPS + 1};
        struct sl_batch batch = {.n = 1,
                                 .tuple_id = &event[i].tuple_id,
                                 .value = &event[i].tuple.value,
                                 .weight = &event[i].weight,
                                 .names = &names,
                                 .time = &event[i].time};
        if (batches)
            kind->observe(state, &batch);
        else
            kind->step(state, &event[i]);
    }
    bool right = true;
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t value[GROUP];
        sl_approximate_values(state, g, value);
        right &= !memcmp(value, p->value[g], sizeof value);
    }
    struct sl_table_status status;
    kind->status(state, &status);
    right &= status.drops > 0 && status.events == N_EVENTS;
    free(state);
    free(config);
    return right;
}

static void shared(void)
{
    static const char *const widths[] = {"16", "32", "64"};
    bool right = true;
    for (size_t w = 0; w < 3; w++)
        for (int all = 0; all < 2; all++) {
            char spec[200];
            struct plain p = plain_new(&sl_lfsrs[w], 7);
            snprintf(spec, sizeof spec,
                     "morris(registers=shared,counters=%u,group=%u,seed=7,lfsr=%s,"
                     "steps=%s)",
                     GROUPS, GROUP, widths[w], all ? "all" : "1");
            shared_plainly(&p, all);
            right &= same(spec, &p, false) && same(spec, &p, true);
        }
    ok(right, "shared: registers move with every event of any group");
}

/* One group's events alone, as the cycles are numbered by the table: from an offset that is known
 * by what two tables do at cycles one apart. */
static void clocked(void)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    const char *spec = "morris(registers=clock,counters=3,group=5,seed=9)";
    struct placed a = place(spec, &host), b = place(spec, &host), c = place(spec, &host);
    bool twins = true, apart = false;
    for (uint64_t i = 0; i < 4000; i++) {
        struct sl_event e = {.weight = 1, .time = 3 * i + 1};
        for (uint32_t tuple_id = 0; tuple_id < 2; tuple_id++) {
            e.tuple_id = tuple_id;
            e.tuple.pc = tuple_id;
            sl_table_step(a.table, &e);
        }
        e.tuple_id = 0;
        e.tuple.pc = 0;
        sl_table_step(b.table, &e);
        e.time += 1;
        sl_table_step(c.table, &e);
    }
    struct entries of[3] = {drained(a.table, NULL), drained(b.table, NULL), drained(c.table, NULL)};
    twins = of[0].n == 2 && of[0].entry[0].count == of[0].entry[1].count &&
            of[0].entry[0].count == of[1].entry[0].count;
    apart = of[1].entry[0].count != of[2].entry[0].count;
    ok(twins,
       "clock: groups that count in the same cycles count the same, whichever other groups count");
    ok(apart, "clock: and in other cycles something else");
    for (int i = 0; i < 3; i++)
        free(of[i].entry);
    unplace(&a);
    unplace(&b);
    unplace(&c);
}

/* Five occurrences up to a cycle are one in each of five cycles. */
static void weights(void)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    const char *spec = "morris(registers=clock,counters=1,group=5,seed=3)";
    struct placed one = place(spec, &host), five = place(spec, &host);
    for (uint64_t i = 1; i <= 3000; i++) {
        struct sl_event e = {.weight = 5, .time = 8 * i};
        sl_table_step(five.table, &e);
        for (uint64_t k = 0; k < 5; k++) {
            struct sl_event single = {.weight = 1, .time = 8 * i - 4 + k};
            sl_table_step(one.table, &single);
        }
    }
    ok(same_drained(one.table, five.table, NULL),
       "clock: occurrences of a block are cycle by cycle");
    unplace(&one);
    unplace(&five);
}

/* Each group by itself is as good as ever: the mean over many seeds is the count. */
static void unbiased(const char *registers)
{
    struct sl_table_host host = {.memory_bytes = 1 << 20};
    double sum = 0;
    for (unsigned seed = 1; seed <= 400; seed++) {
        char spec[120];
        snprintf(spec, sizeof spec, "morris(registers=%s,counters=2,group=5,seed=%u)", registers,
                 seed);
        struct placed p = place(spec, &host);
        for (uint64_t i = 0; i < 1000; i++) {
            struct sl_event e = {
                .tuple_id = i % 2, .tuple = {i % 2, 0}, .weight = 1, .time = 2 * i + 1};
            sl_table_step(p.table, &e);
        }
        struct entries got = drained(p.table, NULL);
        for (size_t i = 0; i < got.n; i++)
            sum += (double)got.entry[i].count / 800;
        free(got.entry);
        unplace(&p);
    }
    ok(sum > 450 && sum < 550, "%s: the mean of 800 readings of 500 is %.0f", registers, sum);
}

int main(void)
{
    make_stream();
    shared();
    clocked();
    weights();
    unbiased("own");
    unbiased("shared");
    unbiased("clock");
    return done_testing();
}
