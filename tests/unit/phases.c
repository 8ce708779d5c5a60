/* SPDX-License-Identifier: MIT */
/* Unit tests of phase detection in the hot path table, which compares the hot paths of consecutive
 * windows. The detected phases equal those of a simple model that stores every window as a list. */
#include <stdint.h>
#include <stdlib.h>

#include "../support/placed_table.h"
#include "phases.h"
#include "random.h"
#include "table.h"
#include "tap.h"

#define N_EVENTS 60000u
#define WINDOW 1000u
#define PATHS 40u

static uint32_t tuple_id[N_EVENTS];
static uint64_t pc[4 * PATHS], second[4 * PATHS], weight[N_EVENTS];

/* Of each thousand events those of one set of paths, a few of them hot. */
static void make_stream(const unsigned *sets, uint64_t seed)
{
    for (size_t i = 0; i < 4 * PATHS; i++) {
        pc[i] = 0x400000 + 16 * i;
        second[i] = UINT64_C(3) << 32 | i % 8;
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        unsigned set = sets[i / (N_EVENTS / 6)];
        uint64_t among = sl_random_below(&seed, 3) ? 5 : PATHS;
        tuple_id[i] = set * PATHS + (uint32_t)sl_random_below(&seed, among);
        weight[i] = sl_random_below(&seed, 4);
    }
}

/* ---- the plain form ---- */

struct plain {
    uint64_t first[64], events[64], weight[64];
    size_t n;
};

/* With space for all, nothing leaves the table: it has all that came. */
static void detect(bool weights, double most, struct plain *p)
{
    static uint64_t window[4 * PATHS], phase[4 * PATHS];
    uint64_t so_far = 0;
    memset(phase, 0, sizeof phase);
    *p = (struct plain){.n = 1};
    for (size_t at = 0; at < N_EVENTS; at += WINDOW) {
        uint64_t all = 0;
        double common = 0;
        memset(window, 0, sizeof window);
        for (size_t i = at; i < at + WINDOW; i++) {
            window[tuple_id[i]] += weights ? weight[i] : 1;
            all += weights ? weight[i] : 1;
        }
        for (size_t i = 0; i < 4 * PATHS && at; i++) {
            double a = (double)window[i] / (double)all, b = (double)phase[i] / (double)so_far;
            common += a < b ? a : b;
        }
        if (at && 1 - common > most) {
            p->first[p->n++] = at;
            memset(phase, 0, sizeof phase);
            so_far = 0;
        }
        for (size_t i = 0; i < 4 * PATHS; i++)
            phase[i] += window[i];
        so_far += all;
        p->events[p->n - 1] += WINDOW;
        p->weight[p->n - 1] += all;
    }
}

/* ---- the table's ---- */

static struct placed run(const char *spec, bool weights, bool steps)
{
    struct sl_table_host host = {.memory_bytes = 1 << 26, .names = 4 * PATHS};
    struct placed p = place(spec, &host);
    struct sl_tuple_names names = {pc, second, 4 * PATHS};
    uint64_t seed = 5;
    for (size_t at = 0, n; at < N_EVENTS; at += n) {
        n = steps ? 1 : uneven(&seed, N_EVENTS - at);
        struct sl_batch batch = {.n = n,
                                 .tuple_id = tuple_id + at,
                                 .weight = weights ? weight + at : NULL,
                                 .names = &names};
        struct sl_event event = {tuple_id[at],
                                 {pc[tuple_id[at]], second[tuple_id[at]]},
                                 weights ? weight[at] : 1,
                                 NULL,
                                 0,
                                 0};
        if (steps)
            sl_table_step(p.table, &event);
        else
            sl_table_observe(p.table, &batch);
    }
    sl_table_finish(p.table);
    return p;
}

static const struct sl_phase *phases_of(const struct placed *p, size_t *n)
{
    return sl_table_phases(p->table, n);
}

static void plainly(const char *what, const unsigned *sets, bool weights, uint64_t seed)
{
    struct plain want;
    make_stream(sets, seed);
    detect(weights, 0.3, &want);
    for (int steps = 0; steps < 2; steps++) {
        struct placed p = run("hpt(4096x16,phase=1000,turnover=30%)", weights, steps);
        size_t n;
        const struct sl_phase *phase = phases_of(&p, &n);
        bool right = n == want.n;
        for (size_t i = 0; i < n && right; i++)
            right = phase[i].first_event == want.first[i] && phase[i].events == want.events[i] &&
                    phase[i].weight == want.weight[i];
        ok(right && n > 0, "%s, %s: %zu phases, where the plain form has them", what,
           steps ? "one by one" : "by batches", n);
        unplace(&p);
    }
}

/* The largest of a set come first, with all that they weigh. */
static void hot_paths(void)
{
    static const unsigned sets[] = {0, 0, 1, 1, 0, 0};
    make_stream(sets, 3);
    struct placed p = run("hpt(4096x16,phase=1000,turnover=30%)", false, false);
    size_t n;
    const struct sl_phase *phase = phases_of(&p, &n);
    bool right = n >= 2, hot = true;
    for (size_t i = 0; i < n; i++) {
        uint64_t counted[4 * PATHS] = {0};
        for (uint64_t k = phase[i].first_event; k < phase[i].first_event + phase[i].events; k++)
            counted[tuple_id[k]]++;
        for (size_t k = 0; k < phase[i].n_paths; k++) {
            size_t which = (phase[i].path[k].tuple.pc - 0x400000) / 16;
            right &= phase[i].path[k].weight == counted[which] &&
                     phase[i].path[k].tuple.value == second[which] &&
                     (!k || phase[i].path[k].weight <= phase[i].path[k - 1].weight);
            hot &= k >= 5 || which % PATHS < 5;
        }
    }
    ok(right && hot, "a phase's hot paths are those that came most in it, with how often");
    unplace(&p);
}

/* More is hot than there is space for: it is seen by what stays away. */
static void kinds(void)
{
    static const unsigned sets[] = {0, 0, 1, 1, 0, 0};
    make_stream(sets, 4);
    struct placed p = run("hpt(8x8,replacement=age,phase=1000,turnover=50%)", false, false);
    size_t n;
    const struct sl_phase *phase = phases_of(&p, &n);
    uint64_t events = 0, kinds = 0;
    bool in_order = true;
    for (size_t i = 0; i < n; i++) {
        in_order &= phase[i].first_event == events && phase[i].kind <= kinds + 1;
        kinds = phase[i].kind > kinds ? phase[i].kind : kinds;
        events += phase[i].events;
    }
    ok(in_order && events == N_EVENTS, "phases follow each other from the first event to the last");
    ok(n >= 3 && kinds == 2 && phase[0].kind == 1 && phase[n - 1].kind == 1,
       "a set of paths that returns has its earlier kind (%zu phases)", n);
    unplace(&p);
    struct placed none = run("hpt(8x8)", false, false);
    phases_of(&none, &n);
    ok(!n, "without a window there are no phases");
    unplace(&none);
}

int main(void)
{
    static const unsigned one[] = {0, 0, 0, 0, 0, 0}, two[] = {0, 0, 1, 1, 1, 1};
    static const unsigned four[] = {0, 1, 1, 2, 2, 3};
    plainly("one set of paths", one, false, 1);
    plainly("two sets", two, false, 2);
    plainly("two sets with weights", two, true, 2);
    plainly("four sets", four, false, 7);
    hot_paths();
    kinds();
    return done_testing();
}
