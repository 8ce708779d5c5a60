/* SPDX-License-Identifier: MIT */
/* Dynamic overlap: how good profiles of a short time are (section 6.2 of the path profiler's
 * document, which wants to know how accurate a profiler is that is switched on for short
 * durations).
 *
 * The run is cut into windows of so many instructions. In each a table begins empty, and at
 * its end it is judged by the exact profile of the same events. The profile itself, which
 * counts on, is in another table of the same kind:
 *
 *     instructions    |   window 0   |   window 1   |   window 2   | rest
 *     the profile     |---------------------------------------------------
 *     beside it         the same     |--------------|--------------|------
 *
 * As long as a run has one window only, the two would be the same and there is nothing
 * beside. A window ends with the block in which the last of its instructions is. What is a
 * window's is what the detectors gave in it: a path that began before counts where it ends.
 *
 * The dynamic overlap is the mean over all whole windows in which there was something to
 * count; the rest of the run is left out, unless it is all there is.
 *
 * Left out are tables that work by intervals, which are judged by these, and those that grow
 * and lose nothing. A table beside has as much memory as the profile's own. */
#ifndef SL_WINDOWS_H
#define SL_WINDOWS_H

#include "measured.h"

struct sl_windows {
    struct sl_windowed {
        struct sl_measured *table; /* the caller's */
        struct sl_table *beside;   /* another of its kind, from the second window on */
    } * windowed;
    size_t n, room;
    struct sl_table_host host;
    bool begun;                     /* the second window has */
    struct sl_interval_exact exact; /* from then on */
    bool out_of_memory;
};

/* Takes the table up, if windows mean something to it. Out of memory: false. */
bool sl_windows_join(struct sl_windows *windows, struct sl_measured *table);

/* What the tables themselves got, too. */
void sl_windows_observe(struct sl_windows *windows, const struct sl_batch *batch);

/* A window ends here: adds its overlap to each table's, and makes the tables of the next.
 * `exact` is the exact profile since the run began. The last one may be `partial`. */
int sl_windows_end(struct sl_windows *windows, const struct sl_table *exact,
                   const struct sl_names *names, bool partial, struct sl_failure *f);

void sl_windows_free(struct sl_windows *windows);

#endif
