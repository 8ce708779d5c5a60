/* SPDX-License-Identifier: MIT */
/* Unit tests of the statistics on the messages that a table sends to software. Each statistic has a
 * unique name. A table reports the statistics of a queue, or of the convergence check, only if it
 * has that queue or check. The overhead of messages equals numbers computed by hand. */
#include "delivery.h"

#include <string.h>

#include "tap.h"

/* Each statistic is written with its own value, so that two names for one member are noticed. */
static void test_names(void)
{
    struct sl_table_status status = {0};
    size_t n = 0, found = 0, unique = 0, read = 0;
    for (const struct sl_delivery_statistic *d = sl_delivery_statistics; d->name; d++) {
        sl_delivery_set(&status, d, 1000 + n++);
        found += sl_delivery_find(d->name) == d;
        unique += strlen(d->name) > 4;
    }
    for (size_t i = 0; i < n; i++)
        read += sl_delivery_value(&status, &sl_delivery_statistics[i]) == 1000 + i;
    ok(n == 22 && found == n && unique == n, "each of %zu statistics is found by its name", n);
    ok(read == n, "each has a member of its own");
    ok(!sl_delivery_find("") && !sl_delivery_find("queue") && !sl_delivery_find("queue_waits"),
       "other names are not found");
    ok(status.output.late == sl_delivery_value(&status, sl_delivery_find("queue_delayed")) &&
           status.input.lost_weight ==
               sl_delivery_value(&status, sl_delivery_find("input_drops_weight")),
       "input_... is the queue before the table, queue_... the one after it");
}

static size_t count_present(const struct sl_table_status *status, const char *prefix)
{
    size_t n = 0;
    for (const struct sl_delivery_statistic *d = sl_delivery_statistics; d->name; d++)
        n += !strncmp(d->name, prefix, strlen(prefix)) && sl_delivery_has(status, d);
    return n;
}

static void test_present(void)
{
    struct sl_table_status none = {.output = {.arrived = 5}}, input = {.input = {.capacity = 4}},
                           output = {.output = {.capacity = 1}}, checks = {.check_cycles = 9};
    ok(!count_present(&none, ""), "without a queue and a test for convergence there are none");
    ok(count_present(&input, "input_") == 9 && count_present(&input, "") == 9,
       "a queue before the table has nine");
    ok(count_present(&output, "queue_") == 9 && count_present(&output, "") == 9,
       "a queue after the table has nine");
    ok(count_present(&checks, "") == 4 && count_present(&checks, "filtered_") == 3,
       "a test for convergence has four");
}

static void test_overhead(void)
{
    struct sl_table_status status = {.sends = true, .messages = 100};
    ok(sl_overhead_cycles(&status) == 3000, "a message takes 30 cycles of software");
    ok(sl_overhead(&status, sl_overhead_whole(60000, 0)) == 0.05,
       "without a CPU model, each instruction counts as one cycle");
    ok(sl_overhead(&status, sl_overhead_whole(60000, 30000)) == 0.1, "otherwise its cycles count");
    ok(!strcmp(sl_overhead_whole(5, 0).of, "instructions") &&
           !strcmp(sl_overhead_whole(5, 6).of, "cycles"),
       "the denominator has a name");
    status.check_cycles = 20;
    ok(sl_overhead_cycles(&status) == 5000, "a test for convergence takes further cycles");
    ok(isnan(sl_overhead(&status, sl_overhead_whole(0, 0))), "an empty run has no overhead");
    status.output = (struct sl_table_queue){
        .capacity = 8, .service = 7, .arrived = 100, .lost = 10};
    ok(sl_overhead_cycles(&status) == 630 &&
           isnan(sl_overhead(&status, sl_overhead_whole(60000, 0))),
       "a thread that reads a queue works in parallel, for each message that was not dropped");
    status = (struct sl_table_status){.messages = 100};
    ok(isnan(sl_overhead(&status, sl_overhead_whole(60000, 0))),
       "a table that sends no messages has no overhead");
}

static void test_gaps(void)
{
    struct sl_table_status status = {.sends = true, .messages = 1};
    bool doubled = true;
    for (unsigned i = 2; i < 64; i++)
        doubled &= sl_gap_low(i) == 2 * sl_gap_low(i - 1);
    ok(sl_gap_low(0) == 0 && sl_gap_low(1) == 1 && doubled, "classes of gaps are powers of two");
    ok(!sl_has_gaps(&status), "one message has no gap");
    status.messages = 2;
    ok(sl_has_gaps(&status) && !strcmp(sl_time_unit(&status), "events"),
       "two messages have a gap, in events");
    status.clocked = true;
    ok(!strcmp(sl_time_unit(&status), "cycles"), "with a clock, gaps are in cycles");
}

int main(void)
{
    test_names();
    test_present();
    test_overhead();
    test_gaps();
    return done_testing();
}
