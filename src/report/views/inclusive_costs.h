/* SPDX-License-Identifier: MIT */
/* What calls cost in all. A profile function(inclusive=1) says what a function cost with
 * all that it called, a profile of calls who called it how often. The cost is shared out
 * among those calls evenly, as gprof does: so what all calls of a function cost together is
 * right, and what each of them did is a guess, unless there is only one.
 *
 * A profile of contexts knows what all calls of one function by another cost. Then it is this that
 * is shared out among the calls of the one in the other; and what no call instruction has done, as
 * a tail call, or a call through a linker's stub, is known, too. */
#ifndef SL_INCLUSIVE_COSTS_H
#define SL_INCLUSIVE_COSTS_H

#include "call_costs.h"
#include "costs.h"
#include "passage.h"

struct sl_inclusive_costs {
    const struct sl_costs *costs;
    struct sl_passages callees;               /* `from`: called so often */
    uint64_t *shared;                         /* of those calls, how many have got their share */
    struct sl_passages cost[SL_COST_COLUMNS]; /* `from`: cost so much; empty if unknown */
    struct sl_call_costs arcs;                /* with a profile of contexts: */
    bool has_arcs;
    size_t column;            /* which they are of */
    struct sl_passages calls; /* of one function by another, by instructions that call */
    uint64_t *arc_shared;     /* as above */
    uint64_t *arc_cost;       /* what they cost */
};

int sl_inclusive_costs_load(struct sl_inclusive_costs *inclusive, const struct sl_costs *costs,
                            struct sl_failure *f);
void sl_inclusive_costs_free(struct sl_inclusive_costs *inclusive);

/* The share of the next `count` calls of a function by the code at `from`, for each column; 0
 * where it is not known. */
void sl_inclusive_costs_share(struct sl_inclusive_costs *inclusive, uint64_t from, uint64_t callee,
                              uint64_t count, uint64_t *cost);

/* Calls `each` for all calls of one function by another that no call instruction has done, with
 * where these begin. `cost` has all columns. */
int sl_inclusive_costs_others(const struct sl_inclusive_costs *inclusive,
                              int (*each)(void *context, const struct sl_saved_function *caller,
                                          const struct sl_saved_function *callee, uint64_t calls,
                                          const uint64_t *cost),
                              void *context);

#endif
