/* What calls cost in all. A profile function(inclusive=1) says what a function cost with
 * all that it called, a profile of calls who called it how often. The cost is shared out
 * among those calls evenly, as gprof does: so what all calls of a function cost together is
 * right, and what each of them did is a guess, unless there is only one. */
#ifndef SL_INCLUSIVE_COSTS_H
#define SL_INCLUSIVE_COSTS_H

#include "costs.h"
#include "passage.h"

struct sl_inclusive_costs {
    const struct sl_costs *costs;
    struct sl_passages callees; /* `from`: called so often */
    uint64_t *shared;           /* of those calls, how many have got their share */
    struct sl_passages cost[SL_COST_COLUMNS]; /* `from`: cost so much; empty if unknown */
};

int sl_inclusive_costs_load(struct sl_inclusive_costs *inclusive, const struct sl_costs *costs,
                            struct sl_failure *f);
void sl_inclusive_costs_free(struct sl_inclusive_costs *inclusive);

/* The share of the next `count` calls of a function, for each column; 0 where it is not
 * known. */
void sl_inclusive_costs_share(struct sl_inclusive_costs *inclusive, uint64_t callee,
                              uint64_t count, uint64_t *cost);

#endif
