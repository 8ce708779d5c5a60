/* SPDX-License-Identifier: MIT */
/* Finds hot subpaths, which are expensive sequences of consecutive events, in the event sequence of
 * a run (J. Larus, "Whole Program Paths", 1999).
 *
 * Which subpaths are hot depends on the weights of their events:
 *
 *   - by a metric, an event has the mean weight of its tuple's events, since the grammar does not
 *     store the weight of each;
 *   - paths by count are weighted by their number of instructions (path_walk.h), as in the paper;
 *   - any other event by count has the weight 1. */
#include "result.h"

#include <stdlib.h>
#include <string.h>

#include "path_walk.h"

#define SUBPATHS_MAX 1000u

/* The mean weight of the events of each symbol. Returns false if out of memory. */
static bool weigh_events(const struct sl_sequence *all, double *cost)
{
    uint64_t *count = calloc(all->n_tuples + 1, sizeof *count);
    if (!count || !sl_grammar_counts(all->grammar, count, all->n_tuples)) {
        free(count);
        return false;
    }
    for (size_t i = 0; i < all->n_tuples; i++)
        cost[i] = 1 + (i < all->n_beyond && count[i]
                           ? (double)(int64_t)all->beyond[i] / (double)count[i]
                           : 0);
    free(count);
    return true;
}

static bool weigh_paths(const struct sl_sequence *all, const struct sl_path_config *config,
                        const struct sl_code *code, double *cost)
{
    struct sl_failure f;
    struct sl_path_walker walker;
    struct sl_path_walk walk;
    bool ready = !sl_path_walker_init(&walker, code, &f);
    for (size_t i = 0; i < all->n_tuples && ready; i++) {
        uint64_t instructions = 0;
        sl_path_walk(&walker, config, all->tuple[i].pc, all->tuple[i].value, &walk);
        for (size_t b = 0; b < walk.n; b++)
            instructions += code->statics->block_size[walk.block[b]];
        cost[i] = (double)instructions;
    }
    sl_path_walker_free(&walker);
    return ready;
}

static bool find_hot(struct sl_result_sequence *s, const struct sl_result_profile *profile,
                     const struct sl_code *code)
{
    double *cost = calloc(s->all.n_tuples + 1, sizeof *cost);
    bool by_count = !strcmp(profile->metric, "count");
    bool as_code = by_count && !profile->shared && profile->asked->second.type == SL_FIELD_OUTCOMES;
    bool found = cost &&
                 (as_code ? weigh_paths(&s->all, profile->config, code, cost)
                          : weigh_events(&s->all, cost)) &&
                 sl_subpaths_find(&s->subpaths, s->all.grammar, cost, &s->all.hot);
    free(cost);
    if (s->subpaths.n > SUBPATHS_MAX)
        s->subpaths.n = SUBPATHS_MAX;
    s->unit = as_code ? "instructions" : by_count ? "events" : profile->metric;
    return found;
}

static bool mark(void *context, uint32_t symbol)
{
    bool *seen = context;
    seen[symbol] = true;
    return true;
}

static bool list_symbols(struct sl_result_sequence *s)
{
    size_t n = s->all.n_tuples;
    bool *seen = calloc(n + 1, sizeof *seen), good = seen;
    for (size_t i = 0; i < s->subpaths.n && good; i++)
        good = sl_grammar_expand(s->all.grammar, s->subpaths.hot[i].rule, mark, seen);
    for (size_t i = 0; i < n && good; i++)
        s->n_symbols += seen[i];
    s->symbol = malloc((s->n_symbols + 1) * sizeof *s->symbol);
    for (size_t i = 0, k = 0; i < n && good && s->symbol; i++)
        if (seen[i])
            s->symbol[k++] = (uint32_t)i;
    free(seen);
    return good && s->symbol;
}

/* Separates the tags from the tuples. */
static bool split_tags(struct sl_result_sequence *s, unsigned shift)
{
    size_t n = s->all.n_tuples;
    struct sl_tuple *tuple = malloc((n + 1) * sizeof *tuple);
    s->member = malloc(n + 1);
    for (size_t i = 0; i < n && tuple && s->member; i++) {
        tuple[i] = s->all.tuple[i];
        s->member[i] = (uint8_t)(tuple[i].pc >> shift);
        tuple[i].pc &= (UINT64_C(1) << shift) - 1;
    }
    s->all.tuple = tuple;
    return tuple && s->member;
}

struct sl_result_sequence *sl_result_sequence(const struct sl_sequence *all,
                                              const struct sl_result_profile *profile,
                                              unsigned tag_shift, const struct sl_code *code)
{
    struct sl_result_sequence *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->all = *all;
    if ((!tag_shift || split_tags(s, tag_shift)) && find_hot(s, profile, code) && list_symbols(s))
        return s;
    sl_result_sequence_free(s);
    return NULL;
}

void sl_result_sequence_free(struct sl_result_sequence *sequence)
{
    if (!sequence)
        return;
    if (sequence->member)
        free((struct sl_tuple *)sequence->all.tuple);
    free(sequence->member);
    free(sequence->symbol);
    sl_subpaths_free(&sequence->subpaths);
    free(sequence);
}
