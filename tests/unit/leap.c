/* SPDX-License-Identifier: MIT */
/* Unit tests of the function profiler LEAP: its counts equal a simple sum for each function. A
 * counter with few bits that reaches its maximum either stops or is halved, and the lost weight is
 * counted. */
#include <string.h>

#include "support/function_list.h"
#include "support/placed_table.h"
#include "table.h"
#include "tap.h"

#define N_FUNCTIONS 300u
#define N_TUPLES (N_FUNCTIONS + 20) /* some belong to no function */
#define N_EVENTS 100000u
#define BASE UINT64_C(0x4000001000)

static struct sl_function_list list;
static uint64_t pc[N_TUPLES], second[N_TUPLES], sum[N_TUPLES], all, of_strangers, strangers;
static uint32_t tuple_id[N_EVENTS];
static uint64_t weight[N_EVENTS];
static const struct sl_tuple_names names = {pc, second, N_TUPLES};

static void make_events(void)
{
    uint64_t seed = 5;
    list = make_list(N_FUNCTIONS, BASE, 1);
    for (size_t i = 0; i < N_TUPLES; i++)
        pc[i] = i < N_FUNCTIONS ? list.start[i]
                : i % 2         ? list.start[i - N_FUNCTIONS] + 4            /* in a function */
                                : list.start[i - N_FUNCTIONS] + (UINT64_C(1) << 32); /* low half */
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t r = sl_random_below(&seed, N_TUPLES);
        tuple_id[i] = (uint32_t)(r * r / N_TUPLES); /* the first ones are frequent */
        if (i % 50 == 0)
            tuple_id[i] = (uint32_t)(N_FUNCTIONS + i / 50 % 20);
        weight[i] = sl_random_below(&seed, 90);
        sum[tuple_id[i]] += weight[i];
        all += weight[i];
        if (tuple_id[i] >= N_FUNCTIONS) {
            strangers++;
            of_strangers += weight[i];
        }
    }
}

static void observe_all(struct placed *p)
{
    uint64_t seed = 9;
    for (size_t at = 0; at < N_EVENTS;) {
        size_t n = uneven(&seed, N_EVENTS - at);
        struct sl_batch batch = {n, tuple_id + at, NULL, weight + at, &names, NULL, 0, NULL};
        sl_table_observe(p->table, &batch);
        at += n;
    }
}

static struct placed observed(const char *spec, const struct sl_function_list *functions,
                              struct sl_table_status *status)
{
    struct sl_table_host host = {.functions = functions};
    struct placed p = place(spec, &host);
    observe_all(&p);
    sl_table_status(p.table, status);
    return p;
}

static size_t function_at(uint64_t start)
{
    size_t i = 0;
    while (i < list.n && list.start[i] != start)
        i++;
    return i;
}

static void plain_sums(void)
{
    struct sl_table_status s;
    struct placed p = observed("leap(bits=64)", &list, &s);
    struct entries got = drained(p.table, NULL);
    size_t right = 0, busy = 0;
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        busy += sum[i] != 0;
    for (size_t i = 0; i < got.n; i++) {
        const struct sl_entry *e = &got.entry[i];
        size_t function = function_at(e->tuple.pc);
        right += function < list.n && e->count == sum[function] && e->low == e->count &&
                 e->high == e->count && !e->tuple.value;
    }
    ok(got.n == busy && right == busy && busy > 200, "every function has what it was charged");
    ok(s.drops == strangers && s.drops_weight == of_strangers && of_strangers &&
           counted(&got) + s.drops_weight == all && s.weight == all && s.events == N_EVENTS &&
           s.distinct == busy && s.bounds == SL_BOUNDS_CERTAIN && strstr(s.note, "dropped"),
       "what is no function, or one only by its low 32 bits, is dropped and counted");
    free(got.entry);
    unplace(&p);
}

static void same_by_steps(const char *spec)
{
    struct sl_table_status s, stepped;
    struct placed p = observed(spec, &list, &s);
    struct sl_table_host host = {.functions = &list};
    struct placed q = place(spec, &host);
    struct sl_batch batch = {N_EVENTS, tuple_id, NULL, weight, &names, NULL, 0, NULL};
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_event event = sl_batch_event(&batch, i);
        sl_table_step(q.table, &event);
    }
    sl_table_status(q.table, &stepped);
    ok(same_drained(p.table, q.table, NULL) && same_status(&s, &stepped),
       "%s: a batch is its events one by one", spec);
    unplace(&p);
    unplace(&q);
}

/* The list comes when the program's file is mapped. */
static void filled_later(void)
{
    static struct sl_function_list late;
    struct sl_table_status s;
    struct placed p = observed("leap", &late, &s);
    ok(s.drops == N_EVENTS && s.drops_weight == all && !s.storage_bits && s.note[0],
       "without functions all is dropped, and this is reported");
    late = list;
    late.stripped = true;
    observe_all(&p);
    sl_table_status(p.table, &s);
    struct entries got = drained(p.table, NULL);
    ok(counted(&got) == all - of_strangers && s.drops == N_EVENTS + strangers && s.storage_bits,
       "functions that come later are counted from then on");
    ok(strstr(s.note, "only its 300 exported functions") != NULL,
       "a stripped program is reported as stripped");
    free(got.entry);
    unplace(&p);
    p = observed("leap", NULL, &s);
    ok(s.drops == N_EVENTS && s.note[0], "a host that has no list is no reason to fail");
    unplace(&p);
}

static void narrow(unsigned bits)
{
    char spec[40];
    struct sl_table_status s;
    uint64_t max = (UINT64_C(1) << bits) - 1;
    snprintf(spec, sizeof spec, "leap(bits=%u)", bits);
    struct placed p = observed(spec, &list, &s);
    struct entries got = drained(p.table, NULL);
    size_t full = 0, right = 0;
    for (size_t i = 0; i < got.n; i++) {
        const struct sl_entry *e = &got.entry[i];
        uint64_t truly = sum[function_at(e->tuple.pc)];
        full += e->count == max;
        right += e->count == (truly < max ? truly : max) && e->low <= truly && truly <= e->high;
    }
    ok(full && right == got.n && strstr(s.note, "full") && s.drops > strangers,
       "%s: a counter stops when it is full, and that is seen", spec);
    ok(counted(&got) + s.drops_weight == all, "%s: what it lost is known", spec);
    free(got.entry);
    unplace(&p);
}

static void shifted(unsigned bits, double within)
{
    char spec[40];
    struct sl_table_status s;
    snprintf(spec, sizeof spec, "leap(bits=%u,shift=1)", bits);
    struct placed p = observed(spec, &list, &s);
    struct entries got = drained(p.table, NULL);
    uint64_t unit = 0;
    size_t close = 0;
    for (size_t i = 0; i < got.n; i++)
        unit |= got.entry[i].count;
    unit &= -unit;
    bool fit = unit > 1;
    for (size_t i = 0; i < got.n; i++) {
        double truly = (double)sum[function_at(got.entry[i].tuple.pc)];
        double off = ((double)got.entry[i].count - truly) / truly;
        fit = fit && got.entry[i].count / unit < UINT64_C(1) << bits;
        close += off < within && off > -within;
    }
    ok(fit && s.bounds == SL_BOUNDS_NONE && strstr(s.note, "halved"),
       "%s: counters are halved until all fit", spec);
    ok(close * 10 > got.n * 9, "%s: 9 of 10 counts are within %g of the true ones", spec, within);
    ok(counted(&got) + s.drops_weight == all, "%s: what was shifted out is known", spec);
    free(got.entry);
    unplace(&p);
}

/* ---- parts ---- */

static uint64_t part[N_EVENTS][SL_PARTS];
static struct sl_parts parts = {
    .unit = {100, 150, 151, 160, 200, 400, 90}, .unit_log2 = 4, .slack = 1};

/* What the events weigh follows from their parts, with what is left over carried on. */
static void make_parts(void)
{
    uint64_t seed = 11, fraction = 0;
    all = of_strangers = 0;
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < N_EVENTS; i++) {
        uint64_t spent = fraction;
        for (unsigned k = 0; k < SL_PARTS; k++) {
            part[i][k] = sl_random_below(&seed, 100000);
            spent += part[i][k] * parts.unit[k];
        }
        weight[i] = spent >> parts.unit_log2;
        fraction = spent & 15;
        sum[tuple_id[i]] += weight[i];
        all += weight[i];
        of_strangers += tuple_id[i] < N_FUNCTIONS ? 0 : weight[i];
    }
}

static struct placed observed_parts(const char *spec, bool by_steps, struct sl_table_status *s)
{
    struct sl_table_host host = {.functions = &list, .parts = &parts};
    struct placed p = place(spec, &host);
    struct sl_batch batch = {
        N_EVENTS, tuple_id, NULL, weight, &names, (const uint64_t(*)[SL_PARTS])part, 0, NULL};
    for (size_t i = 0; by_steps && i < N_EVENTS; i++) {
        struct sl_event event = sl_batch_event(&batch, i);
        sl_table_step(p.table, &event);
    }
    if (!by_steps)
        sl_table_observe(p.table, &batch);
    sl_table_status(p.table, s);
    return p;
}

/* A counter for each part: what one sum of as many bits could never hold. */
static void in_parts(void)
{
    struct sl_table_status s, t;
    make_parts();
    struct placed p = observed_parts("leap", false, &s), q = observed_parts("leap", true, &t);
    struct entries got = drained(p.table, NULL);
    size_t within = 0, large = 0;
    for (size_t i = 0; i < got.n; i++) {
        uint64_t truly = sum[function_at(got.entry[i].tuple.pc)];
        within += got.entry[i].low <= truly && truly <= got.entry[i].high &&
                  got.entry[i].high - got.entry[i].low < truly / 1000;
        large += truly > UINT32_MAX;
    }
    ok(got.n > 200 && within == got.n && large && s.bounds == SL_BOUNDS_CERTAIN &&
           !strstr(s.note, "full"),
       "seven counters a function of 32 bits keep %zu sums beyond 32 bits, within their bounds",
       large);
    ok(s.weight == all && s.drops_weight == of_strangers && s.drops == strangers,
       "what they weigh is what was given");
    ok(same_drained(p.table, q.table, NULL) && same_status(&s, &t), "one by one, too");
    free(got.entry);
    unplace(&p);
    unplace(&q);
    p = observed_parts("leap(bits=20)", false, &s);
    ok(strstr(s.note, "are full") && s.drops > strangers, "narrow ones say that they are full");
    unplace(&p);
    p = observed_parts("leap(bits=20,shift=1)", false, &s);
    got = drained(p.table, NULL);
    double off = (double)(counted(&got) + s.drops_weight) / (double)all - 1;
    ok(strstr(s.note, "halved up to") && off < 1e-6 && off > -1e-6,
       "or are halved, each part for itself, and what was shifted out is known");
    free(got.entry);
    unplace(&p);
}

/* Fewer groups: neighbours are reckoned with the mean of their powers. */
static void fewer_groups(void)
{
    struct sl_table_status s;
    struct placed p = observed_parts("leap(groups=2,bits=64)", false, &s);
    struct entries got = drained(p.table, NULL);
    uint64_t unit[] = {134, 134, 134, 253, 253, 253, 90}, wanted[N_TUPLES] = {0};
    size_t right = 0;
    for (size_t i = 0; i < N_EVENTS; i++)
        for (unsigned k = 0; k < SL_PARTS; k++)
            wanted[tuple_id[i]] += part[i][k] * unit[k];
    for (size_t i = 0; i < got.n; i++) {
        uint64_t truly = wanted[function_at(got.entry[i].tuple.pc)] >> parts.unit_log2;
        right += got.entry[i].count <= truly && got.entry[i].count + 3 > truly;
    }
    ok(got.n > 200 && right == got.n && s.bounds == SL_BOUNDS_NONE,
       "with groups=2, three of them count as one, and nothing is certain");
    free(got.entry);
    unplace(&p);
}

static uint64_t storage_of(size_t n, const char *spec, const struct sl_parts *of)
{
    struct sl_table_status s;
    struct sl_function_list few = make_list(n, 0x10000, 2);
    struct sl_table_host host = {.functions = &few, .parts = of};
    struct placed p = place(spec, &host);
    observe_all(&p);
    sl_table_status(p.table, &s);
    unplace(&p);
    free_list(&few);
    return s.storage_bits;
}

static void refused(void)
{
    uint64_t start[] = {0x1000, 0x2000, UINT64_C(0x100001000)};
    struct sl_function_list same = {.start = start, .n = 3}, late = {0};
    struct sl_table_host host = {.functions = &same};
    struct sl_failure f;
    struct sl_table *table;
    struct sl_table_status s;
    void *memory = aligned_alloc(64, 4096);
    memset(memory, 0, 4096);
    ok(sl_table_bytes("leap", &host, NULL) <= 4096 &&
           sl_table_place(&table, "leap", &host, memory, &f) == SL_EUSAGE &&
           strstr(f.text, "00001000"),
       "functions that agree in their low 32 bits are refused");
    host.functions = &late;
    sl_table_place(&table, "leap", &host, memory, &f);
    late = same;
    struct sl_event event = {0, {0x2000, 0}, 7, NULL, 0, 0};
    sl_table_step(table, &event);
    sl_table_step(table, &event);
    sl_table_status(table, &s);
    ok(s.drops == 2 && s.drops_weight == 14 && strstr(s.note, "cannot count: two functions"),
       "found out too late to refuse, all is dropped and the reason said");
    sl_table_close(table);
    free(memory);
}

int main(void)
{
    make_events();
    plain_sums();
    same_by_steps("leap");
    same_by_steps("leap(bits=6)");
    same_by_steps("leap(bits=9,shift=1)");
    filled_later();
    narrow(4);
    narrow(12);
    shifted(10, 0.2);
    shifted(14, 0.02);
    refused();
    /* Counters and tab, stack, V A1 A2 B1 B2, data counter, current index. */
    in_parts();
    fewer_groups();
    ok(storage_of(32, "leap", NULL) == 32 * (32 + 8) + 32 * 5 + (32 + 5 + 5 + 5 + 5) + 32 + 5,
       "32 functions: the number of bits");
    ok(storage_of(200, "leap(bits=64)", NULL) == 256 * (64 + 8) + 32 * 8 + (32 + 15 + 8) + 64 + 8,
       "200 functions, 64 bits each: those of 256");
    ok(storage_of(257, "leap", NULL) == 512 * (32 + 16) + 32 * 9 + (32 + 15 + 9) + 32 + 9,
       "257 functions: words of tab have 16 bits");
    ok(storage_of(32, "leap", &parts) ==
           32 * (7 * 32 + 8) + 32 * 5 + (32 + 5 + 5 + 5 + 5) + 7 * 32 + 5,
       "energy: seven counters a function, and seven that count");
    ok(storage_of(32, "leap(groups=2)", &parts) ==
           32 * (3 * 32 + 8) + 32 * 5 + (32 + 5 + 5 + 5 + 5) + 3 * 32 + 5,
       "or one for each group and one for stalls");
    free_list(&list);
    return done_testing();
}
