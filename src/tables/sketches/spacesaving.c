/* SPDX-License-Identifier: MIT */
/* Space-Saving summary (table `spacesaving`): k counters, each with the tuple that it counts.
 *
 * Paper: Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in
 * data streams", 2005.
 *
 * Algorithm.
 *
 *     the tuple has an entry     count += weight
 *     an entry is free           count = weight, error = 0
 *     else                       the entry with the smallest count m, the first one on a tie, gets
 *                                the tuple, error = m and count = m + weight
 *
 * Entry layout:
 *
 *     | tuple (128) | count | error |
 *
 * Bounds. With k entries and a stream of weight N: no count is too low, none is too high by more
 * than its error, and no error exceeds N / k. So every tuple of weight above N / k has an entry.
 * The sum of all counts is N.
 *
 * Departure: counters have a width and saturate. Bounds do not hold from then on, and the status
 * says so. */
#include "sketch_states.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_top_list_config, entries, "256", 1, 1 << 20, "number of entries"),
    SL_UNSIGNED(struct sl_top_list_config, counter, "32", 1, 60,
                "width of a count and of its error, in bits"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_top_list_config *c = config;
    return c->entries * (SL_SKETCH_TUPLE_BITS + 2 * c->counter);
}

static void lay_out(struct sl_spacesaving *s, const struct sl_top_list_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&s->sketch, sizeof *s, false, host, l);
    sl_top_list_lay_out(&s->list, c->entries, l);
}

static void set_up(struct sl_spacesaving *s, const struct sl_top_list_config *c)
{
    s->sketch.most = sl_sketch_most(c->counter);
}

SL_SKETCH_MAKE(struct sl_spacesaving, lay_out, set_up)

SL_SKETCH_INLINE void enter(struct sl_spacesaving *s, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    struct sl_top_list *list = &s->list;
    uint32_t position = sl_top_list_find(list, tuple, key);
    (void)hash;
    if (position == SL_TOP_LIST_NONE &&
        (position = sl_top_list_add(list, tuple, key)) == SL_TOP_LIST_NONE) {
        position = sl_top_list_least(list);
        sl_top_list_rename(list, position, tuple, key);
        list->extra[position] = list->count[position];
    }
    sl_sketch_raise(&s->sketch, &list->count[position], weight);
}

SL_SKETCH_LOOPS(struct sl_spacesaving, false, true)

static struct sl_entry entry_at(const struct sl_spacesaving *s, size_t i)
{
    uint64_t count = s->list.count[i];
    return (struct sl_entry){
        .tuple = s->list.tuple[i], .count = count, .low = count - s->list.extra[i], .high = count};
}

SL_TOP_LIST_ENTRY(struct sl_spacesaving)
SL_SKETCH_STATUS(SL_BOUNDS_CERTAIN)

const struct sl_table_kind sl_table_spacesaving = {
    .name = "spacesaving",
    .summary = "Space-Saving: a new tuple replaces the tuple with the smallest count and inherits "
               "this count",
    .storage = "entries x (128 + 2 x counter) bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_top_list_config),
};
