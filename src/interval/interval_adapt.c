/* An interval length that follows the program: `adapt`.
 *
 * The document leaves the length to the user. A long interval is cheaper (fewer
 * reports) and its candidates are better founded; a short one follows a program whose
 * behaviour changes. So after each interval its candidates are compared with those of
 * the one before, by how much of their weight they share:
 *
 *     overlap = sum of min(before, now) / sum of max(before, now)
 *
 * over all tuples that were candidates in either (0 where one was not), the counts of the
 * shorter interval scaled to the length of the longer. After STEADY intervals in a row with an overlap of
 * 3/4 or more the length doubles; after one with less than 1/2 it is halved, and also
 * after one without candidates (twice that length has some only if a half of it has). It
 * stays within 2^-4 and 2^4 times `interval`, and T follows it.
 *
 * What it is worth. On streams of phases of 20,000 events (synth:phases) it goes down to 759
 * reports that have 74.5 % of the events; a fixed length has 74.9 % with 800 and 74.7 % with 400.
 * On phases of 500,000 it has 75.0 % in 65, a fixed one in 50. So on these it finds by itself
 * about what the best fixed length has, and is not better: it is for who does not know that.
 *
 * In hardware that is one more count in each retained entry: the entries that were
 * candidates before are those that `retain` kept, so it needs that. A retained entry
 * that was replaced and came back counts as a new one. */
#include "interval_table.h"

#define STEADY 4u

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int sl_interval_next_length(struct sl_interval_table *t)
{
    const struct sl_accumulator *a = &t->accumulator;
    int log2 = t->adapt.log2, last = t->adapt.before_log2;
    unsigned up_now = last > log2 ? (unsigned)(last - log2) : 0;
    unsigned up_then = log2 > last ? (unsigned)(log2 - last) : 0;
    uint64_t now = 0, shared = 0, before = t->adapt.before_sum;
    for (size_t slot = 1; slot <= a->capacity; slot++) {
        if (a->count[slot] < t->threshold)
            continue;
        now += a->count[slot];
        if (a->note[slot].retained)
            shared += smaller(a->note[slot].before << up_then, a->count[slot] << up_now);
    }
    uint64_t either = (before << up_then) + (now << up_now) - shared;
    t->adapt.before_sum = now;
    t->adapt.before_log2 = log2;
    if (t->number == 0)
        return log2;
    t->adapt.steady = now && 4 * shared >= 3 * either ? t->adapt.steady + 1 : 0;
    if (t->adapt.steady >= STEADY && log2 < SL_INTERVAL_ADAPT_LOG2) {
        t->adapt.steady = 0;
        return log2 + 1;
    }
    return (!now || 2 * shared < either) && log2 > -SL_INTERVAL_ADAPT_LOG2 ? log2 - 1 : log2;
}
