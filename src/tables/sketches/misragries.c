/* SPDX-License-Identifier: MIT */
/* Misra-Gries summary (table `misragries`): k entries, each with a tuple and its count. If no entry
 * is free, an event of a tuple without an entry decrements all counts.
 *
 * Papers: Misra, Gries, "Finding repeated elements", 1982; weights as in Berinde, Indyk, Cormode,
 * Strauss, "Space-optimal heavy hitters with strong error bounds", 2010.
 *
 * Algorithm.
 *
 *     the tuple has an entry     count += weight
 *     an entry is free           count = weight
 *     else                       d = min(weight, smallest count); all counts -= d; if weight > d,
 *                                the tuple gets the first free entry with count = weight - d
 *
 * Entry layout; a count of 0 marks a free entry:
 *
 *     | tuple (128) | count |
 *
 * Bounds. With k entries and a stream of weight N: no count is too high, and none is too low by
 * more than the sum of all d, which is at most N / (k + 1). So every tuple of weight above that has
 * an entry.
 *
 * Implementation. `decremented` is the sum of all d, and stored counts include it, so that a
 * decrement of all counters is one addition and the smallest count is that of the top list
 * (top_list.h). A tuple whose count fell to 0 stays in its position until another one replaces it;
 * it has no entry by the definition. */
#include "sketch_states.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_top_list_config, entries, "256", 1, 1 << 20, "number of entries"),
    SL_UNSIGNED(struct sl_top_list_config, counter, "32", 1, 60, "width of a count, in bits"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_top_list_config *c = config;
    return c->entries * (SL_SKETCH_TUPLE_BITS + c->counter);
}

static void lay_out(struct sl_misragries *m, const struct sl_top_list_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&m->sketch, sizeof *m, false, host, l);
    sl_top_list_lay_out(&m->list, c->entries, l);
}

static void set_up(struct sl_misragries *m, const struct sl_top_list_config *c)
{
    m->sketch.most = sl_sketch_most(c->counter);
}

SL_SKETCH_MAKE(struct sl_misragries, lay_out, set_up)

SL_SKETCH_INLINE void raise(struct sl_misragries *m, uint32_t position, uint64_t weight)
{
    uint64_t count = m->list.count[position] - m->decremented;
    sl_sketch_raise(&m->sketch, &count, weight);
    m->list.count[position] = count + m->decremented;
}

/* For a tuple that is not in a full list. */
static void decrement_all(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight,
                          uint64_t key)
{
    uint32_t position = sl_top_list_least(&m->list);
    uint64_t least = m->list.count[position] - m->decremented,
             taken = weight < least ? weight : least;
    m->decremented += taken;
    if (taken == weight) {
        m->drops++;
        return;
    }
    sl_top_list_rename(&m->list, position, tuple, key);
    raise(m, position, weight - taken);
}

SL_SKETCH_INLINE void enter(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    uint32_t position = sl_top_list_find(&m->list, tuple, key);
    (void)hash;
    if (position == SL_TOP_LIST_NONE) {
        position = sl_top_list_add(&m->list, tuple, key);
        if (position == SL_TOP_LIST_NONE) {
            decrement_all(m, tuple, weight, key);
            return;
        }
        m->list.count[position] = m->decremented;
    }
    raise(m, position, weight);
}

SL_SKETCH_LOOPS(struct sl_misragries, false, true)

static struct sl_entry entry_at(const struct sl_misragries *m, size_t i)
{
    uint64_t count = m->list.count[i] - m->decremented;
    return (struct sl_entry){
        .tuple = m->list.tuple[i], .count = count, .low = count, .high = count + m->decremented};
}

SL_TOP_LIST_ENTRY(struct sl_misragries)

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_misragries *m = state;
    uint64_t kept = 0;
    for (uint32_t i = 0; i < m->list.n; i++)
        kept += m->list.count[i] - m->decremented;
    sl_sketch_status(&m->sketch, SL_BOUNDS_CERTAIN, out);
    out->drops = m->drops;
    out->drops_weight = out->weight - kept;
}

const struct sl_table_kind sl_table_misragries = {
    .name = "misragries",
    .summary = "Misra-Gries: if no entry is free, an event of a new tuple decrements all counts; "
               "no count is too high",
    .storage = "entries x (128 + counter) bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_top_list_config),
};
