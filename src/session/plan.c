/* SPDX-License-Identifier: MIT */
/* Chooses the execution plan of each group of profiles (group.h). A plan defines how the group gets
 * its events:
 *
 *     plan         detector reads   tables get    metrics               used today by
 *     EVENTS       every block      every event   all                   any detector, any table
 *     NGRAMS       n-grams          every event   count                 path
 *     EXITS        function exits   every event   count, instructions   function, context, loop
 *     EXIT_TOTALS  function exits   totals        count, instructions   function, context @exact
 *     PAIR_TOTALS  nothing          totals        count (block: both)   block, edge, call @exact
 *     DERIVED      nothing          totals        instructions          function, from context
 *
 * A plan changes the cost of a run, never its result. All but EVENTS need whole chunks: no CPU
 * model, no evaluator, no region markers, no --start-at, --range or --only. Those with totals need
 * tables that can add several events at once (sl_table_kind.add) and no batch observer. */
#include "group.h"

/* True if the tables may get totals instead of batches, and nothing else needs single events. */
static bool accepts_totals(const struct sl_group *g)
{
    bool all = !g->on_batch && !g->evaluator;
    for (size_t i = 0; i < g->n_tables; i++)
        all &= sl_table_accepts_totals(g->table[i]->kind);
    return all;
}

static enum sl_plan choose(const struct sl_group *g)
{
    const struct sl_detector_slot *d = &g->detectors.member[0];
    const struct sl_detector_kind *kind = d->kind;
    bool count = !d->metric->weigh, instructions = sl_metric_is_instructions(d->metric);
    bool totals = accepts_totals(g);
    if (g->detectors.n_members > 1 || !(count || instructions))
        return SL_PLAN_EVENTS;
    if (kind->exits && kind->exits->usable(d->config))
        return totals && kind->exits->keep_totals ? SL_PLAN_EXIT_TOTALS : SL_PLAN_EXITS;
    if (kind->pair_totals && totals && (count || kind->pair_totals->instructions))
        return SL_PLAN_PAIR_TOTALS;
    return kind->ngrams && count ? SL_PLAN_NGRAMS : SL_PLAN_EVENTS;
}

/* True if the totals of `g` can be derived from those that `source` keeps. */
static bool is_derivable(const struct sl_group *g, const struct sl_group *source)
{
    const struct sl_detector_slot *d = &g->detectors.member[0],
                                  *from = &source->detectors.member[0];
    const struct sl_detector_derivation *derivation = d->kind->derivation;
    return derivation && g->plan == SL_PLAN_EXIT_TOTALS && source->plan == SL_PLAN_EXIT_TOTALS &&
           derivation->from == from->kind && d->metric->weigh && d->metric == from->metric &&
           derivation->usable(d->config, from->config);
}

/* Prepares the detector for the plan and adds what the plan needs. */
static void prepare(struct sl_group *g, struct sl_plan_needs *needs)
{
    const struct sl_detector_slot *d = &g->detectors.member[0];
    bool exits = g->plan == SL_PLAN_EXITS || g->plan == SL_PLAN_EXIT_TOTALS;
    if (g->plan == SL_PLAN_EXIT_TOTALS || g->plan == SL_PLAN_DERIVED)
        d->kind->exits->keep_totals(d->state);
    needs->block_pairs |= g->plan != SL_PLAN_EVENTS;
    needs->counts |= g->plan == SL_PLAN_PAIR_TOTALS;
    needs->exits |= exits;
    needs->loop_exits |= exits && d->kind->exits->loop_exits;
    for (size_t i = 0; g->plan == SL_PLAN_EVENTS && i < g->detectors.n_members; i++)
        needs->weights |= g->detectors.member[i].weights != 0;
}

void sl_plan_choose(struct sl_group *group, size_t n, bool whole_chunks,
                    struct sl_plan_needs *needs)
{
    *needs = (struct sl_plan_needs){.weights = !whole_chunks};
    for (size_t i = 0; i < n; i++)
        group[i].plan = whole_chunks ? choose(&group[i]) : SL_PLAN_EVENTS;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = n; k-- > 0 && !group[i].derived_from;)
            if (is_derivable(&group[i], &group[k]))
                group[i].derived_from = &group[k];
        if (group[i].derived_from)
            group[i].plan = SL_PLAN_DERIVED;
    }
    for (size_t i = 0; i < n; i++)
        prepare(&group[i], needs);
}
