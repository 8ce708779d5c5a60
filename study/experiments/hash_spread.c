/* SPDX-License-Identifier: MIT */
/* Quality of the hash functions of modelled tables: computes how evenly the functions distribute
 * the tuples of a program over the counters of each hash table. Also computes the fraction of
 * tuples whose counters in all hash tables are those of an earlier tuple. */
#include "hash_spread.h"

#include <math.h>
#include <stdlib.h>

#include "byte_hash.h"
#include "index_map.h"

#define WORDS (HASH_SPREAD_TABLES / SL_PACKED_FUNCTIONS)

struct spreading {
    struct sl_packed_hash hash[WORDS];
    unsigned tables, bits;
    uint32_t *count;          /* tuples per counter; table k begins at k << bits */
    struct sl_index_map seen; /* key: a tuple's indices in all tables */
};

static void prepare(struct spreading *s, uint64_t seed)
{
    for (unsigned w = 0; w < WORDS; w++) {
        unsigned first = w * SL_PACKED_FUNCTIONS, left = s->tables > first ? s->tables - first : 0;
        sl_packed_init(&s->hash[w], seed, first,
                       left < SL_PACKED_FUNCTIONS ? left : SL_PACKED_FUNCTIONS, s->bits);
    }
}

static bool add(struct spreading *s, struct sl_tuple tuple)
{
    uint64_t index[WORDS];
    for (unsigned w = 0; w < WORDS; w++)
        index[w] = sl_packed_pc(&s->hash[w], tuple.pc) ^ sl_packed_value(&s->hash[w], tuple.value);
    for (unsigned k = 0; k < s->tables; k++) {
        uint64_t word = index[k / SL_PACKED_FUNCTIONS];
        uint16_t at = (uint16_t)(word >> SL_PACKED_BITS * (k % SL_PACKED_FUNCTIONS));
        s->count[((size_t)k << s->bits) + at]++;
    }
    return sl_index_add(&s->seen, index[0], index[1]) != SL_NO_INDEX;
}

static double deviation_of(const uint32_t *count, size_t n, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (count[i] - mean) * (count[i] - mean);
    return sqrt(squares / (double)n) / mean;
}

static void measure(const struct spreading *s, size_t n_tuples, struct hash_spread *spread)
{
    size_t n = (size_t)1 << s->bits;
    double mean = (double)n_tuples / (double)n;
    *spread = (struct hash_spread){.by_chance = sqrt((1 - 1 / (double)n) / mean),
                                   .aliased = 1 - (double)s->seen.n_keys / (double)n_tuples};
    for (unsigned k = 0; k < s->tables; k++)
        spread->deviation += deviation_of(s->count + k * n, n, mean) / s->tables;
}

bool hash_spread(const struct sl_profile_list *tuples, uint64_t seed, unsigned tables,
                 unsigned bits, struct hash_spread *spread)
{
    struct spreading *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->tables = tables;
    s->bits = bits;
    s->count = calloc((size_t)tables << bits, sizeof *s->count);
    bool done = s->count;
    if (done)
        prepare(s, seed);
    for (size_t i = 0; i < tuples->n && done; i++)
        done = add(s, tuples->entry[i].tuple);
    if (done)
        measure(s, tuples->n, spread);
    sl_index_free(&s->seen);
    free(s->count);
    free(s);
    return done;
}
