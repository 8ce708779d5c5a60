/* SPDX-License-Identifier: MIT */
/* Space-Saving (Metwally, Agrawal, El Abbadi, Efficient computation of frequent and top-k elements
 * in data streams, 2005): as many counters as there are places, and a tuple that has none takes
 * that of the tuple which counts least, with its count.
 *
 *     | tuple (128) | count | error |        an entry; `error` is what it took over
 *
 *     tuple is there         count += weight
 *     there is a free place  count = weight, error = 0
 *     else the least, m      tuple, error = m, count = m + weight
 *
 * With k entries and a stream of N: no count is too low, none is too high by more than its error,
 * and no error is more than N / k. So every tuple with more than N / k is there. The counts add
 * up to N. Of several that count least the first place goes.
 *
 * Counters are as wide as the option says and stop when they are full, which is then said, since
 * bounds no longer hold. (An error is no more than a count.) */
#include "rival_states.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_shelf_config, entries, "256", 1, 1 << 20, "tuples that it keeps"),
    SL_UNSIGNED(struct sl_shelf_config, counter, "32", 1, 60, "bits of a count, and of its error"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_shelf_config *c = config;
    return c->entries * (SL_RIVAL_TUPLE_BITS + 2 * c->counter);
}

static size_t lay_out(struct sl_spacesaving *s, const struct sl_shelf_config *c,
                      const struct sl_table_host *host, uintptr_t base)
{
    size_t used = 0;
    sl_rival_lay_out(&s->rival, sizeof *s, false, host, base, &used);
    sl_shelf_lay_out(&s->shelf, c->entries, base, &used);
    return used;
}

SL_RIVAL_SIZE(struct sl_spacesaving)

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_spacesaving *s = state;
    const struct sl_shelf_config *c = config;
    (void)f;
    lay_out(s, c, host, (uintptr_t)state);
    s->rival.most = sl_rival_most(c->counter);
    return 0;
}

SL_RIVAL_INLINE void enter(struct sl_spacesaving *s, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    struct sl_shelf *shelf = &s->shelf;
    uint32_t place = sl_shelf_find(shelf, tuple, key);
    (void)hash;
    if (place == SL_SHELF_NONE && (place = sl_shelf_add(shelf, tuple, key)) == SL_SHELF_NONE) {
        place = sl_shelf_least(shelf);
        sl_shelf_rename(shelf, place, tuple, key);
        shelf->extra[place] = shelf->count[place];
    }
    sl_rival_raise(&s->rival, &shelf->count[place], weight);
}

SL_RIVAL_LOOPS(struct sl_spacesaving, false, true)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_spacesaving *s = state;
    (void)names;
    for (uint32_t i = 0; i < s->shelf.n; i++) {
        uint64_t count = s->shelf.count[i];
        struct sl_entry entry = {.tuple = s->shelf.tuple[i],
                                 .count = count,
                                 .low = count - s->shelf.extra[i],
                                 .high = count};
        if (!emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_spacesaving *s = state;
    sl_rival_status(&s->rival, s->shelf.n, SL_BOUNDS_CERTAIN, out);
}

const struct sl_table_kind sl_table_spacesaving = {
    .name = "spacesaving",
    .summary = "Space-Saving: a newcomer takes the place, and the count, of who counts least",
    .storage = "entries x (128 + 2 x counter bits)",
    .options = options,
    .config_size = sizeof(struct sl_shelf_config),
    .storage_bits = storage_bits,
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
};
