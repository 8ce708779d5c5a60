/* SPDX-License-Identifier: MIT */
/* Steps of the experiment `functions` of `sluice lab`, which compares hardware function profilers,
 * finds the hot loops of programs, and recomputes published tables without running a program. */
#ifndef EXPERIMENT_FUNCTIONS_H
#define EXPERIMENT_FUNCTIONS_H

#include "lab.h"
#include "profile_list.h"

/* Compares the cost of each function in LEAP, SnoopP and the exact profile.
 *
 * The step has three profiles per metric: exact, LEAP, SnoopP, in this order. After them it may
 * have, in this order:
 *
 *     LEAP as in the paper, with 32-bit counters and a stack of 32 calls
 *     inclusive profiles of the same metric: exact, LEAP
 *     calling contexts by cycles and by energy, for the gain of moving functions to hardware
 *     a stack that wraps around, the same without wrapping, and an inclusive profile that charges
 *     recursive calls each time
 *
 * Figures, in addition to those of a replay:
 *
 *     functions ranges hashed tab      of the program: number of functions, number of address
 *     perfect stripped                 ranges, entries of the perfect hash, bits of its table; 1
 *                                      if a perfect hash was found; 1 if only exported functions
 *                                      are known
 *     factor extrapolated              energy correction of the CPU model
 *     by metric, over the program's own functions (those in the directory of main's source):
 *     own                              number of functions that SnoopP has counted
 *     leap_off snoopp_off apart        largest difference of LEAP and of SnoopP to exact, and
 *                                      between the two
 *     own_mean                         mean of |LEAP - SnoopP| / SnoopP
 *     by metric, over all functions of the program:
 *     total counted all_mean           total cost; number of functions that SnoopP has counted;
 *                                      the mean as above
 *     leap_dropped snoopp_dropped      fractions of the total that were charged to no function,
 *     misplaced                        and that LEAP charged to the wrong function
 *     stubs_more others_more less      what LEAP charges to linker stubs and to other functions
 *                                      beyond SnoopP, and what it charges less
 *     exact leap snoopp (x: function)  costs of the program's own functions; exact costs of other
 *                                      functions from 0.1 % of the total
 *     more (x: function)               LEAP's cost minus SnoopP's as a fraction of the total, if
 *                                      at least 0.1 %
 *     "document":                      LEAP as in the paper. forgotten, lost: calls and returns
 *                                      that the stack lost; full: saturated counters; apart: the
 *                                      largest difference to LEAP without these limits
 *     "hierarchical":                  inclusive profiles. exact, leap (x: function); leap_off
 *     "wraps", "twice":                effect of the wrapping stack and of recursion. off: the
 *                                      largest change of a function as a fraction of the total;
 *                                      functions: how many change; lost: returns
 *     "hybrid 1", "hybrid 2", "both":  functions moved to hardware. function (x: name); cycles,
 *                                      energy: fractions moved; speedup, energy_left if hardware
 *                                      is 10 times as fast */
lab_perform lab_functions;

/* Adds the figures "hybrid 1", "hybrid 2" and "both" of lab_functions(). Returns 0 or an error of
 * the database that is saved for this. */
int lab_functions_moved(const struct lab_step *step, struct sl_session *session,
                        struct sl_job_results *results, struct sl_failure *f);

/* Hot loops of a program, from three profiles of loops: cycles, iterations and entries. Figures,
 * with the label "loops":
 *
 *     loops share half     number of executed loops; their fraction of all cycles; number of loops
 *                          that account for half of all cycles
 *     rounds               mean number of iterations per entry
 *     hottest (x: where)   fraction of all cycles of the most expensive loop */
lab_perform lab_functions_loops;

/* Storage of LEAP and SnoopP by number of functions (x) and counter width, and the factor of the
 * stall correction by percentage of stalls (x). */
lab_perform lab_functions_published;

#endif
