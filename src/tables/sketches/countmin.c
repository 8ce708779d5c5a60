/* SPDX-License-Identifier: MIT */
/* Count-min sketch (table `countmin`), with a list of the top tuples. sketch_states.h describes
 * the data layout.
 *
 * Paper: Cormode, Muthukrishnan, "An improved data stream summary: the count-min sketch and its
 * applications", 2005.
 * Conservative update: Estan, Varghese, "New directions in traffic measurement and accounting",
 * 2002.
 *
 * Algorithm. The estimate of a tuple is the smallest of its counters, one in each row. An event
 * adds its weight to all of them; with conservative=1 only to those below the new estimate, and
 * only up to it.
 *
 * Bounds. An estimate is never too low. With w columns, d rows and a stream of weight N, it is too
 * high by more than e N / w with probability e^-d at most. That holds for any fixed tuple, not for
 * those in the list, which may be there because their estimate is too high. So `low` is the weight
 * that arrived while the tuple was in the list, which is certain.
 *
 * Departure: the drained count is the estimate after the last event of the tuple, not that at the
 * end of the stream, which could only be higher. */
#include "sketch_states.h"

#define ROWS 4

static const struct sl_option options[] = {
    SL_SKETCH_OPTIONS("4", ROWS, "number of rows of counters; each row has its own hash function"),
    SL_BOOL(struct sl_counter_rows_config, conservative, "0",
            "1: conservative update: no counter is raised above the new estimate"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    return sl_counter_rows_storage_bits(config);
}

static void set_up(struct sl_counter_rows *s, const struct sl_counter_rows_config *c)
{
    sl_counter_rows_set_up(s, c, 0);
}

SL_SKETCH_MAKE(struct sl_counter_rows, sl_counter_rows_lay_out, set_up)

SL_SKETCH_INLINE int64_t *cell_of(struct sl_counter_rows *s, uint64_t hash, unsigned row)
{
    return &s->cell[row * s->columns + sl_sketch_index(hash, row)];
}

SL_SKETCH_INLINE void enter(struct sl_counter_rows *s, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    uint64_t least = UINT64_MAX;
    for (unsigned row = 0; row < s->rows && row < ROWS; row++) {
        uint64_t cell = (uint64_t)*cell_of(s, hash, row);
        least = cell < least ? cell : least;
    }
    uint64_t capacity = s->sketch.most - least,
             estimate = least + (weight < capacity ? weight : capacity);
    s->sketch.full += weight < capacity ? 0 : weight - capacity;
    for (unsigned row = 0; row < s->rows && row < ROWS; row++) {
        int64_t *cell = cell_of(s, hash, row);
        uint64_t raised = s->conservative ? estimate : (uint64_t)*cell + weight;
        raised = raised < s->sketch.most ? raised : s->sketch.most;
        *cell = (uint64_t)*cell > raised ? *cell : (int64_t)raised;
    }
    /* An estimate below the smallest of a full list: the tuple is not in the list, since its
     * counters have only grown, and does not enter it. */
    if (s->list.n == s->list.capacity && estimate <= s->list.least && estimate < s->sketch.most)
        return;
    sl_counter_rows_name(s, tuple, weight, estimate, key);
}

SL_SKETCH_LOOPS(struct sl_counter_rows, true, true)

static struct sl_entry entry_at(const struct sl_counter_rows *s, size_t i)
{
    uint64_t count = s->list.count[i];
    return (struct sl_entry){
        .tuple = s->list.tuple[i], .count = count, .high = count, .low = s->list.extra[i]};
}

SL_TOP_LIST_ENTRY(struct sl_counter_rows)
SL_SKETCH_STATUS(SL_BOUNDS_CERTAIN)

const struct sl_table_kind sl_table_countmin = {
    .name = "countmin",
    .summary = "count-min sketch with a list of the top tuples; counts are never too low",
    .storage = "rows x columns x counter + entries x (128 + counter) bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_counter_rows_config),
};
