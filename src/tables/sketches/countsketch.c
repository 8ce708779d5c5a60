/* SPDX-License-Identifier: MIT */
/* Count sketch (table `countsketch`), with a list of the top tuples. sketch_states.h describes the
 * data layout.
 *
 * Paper: Charikar, Chen, Farach-Colton, "Finding frequent items in data streams", 2002.
 *
 * Algorithm. In each row a hash function selects a signed counter and a sign for a tuple. An event
 * adds its weight with that sign. Counter x sign is an unbiased estimate, because other tuples have
 * either sign. The estimate of the tuple is the median over the rows, one or three, and 0 if that
 * is negative.
 *
 *     hash of a row   | sign (1) | column |
 *
 * Bounds: none. One row is off by more than 3 sqrt(F2 / w) with probability 1/9 at most (Chebyshev;
 * F2 is the sum of the squared counts of all tuples), the median of three with 4 %. That holds for
 * any fixed tuple, not for those in the list, which may be there because their estimate is too
 * high: in streams of many rare tuples, that is true for more than 5 % of the list. */
#include "failure.h"
#include "sketch_states.h"

#define ROWS 3

static const struct sl_option options[] = {
    SL_SKETCH_OPTIONS("3", ROWS, "number of rows of counters, 1 or 3"),
    SL_OPTIONS_END,
};

static int resolve(void *config, struct sl_failure *f)
{
    const struct sl_counter_rows_config *c = config;
    if (c->rows == 2)
        return sl_fail(
            f, SL_EUSAGE,
            "rows=2 is not possible, because the median needs an odd number of rows: use 1 or 3");
    return 0;
}

static uint64_t storage_bits(const void *config)
{
    return sl_counter_rows_storage_bits(config);
}

static void set_up(struct sl_counter_rows *s, const struct sl_counter_rows_config *c)
{
    sl_counter_rows_set_up(s, c, 1);
}

SL_SKETCH_MAKE(struct sl_counter_rows, sl_counter_rows_lay_out, set_up)

/* The number, negated if `minus` is -1 and unchanged if it is 0, without a branch. */
SL_SKETCH_INLINE int64_t signed_by(int64_t minus, int64_t number)
{
    return (number ^ minus) - minus;
}

static int64_t median(const int64_t value[ROWS])
{
    int64_t a = value[0], b = value[1], c = value[2];
    int64_t low = (int64_t)sl_sketch_pick(a < b, (uint64_t)a, (uint64_t)b), high = a ^ b ^ low;
    int64_t lower = (int64_t)sl_sketch_pick(c < high, (uint64_t)c, (uint64_t)high);
    return (int64_t)sl_sketch_pick(lower < low, (uint64_t)low, (uint64_t)lower);
}

SL_SKETCH_INLINE void enter(struct sl_counter_rows *s, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    int64_t value[ROWS] = {0}, most = (int64_t)s->sketch.most;
    int64_t change = weight < s->sketch.most ? (int64_t)weight : most;
    for (unsigned row = 0; row < s->rows && row < ROWS; row++) {
        size_t index = sl_sketch_index(hash, row);
        int64_t minus = -(int64_t)(index >= s->columns);
        int64_t *cell = &s->cell[row * s->columns + (index & (s->columns - 1))];
        int64_t wanted = *cell + signed_by(minus, change);
        int64_t held = wanted;
        if ((uint64_t)(wanted + most) > 2 * (uint64_t)most) { /* beyond either end */
            held = signed_by(minus, most);
            s->sketch.full += (uint64_t)signed_by(minus, wanted - held);
        }
        *cell = held;
        value[row] = signed_by(minus, held);
    }
    int64_t estimate = s->rows == 1 ? value[0] : median(value);
    sl_counter_rows_name(s, tuple, weight, estimate > 0 ? (uint64_t)estimate : 0, key);
}

SL_SKETCH_LOOPS(struct sl_counter_rows, true, true)

static struct sl_entry entry_at(const struct sl_counter_rows *s, size_t i)
{
    return (struct sl_entry){.tuple = s->list.tuple[i], .count = s->list.count[i]};
}

SL_TOP_LIST_ENTRY(struct sl_counter_rows)
SL_SKETCH_STATUS(SL_BOUNDS_NONE)

const struct sl_table_kind sl_table_countsketch = {
    .name = "countsketch",
    .summary = "count sketch with a list of the top tuples; counts are unbiased",
    .storage = "rows x columns x counter + entries x (128 + counter) bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_counter_rows_config),
    .resolve = resolve,
};
