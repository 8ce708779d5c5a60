/* SPDX-License-Identifier: MIT */
/* Reports all measurements of a session one by one, for the result files of `sluice sweep` and
 * `sluice lab`. The names of all measurements are listed below.
 *
 * For each profile:
 *
 *     every error by its name          invariance overlap coverage interval false_positive ...
 *     events weight distinct drops     of the table, at the end
 *     storage                          bits
 *     messages interrupts              if the table sends messages
 *     gap_min gap_median               events between two messages
 *
 * For tables with intervals also:
 *
 *     tables counters bits length threshold conservative reset retain seed
 *                                      the configuration; the threshold in %
 *     intervals full                   number of intervals, and of complete ones
 *     tuples candidates covered        means over the full intervals: distinct tuples, exact
 *     reported                         candidates and their percentage of the events, candidates
 *                                      of the profile
 *     promotions-dropped               promotions for which the accumulator was full
 *     bound                            on the rate of false positives
 *     predicted new_candidates                 predicted events: part of the events after the first
 *                                      interval whose tuple was reported for the interval before
 *                                      and again for their own; reported tuples that were not
 *                                      reported for the interval before
 *
 * With `series`, also:
 *
 *     curve (x: events)                the error over time, by the profile's measure
 *     sent (x: events)                 messages over time
 *     invariance (x: events)           invariance error over time, if tuples belong to
 *                                      instructions and the measure is another one
 *     series (x: interval)             error of each full interval
 *     change (x: interval)             part of the exact candidates of this interval and the one
 *                                      before that are in only one of the two
 *
 * For the run, without a profile: instructions, blocks, loads, and every event of the CPU model;
 * for a profiler that stalls the CPU model, branches and cycles of its work. */
#ifndef SL_SESSION_MEASUREMENTS_H
#define SL_SESSION_MEASUREMENTS_H

#include "session.h"

#define SL_MEASUREMENT_OF_RUN SIZE_MAX /* instead of a profile's index */

struct sl_measurement_sink {
    /* Gets each measurement. `item` is NULL, or the subject within the profile (an event of the CPU
     * model); `x` is a position, or NAN; `value` is NAN if it is not defined. */
    void (*report)(void *context, size_t profile, const char *measure, const char *item, double x,
                   double value);
    void *context;
    bool series;
};

/* Reports all measurements of a session that has run with `exact`. */
void sl_session_measurements(const struct sl_session *session,
                             const struct sl_measurement_sink *to);

#endif
