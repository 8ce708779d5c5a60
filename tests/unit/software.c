/* SPDX-License-Identifier: MIT */
/* Unit tests of the software that receives a compressor's messages: the sums of the messages equal
 * those of a simple list, the memory limit is respected, and converged instructions are found and
 * filtered correctly. */
#include "software.h"

#include <stdlib.h>

#include "random.h"
#include "tap.h"

#define TUPLES 3000u

static struct sl_message draw_message(uint64_t *seed)
{
    uint64_t i = sl_random_below(seed, TUPLES);
    return (struct sl_message){.tuple = {0x1000 + 4 * (i % 100), i / 100},
                               .count = 1 + sl_random_below(seed, 9),
                               .samples = 1};
}

static void test_sums(void)
{
    static uint64_t count[TUPLES], samples[TUPLES];
    struct sl_software software = {.memory_bytes = 64 << 20};
    uint64_t seed = 1;
    bool same = true;
    for (int i = 0; i < 500; i++) {
        struct sl_message messages[100];
        for (unsigned m = 0; m < 100; m++) {
            messages[m] = draw_message(&seed);
            uint64_t id = messages[m].tuple.value * 100 + (messages[m].tuple.pc - 0x1000) / 4;
            count[id] += messages[m].count;
            samples[id]++;
        }
        sl_software_add(&software, messages, 100);
    }
    for (uint64_t i = 0; i < TUPLES; i++) {
        struct sl_tuple tuple = {0x1000 + 4 * (i % 100), i / 100};
        const struct sl_message *found = sl_software_find(&software, tuple);
        same &= found ? found->count == count[i] && found->samples == samples[i] : !samples[i];
    }
    ok(same && !software.drops, "each tuple has the sum of its messages");
    ok(!sl_software_find(&software, (struct sl_tuple){1, 2}),
       "a tuple without messages has no sum");
    free(software.slot);
}

static void test_memory_limit(void)
{
    struct sl_software software = {.memory_bytes = 40000};
    uint64_t seed = 2, total = 0, stored = 0;
    for (int i = 0; i < 20000; i++) {
        struct sl_message message = draw_message(&seed);
        total += message.count;
        sl_software_add(&software, &message, 1);
    }
    for (uint64_t i = 0; i < software.n_slots; i++)
        stored += software.slot[i].samples ? software.slot[i].count : 0;
    ok(software.n_slots * sizeof *software.slot <= 40000,
       "the table of sums stays within its memory");
    ok(software.drops && stored + software.drops_weight == total,
       "messages that do not fit are counted as drops");
    free(software.slot);
}

static void test_filter(void)
{
    struct sl_filter filter = {
        .check = 10, .tolerance = UINT64_C(1) << 27, .capacity = 1, .memory_bytes = 1 << 20};
    uint64_t seed = 3, of_tuple = 0;
    bool early = false;
    for (int i = 0; i < 10; i++) {
        early |= sl_filter_pass(&filter, 0x40, 1);
        sl_filter_record(&filter, 0x40, 5, of_tuple += 5);
    }
    ok(!early && !sl_filter_pass(&filter, 0x40, 1),
       "an instruction is not filtered before its second check");
    for (int i = 0; i < 10; i++)
        sl_filter_record(&filter, 0x40, 5, of_tuple += 5);
    ok(sl_filter_pass(&filter, 0x40, 7) && filter.n_converged == 1,
       "an instruction whose largest fraction did not change bypasses the compressor");
    ok(filter.passed == 1 && filter.passed_weight == 7, "events that bypass it are counted");
    ok(sl_filter_part(&filter, 0x40, of_tuple) == 7,
       "software attributes their weight to the known tuples of the instruction");
    of_tuple = 0;
    for (int i = 0; i < 20; i++)
        sl_filter_record(&filter, 0x44, 5, of_tuple += 5);
    ok(filter.n_converged == 2 && !sl_filter_pass(&filter, 0x44, 1),
       "a full filter accepts no further instruction");
    for (int i = 0; i < 20; i++) /* a new tuple each time: the largest fraction halves */
        sl_filter_record(&filter, 0x48, 1 + sl_random_below(&seed, 3), 2);
    ok(filter.n_converged == 2, "an instruction whose largest fraction changes has not converged");
    sl_filter_free(&filter);
}

int main(void)
{
    test_sums();
    test_memory_limit();
    test_filter();
    return done_testing();
}
