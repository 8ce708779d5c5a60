/* SPDX-License-Identifier: MIT */
/* Unit tests of hot subpaths, which are found in the grammar of an event sequence. Small examples
 * are compared with results worked out by hand. For grammars of many sequences, the result equals
 * that of a plain implementation, which expands the rules of the grammar. */
#include "subpath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sequitur.h"
#include "tap.h"

#define N_INPUT 4000u
#define N_SYMBOLS 30u
#define R(k) (SL_GRAMMAR_RULE | (k))
#define END UINT32_MAX

static const double ones[N_SYMBOLS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Consecutive rules, each ended by END. */
static struct sl_grammar grammar_of(const uint32_t *symbol, size_t n_rules)
{
    struct sl_grammar g = {0};
    for (size_t r = 0; r < n_rules; r++, symbol++) {
        sl_grammar_begin(&g);
        for (; *symbol != END; symbol++)
            sl_grammar_add(&g, *symbol);
    }
    return g;
}

/* Of the grammar at the head of subpath.c: 5 5 7 5 5 5 5 7 5 5 5 5 9. The rules that are hot,
 * as "rule:times*length". */
static bool are_hot(const double *cost, double percent, uint64_t least, uint64_t most,
                    enum sl_subpath_choice choice, const char *wanted)
{
    static const uint32_t symbols[] = {R(1), R(1), R(2), 9, END, R(2), 7, R(2), END, 5, 5, END};
    struct sl_grammar g = grammar_of(symbols, 3);
    struct sl_subpath_limits limits = {percent, least, most, choice};
    struct sl_subpaths found;
    char got[200] = "";
    bool done = sl_subpaths_find(&found, &g, cost, &limits);
    for (size_t i = 0; i < found.n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%u:%llu*%llu ", found.hot[i].rule,
                 (unsigned long long)found.hot[i].times, (unsigned long long)found.hot[i].length);
    sl_subpaths_free(&found);
    sl_grammar_free(&g);
    if (!done || strcmp(got, wanted))
        printf("# got %s\n", got);
    return done && !strcmp(got, wanted);
}

static void by_hand(void)
{
    struct sl_grammar nothing = {0};
    struct sl_subpaths found;
    struct sl_subpath_limits limits = {0, 2, 100, SL_SUBPATH_LONGEST};
    ok(sl_subpaths_find(&found, &nothing, ones, &limits) && !found.n && found.whole == 0,
       "nothing has no subpaths");
    sl_subpaths_free(&found);
    ok(are_hot(ones, 50, 2, 100, SL_SUBPATH_SHORTEST, "2:5*2 "),
       "the shortest that is hot is found, and none around it");
    ok(are_hot(ones, 50, 2, 100, SL_SUBPATH_LONGEST, "1:2*5 ") &&
           are_hot(ones, 15, 2, 100, SL_SUBPATH_LONGEST, "1:2*5 2:1*2 "),
       "the longest that is hot is found, and what is outside of it if that is hot");
    ok(are_hot(ones, 50, 3, 100, SL_SUBPATH_SHORTEST, "1:2*5 "), "one that is too short is none");
    ok(are_hot(ones, 50, 2, 4, SL_SUBPATH_LONGEST, "2:5*2 ") &&
           are_hot(ones, 50, 3, 4, SL_SUBPATH_SHORTEST, ""),
       "nor is one that is too long");
    ok(are_hot(ones, 76.92, 2, 4, SL_SUBPATH_LONGEST, "2:5*2 ") &&
           are_hot(ones, 76.93, 2, 4, SL_SUBPATH_LONGEST, ""),
       "10 of 13 symbols are so much of them, and no more");
    static const double heavy_seven[N_SYMBOLS] = {[7] = 90, [5] = 1, [9] = 10};
    ok(are_hot(heavy_seven, 10, 2, 100, SL_SUBPATH_SHORTEST, "1:2*5 "),
       "what weighs more makes another one hot");
    ok(are_hot(ones, 0, 2, 100, SL_SUBPATH_SHORTEST, "2:5*2 "),
       "with no limit every smallest one is hot");
}

/* ---- of sequences ---- */

static struct sl_grammar found_in(uint64_t *seed, size_t n)
{
    static uint32_t input[N_INPUT];
    struct sl_sequitur s;
    struct sl_grammar g;
    sl_sequitur_init(&s, UINT64_C(1) << 30);
    for (size_t i = 0; i < n; i++)
        input[i] = (uint32_t)sl_random_below(seed, N_SYMBOLS);
    for (size_t i = 10; i < n; i++) {
        size_t from = (size_t)sl_random_below(seed, i), length = (size_t)sl_random_below(seed, 60);
        for (size_t k = 0; k < length && i < n; k++, i++)
            input[i] = input[from + k];
    }
    for (size_t i = 0; i < n; i++)
        sl_sequitur_append(&s, input[i]);
    if (!sl_sequitur_finish(&s, &g))
        abort();
    sl_sequitur_free(&s);
    return g;
}

struct making {
    const double *cost;
    double weight;
    uint64_t length;
};

static bool add_up(void *context, uint32_t symbol)
{
    struct making *m = context;
    m->weight += m->cost[symbol];
    m->length++;
    return true;
}

/* Whether a rule fulfils all of the definition, when it comes so often, by expanding it. */
static bool is_hot(const struct sl_grammar *g, size_t rule, uint64_t times, const double *cost,
                   double whole, const struct sl_subpath_limits *limits, struct making *made)
{
    *made = (struct making){.cost = cost};
    sl_grammar_expand(g, rule, add_up, made);
    return rule && times && made->length >= limits->least && made->length <= limits->most &&
           (double)times * made->weight >= whole * limits->percent / 100;
}

static bool has_hot(const struct sl_grammar *g, size_t rule, const bool *hot)
{
    for (size_t i = g->first[rule]; i < g->first[rule + 1]; i++) {
        uint32_t symbol = g->symbol[i], used = symbol & ~SL_GRAMMAR_RULE;
        if (symbol & SL_GRAMMAR_RULE && (hot[used] || has_hot(g, used, hot)))
            return true;
    }
    return false;
}

/* How often a rule comes where no other hot rule is around it. */
static uint64_t outside(const struct sl_grammar *g, size_t rule, const bool *hot)
{
    uint64_t times = !rule;
    for (size_t r = 0; r < rule; r++)
        for (size_t i = g->first[r]; i < g->first[r + 1]; i++)
            if (!hot[r] && g->symbol[i] == R(rule))
                times += outside(g, r, hot);
    return times;
}

/* What has to be found, as how often each rule comes, 0 for those that are not reported. */
static size_t by_definition(const struct sl_grammar *g, const double *cost, double whole,
                            const struct sl_subpath_limits *limits, uint64_t *reported)
{
    bool shortest = limits->choice == SL_SUBPATH_SHORTEST;
    bool *hot = calloc(g->n_rules, sizeof *hot);
    uint64_t *times = calloc(g->n_rules, sizeof *times);
    struct making made;
    size_t n = 0;
    sl_grammar_times(g, times);
    for (size_t r = 0; r < g->n_rules; r++) {
        if (!shortest)
            times[r] = outside(g, r, hot);
        hot[r] = is_hot(g, r, times[r], cost, whole, limits, &made);
    }
    for (size_t r = 0; r < g->n_rules; r++) {
        reported[r] = hot[r] && !(shortest && has_hot(g, r, hot)) ? times[r] : 0;
        n += reported[r] > 0;
    }
    free(hot);
    free(times);
    return n;
}

static bool as_defined(const struct sl_grammar *g, const double *cost,
                       const struct sl_subpath_limits *limits, double *share)
{
    struct sl_subpaths found;
    uint64_t *reported = calloc(g->n_rules, sizeof *reported);
    struct making made, all = {.cost = cost};
    bool same = sl_subpaths_find(&found, g, cost, limits);
    sl_grammar_expand(g, 0, add_up, &all);
    same = same && fabs(found.whole - all.weight) <= 1e-9 * all.weight &&
           found.n == by_definition(g, cost, all.weight, limits, reported);
    *share = 0;
    for (size_t i = 0; i < found.n && same; i++) {
        const struct sl_subpath *s = &found.hot[i];
        is_hot(g, s->rule, s->times, cost, all.weight, limits, &made);
        same = s->times == reported[s->rule] && s->length == made.length &&
               fabs(s->weight - made.weight) <= 1e-9 * made.weight &&
               (!i || (double)s->times * s->weight <= (double)s[-1].times * s[-1].weight);
        *share += (double)s->times * s->weight / all.weight;
    }
    sl_subpaths_free(&found);
    free(reported);
    return same;
}

static void of_sequences(enum sl_subpath_choice choice, const char *name)
{
    uint64_t seed = 8;
    double cost[N_SYMBOLS], share;
    bool same = true, apart = true, some = false;
    for (size_t i = 0; i < N_SYMBOLS; i++)
        cost[i] = 1 + (double)sl_random_below(&seed, 20);
    for (size_t n = 1; n <= N_INPUT; n += 1 + n / 4) {
        struct sl_grammar g = found_in(&seed, n);
        for (double percent = 0; percent < 30; percent = 3 * percent + 0.2)
            for (uint64_t least = 2; least < 30; least *= 3) {
                struct sl_subpath_limits limits = {percent, least, 5 * least, choice};
                same = same && as_defined(&g, cost, &limits, &share);
                apart = apart && share <= 1 + 1e-9;
                some |= share > 0.2 && least > 2;
            }
        sl_grammar_free(&g);
    }
    ok(same && some, "%s: hot subpaths are those of the definition, largest first", name);
    ok(apart, "%s: no symbol is in two of them, their shares add up to no more than 1", name);
}

int main(void)
{
    by_hand();
    of_sequences(SL_SUBPATH_SHORTEST, "shortest");
    of_sequences(SL_SUBPATH_LONGEST, "longest");
    return done_testing();
}
