/* SPDX-License-Identifier: MIT */
/* Kinds of synthetic streams: the random distributions of their tuples <pc, value>.
 *
 *     zipf      tuple k (1, 2, ...) has probability proportional to 1/k^s
 *     uniform   all tuples have the same probability
 *     mixture   a shuffled multiset: each of `hot` tuples has exactly `share` of the events. The
 *               other events are all different, or evenly distributed over the other tuples
 *     phases    each phase of `length` events has its own `hot` tuples, which together have `share`
 *               of the events: the first one half of that, the second a quarter, ..., the last as
 *               much as the one before it. After `phases` phases, the first one is repeated. The
 *               other events are drawn from all other tuples
 *     alias     adversarial input: all tuples have the same index in a hardware table with hash
 *               function 0 (byte_hash.h)
 *
 * zipf: Vose's alias method, one random number and one lookup per event. mixture: the next event
 * has category c with probability (events left of c) / (events left), which makes all orders of the
 * multiset equally likely; a tree of the events left finds the category in log2 n steps, and no
 * order is stored.
 *
 * Memory: 16 to 32 bytes for each tuple of zipf, mixture and alias. */
#include <math.h>
#include <stdlib.h>

#include "byte_hash.h"
#include "failure.h"
#include "hash.h"
#include "random.h"
#include "synth.h"

#define TUPLES_MAX (UINT64_C(1) << 24)
#define PCS_MAX (UINT64_C(1) << 20)
#define ALIAS_TRIES (UINT64_C(1) << 28)

enum { REST_UNIQUE, REST_UNIFORM };
static const char *const rests[] = {"unique", "uniform", NULL};

/* ---- uniform ---- */

static void draw_uniform(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tuple[i] = sl_random_below(&y->random, y->config.tuples);
}

/* ---- zipf ---- */

/* Vose: slots with a probability below 1/n are filled up from those above, until every slot has
 * 1/n, of at most two tuples. */
static int prepare_zipf(struct sl_synth *y, struct sl_failure *f)
{
    size_t n = (size_t)y->config.tuples, n_small = 0, n_large = 0;
    double *p = malloc(n * sizeof *p), sum = 0;
    uint32_t *small = malloc(n * sizeof *small), *large = malloc(n * sizeof *large);
    y->alias = malloc(n * sizeof *y->alias);
    if (!p || !small || !large || !y->alias) {
        free(p);
        free(small);
        free(large);
        return sl_out_of_memory(f);
    }
    for (size_t i = n; i-- > 0;) /* small terms first, for precision */
        sum += p[i] = pow((double)(i + 1), -y->config.s);
    for (size_t i = 0; i < n; i++) {
        p[i] *= (double)n / sum;
        y->alias[i] = (struct sl_synth_alias){UINT64_MAX, (uint32_t)i};
        if (p[i] < 1)
            small[n_small++] = (uint32_t)i;
        else
            large[n_large++] = (uint32_t)i;
    }
    while (n_small && n_large) {
        uint32_t s = small[--n_small], l = large[n_large - 1];
        y->alias[s] = (struct sl_synth_alias){(uint64_t)(p[s] * 0x1p64), l};
        p[l] -= 1 - p[s];
        if (p[l] < 1) {
            n_large--;
            small[n_small++] = l;
        }
    }
    free(p);
    free(small);
    free(large);
    return 0;
}

static void draw_zipf(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        /* The high half selects the slot, the low half is uniform within it. */
        unsigned __int128 r = (unsigned __int128)sl_random_next(&y->random) * y->config.tuples;
        uint64_t slot = (uint64_t)(r >> 64);
        tuple[i] = (uint64_t)r < y->alias[slot].threshold ? slot : y->alias[slot].other;
    }
}

/* ---- mixture ---- */

/* Category i < hot is tuple i. The rest is one category, or one for each of the other tuples; if
 * the rest cannot be divided evenly, the first ones have one event more. */
static int prepare_mixture(struct sl_synth *y, struct sl_failure *f)
{
    const struct sl_synth_config *c = &y->config;
    uint64_t each = (uint64_t)((double)c->events * c->share / 100 + 0.5), rest;
    if (__builtin_mul_overflow(each, c->hot, &rest) || rest > c->events)
        return sl_fail(
            f, SL_EUSAGE,
            "mixture: %llu hot tuples with %.15g%% of the events each have more than 100%% "
            "together: reduce hot or share",
            (unsigned long long)c->hot, c->share);
    rest = c->events - rest;
    uint64_t others = c->rest == REST_UNIQUE ? 1 : c->tuples - c->hot;
    if (c->rest == REST_UNIFORM && c->tuples <= c->hot)
        return sl_fail(f, SL_EUSAGE,
                       "mixture: tuples=%llu must be larger than the number of hot tuples",
                       (unsigned long long)c->tuples);
    y->n_categories = 1;
    while (y->n_categories < c->hot + others)
        y->n_categories *= 2;
    y->tree = calloc(2 * (size_t)y->n_categories, sizeof *y->tree);
    if (!y->tree)
        return sl_out_of_memory(f);
    for (uint64_t i = 0; i < c->hot + others; i++)
        y->tree[y->n_categories + i] = i < c->hot ? each
                                                  : rest / others + (i - c->hot < rest % others);
    for (uint64_t i = y->n_categories - 1; i; i--)
        y->tree[i] = y->tree[2 * i] + y->tree[2 * i + 1];
    for (uint64_t i = 1; i < y->n_categories; i++)
        y->tree[i] = y->tree[2 * i];
    y->left_in_all = c->events;
    y->fresh = c->hot;
    return 0;
}

/* Removes event number r and returns its category. Node i has the children 2i and 2i + 1, and the
 * number of events left below the first; the leaves are the categories. Without branches, which
 * would be unpredictable. */
static uint64_t remove_event(struct sl_synth *y, uint64_t r)
{
    uint64_t node = 1;
    while (node < y->n_categories) {
        uint64_t first = y->tree[node], second = r >= first;
        y->tree[node] = first - !second;
        r -= first & (0 - second);
        node = 2 * node + second;
    }
    return node - y->n_categories;
}

static void draw_mixture(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    bool unique = y->config.rest == REST_UNIQUE;
    for (size_t i = 0; i < n; i++) {
        uint64_t category = remove_event(y, sl_random_below(&y->random, y->left_in_all--));
        tuple[i] = unique && category == y->config.hot ? y->fresh++ : category;
    }
}

/* ---- phases ---- */

static int prepare_phases(struct sl_synth *y, struct sl_failure *f)
{
    uint64_t hot = y->config.phases * y->config.hot;
    if (y->config.tuples <= hot)
        return sl_fail(
            f, SL_EUSAGE,
            "phases: tuples=%llu must be larger than %llu, the number of hot tuples of all phases",
            (unsigned long long)y->config.tuples, (unsigned long long)hot);
    return 0;
}

/* A random number has at least k trailing zeros with probability 2^-k. */
static void draw_phases(struct sl_synth *y, uint64_t *tuple, size_t n)
{
    const struct sl_synth_config *c = &y->config;
    uint64_t hot = c->phases * c->hot, at = c->events - y->left - n;
    for (size_t i = 0; i < n; i++, at++) {
        uint64_t first = at / c->length % c->phases * c->hot;
        if ((double)sl_random_next(&y->random) * 0x1p-64 * 100 < c->share)
            tuple[i] = first + (uint64_t)__builtin_ctzll(sl_random_next(&y->random) |
                                                         UINT64_C(1) << (c->hot - 1));
        else
            tuple[i] = hot + sl_random_below(&y->random, c->tuples - hot);
    }
}

/* ---- alias ---- */

/* Tries values until they have the index: 2^bits tries per tuple. Values of sl_mix() differ from
 * each other, and vary in all bytes: the byte tables of the hash are not permutations, so that
 * values that vary in few bytes might never have it. */
static int prepare_alias(struct sl_synth *y, struct sl_failure *f)
{
    const struct sl_synth_config *c = &y->config;
    uint64_t most = ALIAS_TRIES >> c->bits, number = sl_mix(~c->seed);
    uint8_t table[256];
    if (c->tuples > most)
        return sl_fail(
            f, SL_EUSAGE,
            "alias: finding %llu tuples whose hashes agree in %llu bits would take too long: "
            "use at most %llu tuples",
            (unsigned long long)c->tuples, (unsigned long long)c->bits, (unsigned long long)most);
    y->value = malloc((size_t)c->tuples * sizeof *y->value);
    if (!y->value)
        return sl_out_of_memory(f);
    sl_byte_table(table, c->hash_seed, 0);
    uint64_t index = sl_mix(c->seed) & ((UINT64_C(1) << c->bits) - 1);
    for (uint64_t t = 0; t < c->tuples; t++) {
        uint64_t pc = SL_SYNTH_FIRST_PC + SL_SYNTH_INSN_SIZE * (t % c->pcs);
        do
            y->value[t] = sl_mix(number++);
        while (sl_byte_hash(table, (unsigned)c->bits, pc, y->value[t]) != index);
    }
    return 0;
}

/* ---- kinds ---- */

#define COMMON(tuples_)                                                           \
    SL_UNSIGNED(struct sl_synth_config, events, "1M", 0, UINT64_C(1000000000000), \
                "total number of events"),                                        \
        SL_UNSIGNED(struct sl_synth_config, tuples, tuples_, 1, TUPLES_MAX,       \
                    "number of different tuples"),                                \
        SL_UNSIGNED(struct sl_synth_config, pcs, "100", 1, PCS_MAX,               \
                    "number of different instructions"),                          \
        SL_UNSIGNED(struct sl_synth_config, seed, "1", 0, UINT64_MAX,             \
                    "seed of the random numbers")

static const struct sl_option zipf_options[] = {
    COMMON("10K"),
    SL_REAL(struct sl_synth_config, s, "1.1", 0, 8,
            "exponent s; the probability of tuple k is proportional to 1/k^s (0: uniform, 1: "
            "Zipf's law)"),
    SL_OPTIONS_END,
};

static const struct sl_option uniform_options[] = {COMMON("10K"), SL_OPTIONS_END};

static const struct sl_option mixture_options[] = {
    COMMON("10K"),
    SL_UNSIGNED(struct sl_synth_config, hot, "1", 0, 1000,
                "number of hot tuples, each with a fixed percentage of the events"),
    SL_PERCENT(struct sl_synth_config, share, "30%", 0, 100,
               "exact percentage of the events that each hot tuple makes up"),
    SL_CHOICE(struct sl_synth_config, rest, "unique", rests,
              "events without a hot tuple: each has a different tuple (unique), or all other "
              "tuples are equally frequent (uniform)"),
    SL_OPTIONS_END,
};

static const struct sl_option phases_options[] = {
    COMMON("1M"),
    SL_UNSIGNED(struct sl_synth_config, length, "500K", 1, UINT64_C(1000000000000),
                "number of events of a phase"),
    SL_UNSIGNED(struct sl_synth_config, phases, "8", 1, 1000, "number of different phases"),
    SL_UNSIGNED(struct sl_synth_config, hot, "5", 1, 64, "number of hot tuples of each phase"),
    SL_PERCENT(struct sl_synth_config, share, "75%", 0, 100,
               "percentage of the events that belong to hot tuples"),
    SL_OPTIONS_END,
};

static const struct sl_option alias_options[] = {
    COMMON("100"),
    SL_UNSIGNED(struct sl_synth_config, bits, "9", 0, 24,
                "number of bits of the table index in which all tuples agree"),
    SL_UNSIGNED(struct sl_synth_config, hash_seed, "1", 0, UINT64_MAX,
                "seed of the hash function that computes the table index"),
    SL_OPTIONS_END,
};

const struct sl_synth_kind sl_synth_kinds[] = {
    {"zipf", "tuple k is drawn with a probability proportional to 1/k^s", zipf_options,
     prepare_zipf, draw_zipf},
    {"uniform", "every tuple is drawn with the same probability", uniform_options, NULL,
     draw_uniform},
    {"mixture", "hot tuples with exact percentages of the events, in random order", mixture_options,
     prepare_mixture, draw_mixture},
    {"phases", "hot tuples that change after every `length` events", phases_options, prepare_phases,
     draw_phases},
    {"alias", "tuples that all have the same index in a hash table", alias_options, prepare_alias,
     draw_uniform},
    {.name = NULL},
};
