/* SPDX-License-Identifier: MIT */
/* Finds hot subpaths, the parts of a sequence that make up much of its weight, in the grammar that
 * compresses the sequence.
 *
 * Paper: Larus, "Whole program paths", 1999. A subpath is a sequence of `least` to `most`
 * consecutive symbols; it is hot if its occurrences together weigh at least a given percentage of
 * the sequence. Of nested hot subpaths only some are reported:
 *
 *   shortest   those that contain no shorter hot subpath (minimal, as in Larus)
 *   longest    those that are in no longer hot subpath; the others are reported if their remaining
 *              occurrences alone are hot (Chilimbi, Hirzel, "Dynamic hot data stream prefetching",
 *              2002)
 *
 * Departure from Larus: only the expansion of a rule is a subpath, and its occurrences are those of
 * the rule.
 *
 *     rule 0   1 1 2 9          times  length     of 13 symbols, with least=2
 *     rule 1   2 7 2              2      5        longest: 10
 *     rule 2   5 5                5      2        shortest: 10; longest: 2, the one in rule 0
 *
 * So overlapping occurrences are not counted twice (aaaa contains aa twice), and no symbol of the
 * sequence is part of two reported subpaths: their percentages add up. Occurrences that span two
 * rules are not counted.
 *
 * Time is linear in the size of the grammar: weights and lengths come from a pass from the last
 * rule to the first, occurrences outside of hot subpaths from one in the opposite direction. */
#include "subpath.h"

#include <stdlib.h>

#include "grow.h"

struct rule {
    uint64_t times, length;
    double weight;
    bool has_hot; /* the rule is hot, or contains a hot one */
};

struct search {
    const struct sl_grammar *grammar;
    const struct sl_subpath_limits *limits;
    struct rule *rule;
    double enough; /* weight of a hot subpath */
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

/* Adds a rule with this number of occurrences to the result if it is hot, and returns whether it
 * is. */
static bool add_if_hot(struct search *s, size_t r, uint64_t times)
{
    const struct rule *rule = &s->rule[r];
    struct sl_subpaths *out = s->out;
    if (!r || !times || rule->length < s->limits->least || rule->length > s->limits->most ||
        (double)times * rule->weight < s->enough)
        return false;
    if (SL_GROW(out->hot, out->capacity, out->n + 1))
        out->hot[out->n++] = (struct sl_subpath){(uint32_t)r, rule->length, times, rule->weight};
    else
        s->out_of_memory = true;
    return true;
}

/* From the last rule, which uses no others, to the first. */
static void find_shortest(struct search *s)
{
    const struct sl_grammar *g = s->grammar;
    for (size_t r = g->n_rules; r-- > 0;) {
        bool *has_hot = &s->rule[r].has_hot;
        for (size_t i = g->first[r]; i < g->first[r + 1] && !*has_hot; i++)
            *has_hot = g->symbol[i] & SL_GRAMMAR_RULE &&
                       s->rule[g->symbol[i] & ~SL_GRAMMAR_RULE].has_hot;
        *has_hot = *has_hot || add_if_hot(s, r, s->rule[r].times);
    }
}

/* From the first rule to the last, so that outside[] of a rule is complete when it is reached. */
static void find_longest(struct search *s, uint64_t *outside)
{
    const struct sl_grammar *g = s->grammar;
    for (size_t r = 0; r < g->n_rules; r++)
        outside[r] = !r;
    for (size_t r = 0; r < g->n_rules; r++) {
        bool hot = add_if_hot(s, r, outside[r]);
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
