/* SPDX-License-Identifier: MIT */
/* What functions and their calls of one another cost, from profiles of contexts: exactly, where
 * gprof shares the cost of a function out among its callers.
 *
 * A call of g by f costs what is executed while it is on the stack: g itself, and what that
 * calls. If it is there several times, by recursion, that counts once. */
#ifndef SL_CALL_COSTS_H
#define SL_CALL_COSTS_H

#include "context_tree.h"

struct sl_function_costs {
    uint64_t self, inclusive;
    uint64_t calls;     /* how often it was entered, */
    uint64_t recursive; /* and of these by itself */
};

/* All calls of one function by another. */
struct sl_arc_costs {
    uint32_t caller; /* SL_NO_INDEX: nobody, or it is not known who */
    uint32_t callee;
    uint64_t self, inclusive, calls;
};

struct sl_call_costs {
    struct sl_context_tree tree;
    const char *units; /* "instructions", "pJ" */
    uint64_t total;
    bool has_calls;                     /* calls are known: there is a profile by count */
    struct sl_function_costs *function; /* as those of the tree */
    struct sl_arc_costs *arc;           /* costliest first */
    size_t n_arcs, room_arcs;
    uint32_t *by_self, *by_inclusive; /* functions, costliest first */
};

/* The profiles that this is made from, without a machine and with one. */
#define SL_CALL_COSTS_USUAL                             \
    {                                                   \
        sl_call_costs_usual, sl_call_costs_usual_cycles \
    }
extern const char *const sl_call_costs_usual[], *const sl_call_costs_usual_cycles[];

/* From the first profile of contexts that is not by count, and the first that is. SL_EUSAGE if
 * there is none of the first kind. */
int sl_call_costs_load(struct sl_call_costs *costs, struct sl_database *database,
                       struct sl_failure *f);

/* The same from profiles without inlined functions: only what was called is a call. */
int sl_call_costs_load_called(struct sl_call_costs *costs, struct sl_database *database,
                              struct sl_failure *f);
void sl_call_costs_free(struct sl_call_costs *costs);

/* An average as text: "12.5", "1,234". */
#define SL_AVERAGE_ROOM 32
const char *sl_average(uint64_t sum, uint64_t n, char room[SL_AVERAGE_ROOM]);

#endif
