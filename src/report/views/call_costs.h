/* SPDX-License-Identifier: MIT */
/* Costs of functions and of the calls between them, from context profiles. The costs are exact;
 * gprof, in contrast, divides the cost of a function evenly among its callers.
 *
 * A call of g by f costs all that is executed while it is on the stack: g itself and its callees.
 * If the call is on the stack several times (recursion), that counts once. */
#ifndef SL_CALL_COSTS_H
#define SL_CALL_COSTS_H

#include "context_tree.h"

struct sl_function_costs {
    uint64_t self, inclusive;
    uint64_t calls;     /* number of entries */
    uint64_t recursive; /* of these, calls by the function itself */
};

struct sl_call_costs {
    struct sl_context_tree tree;
    const char *units; /* "instructions", "pJ" */
    uint64_t total;
    bool has_calls;                     /* there is a profile by count, so calls are known */
    struct sl_function_costs *function; /* by function of the tree */
    struct sl_arc_costs *arc;           /* costliest first */
    size_t n_arcs;
    uint32_t *by_self, *by_inclusive; /* functions, costliest first */
};

/* Loads the costs from the first context profile by a cost, and calls from the first context
 * profile by count. `called`: only from profiles without inlined functions, where each arc is a
 * real call. Returns 0, SL_EUSAGE if there is no context profile by a cost, SL_EFORMAT or
 * SL_ENOMEM. Call sl_call_costs_free() only after success. */
int sl_call_costs_load(struct sl_call_costs *costs, struct sl_database *database, bool called,
                       struct sl_failure *f);
void sl_call_costs_free(struct sl_call_costs *costs);

/* Formats the average sum / n, for example as "12.5" or "1,234". */
#define SL_AVERAGE_SIZE 32
const char *sl_average(uint64_t sum, uint64_t n, char buffer[SL_AVERAGE_SIZE]);

#endif
