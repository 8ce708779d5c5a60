/* SPDX-License-Identifier: MIT */
/* Whom a profiler in hardware blames for a cycle.
 *
 * Every `period` cycles a sample is taken, and one instruction, or several, is said to have been
 * what the time was spent on. The rules are those that Gottschall, Eeckhout and Jahre compare in
 * "TIP: Time-Proportional Instruction Profiling" (MICRO 2021):
 *
 *     interrupt     where the program would go on: the first that is dispatched `skid` cycles
 *                   later, since what is in flight by then is finished first
 *     dispatch      the next that is dispatched (instruction-based sampling, statistical profiling)
 *     last          the last that was committed in that cycle or before (external monitors)
 *     next          the first that is committed in that cycle or behind it (precise events)
 *     proportional  whoever the machine shows the latency of:
 *                     cycles in which n are committed    each of them, a share of 1/n
 *                     while the oldest is not ready      that one
 *                     empty since one before had been    that one: a branch predicted wrong, an
 *                       wrong or had to be alone           instruction of the system
 *                     empty since nothing was fetched    the next one
 *     oracle        the same for every cycle, not for samples
 *
 * Where two instructions are committed in the cycle, `last` takes the younger, `next` the older.
 * Samples are taken once in each period, at a place in it that is random (by the seed), so that
 * they do not keep step with loops; without a seed at the end of it.
 *
 * Beside every sample it is judged how much of it is right: what the proportional rule gives in
 * that same cycle to the one that is blamed.
 *
 *     committed        a b . . . c d
 *     early samples         ▲ known when c is there, or long before: dispatched
 *     proportional          ▲ known when c is there
 *
 * Whichever is known first waits for the other. Instructions go by numbers; those that are the
 * same (of one function, or not looked at) have one. */
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

#define SL_BLAME_CYCLE UINT64_C(720720) /* a cycle's credit: shares up to 1/16 are whole */
#define SL_BLAME_GROUP 64u              /* that are committed together, at most */

struct sl_blame_config {
    unsigned rule;
    uint64_t period, skid, seed;
};

/* Samples that are taken in order: the next one's number and cycle. */
struct sl_blame_cursor {
    uint64_t n, cycle;
};

struct sl_blame_samples {
    struct sl_blame_config config;
    uint64_t now; /* the last was committed in this cycle, the first being 1; 0: none yet */
    uint32_t group[SL_BLAME_GROUP]; /* who was, the oldest first */
    uint32_t n_group;
    struct sl_blame_cursor blamed, judged;
    /* Samples for which only one of the two is known: their instructions, or as many as there
     * are in front of those that are right. A ring. */
    uint32_t *waiting;
    size_t room_waiting, first_waiting, n_waiting;
    /* What each number has got and was not taken, in parts of a cycle, and those that have some. */
    uint64_t *credit;
    uint32_t *touched;
    size_t room_credits, n_touched, room_touched;
    uint64_t taken, right; /* of samples that counted: in parts of a sample, SL_BLAME_CYCLE each */
    bool active;           /* credit is given */
    bool out_of_memory;
};

/* In a struct of zeroes. */
void sl_blame_samples_init(struct sl_blame_samples *samples, const struct sl_blame_config *config);

/* There are numbers below `n`. False when memory ran out. */
bool sl_blame_samples_room(struct sl_blame_samples *samples, size_t n);

/* The next instruction that was committed. */
void sl_blame_samples_step(struct sl_blame_samples *samples, uint32_t number,
                           const struct sl_commit *commit);

/* Takes whole cycles of one that has some, and says whose; false: there are none. */
bool sl_blame_samples_take(struct sl_blame_samples *samples, uint32_t *number, uint64_t *cycles);

/* Samples so far that counted, and what share of them is wrong; NAN without any. */
uint64_t sl_blame_samples_taken(const struct sl_blame_samples *samples);
double sl_blame_samples_wrong(const struct sl_blame_samples *samples);

void sl_blame_samples_free(struct sl_blame_samples *samples);

#endif
