/* SPDX-License-Identifier: MIT */
/* After J. Larus, "Whole program paths" (1999): a subpath is some symbols in a row; it is hot
 * if it has between `least` and `most` of them, and its occurrences together weigh at least a
 * given part of the whole. Of hot subpaths that are in one another not all are worth telling:
 *
 *   shortest   those that no shorter hot one is in: Larus' minimal ones
 *   longest    those that are in no longer hot one; what is left of the others' occurrences
 *              counts for them, and has to be hot by itself (T. Chilimbi and M. Hirzel,
 *              "Dynamic hot data stream prefetching", 2002)
 *
 * Where this departs from Larus: only what a rule makes is a subpath, as often as the rule
 * comes.
 *
 *     rule 0   1 1 2 9          times  length     of 13 symbols, with least=2
 *     rule 1   2 7 2              2      5        longest: 10
 *     rule 2   5 5                5      2        shortest: 10; longest: 2, the one in rule 0
 *
 * So occurrences that overlap are not counted twice (of aaaa, aa comes twice), and no symbol
 * of the sequence belongs to two hot subpaths: their shares add up to what of the program is
 * hot. The price: where a subpath also comes across the border of two rules, that is not
 * counted.
 *
 * Linear in the grammar: how long and heavy a rule is, and whether a hot one is in it, is
 * known from the back, how often it comes outside of hot ones from the front. */
#include "subpath.h"

#include <stdlib.h>

#include "grow.h"

/* All of a rule that has to be known. */
struct rule {
    uint64_t times, length;
    double weight;
    bool has_hot; /* it is, or uses one that is or has one */
};

struct search {
    const struct sl_grammar *grammar;
    const struct sl_subpath_limits *limits;
    struct rule *rule;
    double enough; /* to be hot */
    struct sl_subpaths *out;
    bool out_of_memory;
};

static void weigh(const struct sl_grammar *g, const double *cost, struct rule *rule)
{
    for (size_t r = g->n_rules; r-- > 0;)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++) {
            uint32_t symbol = g->symbol[i];
            rule[r].weight += symbol & SL_GRAMMAR_RULE ? rule[symbol & ~SL_GRAMMAR_RULE].weight
                                                       : cost[symbol];
        }
}

/* Whether a rule that comes so often is hot; then it is told. */
static bool tell_if_hot(struct search *s, size_t r, uint64_t times)
{
    const struct rule *rule = &s->rule[r];
    struct sl_subpaths *out = s->out;
    if (!r || !times || rule->length < s->limits->least || rule->length > s->limits->most ||
        (double)times * rule->weight < s->enough)
        return false;
    if (SL_GROW(out->hot, out->room, out->n + 1))
        out->hot[out->n++] = (struct sl_subpath){(uint32_t)r, rule->length, times, rule->weight};
    else
        s->out_of_memory = true;
    return true;
}

/* From the highest rule, which uses none, to the lowest. */
static void find_shortest(struct search *s)
{
    const struct sl_grammar *g = s->grammar;
    for (size_t r = g->n_rules; r-- > 0;) {
        bool *has_hot = &s->rule[r].has_hot;
        for (size_t i = g->first[r]; i < g->first[r + 1] && !*has_hot; i++)
            *has_hot = g->symbol[i] & SL_GRAMMAR_RULE &&
                       s->rule[g->symbol[i] & ~SL_GRAMMAR_RULE].has_hot;
        *has_hot = *has_hot || tell_if_hot(s, r, s->rule[r].times);
    }
}

/* From the lowest, which all others are used in, to the highest: how often each comes outside
 * of hot ones is known when its turn comes. */
static void find_longest(struct search *s, uint64_t *outside)
{
    const struct sl_grammar *g = s->grammar;
    for (size_t r = 0; r < g->n_rules; r++)
        outside[r] = !r;
    for (size_t r = 0; r < g->n_rules; r++) {
        bool hot = tell_if_hot(s, r, outside[r]);
        for (size_t i = g->first[r]; i < g->first[r + 1] && !hot; i++) {
            uint64_t *used = &outside[g->symbol[i] & ~SL_GRAMMAR_RULE];
            if (g->symbol[i] & SL_GRAMMAR_RULE)
                *used = outside[r] > UINT64_MAX - *used ? UINT64_MAX : *used + outside[r];
        }
    }
}

static int heavier_first(const void *left, const void *right)
{
    const struct sl_subpath *a = left, *b = right;
    double of_a = (double)a->times * a->weight, of_b = (double)b->times * b->weight;
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return (a->rule > b->rule) - (a->rule < b->rule);
}

static void find(struct search *s, const double *cost, uint64_t *number)
{
    const struct sl_grammar *g = s->grammar;
    sl_grammar_times(g, number);
    for (size_t r = 0; r < g->n_rules; r++)
        s->rule[r].times = number[r];
    sl_grammar_lengths(g, number);
    for (size_t r = 0; r < g->n_rules; r++)
        s->rule[r].length = number[r];
    weigh(g, cost, s->rule);
    s->out->whole = s->rule[0].weight;
    s->enough = s->out->whole * s->limits->percent / 100;
    if (s->limits->choice == SL_SUBPATH_SHORTEST)
        find_shortest(s);
    else
        find_longest(s, number);
    if (s->out->n)
        qsort(s->out->hot, s->out->n, sizeof *s->out->hot, heavier_first);
}

bool sl_subpaths_find(struct sl_subpaths *subpaths, const struct sl_grammar *grammar,
                      const double *cost, const struct sl_subpath_limits *limits)
{
    struct search s = {.grammar = grammar,
                       .limits = limits,
                       .out = subpaths,
                       .rule = calloc(grammar->n_rules + 1, sizeof *s.rule)};
    uint64_t *number = calloc(grammar->n_rules + 1, sizeof *number);
    bool ready = s.rule && number;
    *subpaths = (struct sl_subpaths){0};
    if (ready)
        find(&s, cost, number);
    free(s.rule);
    free(number);
    return ready && !s.out_of_memory;
}

void sl_subpaths_free(struct sl_subpaths *subpaths)
{
    free(subpaths->hot);
    *subpaths = (struct sl_subpaths){0};
}
