/* SPDX-License-Identifier: MIT */
/* Unit tests of the calendar in which the model of an out-of-order core reserves execution units
 * for future cycles. It is compared with a simple model: one counter for each resource and each
 * cycle, and a linear search for a free cycle. */
#include "calendar.h"

#include <string.h>

#include "random.h"
#include "tap.h"

#define CYCLES 200000u

static const uint64_t available[SL_SLOTS] = {4, 3, 1, 2, 1, 2};
static uint8_t reserved[CYCLES][SL_SLOTS];

static bool fits(uint64_t cycle, const unsigned needs[SL_SLOTS])
{
    for (unsigned kind = 0; kind < SL_SLOTS; kind++)
        if (reserved[cycle][kind] + needs[kind] > available[kind])
            return false;
    return true;
}

static void reserve(uint64_t cycle, const unsigned needs[SL_SLOTS])
{
    for (unsigned kind = 0; kind < SL_SLOTS; kind++)
        reserved[cycle][kind] = (uint8_t)(reserved[cycle][kind] + needs[kind]);
}

/* One instruction: an issue slot and one unit, sometimes a port as well. */
static uint64_t draw_needs(uint64_t *seed, unsigned needs[SL_SLOTS])
{
    uint64_t sum = 0;
    memset(needs, 0, SL_SLOTS * sizeof *needs);
    needs[SL_SLOT_ISSUE] = 1;
    needs[SL_SLOT_ALU + sl_random_below(seed, 4)] = 1;
    needs[SL_SLOT_PORT] = sl_random_below(seed, 3) == 0;
    for (unsigned kind = 0; kind < SL_SLOTS; kind++)
        sum += needs[kind] * SL_SLOT(kind);
    return sum;
}

int main(void)
{
    static struct sl_calendar calendar;
    uint64_t seed = 1, base = 0, n_later = 0;
    bool same = true, bytes = true;
    sl_calendar_init(&calendar, available);
    while (base < CYCLES - 2 * SL_CALENDAR_CYCLES && same) {
        unsigned needs[SL_SLOTS];
        uint64_t sum = draw_needs(&seed, needs), from = base + sl_random_below(&seed, 40);
        uint64_t cycle = sl_calendar_reserve(&calendar, base, from, sum), expected = from;
        while (!fits(expected, needs))
            expected++;
        reserve(expected, needs);
        same = cycle == expected;
        n_later += expected > from;
        for (unsigned kind = 0; kind < SL_SLOTS && bytes; kind++)
            bytes = sl_calendar_byte(sl_calendar_at(&calendar, cycle), kind) ==
                    127 - available[kind] + reserved[expected][kind];
        if (sl_random_below(&seed, 3) == 0) {
            base += sl_random_below(&seed, sl_random_below(&seed, 1000) ? 4 : 300);
            sl_calendar_advance(&calendar, base);
        }
    }
    ok(same && n_later > 1000, "requests get the first cycle that has all they need");
    ok(bytes, "each byte of a cycle is 127 minus the number of free slots");
    uint64_t beyond = base + SL_CALENDAR_CYCLES + 5;
    ok(sl_calendar_reserve(&calendar, base, beyond, SL_SLOT(SL_SLOT_MULTIPLY)) == beyond &&
           sl_calendar_reserve(&calendar, base, beyond, SL_SLOT(SL_SLOT_MULTIPLY)) == beyond,
       "everything is available beyond the window");

    sl_calendar_init(&calendar, available);
    uint64_t divide = SL_SLOT(SL_SLOT_MULTIPLY), issue = SL_SLOT(SL_SLOT_ISSUE);
    uint64_t first = sl_calendar_occupy(&calendar, 10, issue, divide, 20);
    uint64_t second = sl_calendar_occupy(&calendar, 12, issue, divide, 20);
    uint64_t third = sl_calendar_reserve(&calendar, 0, 0, issue + divide);
    ok(first == 10 && second == 30, "a unit that is occupied for 20 cycles is free after them");
    ok(third == 0 && sl_calendar_occupy(&calendar, 1, issue, divide, 10) == 50,
       "a request for consecutive cycles skips a gap that is too short");
    return done_testing();
}
