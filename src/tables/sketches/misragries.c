/* SPDX-License-Identifier: MIT */
/* Misra-Gries (`misragries`): k counters; a tuple without an entry decrements all of them.
 *
 * Papers: Misra, Gries, "Finding repeated elements", 1982; weights as in Berinde, Indyk, Cormode,
 * Strauss, "Space-optimal heavy hitters with strong error bounds", 2010.
 *
 * Algorithm.
 *
 *     the tuple has an entry     count += weight
 *     an entry is free           count = weight
 *     else                       d = min(weight, smallest count); all counts -= d; if weight > d,
 * the tuple gets the first free entry with count = weight - d
 *
 * Entry layout; a count of 0 marks a free entry:
 *
 *     | tuple (128) | count |
 *
 * Bounds. With k entries and a stream of weight N: no count is too high, and none is too low by
 * more than the sum of all d, which is at most N / (k + 1). So every tuple of weight above that has
 * an entry.
 *
 * Implementation. `gone` is the sum of all d, and stored counts include it, so that a decrement of
 * all counters is one addition and the smallest count is that of the top list (top_list.h). A tuple
 * whose count fell to 0 stays in its place until another one replaces it; it has no entry by the
 * definition. */
#include "sketch_states.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_top_list_config, entries, "256", 1, 1 << 20, "tuples that it keeps"),
    SL_UNSIGNED(struct sl_top_list_config, counter, "32", 1, 60, "bits of a count"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_top_list_config *c = config;
    return c->entries * (SL_RIVAL_TUPLE_BITS + c->counter);
}

static void lay_out(struct sl_misragries *m, const struct sl_top_list_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&m->rival, sizeof *m, false, host, l);
    sl_top_list_lay_out(&m->shelf, c->entries, l);
}

static void set_up(struct sl_misragries *m, const struct sl_top_list_config *c)
{
    m->rival.most = sl_sketch_most(c->counter);
}

SL_RIVAL_MAKE(struct sl_misragries, lay_out, set_up)

SL_RIVAL_INLINE void raise(struct sl_misragries *m, uint32_t place, uint64_t weight)
{
    uint64_t count = m->shelf.count[place] - m->gone;
    sl_sketch_raise(&m->rival, &count, weight);
    m->shelf.count[place] = count + m->gone;
}

/* For a tuple that is not in a full list. */
static void wear_down(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight, uint64_t key)
{
    uint32_t place = sl_top_list_least(&m->shelf);
    uint64_t least = m->shelf.count[place] - m->gone, taken = weight < least ? weight : least;
    m->gone += taken;
    if (taken == weight) {
        m->drops++;
        return;
    }
    sl_top_list_rename(&m->shelf, place, tuple, key);
    raise(m, place, weight - taken);
}

SL_RIVAL_INLINE void enter(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    uint32_t place = sl_top_list_find(&m->shelf, tuple, key);
    (void)hash;
    if (place == SL_SHELF_NONE) {
        place = sl_top_list_add(&m->shelf, tuple, key);
        if (place == SL_SHELF_NONE) {
            wear_down(m, tuple, weight, key);
            return;
        }
        m->shelf.count[place] = m->gone;
    }
    raise(m, place, weight);
}

SL_RIVAL_LOOPS(struct sl_misragries, false, true)

static struct sl_entry entry_at(const struct sl_misragries *m, uint32_t i)
{
    uint64_t count = m->shelf.count[i] - m->gone;
    return (struct sl_entry){
        .tuple = m->shelf.tuple[i], .count = count, .low = count, .high = count + m->gone};
}

SL_SHELF_DRAIN(struct sl_misragries)

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_misragries *m = state;
    uint64_t kept = 0;
    size_t distinct = 0;
    for (uint32_t i = 0; i < m->shelf.n; i++) {
        distinct += m->shelf.count[i] > m->gone;
        kept += m->shelf.count[i] - m->gone;
    }
    sl_sketch_status(&m->rival, distinct, SL_BOUNDS_CERTAIN, out);
    out->drops = m->drops;
    out->drops_weight = out->weight - kept;
}

const struct sl_table_kind sl_table_misragries = {
    .name = "misragries",
    .summary = "Misra-Gries: who finds no place takes from all; counts are never too high",
    .storage = "entries x (128 + counter bits)",
    .options = options,
    SL_RIVAL_KIND(struct sl_top_list_config),
};
