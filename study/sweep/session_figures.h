/* SPDX-License-Identifier: MIT */
/* The figures that a run leaves, one by one, as everybody keeps them: a sweep's file, the lab's.
 * By profile:
 *
 *     every error by its name          invariance overlap coverage interval false_positive ...
 *     events weight distinct drops     of the table, at the end
 *     storage                          bits
 *     messages interrupts              of one that tells software
 *     gap_min gap_median               events between two of these
 *
 * and of a table that works by intervals
 *
 *     tables counters bits length threshold conservative reset retain seed
 *                                      as it is configured; the threshold in %
 *     intervals full                   how many, and how many were not cut short
 *     tuples candidates covered        means over the full ones: distinct tuples, exact
 *     reported                         candidates and their share of the events, candidates
 *                                      of the profile
 *     bound                            on the rate of false positives
 *     foretold entered                 share of the events behind the first interval that were
 *                                      of tuples reported for the interval before, and again
 *                                      for their own; what was reported and had not been in
 *                                      the interval before
 *
 * With `series`, also
 *
 *     curve (x: events)                the error by its measure as it evolved
 *     sent (x: events)                 the messages likewise
 *     invariance (x: events)           likewise, where tuples are of instructions and the measure
 *                                      is another
 *     series (x: interval)             error of each full interval
 *     change (x: interval)             share of the exact candidates of it or the one before
 *                                      that are in one of them only
 *
 * and of the run, as of no profile: instructions, blocks, loads, and every count of the machine; of
 * a profiler that the machine waits for, the branches and the cycles of its work. */
#ifndef SL_SESSION_FIGURES_H
#define SL_SESSION_FIGURES_H

#include "outcome.h"

#define SL_FIGURES_RUN SIZE_MAX /* instead of a profile's number */

struct sl_figures_to {
    /* `item` is NULL, or what the figure is of (a count of the machine); `x` NAN, or where. A value
     * may be NAN: then there is none. */
    void (*tell)(void *context, size_t profile, const char *measure, const char *item, double x,
                 double value);
    void *context;
    bool series;
};

/* All of them, of a session that has run with `exact`. */
void sl_session_figures(const struct sl_session *session, const struct sl_figures_to *to);

#endif
