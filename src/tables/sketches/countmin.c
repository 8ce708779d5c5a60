/* SPDX-License-Identifier: MIT */
/* Count-min (Cormode, Muthukrishnan, An improved data stream summary: the count-min sketch and its
 * applications, 2005), with the names of the heaviest (rival_states.h).
 *
 * A tuple's estimate is the least of its counters, one in each row. Plainly all of them are raised
 * by the weight; with conservative=1 (Estan, Varghese, New directions in traffic measurement and
 * accounting, 2002) none above what the estimate will be. An estimate is never too low. By the
 * paper, with w columns and d rows it is too high by more than e N / w with a chance of at most
 * e^-d. That is so of any tuple, but not of those that are named: they may be named because theirs
 * is too high. So `low` is what came while the tuple was on the shelf, which is certain. What is
 * drained is the estimate after the tuple's last event; asked again at the end, it could only be
 * higher. */
#include "rival_states.h"

static const struct sl_option options[] = {
    SL_SKETCH_OPTIONS("4", 4, "of counters, each with a hash function"),
    SL_BOOL(struct sl_sketch_config, conservative, "0", "raise no counter above the new estimate"),
    SL_OPTIONS_END,
};

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    (void)f;
    sl_sketch_init(state, config, 0, host);
    return 0;
}

SL_RIVAL_INLINE int64_t *cell_of(struct sl_sketch *s, uint64_t hash, unsigned row)
{
    return &s->cell[row * s->columns + sl_rival_index(hash, row)];
}

SL_RIVAL_INLINE void enter(struct sl_sketch *s, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    uint64_t least = UINT64_MAX;
    for (unsigned row = 0; row < s->rows; row++) {
        uint64_t cell = (uint64_t)*cell_of(s, hash, row);
        least = cell < least ? cell : least;
    }
    uint64_t room = s->rival.most - least, estimate = least + (weight < room ? weight : room);
    s->rival.full += weight < room ? 0 : weight - room;
    for (unsigned row = 0; row < s->rows; row++) {
        int64_t *cell = cell_of(s, hash, row);
        uint64_t raised = s->conservative ? estimate : (uint64_t)*cell + weight;
        raised = raised < s->rival.most ? raised : s->rival.most;
        *cell = (uint64_t)*cell > raised ? *cell : (int64_t)raised;
    }
    /* One that has a name there counts no less than the least of them, and its counters have just
     * gone up: so this one has none, and will have none. */
    if (s->shelf.n == s->shelf.room && estimate <= s->shelf.least && estimate < s->rival.most)
        return;
    sl_sketch_name(s, tuple, weight, estimate, key);
}

SL_RIVAL_ROW_LOOPS(struct sl_sketch, true)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_sketch *s = state;
    (void)names;
    for (uint32_t i = 0; i < s->shelf.n; i++) {
        uint64_t count = s->shelf.count[i];
        struct sl_entry entry = {
            .tuple = s->shelf.tuple[i], .count = count, .high = count, .low = s->shelf.extra[i]};
        if (!emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_sketch *s = state;
    sl_rival_status(&s->rival, s->shelf.n, SL_BOUNDS_CERTAIN, out);
}

const struct sl_table_kind sl_table_countmin = {
    .name = "countmin",
    .summary = "the count-min sketch, with the names of the heaviest; never too low",
    .storage = "rows x columns x counter bits + entries x (128 + counter bits)",
    .options = options,
    .config_size = sizeof(struct sl_sketch_config),
    .storage_bits = sl_sketch_storage_bits,
    .size = sl_sketch_size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
};
