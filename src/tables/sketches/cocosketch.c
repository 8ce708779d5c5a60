/* SPDX-License-Identifier: MIT */
/* CocoSketch (table `cocosketch`): rows of buckets. Each bucket holds one tuple and its count. In
 * each row, a hash function assigns one bucket to a tuple.
 *
 * Paper: Zhang, Liu, Wang, Yang, Li, Pan, Jia, Zhang, "CocoSketch: high-performance sketch-based
 * measurement over arbitrary partial key query", 2021; the basic form, stochastic variance
 * minimization.
 *
 * Algorithm.
 *
 *     one of its buckets has the tuple   count += weight, in the first such row
 *     else                               the bucket with the smallest count, in the first row on a
 *                                        tie: count += weight; with probability weight / count the
 *                                        tuple replaces the one in the bucket
 *
 * Bucket layout; a count of 0 marks a free bucket:
 *
 *     | tuple (128) | count |
 *
 * Bounds: none. Counts are unbiased, for any set of tuples, and their sum is the weight of the
 * stream. */
#include "random.h"
#include "sketch_states.h"

#define ROWS 4

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_cocosketch_config, rows, "2", 1, ROWS,
                "number of rows of buckets; each row has its own hash function"),
    SL_UNSIGNED_FLAGS(struct sl_cocosketch_config, columns, "256", 1, 65536, SL_OPTION_POWER_OF_2,
                      "buckets per row"),
    SL_UNSIGNED(struct sl_cocosketch_config, counter, "32", 1, 60, "width of a count, in bits"),
    SL_UNSIGNED(struct sl_cocosketch_config, seed, "1", 0, UINT64_MAX,
                "seed of the hash functions and of the random draws"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_cocosketch_config *c = config;
    return c->rows * c->columns * (SL_SKETCH_TUPLE_BITS + c->counter) + 64;
}

static void lay_out(struct sl_cocosketch *c, const struct sl_cocosketch_config *config,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&c->sketch, sizeof *c, true, host, l);
    c->bucket = sl_layout_array(l, config->rows * config->columns, sizeof *c->bucket);
}

static void set_up(struct sl_cocosketch *c, const struct sl_cocosketch_config *config)
{
    c->rows = (unsigned)config->rows;
    c->columns = config->columns;
    c->sketch.most = sl_sketch_most(config->counter);
    c->random = config->seed;
    sl_packed_init(c->sketch.hash, config->seed, 0, c->rows, (unsigned)__builtin_ctzll(c->columns));
}

SL_SKETCH_MAKE(struct sl_cocosketch, lay_out, set_up)

/* Whether the tuple has a bucket is hard to predict, so that both cases share one path without
 * branches, except for the rare replacement. */
SL_SKETCH_INLINE void enter(struct sl_cocosketch *c, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    bool has = false;
    uint64_t its = 0, lowest = UINT64_MAX;
    (void)key;
    for (unsigned row = 0; row < c->rows && row < ROWS; row++) {
        uint64_t at = row * c->columns + sl_sketch_index(hash, row);
        const struct sl_cocosketch_bucket *bucket = &c->bucket[at];
        bool same = (bucket->count != 0) & (bucket->tuple.pc == tuple.pc) &
                    (bucket->tuple.value == tuple.value);
        its = sl_sketch_pick((same | (bucket->count < lowest)) & !has, at, its);
        lowest = bucket->count < lowest ? bucket->count : lowest;
        has |= same;
    }
    struct sl_cocosketch_bucket *bucket = &c->bucket[its];
    sl_sketch_raise(&c->sketch, &bucket->count, weight);
    uint64_t random = c->random;
    bool takes = sl_random_below(&random, bucket->count) < weight;
    c->random = sl_sketch_pick(has, c->random, random);
    if (takes & !has)
        bucket->tuple = tuple;
}

SL_SKETCH_LOOPS(struct sl_cocosketch, true, false)

static bool entry(const void *state, size_t i, struct sl_entry *out)
{
    const struct sl_cocosketch *c = state;
    if (i == c->rows * c->columns)
        return false;
    *out = (struct sl_entry){.tuple = c->bucket[i].tuple, .count = c->bucket[i].count};
    return true;
}

SL_SKETCH_STATUS(SL_BOUNDS_NONE)

const struct sl_table_kind sl_table_cocosketch = {
    .name = "cocosketch",
    .summary = "CocoSketch: hashed buckets, each with a tuple that other tuples replace at random",
    .storage = "rows x columns x (128 + counter) + 64 bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_cocosketch_config),
};
