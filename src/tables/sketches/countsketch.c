/* SPDX-License-Identifier: MIT */
/* Count sketch (Charikar, Chen, Farach-Colton, Finding frequent items in data streams, 2002), with
 * the names of the heaviest (rival_states.h).
 *
 * In each row a tuple has a counter and a sign, both by its hash; its weight is added or taken
 * away. The counter times the sign is right in the mean, since what others leave there has either
 * sign. The estimate is the median of the rows, one or three of them, and 0 where that is negative.
 *
 *     hash of a row   | sign (1) | column |        counters are signed
 *
 * One row misses by more than 3 sqrt(F2 / w) with a chance of at most 1/9 (Chebyshev), F2 being the
 * sum of all tuples' counts squared, and the median of three if two do, 4 of 100. That is so of any
 * tuple. Those that are named may be so because theirs are too high: of a hundred that a stream of
 * many rare tuples names, more than five are, so no bounds are given. */
#include "failure.h"
#include "rival_states.h"

#define ROWS 3

static const struct sl_option options[] = {
    SL_SKETCH_OPTIONS("3", ROWS, "of counters, 1 or 3"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    const struct sl_sketch_config *c = config;
    if (c->rows == 2)
        return sl_fail(f, SL_EUSAGE, "rows=2: a median needs an odd number of rows, 1 or 3");
    return 0;
}

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    (void)f;
    sl_sketch_init(state, config, 1, host);
    return 0;
}

/* `minus` is -1 or 0: the number, negated or as it is, without a branch. */
SL_RIVAL_INLINE int64_t signed_by(int64_t minus, int64_t number)
{
    return (number ^ minus) - minus;
}

static int64_t median(const int64_t value[ROWS])
{
    int64_t a = value[0], b = value[1], c = value[2];
    int64_t low = (int64_t)sl_rival_pick(a < b, (uint64_t)a, (uint64_t)b), high = a ^ b ^ low;
    int64_t lower = (int64_t)sl_rival_pick(c < high, (uint64_t)c, (uint64_t)high);
    return (int64_t)sl_rival_pick(lower < low, (uint64_t)low, (uint64_t)lower);
}

SL_RIVAL_INLINE void enter(struct sl_sketch *s, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    int64_t value[ROWS] = {0}, most = (int64_t)s->rival.most;
    int64_t change = weight < s->rival.most ? (int64_t)weight : most;
    for (unsigned row = 0; row < s->rows && row < ROWS; row++) {
        size_t index = sl_rival_index(hash, row);
        int64_t minus = -(int64_t)(index >= s->columns);
        int64_t *cell = &s->cell[row * s->columns + (index & (s->columns - 1))];
        int64_t wanted = *cell + signed_by(minus, change);
        int64_t held = wanted;
        if ((uint64_t)(wanted + most) > 2 * (uint64_t)most) { /* beyond either end */
            held = signed_by(minus, most);
            s->rival.full += (uint64_t)signed_by(minus, wanted - held);
        }
        *cell = held;
        value[row] = signed_by(minus, held);
    }
    int64_t estimate = s->rows == 1 ? value[0] : median(value);
    sl_sketch_name(s, tuple, weight, estimate > 0 ? (uint64_t)estimate : 0, key);
}

SL_RIVAL_ROW_LOOPS(struct sl_sketch, true)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_sketch *s = state;
    (void)names;
    for (uint32_t i = 0; i < s->shelf.n; i++) {
        uint64_t count = s->shelf.count[i];
        struct sl_entry entry = {.tuple = s->shelf.tuple[i], .count = count};
        if (count && !emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_sketch *s = state;
    size_t distinct = 0;
    for (uint32_t i = 0; i < s->shelf.n; i++)
        distinct += s->shelf.count[i] != 0;
    sl_rival_status(&s->rival, distinct, SL_BOUNDS_NONE, out);
}

const struct sl_table_kind sl_table_countsketch = {
    .name = "countsketch",
    .summary = "the count sketch, with the names of the heaviest; right in the mean",
    .storage = "rows x columns x counter bits + entries x (128 + counter bits)",
    .options = options,
    .config_size = sizeof(struct sl_sketch_config),
    .resolve = resolve,
    .storage_bits = sl_sketch_storage_bits,
    .size = sl_sketch_size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
};
