/* SPDX-License-Identifier: MIT */
/* An accumulator of which a tuple can be in a few entries only, the document's being fully
 * associative:
 *
 *     | set 0: ways entries | set 1 | ... | set sets - 1 |
 *        ▲
 *        low bits of the tuple's index in the first table of counters
 *
 * What has to be compared with a tuple are `ways` entries and not all of them, which in hardware
 * is most of the area (docs/hardware.md), and they can be in a memory. The hash is there anyway.
 * A promotion is dropped when its set is full, though there may be room in others; so there are
 * more entries than there can be candidates, or some of these are lost. In all else it is the same
 * machine. */
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
            "%llu entries in sets of %llu are %llu sets, and there can be at "
            "most as many as a table has counters (%llu), and %u entries; take more ways",
            (unsigned long long)c->accumulator, (unsigned long long)c->ways,
            (unsigned long long)sets, (unsigned long long)(c->counters / c->tables),
            SL_INTERVAL_ENTRIES_MAX);
    c->accumulator = sets * c->ways;
    return 0;
}

size_t sl_interval_room_in_set(const struct sl_interval_table *t, const uint32_t *at)
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
