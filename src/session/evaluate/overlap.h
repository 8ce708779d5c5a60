/* SPDX-License-Identifier: MIT */
/* Measures of the agreement between a profile and the exact profile: overlap, coverage and relative
 * error.
 *
 * Overlap and coverage (Vaswani et al., "A Programmable Hardware Path Profiler", 2005, for tuples
 * of any kind):
 *
 *     overlap  = sum over tuples of min(e / E, p / P)
 *     coverage = sum over tuples of min(e, p) / E
 *
 * e and p are a tuple's counts in the exact and in the evaluated profile, E and P the sums of all
 * counts of each. Overlap is symmetric. It compares proportions: a table that lost most events can
 * still have the right proportions for the rest. Coverage says how much of the run is in the
 * counts. Both are between 0 and 1, and 1 for equal profiles. For an empty profile both measures
 * are 1 if the other profile is empty, too, and 0 otherwise.
 *
 * The paper's *complete* overlap is that of the profiles of a whole run, its *dynamic* overlap the
 * mean over windows of the run (100 M instructions in the paper), in each of which a table starts
 * empty. The mean is over complete windows with at least one event; an incomplete window counts
 * only if there is no complete one.
 *
 * Relative error, for a few tuples of which each one matters, for example machine events: the mean
 * over the tuples of the exact profile of |p - e| / e. */
#ifndef SL_OVERLAP_H
#define SL_OVERLAP_H

#include "profile_list.h"

struct sl_overlap {
    double overlap, coverage;
    uint64_t exact_weight; /* E */
};

/* Sorts both lists if necessary. Returns false and a zeroed `out` if a list is incomplete for lack
 * of memory. Sums of counts are assumed to stay below 2^63. */
bool sl_overlap(struct sl_profile_list *exact, struct sl_profile_list *profile,
                struct sl_overlap *out);

struct sl_overlap_mean {
    double overlap, coverage; /* 0 if no window counts */
    uint64_t windows;         /* complete ones with events */
};

/* The windows of one table in one run; zeroed before its first use. */
struct sl_overlaps {
    size_t n;
    struct sl_overlap_mean full, partial; /* sums over the windows with events */
};

/* Adds the overlap of a window with the exact profile of the same events. Returns false if a list
 * is incomplete for lack of memory; nothing is added then. */
bool sl_overlaps_add(struct sl_overlaps *run, struct sl_profile_list *exact,
                     struct sl_profile_list *profile, bool partial);

void sl_overlaps_mean(const struct sl_overlaps *run, struct sl_overlap_mean *mean);

struct sl_relative {
    double error;
    uint64_t tuples; /* that it is the mean of; 0: undefined */
};

/* Sorts both lists if necessary. */
void sl_relative(struct sl_profile_list *exact, struct sl_profile_list *profile,
                 struct sl_relative *out);

#endif
