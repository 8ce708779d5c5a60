/* SPDX-License-Identifier: MIT */
/* Unit tests of the software that receives the messages of a compressor: the message buffer, the
 * sums of the messages for each tuple, the two ways to estimate counts from these sums, and the
 * behaviour when out of memory. */
#include <math.h>
#include <stdint.h>
#include <sys/resource.h>

#include "../support/placed_table.h"
#include "compressor.h"
#include "random.h"
#include "tap.h"

#define N_EVENTS 20000u

static struct sl_event event[N_EVENTS];

static void make_stream(uint64_t values, bool weights)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < N_EVENTS; i++)
        event[i] = (struct sl_event){.tuple = {0x1000, sl_random_below(&seed, values)},
                                     .weight = weights ? sl_random_below(&seed, 20) : 1};
}

/* Percentages are relative to the substream: they add up to its events, whatever the counts are. */
static void ratio(void)
{
    struct sl_table_host host = {.memory_bytes = 1 << 26};
    struct placed sum = place("H[CR10]16", &host);
    struct placed share = place("H[CR10]16(estimate=ratio)", &host);
    size_t different = 0;
    make_stream(200, true);
    step_all(&sum, event, N_EVENTS);
    step_all(&share, event, N_EVENTS);
    struct entries a = drained(sum.table, NULL), b = drained(share.table, NULL);
    for (size_t i = 0; i < a.n && i < b.n; i++)
        different += a.entry[i].count != b.entry[i].count;
    ok(a.n == b.n && different > a.n / 2 &&
           fabs((double)counted(&a) - (double)counted(&b)) <= 0.5 * (double)a.n,
       "ratio: other counts than sum's, which add up to the same but for rounding");
    free(a.entry);
    free(b.entry);
    unplace(&sum);
    unplace(&share);
    bool same = true;
    const char *const pair[][2] = {{"H[P10]16", "H[P10]16(estimate=ratio)"},
                                   {"R7", "R7(estimate=ratio)"},
                                   {"RD7+A4", "RD7+A4(estimate=ratio)"}};
    for (size_t k = 0; k < 3; k++) {
        struct placed one = place(pair[k][0], &host), other = place(pair[k][1], &host);
        step_all(&one, event, N_EVENTS);
        step_all(&other, event, N_EVENTS);
        struct sl_table_status s;
        sl_table_status(one.table, &s);
        same &= s.distinct && same_drained(one.table, other.table, NULL);
        unplace(&one);
        unplace(&other);
    }
    ok(same, "ratio is sum for samplers whose messages all count the same");
}

static void waiting(void)
{
    struct sl_table_host host = {.memory_bytes = 1 << 26};
    struct placed p = place("H[CR10]16+A4(estimate=ratio)", &host);
    make_stream(200, false);
    step_all(&p, event, N_EVENTS);
    struct entries before = drained(p.table, NULL);
    sl_table_finish(p.table);
    struct entries after = drained(p.table, NULL);
    ok(before.n && same_entries(&before, &after), "messages that wait in the buffer count as sent");
    free(before.entry);
    free(after.entry);
    unplace(&p);
}

static void little_memory(void)
{
    struct sl_table_host host = {.memory_bytes = 40000};
    struct placed p = place("A16", &host);
    struct sl_table_status s;
    make_stream(UINT64_MAX, true);
    step_all(&p, event, N_EVENTS);
    sl_table_finish(p.table);
    sl_table_status(p.table, &s);
    struct entries all = drained(p.table, NULL);
    ok(s.drops && s.note[0] && s.bounds == SL_BOUNDS_NONE && all.n > 100,
       "little memory: software keeps what it has, drops, and says so");
    ok(counted(&all) + s.drops_weight == s.weight, "little memory: kept + dropped = all");
    free(all.entry);
    unplace(&p);
    p = place("P1", &(struct sl_table_host){0});
    sl_table_step(p.table, &event[0]);
    sl_table_finish(p.table);
    sl_table_status(p.table, &s);
    ok(s.drops == 1 && !s.distinct, "no memory: everything is dropped");
    unplace(&p);

    static const char *const splits[] = {"H[P10]65536", "H[CR10]65536(estimate=ratio)"};
    for (size_t k = 0; k < 2; k++) {
        p = place(splits[k], &host);
        make_stream(200, true);
        for (size_t i = 0; i < N_EVENTS; i++)
            event[i].tuple.value *= 0x101; /* in substreams with large numbers, too */
        step_all(&p, event, N_EVENTS);
        sl_table_status(p.table, &s);
        ok(!s.drops && s.distinct == 200,
           "%s: software needs memory for tuples, not for substreams", splits[k]);
        unplace(&p);
    }
}

static bool add_count(void *context, const struct sl_entry *entry)
{
    *(uint64_t *)context += entry->count;
    return true;
}

/* What A holds is reported even when the system has no memory left. */
static void no_memory_left(void)
{
    struct sl_table_host host = {.memory_bytes = 1 << 26};
    struct placed p = place("H[A64]64+A8192", &host);
    struct sl_table_status s;
    struct rlimit before, none;
    uint64_t reported = 0;
    make_stream(UINT64_MAX, true);
    step_all(&p, event, N_EVENTS);
    getrlimit(RLIMIT_DATA, &before);
    none = (struct rlimit){4096, before.rlim_max}; /* 0 would mean no limit to Linux */
    setrlimit(RLIMIT_DATA, &none);
    sl_table_drain(p.table, NULL, add_count, &reported);
    sl_table_status(p.table, &s);
    setrlimit(RLIMIT_DATA, &before);
    ok(!s.drops && s.residue > 10000 && reported == s.weight,
       "no memory left: entries have all that was given, what is resident included");
    unplace(&p);
}

static void mailbox(void)
{
    struct inbox got = {0};
    struct sl_table_host host = {.deliver = keep_messages, .context = &got};
    struct placed p = place("P10", &host);
    struct sl_table_status s;
    bool hundreds = true;
    make_stream(200, false);
    for (size_t i = 0; i < N_EVENTS - 7; i++) {
        sl_table_step(p.table, &event[i]);
        hundreds &= got.n == (i + 1) / 1000 * 100;
    }
    sl_table_status(p.table, &s);
    ok(hundreds && s.sends && s.messages == 1999 && s.interrupts == 19 && got.n == 1900,
       "a hundred messages are delivered at a time, with an interrupt");
    ok(s.gap_min == 10 && s.gap_median == 8,
       "the gaps of P10 are 10, their median between 8 and 16");
    struct entries none = drained(p.table, NULL);
    ok(!none.n && !s.distinct, "what was delivered is not drained");
    sl_table_finish(p.table);
    sl_table_status(p.table, &s);
    ok(got.n == 1999 && s.interrupts == 19, "the last messages come at the end, without one");
    free(got.message);
    unplace(&p);
}

static void gaps(void)
{
    struct inbox got = {0};
    struct sl_mailbox box = {.deliver = keep_messages, .context = &got};
    struct sl_table_status none = {0}, s = {0};
    struct sl_message message = {.count = 5, .samples = 1};
    sl_mailbox_send(&box, &message, 1000);
    sl_mailbox_status(&box, &none);
    for (uint64_t at = 1000, gap = 1; gap <= 1024; at += gap, gap *= 4)
        sl_mailbox_send(&box, &message, at + gap);
    sl_mailbox_status(&box, &s);
    ok(none.messages == 1 && !none.gap_min && !none.gap_median, "one message has no gap");
    ok(s.messages == 7 && s.message_weight == 35 && s.gap_min == 1 && s.gap_median == 64,
       "of gaps 1, 4, 16, 64, 256 and 1024 the shortest is 1, the (upper) middle one 64");
}

int main(void)
{
    ratio();
    waiting();
    little_memory();
    no_memory_left();
    mailbox();
    gaps();
    return done_testing();
}
