/* Elastic sketch (Yang, Jiang, Liu, Huang, Gong, Zhou, Miao, Li, Uhlig, Elastic sketch: adaptive and
 * fast network-wide measurements, 2018): a heavy part that keeps tuples by name and votes on who
 * stays, and a light part of small counters for what the heavy part turns away.
 *
 *     heavy   | tuple (128) | count | flag (1) | x ways | votes against |     a bucket, by a hash
 *     light   | counter (8) | ...                                             one row, by another
 *
 *     tuple is in its bucket    count += weight
 *     there is a free entry     count = weight, flag = 0
 *     else, with the least      votes += weight. Where votes >= lambda x the least count, that entry
 *                               goes to the light part with its count; the tuple takes it, with
 *                               count = weight and flag = 1, and votes = 0
 *                               else the weight goes to the light part
 *
 * A flag says that there may be more of the tuple in the light part, from before it came: then its
 * counter there is added. So no count is too low, and none too high by more than that counter, as
 * long as no counter of the light part is full; of one that is, its counts say nothing, and `high`
 * is then all that there was. Counts are asked for at the end.
 *
 * The paper's software has eight entries in a bucket, of which one is for the votes, its hardware
 * one. Votes start again from 0 at an exchange; the paper has 1 with one entry. */
#include "rival_states.h"

#define USUAL_WAYS 7 /* loops over so many have a constant end */

static const struct sl_option options[] = {
    SL_UNSIGNED_FLAGS(struct sl_elastic_config, buckets, "32", 1, 65536, SL_OPTION_POWER_OF_2, "of the heavy part"),
    SL_UNSIGNED(struct sl_elastic_config, ways, "7", 1, 64, "entries of a bucket"),
    SL_UNSIGNED(struct sl_elastic_config, counter, "32", 1, 60, "bits of a count, and of the votes"),
    SL_UNSIGNED(struct sl_elastic_config, lambda, "8", 1, 1024, "votes against one of the least's"),
    SL_UNSIGNED_FLAGS(struct sl_elastic_config, light, "4096", 1, 65536, SL_OPTION_POWER_OF_2,
                      "counters of the light part"),
    SL_UNSIGNED(struct sl_elastic_config, light_counter, "8", 1, 60, "bits of one of these"),
    SL_UNSIGNED(struct sl_elastic_config, seed, "1", 0, UINT64_MAX, "of the hash functions"),
    SL_OPTIONS_END,
};

static uint64_t storage_bits(const void *config)
{
    const struct sl_elastic_config *c = config;
    return c->buckets * (c->ways * (SL_RIVAL_TUPLE_BITS + c->counter + 1) + c->counter) +
           c->light * c->light_counter;
}

static size_t lay_out(struct sl_elastic *e, const struct sl_elastic_config *c, const struct sl_table_host *host,
                      uintptr_t base)
{
    size_t used = 0;
    sl_rival_lay_out(&e->rival, sizeof *e, true, host, base, &used);
    e->entry = sl_rival_part(base, &used, c->buckets * c->ways, sizeof *e->entry);
    e->votes = sl_rival_part(base, &used, c->buckets, sizeof *e->votes);
    e->light = sl_rival_part(base, &used, c->light, sizeof *e->light);
    return used;
}

SL_RIVAL_SIZE(struct sl_elastic)

static int init(void *state, const void *config, const struct sl_table_host *host,
                struct sl_failure *f)
{
    struct sl_elastic *e = state;
    const struct sl_elastic_config *c = config;
    (void)f;
    lay_out(e, c, host, (uintptr_t)state);
    e->config = *c;
    e->rival.most = sl_rival_most(c->counter);
    e->light_most = sl_rival_most(c->light_counter);
    sl_packed_init(e->rival.hash, c->seed, 0, 2, SL_PACKED_BITS);
    return 0;
}

static void add_light(struct sl_elastic *e, uint64_t index, uint64_t weight)
{
    uint64_t room = e->light_most - e->light[index];
    e->light[index] += weight < room ? weight : room;
}

static void vote(struct sl_elastic *e, size_t bucket, struct sl_elastic_entry *least, struct sl_tuple tuple,
                 uint64_t light, uint64_t weight)
{
    uint64_t *votes = &e->votes[bucket], room = e->rival.most - *votes;
    *votes += weight < room ? weight : room;
    if ((unsigned __int128)e->config.lambda * least->count > *votes) {
        add_light(e, light, weight);
        return;
    }
    add_light(e, least->light, least->count);
    *least = (struct sl_elastic_entry){.tuple = tuple, .light = light, .flag = true};
    sl_rival_raise(&e->rival, &least->count, weight);
    *votes = 0;
}

/* The first entry of a bucket that is the tuple's or free, or `ways`. Entries are taken in order and
 * never become free again, so the first such is the tuple's if it has one. All are looked at, without
 * a branch for each, which would be guessed wrong. */
SL_RIVAL_INLINE unsigned way_of(const struct sl_elastic_entry *first, unsigned ways, struct sl_tuple tuple)
{
    unsigned way = ways;
    for (unsigned k = ways; k-- > 0;) {
        bool mine = (first[k].tuple.pc == tuple.pc) & (first[k].tuple.value == tuple.value);
        way = mine | !first[k].count ? k : way;
    }
    return way;
}

SL_RIVAL_INLINE unsigned least_way(const struct sl_elastic_entry *first, unsigned ways)
{
    unsigned way = 0;
    uint64_t least = first[0].count;
    for (unsigned k = 1; k < ways; k++) {
        bool less = first[k].count < least;
        way = less ? k : way;
        least = less ? first[k].count : least;
    }
    return way;
}

SL_RIVAL_INLINE void enter(struct sl_elastic *e, struct sl_tuple tuple, uint64_t weight,
                           uint64_t hash, uint64_t key)
{
    unsigned ways = (unsigned)e->config.ways;
    size_t bucket = sl_rival_index(hash, 0) & (e->config.buckets - 1);
    uint64_t light = sl_rival_index(hash, 1) & (e->config.light - 1);
    struct sl_elastic_entry *first = &e->entry[bucket * ways];
    unsigned way = ways == USUAL_WAYS ? way_of(first, USUAL_WAYS, tuple) : way_of(first, ways, tuple);
    (void)key;
    if (way == ways) {
        way = ways == USUAL_WAYS ? least_way(first, USUAL_WAYS) : least_way(first, ways);
        vote(e, bucket, &first[way], tuple, light, weight);
        return;
    }
    if (!first[way].count)
        first[way] = (struct sl_elastic_entry){.tuple = tuple, .light = light};
    sl_rival_raise(&e->rival, &first[way].count, weight);
}

SL_RIVAL_LOOPS(struct sl_elastic, true, false)

static void drain(const void *state, const struct sl_names *names,
                  bool (*emit)(void *context, const struct sl_entry *entry), void *context)
{
    const struct sl_elastic *e = state;
    (void)names;
    for (const struct sl_elastic_entry *p = e->entry; p < e->entry + e->config.buckets * e->config.ways; p++) {
        uint64_t before = p->flag ? e->light[p->light] : 0;
        uint64_t others = e->rival.weight - p->count;
        struct sl_entry entry = {.tuple = p->tuple, .count = p->count + before, .low = p->count,
                                 .high = p->count + (before == e->light_most ? others : before)};
        if (p->count && !emit(context, &entry))
            return;
    }
}

static void status(const void *state, struct sl_table_status *out)
{
    const struct sl_elastic *e = state;
    size_t distinct = 0;
    for (size_t i = 0; i < e->config.buckets * e->config.ways; i++)
        distinct += e->entry[i].count != 0;
    sl_rival_status(&e->rival, distinct, SL_BOUNDS_CERTAIN, out);
}

const struct sl_table_kind sl_table_elastic = {
    .name = "elastic",
    .summary = "the elastic sketch: tuples by name as long as few vote against them, else small counters",
    .storage = "buckets x (ways x (129 + counter bits) + counter bits) + light x light_counter",
    .options = options,
    .config_size = sizeof(struct sl_elastic_config),
    .storage_bits = storage_bits,
    .size = size,
    .init = init,
    .step = step,
    .observe = observe,
    .drain = drain,
    .status = status,
};
