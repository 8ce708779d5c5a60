/* SPDX-License-Identifier: MIT */
/* HeavyKeeper (Gong, Yang, Zhang, Li, Uhlig, Chen, Uden, Li, HeavyKeeper: an accurate algorithm for
 * finding top-k elephant flows, 2018): counters with a fingerprint each, which those who come and
 * find another's wear down with a chance that falls with the count.
 *
 *     row     | fingerprint | count | ...       one bucket in each row for a tuple
 *     shelf   | tuple (128) | count | ...       the heaviest, by name
 *
 * In each row:
 *     count is 0            the tuple's fingerprint, count = weight
 *     fingerprint is its    count += weight, if the tuple is on the shelf or the count is not above
 *                           the least there (the paper's second optimisation)
 *     another's             with the chance base^-count: count -= min(weight, count); at 0 the
 *                           bucket is the tuple's, count = weight
 *
 * The estimate is the largest count of the rows whose fingerprint is the tuple's. It replaces the
 * tuple's count on the shelf if it is more; a tuple that is not there comes on it if there is room
 * or if its estimate is above the least there. The paper asks for exactly one more, for events that
 * weigh 1 (its first optimisation), which keeps out what only shares a fingerprint; here weights
 * are free, and it is asked for no more than the weight.
 *
 * Counts are too low rather than too high, but where fingerprints are the same; nothing is certain.
 * The chances are numbers of 64 bits, made once; from a count on that has less than 2^-64 nothing
 * is ever worn down. */
#include <math.h>

#include "random.h"
#include "rival_states.h"

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

static size_t lay_out(struct sl_heavykeeper *h, const struct sl_heavykeeper_config *c,
                      const struct sl_table_host *host, uintptr_t base)
{
    size_t used = 0;
    sl_rival_lay_out(&h->rival, sizeof *h, true, host, base, &used);
    sl_shelf_lay_out(&h->shelf, c->entries, base, &used);
    h->bucket = sl_rival_part(base, &used, c->rows * c->columns, sizeof *h->bucket);
    h->chance = sl_rival_part(base, &used, SL_HEAVYKEEPER_CHANCES, sizeof *h->chance);
    return used;
}

SL_RIVAL_SIZE(struct sl_heavykeeper)

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_heavykeeper *h = state;
    const struct sl_heavykeeper_config *c = config;
    (void)f;
    lay_out(h, c, host, (uintptr_t)state);
    h->rows = (unsigned)c->rows;
    h->columns = c->columns;
    h->rival.most = sl_rival_most(c->counter);
    h->random = c->seed;
    for (unsigned i = 1; i < SL_HEAVYKEEPER_CHANCES; i++)
        h->chance[i] = (uint64_t)(pow(c->base, -(double)i) * 0x1p63) * 2;
    sl_packed_init(h->rival.hash, c->seed, 0, h->rows, (unsigned)__builtin_ctzll(c->columns));
    sl_packed_add_tag(h->rival.hash, 3, (unsigned)c->fingerprint, SL_BYTE_HASH_WORD);
    return 0;
}

/* A number is drawn only where there is a chance; without a branch, as that is hard to guess. The
 * chance at 0 is none. */
SL_RIVAL_INLINE bool worn(struct sl_heavykeeper *h, uint64_t count)
{
    bool can = count < SL_HEAVYKEEPER_CHANCES;
    uint64_t random = h->random, drawn = sl_random_next(&random);
    h->random = can ? random : h->random;
    return drawn < h->chance[can ? count : 0];
}

/* One row; returns the count if the bucket is the tuple's now, else 0. */
SL_RIVAL_INLINE uint64_t meet(struct sl_heavykeeper *h, struct sl_heavykeeper_bucket *bucket,
                              uint64_t fingerprint, uint64_t weight, uint64_t above)
{
    if (bucket->count && bucket->fingerprint == fingerprint) {
        sl_rival_raise(&h->rival, &bucket->count, bucket->count <= above ? weight : 0);
        return bucket->count;
    }
    if (bucket->count && !worn(h, bucket->count))
        return 0;
    bucket->count -= weight < bucket->count ? weight : bucket->count;
    if (bucket->count)
        return 0;
    bucket->fingerprint = fingerprint;
    sl_rival_raise(&h->rival, &bucket->count, weight);
    return bucket->count;
}

SL_RIVAL_INLINE void enter(struct sl_heavykeeper *h, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    struct sl_shelf *shelf = &h->shelf;
    uint32_t place = sl_shelf_find(shelf, tuple, key);
    bool full = shelf->n == shelf->room;
    uint64_t least = full && place == SL_SHELF_NONE ? shelf->count[sl_shelf_least(shelf)] : 0;
    uint64_t above = full && place == SL_SHELF_NONE ? least : UINT64_MAX, estimate = 0;
    for (unsigned row = 0; row < h->rows; row++) {
        struct sl_heavykeeper_bucket *bucket =
            &h->bucket[row * h->columns + sl_rival_index(hash, row)];
        uint64_t count = meet(h, bucket, sl_rival_index(hash, 3), weight, above);
        estimate = count > estimate ? count : estimate;
    }
    if (place == SL_SHELF_NONE) {
        if (estimate <= least || (full && estimate - least > weight))
            return;
        place = sl_shelf_add(shelf, tuple, key);
        if (place == SL_SHELF_NONE) {
            place = sl_shelf_least(shelf);
            sl_shelf_rename(shelf, place, tuple, key);
        }
    }
    if (estimate > shelf->count[place])
        shelf->count[place] = estimate;
}

SL_RIVAL_ROW_LOOPS(struct sl_heavykeeper, true)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_heavykeeper *h = state;
    (void)names;
    for (uint32_t i = 0; i < h->shelf.n; i++) {
        struct sl_entry entry = {.tuple = h->shelf.tuple[i], .count = h->shelf.count[i]};
        if (!emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_heavykeeper *h = state;
    sl_rival_status(&h->rival, h->shelf.n, SL_BOUNDS_NONE, out);
}

const struct sl_table_kind sl_table_heavykeeper = {
    .name = "heavykeeper",
    .summary = "HeavyKeeper: counters with fingerprints, which others wear down as they are small",
    .storage =
        "rows x columns x (fingerprint + counter bits) + entries x (128 + counter bits) + 64",
    .options = options,
    .config_size = sizeof(struct sl_heavykeeper_config),
    .storage_bits = storage_bits,
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
};
