/* SPDX-License-Identifier: MIT */
/* HeavyKeeper (table `heavykeeper`): counters with fingerprints, and a list of the top tuples. A
 * counter belongs to the tuples with its fingerprint; events of other tuples decrement it.
 *
 * Paper: Gong, Yang, Zhang, Li, Uhlig, Chen, Uden, Li, "HeavyKeeper: an accurate algorithm for
 * finding top-k elephant flows", 2018.
 *
 * Layout:
 *
 *     row     | fingerprint | count | ...       a tuple has one bucket in each row
 *     list    | tuple (128) | count | ...       the top tuples by name
 *
 * Algorithm, in each row:
 *
 *     count is 0               set the tuple's fingerprint, count = weight
 *     fingerprint matches      count += weight, if the tuple is in the list or the count is at most
 *                              the smallest one there (the paper's second optimization)
 *     fingerprint differs      with probability base^-count: count -= min(weight, count); at 0 the
 *                              bucket gets the tuple's fingerprint and count = weight
 *
 * The estimate is the largest count of the rows whose fingerprint matches. If the tuple is in the
 * list, its count there is raised to the estimate. Otherwise it enters the list if a position is
 * free, or if its estimate is above the smallest count there by at most the weight.
 *
 * Departures
 *   1. The paper's first optimization requires an estimate of exactly the smallest count + 1, for
 *      events of weight 1, to reject tuples whose fingerprint matches by chance. Here it is at most
 *      the weight above it.
 *   2. Probabilities are 64-bit integers, computed once. Counts whose probability is below 2^-64
 *      never decay.
 *
 * Bounds: none. Counts are too low rather than too high, except for equal fingerprints. */
#include <math.h>

#include "random.h"
#include "sketch_states.h"

#define ROWS 3

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_heavykeeper_config, rows, "2", 1, ROWS,
                "number of rows of buckets; each row has its own hash function"),
    SL_UNSIGNED_FLAGS(struct sl_heavykeeper_config, columns, "512", 2, 65536, SL_OPTION_POWER_OF_2,
                      "buckets per row"),
    SL_UNSIGNED(struct sl_heavykeeper_config, fingerprint, "16", 1, 16,
                "width of a fingerprint, in bits"),
    SL_UNSIGNED(struct sl_heavykeeper_config, counter, "32", 1, 60, "width of a count, in bits"),
    SL_REAL(struct sl_heavykeeper_config, base, "1.08", 1.001, 16,
            "base of the decay: an event of another tuple decrements a count c with probability "
            "base^-c"),
    SL_UNSIGNED(struct sl_heavykeeper_config, entries, "64", 1, 1 << 20, "tuples in the top list"),
    SL_UNSIGNED(struct sl_heavykeeper_config, seed, "1", 0, UINT64_MAX,
                "seed of the hash functions and of the random draws"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_heavykeeper_config *c = config;
    return c->rows * c->columns * (c->fingerprint + c->counter) +
           c->entries * (SL_SKETCH_TUPLE_BITS + c->counter) + 64;
}

static void lay_out(struct sl_heavykeeper *h, const struct sl_heavykeeper_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&h->sketch, sizeof *h, true, host, l);
    sl_top_list_lay_out(&h->list, c->entries, l);
    h->bucket = sl_layout_array(l, c->rows * c->columns, sizeof *h->bucket);
    h->chance = sl_layout_array(l, SL_HEAVYKEEPER_CHANCES, sizeof *h->chance);
}

static void set_up(struct sl_heavykeeper *h, const struct sl_heavykeeper_config *c)
{
    h->rows = (unsigned)c->rows;
    h->columns = c->columns;
    h->sketch.most = sl_sketch_most(c->counter);
    h->random = c->seed;
    for (unsigned i = 1; i < SL_HEAVYKEEPER_CHANCES; i++)
        h->chance[i] = (uint64_t)(pow(c->base, -(double)i) * 0x1p63) * 2;
    sl_packed_init(h->sketch.hash, c->seed, 0, h->rows, (unsigned)__builtin_ctzll(c->columns));
    sl_packed_add_tag(h->sketch.hash, 3, (unsigned)c->fingerprint, SL_BYTE_HASH_WORD);
}

SL_SKETCH_MAKE(struct sl_heavykeeper, lay_out, set_up)

/* Whether a count decays. A random number is consumed only if the probability is not 0; without a
 * branch, which would be mispredicted. chance[0] is 0. */
SL_SKETCH_INLINE bool decays(struct sl_heavykeeper *h, uint64_t count)
{
    bool can = count < SL_HEAVYKEEPER_CHANCES;
    uint64_t random = h->random, drawn = sl_random_next(&random);
    h->random = can ? random : h->random;
    return drawn < h->chance[can ? count : 0];
}

/* The transition of one bucket. Returns its count if the fingerprint now matches, else 0. */
SL_SKETCH_INLINE uint64_t update_bucket(struct sl_heavykeeper *h,
                                        struct sl_heavykeeper_bucket *bucket, uint64_t fingerprint,
                                        uint64_t weight, uint64_t above)
{
    if (bucket->count && bucket->fingerprint == fingerprint) {
        sl_sketch_raise(&h->sketch, &bucket->count, bucket->count <= above ? weight : 0);
        return bucket->count;
    }
    if (bucket->count && !decays(h, bucket->count))
        return 0;
    bucket->count -= weight < bucket->count ? weight : bucket->count;
    if (bucket->count)
        return 0;
    bucket->fingerprint = fingerprint;
    sl_sketch_raise(&h->sketch, &bucket->count, weight);
    return bucket->count;
}

SL_SKETCH_INLINE void enter(struct sl_heavykeeper *h, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    struct sl_top_list *list = &h->list;
    uint32_t position = sl_top_list_find(list, tuple, key);
    bool full = list->n == list->capacity;
    uint64_t least = full && position == SL_TOP_LIST_NONE ? list->count[sl_top_list_least(list)]
                                                          : 0;
    uint64_t above = full && position == SL_TOP_LIST_NONE ? least : UINT64_MAX, estimate = 0;
    for (unsigned row = 0; row < h->rows && row < ROWS; row++) {
        struct sl_heavykeeper_bucket *bucket =
            &h->bucket[row * h->columns + sl_sketch_index(hash, row)];
        uint64_t count = update_bucket(h, bucket, sl_sketch_index(hash, 3), weight, above);
        estimate = count > estimate ? count : estimate;
    }
    if (position == SL_TOP_LIST_NONE) {
        if (estimate <= least || (full && estimate - least > weight))
            return;
        position = sl_top_list_add(list, tuple, key);
        if (position == SL_TOP_LIST_NONE) {
            position = sl_top_list_least(list);
            sl_top_list_rename(list, position, tuple, key);
        }
    }
    if (estimate > list->count[position])
        list->count[position] = estimate;
}

SL_SKETCH_LOOPS(struct sl_heavykeeper, true, true)

static struct sl_entry entry_at(const struct sl_heavykeeper *h, size_t i)
{
    return (struct sl_entry){.tuple = h->list.tuple[i], .count = h->list.count[i]};
}

SL_TOP_LIST_ENTRY(struct sl_heavykeeper)
SL_SKETCH_STATUS(SL_BOUNDS_NONE)

const struct sl_table_kind sl_table_heavykeeper = {
    .name = "heavykeeper",
    .summary = "HeavyKeeper: counters with fingerprints, which decay on collisions, and a list of "
               "top tuples",
    .storage = "rows x columns x (fingerprint + counter) + entries x (128 + counter) + 64 bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_heavykeeper_config),
};
