/* SPDX-License-Identifier: MIT */
/* Unit tests of lists of control transfers with their counts (transfer_counts.h): after a list is
 * sorted and equal transfers are merged, it is in order, has the same sum for each pair of
 * addresses as the unsorted list, and its searches find what a plain search of the unsorted list
 * finds. */
#include "transfer_counts.h"
#include "random.h"
#include "tap.h"

#define ADDRESSES 12 /* few, so that the same pair comes often */

static uint64_t sum_of(const struct sl_transfer_counts *list, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->n; i++)
        if (list->transfer[i].from == from && list->transfer[i].to == to)
            sum += list->transfer[i].count;
    return sum;
}

static bool is_sorted(const struct sl_transfer_counts *list)
{
    for (size_t i = 1; i < list->n; i++) {
        const struct sl_transfer_count *a = &list->transfer[i - 1], *b = &list->transfer[i];
        if (a->from > b->from || (a->from == b->from && a->to >= b->to))
            return false;
    }
    return true;
}

/* The searches of a finished list against their definitions. */
static bool searches_hold(const struct sl_transfer_counts *list, uint64_t from)
{
    size_t below = 0;
    bool leaves = false;
    struct sl_transfer_count most[2];
    uint64_t sum = 0, highest = 0;
    for (size_t i = 0; i < list->n; i++) {
        bool here = list->transfer[i].from == from;
        sum += here ? list->transfer[i].count : 0;
        highest = here && list->transfer[i].count > highest ? list->transfer[i].count : highest;
        below += list->transfer[i].from < from;
        leaves = leaves || list->transfer[i].from == from;
    }
    size_t n = sl_transfer_counts_most(list, from, 2, most);
    return sl_transfer_counts_sum(list, from) == sum && (n > 0) == leaves &&
           (n < 1 || most[0].count == highest) &&
           (n < 2 || (most[1].from == from && most[1].count <= highest)) &&
           sl_transfer_counts_from(list, from) == below &&
           sl_transfer_counts_leave(list, from) == leaves;
}

static bool holds(uint64_t *seed)
{
    struct sl_transfer_counts plain = {0}, finished = {0};
    bool good = true;
    for (size_t n = sl_random_below(seed, 80); n && good; n--) {
        uint64_t from = sl_random_below(seed, ADDRESSES), to = sl_random_below(seed, ADDRESSES);
        uint64_t count = sl_random_below(seed, 1000);
        good = sl_transfer_counts_add(&plain, from, to, count) &&
               sl_transfer_counts_add(&finished, from, to, count);
    }
    sl_transfer_counts_sort(&finished);
    good = good && is_sorted(&finished);
    for (uint64_t from = 0; from <= ADDRESSES; from++) {
        good = good && searches_hold(&finished, from);
        for (uint64_t to = 0; to < ADDRESSES; to++)
            good = good && sum_of(&plain, from, to) == sum_of(&finished, from, to);
    }
    sl_transfer_counts_free(&plain);
    sl_transfer_counts_free(&finished);
    return good && !finished.n && !finished.transfer;
}

int main(void)
{
    uint64_t seed = 3;
    unsigned n = tap_rounds(2000, 40), good = 0;
    for (unsigned i = 0; i < n; i++)
        good += holds(&seed);
    ok(good == n, "a finished list is sorted, has each pair once, and the same sums and maxima");
    return done_testing();
}
