/* SPDX-License-Identifier: MIT */
/* Sampling rules of hardware profilers. A rule selects the instruction that is blamed for a sampled
 * cycle.
 *
 * Every `period` cycles a sample attributes the cycle to one or several instructions. The rules are
 * those that Gottschall, Eeckhout and Jahre compare in "TIP: Time-Proportional Instruction
 * Profiling" (MICRO 2021):
 *
 *     interrupt     where the program would resume: the first instruction dispatched `skid` cycles
 *                   later, since instructions in flight are finished first
 *     dispatch      the next one dispatched (instruction-based sampling, statistical profiling)
 *     last          the last one committed in that cycle or before (external monitors)
 *     next          the first one committed in that cycle or later (precise events)
 *     proportional  the one whose latency the CPU model shows:
 *                     n commit in the cycle                  each of them, 1/n
 *                     the oldest is not ready                the oldest
 *                     empty after a misprediction or a       that branch or instruction
 *                       serializing instruction
 *                     empty because nothing was fetched      the next one
 *     oracle        the same for every cycle, without sampling
 *
 * If two instructions commit in the cycle, `last` takes the younger, `next` the older. Each period
 * has one sample. The seed selects its cycle at random, so that samples do not follow the period of
 * loops. With seed 0, the sample is the last cycle of the period.
 *
 * The error of a sample is measured against the proportional rule in the same cycle:
 *
 *     committed        a b . . . c d
 *     early samples         ▲ known when c commits, or long before, at dispatch
 *     proportional          ▲ known when c commits
 *
 * The result that is known first waits for the other. Instructions are identified by ids, which
 * equivalent instructions share (those of one function, or those that are not selected). */
#ifndef SL_BLAME_SAMPLES_H
#define SL_BLAME_SAMPLES_H

#include "machine_log.h"
#include "index_map.h"

enum sl_blame_rule {
    SL_BLAME_ORACLE,
    SL_BLAME_PROPORTIONAL,
    SL_BLAME_NEXT,
    SL_BLAME_LAST,
    SL_BLAME_DISPATCH,
    SL_BLAME_INTERRUPT,
};

#define SL_BLAME_CYCLE UINT64_C(720720) /* credit of a cycle: divisible by 1 .. 16 */
#define SL_BLAME_GROUP 64u              /* instructions that commit together, at most */

struct sl_blame_config {
    unsigned rule;
    uint64_t period, skid, seed;
    unsigned by; /* for the detector */
};

/* The next sample: its index and cycle. */
struct sl_blame_cursor {
    uint64_t n, cycle;
};

struct sl_blame_samples {
    struct sl_blame_config config;
    uint64_t now;                   /* cycle of the last commit, from 1; 0: none yet */
    uint32_t group[SL_BLAME_GROUP]; /* instructions committed in it, the oldest first */
    uint32_t n_group;
    struct sl_blame_cursor blamed, evaluated;
    /* Ring of samples of which only one side is known: the blamed instruction, or the correct
     * ones. */
    uint32_t *pending;
    size_t pending_capacity, first_pending, n_pending;
    /* Credit by id that was not emitted yet, in 1/SL_BLAME_CYCLE cycles, and the ids that have
     * some. */
    uint64_t *credit;
    uint32_t *touched;
    size_t credits_capacity, n_touched, touched_capacity;
    uint64_t samples_counted, correct; /* samples that counted, in 1/SL_BLAME_CYCLE samples */
    bool active;                       /* the selection is active: samples count */
    bool out_of_memory;
};

/* Initializes `samples`. sl_blame_samples_free() frees it. */
void sl_blame_samples_init(struct sl_blame_samples *samples, const struct sl_blame_config *config);

/* Allocates the arrays for tuple ids below n. Returns false if out of memory. */
bool sl_blame_samples_reserve(struct sl_blame_samples *samples, size_t n);

/* Adds the next committed instruction. */
void sl_blame_samples_step(struct sl_blame_samples *samples, uint32_t tuple_id,
                           const struct sl_commit *commit);

/* Removes the whole cycles of one tuple id. Returns false if no id has any. */
bool sl_blame_samples_next(struct sl_blame_samples *samples, uint32_t *tuple_id, uint64_t *cycles);

/* The fraction of the samples that is wrong; NAN without samples. */
double sl_blame_samples_wrong(const struct sl_blame_samples *samples);

void sl_blame_samples_free(struct sl_blame_samples *samples);

#endif
