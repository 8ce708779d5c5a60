/* SPDX-License-Identifier: MIT */
/* HeavyKeeper (`heavykeeper`): counters with fingerprints that decay under collisions, and a top
 * list.
 *
 * Paper: Gong, Yang, Zhang, Li, Uhlig, Chen, Uden, Li, "HeavyKeeper: an accurate algorithm for
 * finding top-k elephant flows", 2018.
 *
 * Layout:
 *
 *     row     | fingerprint | count | ...       a tuple has one bucket in each row
 *     list    | tuple (128) | count | ...       the heaviest tuples by name
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
 * list, its count there is raised to the estimate. Otherwise it enters the list if a place is free,
 * or if its estimate is above the smallest count there by at most the weight.
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

static const struct sl_option options[] = {
    SL_UNSIGNED(struct sl_heavykeeper_config, rows, "2", 1, 3,
                "of buckets, each with a hash function"),
    SL_UNSIGNED_FLAGS(struct sl_heavykeeper_config, columns, "512", 2, 65536, SL_OPTION_POWER_OF_2,
                      "buckets of a row"),
    SL_UNSIGNED(struct sl_heavykeeper_config, fingerprint, "16", 1, 16, "bits of a fingerprint"),
    SL_UNSIGNED(struct sl_heavykeeper_config, counter, "32", 1, 60, "bits of a count"),
    SL_REAL(struct sl_heavykeeper_config, base, "1.08", 1.001, 16,
            "of the chance to wear a count down"),
    SL_UNSIGNED(struct sl_heavykeeper_config, entries, "64", 1, 1 << 20, "tuples that it names"),
    SL_UNSIGNED(struct sl_heavykeeper_config, seed, "1", 0, UINT64_MAX,
                "of hash functions and chances"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_heavykeeper_config *c = config;
    return c->rows * c->columns * (c->fingerprint + c->counter) +
           c->entries * (SL_RIVAL_TUPLE_BITS + c->counter) + 64;
}

static void lay_out(struct sl_heavykeeper *h, const struct sl_heavykeeper_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&h->rival, sizeof *h, true, host, l);
    sl_top_list_lay_out(&h->shelf, c->entries, l);
    h->bucket = sl_layout_take(l, c->rows * c->columns, sizeof *h->bucket);
    h->chance = sl_layout_take(l, SL_HEAVYKEEPER_CHANCES, sizeof *h->chance);
}

static void set_up(struct sl_heavykeeper *h, const struct sl_heavykeeper_config *c)
{
    h->rows = (unsigned)c->rows;
    h->columns = c->columns;
    h->rival.most = sl_sketch_most(c->counter);
    h->random = c->seed;
    for (unsigned i = 1; i < SL_HEAVYKEEPER_CHANCES; i++)
        h->chance[i] = (uint64_t)(pow(c->base, -(double)i) * 0x1p63) * 2;
    sl_packed_init(h->rival.hash, c->seed, 0, h->rows, (unsigned)__builtin_ctzll(c->columns));
    sl_packed_add_tag(h->rival.hash, 3, (unsigned)c->fingerprint, SL_BYTE_HASH_WORD);
}

SL_RIVAL_MAKE(struct sl_heavykeeper, lay_out, set_up)

/* Whether a count decays. A random number is consumed only if the probability is not 0; without a
 * branch, which would be mispredicted. chance[0] is 0. */
SL_RIVAL_INLINE bool decays(struct sl_heavykeeper *h, uint64_t count)
{
    bool can = count < SL_HEAVYKEEPER_CHANCES;
    uint64_t random = h->random, drawn = sl_random_next(&random);
    h->random = can ? random : h->random;
    return drawn < h->chance[can ? count : 0];
}

/* The transition of one bucket. Returns its count if the fingerprint now matches, else 0. */
SL_RIVAL_INLINE uint64_t meet(struct sl_heavykeeper *h, struct sl_heavykeeper_bucket *bucket,
                              uint64_t fingerprint, uint64_t weight, uint64_t above)
{
    if (bucket->count && bucket->fingerprint == fingerprint) {
        sl_sketch_raise(&h->rival, &bucket->count, bucket->count <= above ? weight : 0);
        return bucket->count;
    }
    if (bucket->count && !decays(h, bucket->count))
        return 0;
    bucket->count -= weight < bucket->count ? weight : bucket->count;
    if (bucket->count)
        return 0;
    bucket->fingerprint = fingerprint;
    sl_sketch_raise(&h->rival, &bucket->count, weight);
    return bucket->count;
}

SL_RIVAL_INLINE void enter(struct sl_heavykeeper *h, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    struct sl_top_list *shelf = &h->shelf;
    uint32_t place = sl_top_list_find(shelf, tuple, key);
    bool full = shelf->n == shelf->capacity;
    uint64_t least = full && place == SL_SHELF_NONE ? shelf->count[sl_top_list_least(shelf)] : 0;
    uint64_t above = full && place == SL_SHELF_NONE ? least : UINT64_MAX, estimate = 0;
    for (unsigned row = 0; row < h->rows; row++) {
        struct sl_heavykeeper_bucket *bucket =
            &h->bucket[row * h->columns + sl_sketch_index(hash, row)];
        uint64_t count = meet(h, bucket, sl_sketch_index(hash, 3), weight, above);
        estimate = count > estimate ? count : estimate;
    }
    if (place == SL_SHELF_NONE) {
        if (estimate <= least || (full && estimate - least > weight))
            return;
        place = sl_top_list_add(shelf, tuple, key);
        if (place == SL_SHELF_NONE) {
            place = sl_top_list_least(shelf);
            sl_top_list_rename(shelf, place, tuple, key);
        }
    }
    if (estimate > shelf->count[place])
        shelf->count[place] = estimate;
}

SL_RIVAL_ROW_LOOPS(struct sl_heavykeeper, true)

static struct sl_entry entry_at(const struct sl_heavykeeper *h, uint32_t i)
{
    return (struct sl_entry){.tuple = h->shelf.tuple[i], .count = h->shelf.count[i]};
}

SL_SHELF_DRAIN(struct sl_heavykeeper)
SL_SHELF_STATUS(struct sl_heavykeeper, SL_BOUNDS_NONE)

const struct sl_table_kind sl_table_heavykeeper = {
    .name = "heavykeeper",
    .summary = "HeavyKeeper: counters with fingerprints, which others wear down as they are small",
    .storage =
        "rows x columns x (fingerprint + counter bits) + entries x (128 + counter bits) + 64",
    .options = options,
    SL_RIVAL_KIND(struct sl_heavykeeper_config),
};
