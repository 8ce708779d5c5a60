/* SPDX-License-Identifier: MIT */
/* Elastic sketch (table `elastic`). The heavy part stores tuples with their counts. An event of
 * any other tuple is a vote to replace a stored tuple. The light part, an array of small counters,
 * counts the events that the heavy part does not count.
 *
 * Paper: Yang, Jiang, Liu, Huang, Gong, Zhou, Miao, Li, Uhlig, "Elastic sketch: adaptive and fast
 * network-wide measurements", 2018.
 *
 * Layout:
 *
 *     heavy   | tuple (128) | count | flag (1) | x ways | votes |     a bucket, by a hash function
 *     light   | counter (8) | ...                                     one row, by another one
 *
 * Algorithm.
 *
 *     the tuple is in its bucket   count += weight
 *     an entry is free             count = weight, flag = 0
 *     else                         votes += weight. If votes >= lambda x smallest count, that
 *                                  entry's count moves to the light part, the tuple gets the entry
 *                                  with count = weight and flag = 1, and votes = 0. Else the weight
 *                                  goes to the light part.
 *
 * The flag marks that the light part may hold earlier events of the tuple; its counter there is
 * then added to the count when the table is drained.
 *
 * Bounds. No count is too low, and none is too high by more than that counter, unless the counter
 * is saturated: then `high` is the weight of all events.
 *
 * Departures. The paper's software has eight entries per bucket, one of them for the votes, and its
 * hardware one; here the number is an option. Votes restart from 0 after an exchange; in the paper
 * from 1 with one entry.
 *
 * Implementation. For each of the first eight entries of a bucket, one byte of the tuple's key is
 * stored in a 64-bit word, so that one comparison finds the entry. The hardware compares tuples and
 * does not need it. */
#include "sketch_states.h"

#define MARKS 8u

static const struct sl_option options[] = {
    SL_UNSIGNED_FLAGS(struct sl_elastic_config, buckets, "32", 1, 65536, SL_OPTION_POWER_OF_2,
                      "buckets of the heavy part"),
    SL_UNSIGNED(struct sl_elastic_config, ways, "7", 1, 64, "entries per bucket"),
    SL_UNSIGNED(struct sl_elastic_config, counter, "32", 1, 60,
                "width of a count and of a vote counter, in bits"),
    SL_UNSIGNED(struct sl_elastic_config, lambda, "8", 1, 1024,
                "the smallest entry of a bucket is evicted when the votes reach this multiple of "
                "its count"),
    SL_UNSIGNED_FLAGS(struct sl_elastic_config, light, "4096", 1, 65536, SL_OPTION_POWER_OF_2,
                      "counters of the light part"),
    SL_UNSIGNED(struct sl_elastic_config, light_counter, "8", 1, 60,
                "width of the small shared counters (the light part), in bits"),
    SL_UNSIGNED(struct sl_elastic_config, seed, "1", 0, UINT64_MAX, "seed of the hash functions"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_elastic_config *c = config;
    return c->buckets * (c->ways * (SL_SKETCH_TUPLE_BITS + c->counter + 1) + c->counter) +
           c->light * c->light_counter;
}

static void lay_out(struct sl_elastic *e, const struct sl_elastic_config *c,
                    const struct sl_table_host *host, struct sl_layout *l)
{
    sl_sketch_lay_out(&e->sketch, sizeof *e, true, host, l);
    e->entry = sl_layout_array(l, c->buckets * c->ways, sizeof *e->entry);
    e->votes = sl_layout_array(l, c->buckets, sizeof *e->votes);
    e->light = sl_layout_array(l, c->light, sizeof *e->light);
    e->marks = sl_layout_array(l, c->buckets, sizeof *e->marks);
    e->least = sl_layout_array(l, c->buckets, sizeof *e->least);
}

static void set_up(struct sl_elastic *e, const struct sl_elastic_config *c)
{
    e->config = *c;
    e->sketch.most = sl_sketch_most(c->counter);
    e->light_most = sl_sketch_most(c->light_counter);
    sl_packed_init(e->sketch.hash, c->seed, 0, 2, SL_PACKED_BITS);
}

SL_SKETCH_MAKE(struct sl_elastic, lay_out, set_up)

SL_SKETCH_INLINE void add_light(struct sl_elastic *e, uint64_t index, uint64_t weight)
{
    uint64_t capacity = e->light_most - e->light[index];
    e->light[index] += weight < capacity ? weight : capacity;
}

/* The first entry with the smallest count. */
static struct sl_elastic_entry *least_of(const struct sl_elastic *e, size_t bucket)
{
    struct sl_elastic_entry *least = &e->entry[bucket * e->config.ways],
                            *end = least + e->config.ways;
    for (struct sl_elastic_entry *entry = least + 1; entry < end; entry++)
        least = entry->count < least->count ? entry : least;
    return least;
}

SL_SKETCH_INLINE bool outvoted(const struct sl_elastic *e, size_t bucket, uint64_t count)
{
    return (unsigned __int128)e->config.lambda * count <= e->votes[bucket];
}

static void set_entry(struct sl_elastic *e, size_t bucket, size_t way, struct sl_tuple tuple,
                      uint64_t light, uint64_t mark, bool flag)
{
    e->entry[bucket * e->config.ways + way] = (struct sl_elastic_entry){
        .tuple = tuple, .light = light, .flag = flag};
    if (way < MARKS)
        e->marks[bucket] = (e->marks[bucket] & ~(UINT64_C(255) << 8 * way)) | mark << 8 * way;
}

/* least[] is a lower bound of the smallest count, because counts only grow while an entry stays. */
SL_SKETCH_INLINE void vote(struct sl_elastic *e, size_t bucket, struct sl_tuple tuple,
                           uint64_t light, uint64_t mark, uint64_t weight)
{
    uint64_t *votes = &e->votes[bucket], capacity = e->sketch.most - *votes;
    *votes += weight < capacity ? weight : capacity;
    if (outvoted(e, bucket, e->least[bucket])) {
        struct sl_elastic_entry *least = least_of(e, bucket);
        e->least[bucket] = least->count;
        if (outvoted(e, bucket, least->count)) {
            add_light(e, least->light, least->count);
            set_entry(e, bucket, (size_t)(least - &e->entry[bucket * e->config.ways]), tuple, light,
                      mark, true);
            sl_sketch_raise(&e->sketch, &least->count, weight);
            e->least[bucket] = 0;
            *votes = 0;
            return;
        }
    }
    add_light(e, light, weight);
}

/* For a tuple that the bytes do not decide: they are equal, or an entry is free, or ways > 8. */
static void search(struct sl_elastic *e, size_t bucket, struct sl_tuple tuple, uint64_t light,
                   uint64_t mark, uint64_t weight)
{
    struct sl_elastic_entry *first = &e->entry[bucket * e->config.ways];
    for (size_t way = 0; way < e->config.ways; way++) {
        if (!first[way].count)
            set_entry(e, bucket, way, tuple, light, mark, false);
        else if (!sl_tuple_same(first[way].tuple, tuple))
            continue;
        sl_sketch_raise(&e->sketch, &first[way].count, weight);
        return;
    }
    vote(e, bucket, tuple, light, mark, weight);
}

SL_SKETCH_INLINE void enter(struct sl_elastic *e, struct sl_tuple tuple, uint64_t weight,
                            uint64_t hash, uint64_t key)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t ways = e->config.ways, bucket = sl_sketch_index(hash, 0) & (e->config.buckets - 1);
    uint64_t light = sl_sketch_index(hash, 1) & (e->config.light - 1), mark = key >> 56 | 1;
    /* The lowest byte of `differ` that is 0 is the first entry with this mark. */
    uint64_t differ = e->marks[bucket] ^ mark * ones, same = (differ - ones) & ~differ & ones << 7;
    struct sl_elastic_entry *entry =
        &e->entry[bucket * ways + (same ? __builtin_ctzll(same) / 8u : 0)];
    if (same && sl_tuple_same(entry->tuple, tuple))
        sl_sketch_raise(&e->sketch, &entry->count, weight);
    else if (same || ways > MARKS || !(e->marks[bucket] >> 8 * (ways - 1)))
        search(e, bucket, tuple, light, mark, weight);
    else
        vote(e, bucket, tuple, light, mark, weight);
}

SL_SKETCH_LOOPS(struct sl_elastic, true, true)

static bool entry(const void *state, size_t i, struct sl_entry *out)
{
    const struct sl_elastic *e = state;
    const struct sl_elastic_entry *p = &e->entry[i];
    if (i == e->config.buckets * e->config.ways)
        return false;
    uint64_t before = p->flag ? e->light[p->light] : 0, others = e->sketch.weight - p->count;
    *out = (struct sl_entry){.tuple = p->tuple,
                             .count = p->count ? p->count + before : 0,
                             .low = p->count,
                             .high = p->count + (before == e->light_most ? others : before)};
    return true;
}

SL_SKETCH_STATUS(SL_BOUNDS_CERTAIN)

const struct sl_table_kind sl_table_elastic = {
    .name = "elastic",
    .summary =
        "elastic sketch: top tuples with their counts, other tuples in small shared counters",
    .storage = "buckets x (ways x (129 + counter) + counter) + light x light_counter bits",
    .options = options,
    SL_SKETCH_KIND(struct sl_elastic_config),
};
