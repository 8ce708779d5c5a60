/* SPDX-License-Identifier: MIT */
/* Unit tests of misplaced weight, the cost that a function profiler charges to a function other
 * than the one that executed the instruction. The reported weight is compared with a simple sum. */
#include "function_account.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "random.h"
#include "tap.h"

#define N_BLOCKS 1000u
#define N_EVENTS 100000u

static uint64_t start_of(size_t block)
{
    return block % 10 == 3 ? 0 : 0x1000 + block / 20 * 0x100; /* some have no symbol */
}

int main(void)
{
    struct sl_misplaced m = {0};
    char text[400] = "";
    uint64_t seed = 1, all = 0, wrong = 0;
    bool grown = SL_GROW(m.start, m.capacity, N_BLOCKS);
    for (size_t i = 0; i < N_BLOCKS && grown; i++)
        m.start[i] = start_of(i);
    sl_misplaced_warning(&m, text, sizeof text);
    ok(grown && !text[0], "nothing executed: nothing to say");

    for (size_t i = 0; i < N_EVENTS; i++) {
        uint32_t block = (uint32_t)sl_random_below(&seed, N_BLOCKS);
        sl_misplaced_add(&m, block, start_of(block), 5);
        all += start_of(block) ? 5 : 0;
    }
    uint64_t without_symbol = m.all - all;
    sl_misplaced_warning(&m, text, sizeof text);
    ok(!m.weight && !text[0] && without_symbol, "every function is charged itself: nothing to say");

    for (size_t i = 0; i < N_EVENTS; i++) {
        uint32_t block = (uint32_t)sl_random_below(&seed, N_BLOCKS);
        uint64_t charged = 0x1000 + 0x100 * sl_random_below(&seed, 50);
        uint64_t weight = sl_random_below(&seed, 9);
        sl_misplaced_add(&m, block, charged, weight);
        wrong += start_of(block) && start_of(block) != charged ? weight : 0;
    }
    ok(m.weight == wrong && wrong, "the weight of blocks in another function than is charged");
    char number[40];
    snprintf(number, sizeof number, "%llu of the weight (%.2f%%)", (unsigned long long)wrong,
             100.0 * (double)wrong / (double)m.all);
    sl_misplaced_warning(&m, text, sizeof text);
    ok(strstr(text, number) == text && strstr(text, "tail calls"), "is reported, and why");
    memset(text, 'x', sizeof text);
    sl_misplaced_warning(&m, text, 20);
    ok(strlen(text) == 19, "in no more space than there is");
    free(m.start);
    return done_testing();
}
