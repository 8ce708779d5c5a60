/* SPDX-License-Identifier: MIT */
/* Unit tests of the compressors: a batch of events (`observe`) gives exactly the same result as the
 * same events one by one (`step`). Messages, their order and the table entries are compared for
 * every component, for batches of all sizes, and for tuples with and without values and weights. */
#include <stdint.h>

#include "../support/placed_table.h"
#include "random.h"
#include "tap.h"

#define N_EVENTS 12000u
#define N_NAMES 500u

static uint32_t tuple_id[N_EVENTS];
static uint64_t value[N_EVENTS], weight[N_EVENTS];
static uint64_t pc[N_NAMES], second[N_NAMES];

/* Names come one after the other, as a program's instructions do. */
static void make_stream(void)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < N_NAMES; i++) {
        pc[i] = 0x400000 + 4 * i;
        second[i] = sl_random_next(&seed) >> sl_random_below(&seed, 64);
    }
    for (size_t i = 0; i < N_EVENTS; i++) {
        size_t known = 1 + i * N_NAMES / N_EVENTS;
        size_t few = known < 10 ? known : 10;
        tuple_id[i] = (uint32_t)sl_random_below(&seed, sl_random_below(&seed, 2) ? known : few);
        value[i] = sl_random_below(&seed, 3) ? sl_random_below(&seed, 5)
                                             : sl_random_next(&seed) >> sl_random_below(&seed, 64);
        weight[i] = sl_random_below(&seed, 4) ? sl_random_below(&seed, 3)
                                              : sl_random_below(&seed, 3000);
    }
}

enum words { VALUES, STATICS, BY_TURNS };

static bool with_value[N_EVENTS]; /* as the batches had it */

static void feed_batches(struct sl_table *table, enum words words, bool weights)
{
    uint64_t seed = 3;
    for (size_t at = 0; at < N_EVENTS;) {
        size_t n = uneven(&seed, N_EVENTS - at);
        size_t known = n ? 1 + (at + n - 1) * N_NAMES / N_EVENTS : 1;
        bool values = words == VALUES || (words == BY_TURNS && sl_random_below(&seed, 2));
        memset(with_value + at, values, n);
        struct sl_tuple_names names = {pc, values ? NULL : second, known};
        struct sl_batch batch = {n,
                                 tuple_id + at,
                                 values ? value + at : NULL,
                                 weights ? weight + at : NULL,
                                 &names,
                                 NULL,
                                 0,
                                 NULL};
        sl_table_observe(table, &batch);
        at += n;
    }
}

static void feed_events(struct sl_table *table, bool weights)
{
    for (size_t i = 0; i < N_EVENTS; i++) {
        struct sl_event e = {tuple_id[i],
                             {pc[tuple_id[i]], with_value[i] ? value[i] : second[tuple_id[i]]},
                             weights ? weight[i] : 1,
                             NULL,
                             0,
                             0};
        sl_table_step(table, &e);
    }
}

/* With a host that takes the messages, and by what software makes of them. */
static bool equal(const char *spec, enum words words, bool weights, size_t names, bool delivered)
{
    struct inbox got[2] = {{0}, {0}};
    struct placed p[2];
    struct sl_table_status status[2];
    for (int k = 0; k < 2; k++) {
        struct sl_table_host host = {.memory_bytes = 1 << 26, .names = names, .context = &got[k]};
        if (delivered)
            host.deliver = keep_messages;
        p[k] = place(spec, &host);
    }
    feed_batches(p[1].table, words, weights);
    feed_events(p[0].table, weights);
    for (int k = 0; k < 2; k++)
        sl_table_status(p[k].table, &status[k]);
    bool same = same_status(&status[0], &status[1]) && status[0].messages &&
                same_drained(p[0].table, p[1].table, NULL);
    for (int k = 0; k < 2; k++)
        sl_table_finish(p[k].table);
    same &= same_messages(&got[0], &got[1]) && (got[0].n > 0) == delivered;
    for (int k = 0; k < 2; k++) {
        unplace(&p[k]);
        free(got[k].message);
    }
    return same;
}

static const char *const specs[] = {
    "P1",
    "P10",
    "P1000",
    "R1",
    "R10",
    "R3000",
    "RD10",
    "CR10",
    "A1",
    "A16",
    "A100(width=7)",
    "G4/16x64k3",
    "G16/2x16",
    "G2/100x256(word=32)",
    "G4/16x64+A8",
    "T2/256x64w2",
    "T1/2x16",
    "T16/64x96w3",
    "H[P10]1",
    "H[P10]64",
    "H[P20]65536",
    "H[R10]64",
    "H[RD10]64",
    "H[CR10]64",
    "H[A4]64",
    "P10+A4",
    "R10+A4+A2",
    "H[P10]64+A16",
    "H[CR10]64+A16(estimate=ratio,seed=9)",
    "H[A2]16+A16",
    "T2/256x64w2+A16",
    "H[P10]64(word=32)",
    "T2/256x64w2(word=32)",
    "T2/256x64w2(quotient=integer)",
    "T1/64x64(first_miss=counts)",
};

int main(void)
{
    make_stream();
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        static const char *const kind[] = {"tuples with values", "static tuples", "both by turns"};
        for (enum words words = VALUES; words <= BY_TURNS; words++) {
            bool same = true;
            for (unsigned way = 0; way < 8; way++)
                same &= equal(specs[i], words, way & 2, way & 1 ? 100 : N_NAMES, way & 4);
            ok(same, "%s: batches of %s are their events, one by one", specs[i], kind[words]);
        }
    }
    return done_testing();
}
