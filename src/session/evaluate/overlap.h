/* SPDX-License-Identifier: MIT */
/* How much two profiles have in common: the accuracy measures of the path profiler's
 * document, for tuples of any kind.
 *
 *     overlap  = sum over tuples of min(e / E, p / P)
 *     coverage = sum over tuples of min(e, p) / E
 *
 * e and p are a tuple's counts in the exact profile and in the one that is judged, E and P
 * the sums of all in each. Overlap is the same in both directions. It asks whether the
 * proportions are right, and a table that has lost nearly all may still have these right
 * for what is left; coverage asks how much of the run is in the counts. Both are from 0 to
 * 1, and 1 for equal profiles.
 *
 * A profile that counts nothing has no proportions: both measures are 1 if the other
 * counts nothing as well, and 0 otherwise.
 *
 * The document's *complete* overlap is that of the profiles of a whole run, its *dynamic*
 * overlap the mean over windows of the run (there of 100 M instructions), for each of
 * which a table begins empty. A window is whatever the caller compares; the mean is over
 * full windows in which there was something to count. A window that the end of the run cut
 * short is in it only if there is no such one. */
#ifndef SL_OVERLAP_H
#define SL_OVERLAP_H

#include "profile_list.h"

struct sl_overlap {
    double overlap, coverage;
    uint64_t exact_weight, weight; /* E and P */
    uint64_t common;               /* tuples that are in both */
};

/* Both lists are sorted unless they are sorted. A list that ran out of memory itself:
 * false, `out` is all zero. Sums of counts are assumed to stay below 2^63. */
bool sl_overlap(struct sl_profile_list *exact, struct sl_profile_list *profile,
                struct sl_overlap *out);

/* The windows of one table in one run; all zero before its first use. */
struct sl_overlaps {
    struct sl_overlap_window {
        struct sl_overlap overlap;
        bool partial;
    } * window;
    size_t n, room;
};

/* Judges a window by the exact profile of the same events. Out of memory, here or in a
 * list: false, and the window is as if it had not been. */
bool sl_overlaps_add(struct sl_overlaps *run, struct sl_profile_list *exact,
                     struct sl_profile_list *profile, bool partial);

struct sl_overlap_mean {
    double overlap, coverage;      /* 0 without any window that counts */
    uint64_t full, empty, partial; /* windows; empty ones are full, but in no mean */
};

void sl_overlaps_mean(const struct sl_overlaps *run, struct sl_overlap_mean *mean);

void sl_overlaps_free(struct sl_overlaps *run);

#endif
