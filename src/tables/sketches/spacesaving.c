/* SPDX-License-Identifier: MIT */
/* Space-Saving (`spacesaving`): k counters, each with the tuple that owns it.
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
    SL_UNSIGNED(struct sl_top_list_config, entries, "256", 1, 1 << 20, "tuples that it keeps"),
    SL_UNSIGNED(struct sl_top_list_config, counter, "32", 1, 60,
                "bits of a count, and of its error"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_top_list_config *c = config;
    return c->entries * (SL_RIVAL_TUPLE_BITS + 2 * c->counter);
}

static void lay_out(struct sl_spacesaving *s, const struct sl_top_list_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&s->rival, sizeof *s, false, host, l);
    sl_top_list_lay_out(&s->shelf, c->entries, l);
}

static void set_up(struct sl_spacesaving *s, const struct sl_top_list_config *c)
{
    s->rival.most = sl_sketch_most(c->counter);
}

SL_RIVAL_MAKE(struct sl_spacesaving, lay_out, set_up)

SL_RIVAL_INLINE void enter(struct sl_spacesaving *s, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    struct sl_top_list *shelf = &s->shelf;
    uint32_t place = sl_top_list_find(shelf, tuple, key);
    (void)hash;
    if (place == SL_SHELF_NONE && (place = sl_top_list_add(shelf, tuple, key)) == SL_SHELF_NONE) {
        place = sl_top_list_least(shelf);
        sl_top_list_rename(shelf, place, tuple, key);
        shelf->extra[place] = shelf->count[place];
    }
    sl_sketch_raise(&s->rival, &shelf->count[place], weight);
}

SL_RIVAL_LOOPS(struct sl_spacesaving, false, true)

static struct sl_entry entry_at(const struct sl_spacesaving *s, uint32_t i)
{
    uint64_t count = s->shelf.count[i];
    return (struct sl_entry){.tuple = s->shelf.tuple[i],
                             .count = count,
                             .low = count - s->shelf.extra[i],
                             .high = count};
}

SL_SHELF_DRAIN(struct sl_spacesaving)
SL_SHELF_STATUS(struct sl_spacesaving, SL_BOUNDS_CERTAIN)

const struct sl_table_kind sl_table_spacesaving = {
    .name = "spacesaving",
    .summary = "Space-Saving: a newcomer takes the place, and the count, of who counts least",
    .storage = "entries x (128 + 2 x counter bits)",
    .options = options,
    SL_RIVAL_KIND(struct sl_top_list_config),
};
