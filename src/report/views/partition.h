/* SPDX-License-Identifier: MIT */
/* Which functions are worth moving to hardware, as the function profiler's document chooses
 * them: by what they cost with all that they call, which is moved with them.
 *
 * If a part s of the cost is done F times as fast, all of it is 1 / (1 - s + s / F) times as
 * fast (Amdahl). The energy of what is moved is assumed to fall by the same factor: hardware
 * that takes the processor's power, for a shorter time.
 *
 * The document's systems move the function that costs most (Hybrid 1), or the one that costs
 * second most (Hybrid 2), each alone. Those are the first two candidates here. Of several
 * functions together, what one calls for the other is moved once, so that the second best to
 * add may be another: `step` has the best choice one after the other.
 *
 * main and what calls it is the program itself, and no candidate; nor is what nobody calls,
 * with which programs, loaders and threads begin. */
#ifndef SL_PARTITION_H
#define SL_PARTITION_H

#include "context_tree.h"

struct sl_partition {
    struct sl_context_tree tree; /* costs: by `metric`, and energy if it is known */
    double factor;
    const char *metric; /* "cycles", or what there is */
    uint64_t total, energy;
    bool has_energy;
    struct sl_candidate {
        uint32_t function;
        uint64_t cost, energy; /* with all that it calls */
        size_t energy_rank;    /* from 1, of the candidates */
    } * candidate;             /* the costliest first */
    size_t n;
    struct sl_candidate *step; /* added to those before it: cost and energy of all so far, once */
    size_t n_steps;
    bool *left_out; /* by function */
};

/* From the first profile of contexts by cycles, else by any metric but count and energy; and
 * the first by energy, if there is one. SL_EUSAGE if there is none. `steps`: at most so many,
 * and none that adds less than 0.1 %. */
int sl_partition_make(struct sl_partition *p, struct sl_database *database, double factor,
                      size_t steps, struct sl_failure *f);
void sl_partition_free(struct sl_partition *p);

/* How many times as fast, and what is left of a cost, if `part` of `whole` is moved. */
double sl_partition_speedup(double factor, uint64_t part, uint64_t whole);
uint64_t sl_partition_left(double factor, uint64_t part, uint64_t whole);

/* What a run has to profile for it; NULL at the end. */
const char *const *sl_partition_usual(bool machine);

#endif
