/* SPDX-License-Identifier: MIT */
/* Misra-Gries (Misra, Gries, Finding repeated elements, 1982; with weights as Berinde, Indyk,
 * Cormode, Strauss, Space-optimal heavy hitters with strong error bounds, 2010, have them): a tuple
 * that finds no free place takes as much from all counters as it weighs, or as the least has.
 *
 *     | tuple (128) | count |      an entry; a count of 0 is a free place
 *
 *     tuple is there         count += weight
 *     there is a free place  count = weight
 *     else, with the least   d = min(weight, least); all counts -= d; what is left of the weight
 *                            takes the first place that is free now
 *
 * With k entries and a stream of N: no count is too high, and none is too low by more than what was
 * taken from all, which is at most N / (k + 1). So every tuple with more than that is there.
 *
 * Here `gone` is what was taken from all so far, and counts are kept with it: taking is an
 * addition, and the least is found as shelf.h finds it. A tuple whose count fell to 0 stays
 * written in its place until another takes that; to the definition it is not there. */
#include "rival_states.h"

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_shelf_config, entries, "256", 1, 1 << 20, "tuples that it keeps"),
    SL_UNSIGNED(struct sl_shelf_config, counter, "32", 1, 60, "bits of a count"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_shelf_config *c = config;
    return c->entries * (SL_RIVAL_TUPLE_BITS + c->counter);
}

static size_t lay_out(struct sl_misragries *m, const struct sl_shelf_config *c,
                      const struct sl_table_host *host, uintptr_t base)
{
    size_t used = 0;
    sl_rival_lay_out(&m->rival, sizeof *m, false, host, base, &used);
    sl_shelf_lay_out(&m->shelf, c->entries, base, &used);
    return used;
}

SL_RIVAL_SIZE(struct sl_misragries)

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_misragries *m = state;
    const struct sl_shelf_config *c = config;
    (void)f;
    lay_out(m, c, host, (uintptr_t)state);
    m->rival.most = sl_rival_most(c->counter);
    return 0;
}

SL_RIVAL_INLINE void raise(struct sl_misragries *m, uint32_t place, uint64_t weight)
{
    uint64_t count = m->shelf.count[place] - m->gone;
    sl_rival_raise(&m->rival, &count, weight);
    m->shelf.count[place] = count + m->gone;
}

/* No place has the tuple, and all are taken once. */
static void wear_down(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight, uint64_t key)
{
    uint32_t place = sl_shelf_least(&m->shelf);
    uint64_t least = m->shelf.count[place] - m->gone, taken = weight < least ? weight : least;
    m->gone += taken;
    if (taken == weight) {
        m->drops++;
        return;
    }
    sl_shelf_rename(&m->shelf, place, tuple, key);
    raise(m, place, weight - taken);
}

SL_RIVAL_INLINE void enter(struct sl_misragries *m, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    uint32_t place = sl_shelf_find(&m->shelf, tuple, key);
    (void)hash;
    if (place == SL_SHELF_NONE) {
        place = sl_shelf_add(&m->shelf, tuple, key);
        if (place == SL_SHELF_NONE) {
            wear_down(m, tuple, weight, key);
            return;
        }
        m->shelf.count[place] = m->gone;
    }
    raise(m, place, weight);
}

SL_RIVAL_LOOPS(struct sl_misragries, false, true)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_misragries *m = state;
    (void)names;
    for (uint32_t i = 0; i < m->shelf.n; i++) {
        uint64_t count = m->shelf.count[i] - m->gone;
        struct sl_entry entry = {
            .tuple = m->shelf.tuple[i], .count = count, .low = count, .high = count + m->gone};
        if (count && !emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_misragries *m = state;
    uint64_t kept = 0;
    size_t distinct = 0;
    for (uint32_t i = 0; i < m->shelf.n; i++) {
        distinct += m->shelf.count[i] > m->gone;
        kept += m->shelf.count[i] - m->gone;
    }
    sl_rival_status(&m->rival, distinct, SL_BOUNDS_CERTAIN, out);
    out->drops = m->drops;
    out->drops_weight = out->weight - kept;
}

const struct sl_table_kind sl_table_misragries = {
    .name = "misragries",
    .summary = "Misra-Gries: who finds no place takes from all; counts are never too high",
    .storage = "entries x (128 + counter bits)",
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
