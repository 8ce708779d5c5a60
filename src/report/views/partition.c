/* SPDX-License-Identifier: MIT */
/* Chooses functions to move to hardware (partition.h). The choice is greedy: each step moves the
 * function that saves most, and then recomputes the remaining costs in one pass over the calling
 * context tree. */
#include "partition.h"

#include <stdlib.h>
#include <string.h>

#include "context_name.h"
#include "failure.h"
#include "grow.h"
#include "format.h"

enum { COST, ENERGY, N_COSTS };

#define LEAST_GAIN 0.001 /* minimum gain of a step, relative to the total cost */

const char *const *sl_partition_default_specs(bool machine)
{
    static const char *const plain[] = {"context", NULL};
    static const char *const modelled[] = {"context:cycles", "context:energy", NULL};
    return machine ? modelled : plain;
}

double sl_partition_speedup(double factor, uint64_t part, uint64_t whole)
{
    double share = whole ? (double)part / (double)whole : 0;
    return 1 / (1 - share + share / factor);
}

uint64_t sl_partition_left(double factor, uint64_t part, uint64_t whole)
{
    return whole - part + (uint64_t)((double)part / factor + 0.5);
}

/* ---- excluded functions ---- */

static void exclude(struct sl_partition *p)
{
    const struct sl_context_tree *tree = &p->tree;
    for (uint32_t i = 0; i < tree->n; i++) {
        const struct sl_context *c = &tree->context[i];
        if (c->parent == SL_NO_INDEX && c->caller == SL_CONTEXT_NONE)
            p->left_out[c->function] = true;
        if (strcmp(tree->function[c->function].name, "main"))
            continue;
        for (uint32_t at = i; at != SL_NO_INDEX; at = tree->context[at].parent)
            p->left_out[tree->context[at].function] = true;
    }
}

/* ---- candidates ---- */

static int by_energy(const void *left, const void *right)
{
    const struct sl_candidate *a = left, *b = right;
    return sl_order(b->energy, a->energy, sl_order(a->function, b->function, 0));
}

static int by_cost(const void *left, const void *right)
{
    const struct sl_candidate *a = left, *b = right;
    return a->cost == b->cost ? by_energy(left, right) : a->cost > b->cost ? -1 : 1;
}

static bool list_candidates(struct sl_partition *p)
{
    const struct sl_context_tree *tree = &p->tree;
    size_t n = tree->n_functions + 1;
    uint64_t *cost = calloc(n, sizeof *cost), *energy = calloc(n, sizeof *energy);
    uint32_t *covered = calloc(n, sizeof *covered);
    p->candidate = calloc(n, sizeof *p->candidate);
    bool good = cost && energy && covered && p->candidate;
    if (good)
        sl_context_inclusive(tree, tree->sum[COST], covered, cost);
    if (good && p->has_energy)
        sl_context_inclusive(tree, tree->sum[ENERGY], covered, energy);
    for (uint32_t i = 0; good && i < tree->n_functions; i++)
        if (!p->left_out[i] && cost[i])
            p->candidate[p->n++] = (struct sl_candidate){
                .function = i, .cost = cost[i], .energy = energy[i]};
    SL_SORT(p->candidate, p->n, by_energy);
    for (size_t i = 0; i < p->n; i++)
        p->candidate[i].energy_rank = i + 1;
    SL_SORT(p->candidate, p->n, by_cost);
    free(cost);
    free(energy);
    free(covered);
    return good;
}

/* ---- greedy steps ---- */

struct choice {
    bool *chosen;     /* by function */
    uint64_t *before; /* prefix sums of the cost that is not moved yet */
    uint64_t *gain;   /* by function: the cost that it would move */
    uint32_t *covered;
};

static void sum_unmoved(const struct sl_context_tree *tree, struct choice *c)
{
    uint32_t moved = 0; /* contexts before this one are moved */
    for (uint32_t i = 0; i < tree->n; i++) {
        if (i >= moved && c->chosen[tree->context[i].function])
            moved = tree->context[i].end;
        c->before[i + 1] = c->before[i] + (i < moved ? 0 : tree->cost[COST][i]);
    }
}

static void make_steps(struct sl_partition *p, struct choice *c, size_t steps)
{
    const struct sl_context_tree *tree = &p->tree;
    while (p->n_steps < steps) {
        const struct sl_candidate *best = NULL;
        sum_unmoved(tree, c);
        sl_context_inclusive(tree, c->before, c->covered, c->gain);
        for (size_t i = 0; i < p->n; i++)
            if (!best || c->gain[p->candidate[i].function] > c->gain[best->function])
                best = &p->candidate[i];
        if (!best || (double)c->gain[best->function] < LEAST_GAIN * (double)p->total ||
            !c->gain[best->function])
            return;
        c->chosen[best->function] = true;
        p->step[p->n_steps++] = (struct sl_candidate){
            .function = best->function,
            .cost = sl_context_cost_of(tree, COST, c->chosen),
            .energy = p->has_energy ? sl_context_cost_of(tree, ENERGY, c->chosen) : 0,
        };
    }
}

static bool choose(struct sl_partition *p, size_t steps)
{
    size_t n = p->tree.n_functions + 1;
    struct choice c = {
        .chosen = calloc(n, sizeof *c.chosen),
        .before = calloc(p->tree.n + 1, sizeof *c.before),
        .gain = calloc(n, sizeof *c.gain),
        .covered = calloc(n, sizeof *c.covered),
    };
    steps = steps < p->n ? steps : p->n;
    p->step = calloc(steps + 1, sizeof *p->step);
    bool good = c.chosen && c.before && c.gain && c.covered && p->step;
    if (good)
        make_steps(p, &c, steps);
    free(c.chosen);
    free(c.before);
    free(c.gain);
    free(c.covered);
    return good;
}

/* ---- the whole partition ---- */

static const struct sl_db_profile *find_cost(const struct sl_db_profiles *profiles)
{
    const struct sl_db_profile *cycles = sl_context_profile(profiles, "cycles", false);
    for (size_t i = 0; i < profiles->n && !cycles; i++) {
        const struct sl_db_profile *profile = &profiles->profile[i];
        if (profile->detector->second.type == SL_FIELD_CALLERS && profile->metric->weigh &&
            strcmp(profile->metric->name, "energy"))
            cycles = profile;
    }
    return cycles;
}

static int load(struct sl_partition *p, struct sl_database *database, struct sl_failure *f)
{
    const struct sl_db_profiles *profiles = &database->profiles;
    const struct sl_db_profile *profile[N_COSTS] = {
        [COST] = find_cost(profiles), [ENERGY] = sl_context_profile(profiles, "energy", false)};
    if (!profile[COST])
        return sl_fail(f, SL_EUSAGE,
                       "a partition needs a context profile, and the database has none: run "
                       "again with the profile context:cycles or context");
    p->has_energy = profile[ENERGY];
    p->total = profile[COST]->weight;
    p->energy = p->has_energy ? profile[ENERGY]->weight : 0;
    p->metric = profile[COST]->metric->name;
    return sl_context_tree_load(&p->tree, database, profile, 1 + p->has_energy, f);
}

int sl_partition_make(struct sl_partition *p, struct sl_database *database, double factor,
                      size_t steps, struct sl_failure *f)
{
    *p = (struct sl_partition){.factor = factor};
    int result = load(p, database, f);
    if (!result) {
        p->left_out = calloc(p->tree.n_functions + 1, sizeof *p->left_out);
        if (p->left_out)
            exclude(p);
        if (!p->left_out || !list_candidates(p) || !choose(p, steps))
            result = sl_report_no_memory(f);
    }
    if (result)
        sl_partition_free(p);
    return result;
}

void sl_partition_free(struct sl_partition *p)
{
    sl_context_tree_free(&p->tree);
    free(p->candidate);
    free(p->step);
    free(p->left_out);
    *p = (struct sl_partition){0};
}
