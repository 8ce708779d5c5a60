/* SPDX-License-Identifier: MIT */
/* Unit tests of the detector blame, which models sampling profilers: each of its rules attributes
 * every sampled cycle to an instruction. On random sequences of commits, the attribution by each
 * rule and the error of the rule equal those of a plain implementation that handles each sampled
 * cycle separately. On short sequences, for example with a stall, the errors are those expected by
 * hand. */
#include "blame_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "random.h"
#include "tap.h"

#define N 4000u
#define NUMBERS 40u

struct made {
    uint32_t tuple_id[N];
    struct sl_commit commit[N];
    uint64_t cycle[N], dispatched[N];
};

static void make(struct made *m, uint64_t seed, unsigned width)
{
    uint64_t now = 0, dispatched = 0;
    unsigned together = 0;
    for (uint32_t i = 0; i < N; i++) {
        bool joins = i && together < width && sl_random_below(&seed, 3);
        uint64_t after = joins ? 0 : 1 + sl_random_below(&seed, sl_random_below(&seed, 4) ? 3 : 60);
        together = joins ? together + 1 : 1;
        uint64_t before = now;
        now += after;
        /* In order, and before it is committed. */
        uint64_t early = 1 + sl_random_below(&seed, 30);
        uint64_t at = now > early ? now - early : 0;
        dispatched = at > dispatched ? at : dispatched;
        m->tuple_id[i] = sl_random_below(&seed, 20) ? (uint32_t)sl_random_below(&seed, NUMBERS)
                                                    : SL_NO_INDEX;
        sl_commit_record(&m->commit[i], before, dispatched, now, !sl_random_below(&seed, 3));
        m->cycle[i] = now;
        m->dispatched[i] = dispatched;
    }
}

/* ---- the definitions ---- */

struct plain {
    double credit[NUMBERS], right;
    uint64_t taken;
};

/* The first that is committed after `cycle`; N: none. */
static uint32_t first_after(const struct made *m, uint64_t cycle)
{
    uint32_t i = 0;
    while (i < N && m->cycle[i] <= cycle)
        i++;
    return i;
}

/* Those that are right for a cycle, `first` and up to n of them; 0: not known yet. */
static uint32_t right_of(const struct made *m, uint64_t cycle, uint32_t *first)
{
    uint32_t after = first_after(m, cycle);
    if (after == N)
        return 0;
    *first = after;
    while (*first && m->cycle[*first - 1] == cycle)
        --*first;
    if (*first < after)
        return after - *first;
    if (after && cycle <= m->cycle[after - 1] + m->commit[after].flushed)
        --*first;
    return 1;
}

/* N: not known. */
static uint32_t blamed_of(const struct made *m, const struct sl_blame_config *c, uint64_t cycle)
{
    uint32_t i = 0;
    switch (c->rule) {
    case SL_BLAME_NEXT:
        return first_after(m, cycle - 1);
    case SL_BLAME_LAST:
        i = first_after(m, cycle);
        return i == N || !i ? i : i - 1;
    default:
        while (i < N && m->dispatched[i] < cycle + (c->rule == SL_BLAME_INTERRUPT ? c->skid : 0))
            i++;
        return i;
    }
}

static void credit(struct plain *p, uint32_t tuple_id, double cycles)
{
    if (tuple_id != SL_NO_INDEX)
        p->credit[tuple_id] += cycles;
}

static void plainly(struct plain *p, const struct made *m, const struct sl_blame_config *c)
{
    bool oracle = c->rule == SL_BLAME_ORACLE;
    uint64_t period = oracle ? 1 : c->period;
    memset(p, 0, sizeof *p);
    for (uint64_t n = 0; n * period <= m->cycle[N - 1]; n++) {
        uint64_t cycle = 1 + n * period +
                         (oracle    ? 0
                          : c->seed ? sl_mix_pair(c->seed, n) % period
                                    : period - 1);
        uint32_t first = 0, n_right = right_of(m, cycle, &first), times = 0;
        if (c->rule <= SL_BLAME_PROPORTIONAL) {
            for (uint32_t i = 0; i < n_right; i++)
                credit(p, m->tuple_id[first + i], (double)period / n_right);
            p->taken += n_right && !oracle;
            p->right += n_right && !oracle;
            continue;
        }
        uint32_t blamed = blamed_of(m, c, cycle);
        if (blamed == N)
            continue;
        credit(p, m->tuple_id[blamed], (double)period);
        for (uint32_t i = 0; i < n_right; i++)
            times += m->tuple_id[first + i] == m->tuple_id[blamed];
        p->taken += n_right != 0;
        p->right += n_right ? (double)times / n_right : 0;
    }
}

/* ---- comparing ---- */

static bool same(const struct made *m, const struct sl_blame_config *c)
{
    struct sl_blame_samples s;
    struct plain p;
    uint64_t got[NUMBERS] = {0}, cycles;
    uint32_t tuple_id;
    bool equal = true;
    sl_blame_samples_init(&s, c);
    s.active = true;
    if (!sl_blame_samples_reserve(&s, NUMBERS))
        abort();
    for (uint32_t i = 0; i < N; i++) {
        sl_blame_samples_step(&s, m->tuple_id[i], &m->commit[i]);
        while (i % 7 == 0 && sl_blame_samples_next(&s, &tuple_id, &cycles))
            got[tuple_id] += cycles;
    }
    while (sl_blame_samples_next(&s, &tuple_id, &cycles))
        got[tuple_id] += cycles;
    plainly(&p, m, c);
    for (unsigned i = 0; i < NUMBERS; i++)
        equal &= fabs((double)got[i] - floor(p.credit[i] + 1e-6)) < 0.5;
    equal &= s.samples_counted == p.taken &&
             (!p.taken ||
              fabs(sl_blame_samples_wrong(&s) - (1 - p.right / (double)p.taken)) < 1e-9);
    equal &= !s.out_of_memory;
    sl_blame_samples_free(&s);
    return equal;
}

static const char *const name[] = {"oracle", "proportional", "next",
                                   "last",   "dispatch",     "interrupt"};

static void compare(unsigned rule)
{
    static struct made m;
    static const uint64_t periods[] = {1, 2, 17, 1000};
    unsigned differ = 0;
    for (uint64_t seed = 0; seed < tap_rounds(12, 6); seed++) {
        make(&m, 50 + seed, 1 + (unsigned)seed % 6);
        for (unsigned i = 0; i < 4; i++)
            differ += !same(
                &m, &(struct sl_blame_config){rule, periods[i], seed % 4 * 40, seed % 3, 0});
    }
    ok(!differ, "%s: credit and what is right are those of the definition", name[rule]);
}

/* ---- what is to be expected ---- */

static double wrong(const struct sl_commit *commit, uint32_t n, unsigned rule)
{
    struct sl_blame_samples s;
    sl_blame_samples_init(&s, &(struct sl_blame_config){rule, 3, 0, 1, 0});
    s.active = true;
    if (!sl_blame_samples_reserve(&s, n))
        abort();
    for (uint32_t i = 0; i < 5000; i++)
        sl_blame_samples_step(&s, i % n, &commit[i % n]);
    double share = sl_blame_samples_wrong(&s);
    sl_blame_samples_free(&s);
    return share;
}

static void expect(void)
{
    static const struct sl_commit stalls[] = {{1, 0, 1}, {20, 0, 19}};
    ok(wrong(stalls, 2, SL_BLAME_NEXT) < 1e-9 && wrong(stalls, 2, SL_BLAME_LAST) > 0.85,
       "one that stalls is the next, and not the last, to be committed");
    static const struct sl_commit flushes[] = {{1, 0, 1}, {20, 18, 1}};
    ok(wrong(flushes, 2, SL_BLAME_LAST) < 0.1 && wrong(flushes, 2, SL_BLAME_NEXT) > 0.8,
       "after a wrong branch it is the other way round");
    static const struct sl_commit four[] = {{1, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    ok(fabs(wrong(four, 4, SL_BLAME_NEXT) - 0.75) < 1e-9 &&
           wrong(four, 4, SL_BLAME_PROPORTIONAL) < 1e-9,
       "of four in each cycle, one is a quarter of what is right");
}

int main(void)
{
    for (unsigned rule = SL_BLAME_ORACLE; rule <= SL_BLAME_INTERRUPT; rule++)
        compare(rule);
    expect();
    return done_testing();
}
