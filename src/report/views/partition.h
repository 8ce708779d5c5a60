/* SPDX-License-Identifier: MIT */
/* Hardware/software partitioning: which functions to move to hardware. Candidates are ranked by
 * inclusive cost, because a function is moved with all its callees.
 *
 * If a part s of the cost runs F times as fast, the whole runs 1 / (1 - s + s / F) times as fast
 * (Amdahl). The energy of moved code is assumed to fall by the same factor: hardware with the
 * processor's power, for a shorter time.
 *
 * The paper of the function profiler LEAP moves only the function with the highest cost (Hybrid 1)
 * or with the second highest cost (Hybrid 2). These are the first two candidates. If several
 * functions are moved together, a common callee is moved only once, so that the best function to
 * add is not always the next candidate: `step` has the greedy choice.
 *
 * main, its callers, and functions without a caller (entry points of programs, loaders and threads)
 * are not candidates. */
#ifndef SL_PARTITION_H
#define SL_PARTITION_H

#include "context_tree.h"

struct sl_partition {
    struct sl_context_tree tree; /* costs: by `metric`, and energy if has_energy */
    double factor;
    const char *metric; /* "cycles", or the metric of the profile */
    uint64_t total, energy;
    bool has_energy;
    struct sl_candidate {
        uint32_t function;
        uint64_t cost, energy; /* inclusive */
        size_t energy_rank;    /* rank among the candidates, from 1 */
    } * candidate;             /* the costliest first */
    size_t n;
    struct sl_candidate *step; /* greedy steps, each with the costs of all functions up to it */
    size_t n_steps;
    bool *left_out; /* by function */
};

/* Uses the first profile of contexts by cycles, else by any metric but count and energy; and the
 * first one by energy, if there is one. Makes at most `steps` steps, none that adds less than 0.1 %
 * of the cost. Returns 0, SL_EUSAGE without a suitable profile, SL_EFORMAT or SL_ENOMEM. Call
 * sl_partition_free() only after success. */
int sl_partition_make(struct sl_partition *p, struct sl_database *database, double factor,
                      size_t steps, struct sl_failure *f);
void sl_partition_free(struct sl_partition *p);

/* Speedup of the whole, and the cost that is left, if `part` of `whole` is moved. */
double sl_partition_speedup(double factor, uint64_t part, uint64_t whole);
uint64_t sl_partition_left(double factor, uint64_t part, uint64_t whole);

/* Specs of the profiles that this needs; NULL at the end. */
const char *const *sl_partition_default_specs(bool machine);

#endif
