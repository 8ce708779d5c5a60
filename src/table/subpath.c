/* The definition is that of J. Larus, "Whole program paths" (1999): a subpath is some
 * symbols in a row; it is hot if it has between `least` and `most` of them, and all its
 * occurrences together weigh at least a given part of the whole; and it is minimal, that
 * is, no shorter hot one is in it.
 *
 * Where this departs: only what a rule makes is considered, as often as the rule comes.
 *
 *     rule 0   1 1 2 9          times  length
 *     rule 1   2 7 2              2      5       hot with least=4: 10 of 13 symbols
 *     rule 2   5 5                5      2       hot with least=2, and then rule 1 is not,
 *                                                for it is not minimal
 *
 * So every occurrence counts once, occurrences that overlap are not counted twice (of aaaa,
 * aa comes twice), and since none of two hot subpaths is in the other, no symbol of the
 * sequence belongs to two of them: their shares add up to what of the program is hot. The
 * price: where a subpath also comes across the border of two rules, that is not counted.
 *
 * Linear in the grammar: how often a rule comes is known from the front, how long and heavy
 * it is, and whether a hot one is in it, from the back. */
#include "subpath.h"

#include <stdlib.h>

#include "grow.h"

/* All of a rule that has to be known. */
struct rule {
    uint64_t times, length;
    double weight;
    bool has_hot; /* it is, or uses one that is or has one */
};

static int heavier_first(const void *left, const void *right)
{
    const struct sl_subpath *a = left, *b = right;
    double of_a = (double)a->times * a->weight, of_b = (double)b->times * b->weight;
    if (of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return (a->rule > b->rule) - (a->rule < b->rule);
}

static void weigh(const struct sl_grammar *g, const double *cost, struct rule *rule)
{
    for (size_t r = g->n_rules; r-- > 0;)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++) {
            uint32_t symbol = g->symbol[i];
            rule[r].weight += symbol & SL_GRAMMAR_RULE ? rule[symbol & ~SL_GRAMMAR_RULE].weight
                                                       : cost[symbol];
        }
}

static bool uses_hot(const struct sl_grammar *g, const struct rule *rule, size_t r)
{
    bool hot = false;
    for (size_t i = g->first[r]; i < g->first[r + 1] && !hot; i++)
        hot = g->symbol[i] & SL_GRAMMAR_RULE && rule[g->symbol[i] & ~SL_GRAMMAR_RULE].has_hot;
    return hot;
}

/* From the highest rule, which uses none, to the lowest. */
static bool pick(const struct sl_grammar *g, struct rule *rule,
                 const struct sl_subpath_limits *limits, struct sl_subpaths *out)
{
    double enough = rule[0].weight * limits->percent / 100;
    for (size_t r = g->n_rules; r-- > 1;) {
        struct rule *at = &rule[r];
        if ((at->has_hot = uses_hot(g, rule, r)))
            continue;
        at->has_hot = at->length >= limits->least && at->length <= limits->most &&
                      (double)at->times * at->weight >= enough;
        if (!at->has_hot)
            continue;
        if (!SL_GROW(out->hot, out->room, out->n + 1))
            return false;
        out->hot[out->n++] = (struct sl_subpath){(uint32_t)r, at->length, at->times, at->weight};
    }
    return true;
}

static bool find(struct sl_subpaths *out, const struct sl_grammar *g, const double *cost,
                 const struct sl_subpath_limits *limits, struct rule *rule, uint64_t *number)
{
    sl_grammar_times(g, number);
    for (size_t r = 0; r < g->n_rules; r++)
        rule[r].times = number[r];
    sl_grammar_lengths(g, number);
    for (size_t r = 0; r < g->n_rules; r++)
        rule[r].length = number[r];
    weigh(g, cost, rule);
    out->whole = rule[0].weight;
    if (!pick(g, rule, limits, out))
        return false;
    if (out->n)
        qsort(out->hot, out->n, sizeof *out->hot, heavier_first);
    return true;
}

bool sl_subpaths_find(struct sl_subpaths *subpaths, const struct sl_grammar *grammar,
                      const double *cost, const struct sl_subpath_limits *limits)
{
    struct rule *rule = calloc(grammar->n_rules + 1, sizeof *rule);
    uint64_t *number = calloc(grammar->n_rules + 1, sizeof *number);
    *subpaths = (struct sl_subpaths){0};
    bool found = rule && number && find(subpaths, grammar, cost, limits, rule, number);
    free(rule);
    free(number);
    return found;
}

void sl_subpaths_free(struct sl_subpaths *subpaths)
{
    free(subpaths->hot);
    *subpaths = (struct sl_subpaths){0};
}
