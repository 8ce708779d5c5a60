/* SPDX-License-Identifier: MIT */
/* What the function profiler's experiment measures otherwise than by replaying. */
#ifndef EXPERIMENT_FUNCTIONS_H
#define EXPERIMENT_FUNCTIONS_H

#include "lab.h"
#include "profile_list.h"

/* What is charged to each function by LEAP, SnoopP and the exact profile. The step's profiles
 * are threes of these, in this order, one for each metric; then, maybe,
 *
 *     LEAP as the document has it: counters of 32 bits, a stack of 32 calls
 *     hierarchical profiles of the same metric: exact and LEAP's
 *     contexts by cycles and by energy, for what moving functions to hardware would gain
 *     with a stack that wraps, and without; hierarchical, with recursion charged each time
 *
 * Figures, with those of a replay:
 *
 *     functions ranges hashed tab      of the program: how many, ranges of addresses, entries
 *     perfect stripped                 of the perfect hash, bits of its table; 1 if it was
 *                                      found; 1 if only exported functions are known
 *     factor extrapolated              of the machine's energy
 *     by metric, of the program's own functions (what is in the directory of main's source):
 *     own                              how many of them executed something
 *     leap_off snoopp_off apart        the largest difference to exact, and between the two
 *     own_mean                         the mean of |LEAP - SnoopP| / SnoopP
 *     by metric, of all functions of the program:
 *     total counted all_mean           what there was; functions that SnoopP has something of;
 *                                      the mean as above
 *     leap_dropped snoopp_dropped      parts of the total that no function was charged with,
 *     misplaced                        and that LEAP charged to another than executed it
 *     stubs_more others_more less      what LEAP charges to functions that SnoopP does not
 *                                      (stubs of the linker apart), and the other way round
 *     exact leap snoopp (x: function)  counts of its own functions; of others exact ones, where
 *                                      they are 0.1 % of the total
 *     more (x: function)               LEAP's count less SnoopP's in parts of the total, where
 *                                      that is 0.1 % or more
 *     "document":                      forgotten lost: calls and returns by the stack; full:
 *                                      counters without room; apart: from a LEAP without bounds
 *     "hierarchical":                  exact leap (x: function), leap_off as above
 *     "wraps", "twice":                off: the largest difference that it makes to a function, in
 *                                      parts of the total; functions that differ; lost: returns
 *     "hybrid 1", "hybrid 2", "both":  function (x: name), cycles, energy: parts that are
 *                                      moved; speedup, energy_left if that is 10 times as fast */
lab_perform lab_functions;
int lab_functions_moved(const struct lab_step *step, struct sl_session *session,
                        struct sl_job_figures *results, struct sl_failure *f);

/* Loops, from profiles of their cycles, iterations and entries, in this order. Figures, under
 * "loops":
 *
 *     loops share half     how many were executed; the part of all cycles that they have; how
 *                          many it takes for half of all cycles
 *     rounds               of the body, for each time that a loop is entered: the mean
 *     hottest (x: where)   part of all cycles of the one that has most */
lab_perform lab_functions_loops;

/* Storage of LEAP and SnoopP by functions (x) and bits of a counter, and the factor of the
 * stall correction by stalls in percent (x). */
lab_perform lab_functions_published;

#endif
