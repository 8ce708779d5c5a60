/* SPDX-License-Identifier: MIT */
/* Inclusive costs of the calls from each call site, for the callgrind format.
 *
 * The profile function(inclusive=1) has the inclusive cost of each function, and a call profile has
 * the number of calls from each call site. The cost is divided evenly among the calls, as gprof
 * does: the sum over all calls of a function is exact, and the cost of one call is an estimate.
 *
 * A context profile has the cost of all calls of one function by another. With a context profile,
 * this cost is divided among the calls of the callee in the caller, and calls without a call
 * instruction (tail calls, calls through PLT stubs) are known, too. */
#ifndef SL_INCLUSIVE_COSTS_H
#define SL_INCLUSIVE_COSTS_H

#include "call_costs.h"
#include "costs.h"
#include "transfer_counts.h"

struct sl_inclusive_costs {
    const struct sl_costs *costs;
    struct sl_transfer_counts callees; /* calls of the function at `from` */
    uint64_t *shared; /* by callee: number of calls that have been given a part of the cost */
    struct sl_transfer_counts
        cost[SL_COST_COLUMNS]; /* inclusive cost of the function at `from`; empty if unknown */
    struct sl_call_costs arcs; /* with a profile of contexts */
    bool has_arcs;
    size_t column;                   /* cost column of `arcs` */
    struct sl_transfer_counts calls; /* of one function by another, by call instructions */
    uint64_t *arc_shared;            /* by element of `calls`: as `shared` */
    uint64_t *arc_cost;              /* by element of `calls`: inclusive cost */
};

int sl_inclusive_costs_load(struct sl_inclusive_costs *inclusive, const struct sl_costs *costs,
                            struct sl_failure *f);
void sl_inclusive_costs_free(struct sl_inclusive_costs *inclusive);

/* Computes the cost of the next `count` calls of a function by the code at `from`, for each column;
 * 0 where it is not known. */
void sl_inclusive_costs_share(struct sl_inclusive_costs *inclusive, uint64_t from, uint64_t callee,
                              uint64_t count, uint64_t *cost);

/* Calls `each` for all calls between functions that have no call instruction, with the functions
 * and a cost for each column. Stops if `each` returns other than 0, and returns that. */
typedef int sl_inclusive_call(void *context, const struct sl_db_function *caller,
                              const struct sl_db_function *callee, uint64_t calls,
                              const uint64_t *cost);
int sl_inclusive_costs_others(const struct sl_inclusive_costs *inclusive, sl_inclusive_call *each,
                              void *context);

#endif
