/* SPDX-License-Identifier: MIT */
/* Set-associative accumulator of the interval profilers (option `ways`). The paper has only a
 * fully associative accumulator.
 *
 *     | set 0: ways entries | set 1 | ... | set sets - 1 |
 *        ▲
 *        low bits of the tuple's index in the first table of counters
 *
 * Only `ways` entries are compared with a tuple, so that they can be in a RAM; comparators are most
 * of the area of a fully associative one (docs/hardware.md). The hash function exists already. A
 * promotion is dropped if its set is full, even if others are not: without more entries than
 * possible candidates, some candidates are lost. */
#include "interval_table.h"

#include "failure.h"

int sl_interval_check_sets(struct sl_interval_config *c, struct sl_failure *f)
{
    uint64_t sets = 1;
    while (sets * c->ways < c->accumulator)
        sets *= 2;
    if (sets * c->ways > SL_INTERVAL_ENTRIES_MAX || sets > c->counters / c->tables)
        return sl_fail(
            f, SL_EUSAGE,
            "an accumulator of %llu entries in sets of %llu needs %llu sets, but it can have at "
            "most one set per counter of a table (%llu) and at most %u entries: use more ways",
            (unsigned long long)c->accumulator, (unsigned long long)c->ways,
            (unsigned long long)sets, (unsigned long long)(c->counters / c->tables),
            SL_INTERVAL_ENTRIES_MAX);
    c->accumulator = sets * c->ways;
    return 0;
}

size_t sl_interval_find_free_in_set(const struct sl_interval_table *t, const uint32_t *at)
{
    const struct sl_accumulator *a = &t->accumulator;
    size_t ways = (size_t)t->config.ways, set = at[0] & (a->capacity / ways - 1), lowest = 0;
    uint64_t count = t->threshold;
    for (size_t slot = 1 + set * ways; slot < 1 + (set + 1) * ways; slot++) {
        if (!a->note[slot].used)
            return slot;
        if (a->note[slot].retained && a->count[slot] < count) {
            lowest = slot;
            count = a->count[slot];
        }
    }
    return lowest;
}
