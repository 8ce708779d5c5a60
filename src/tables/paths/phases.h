/* SPDX-License-Identifier: MIT */
/* Detector of program phases: starts a new phase of the run when the percentages of the paths in a
 * hot path table change by more than a limit.
 *
 * Vaswani et al., "A Programmable Hardware Path Profiler", 2005, name this use without an
 * algorithm; this one is ours.
 *
 * Software reads the table after every `window` events. The growth of each counter shows how the
 * weight of the window is distributed over paths. It is compared with the distribution of the
 * current phase so far:
 *
 *     turnover = 1 - sum over paths of min(fraction in the window, fraction in the phase)
 *
 * Weight of paths that did not stay in the table counts as one path. A window whose turnover
 * exceeds `most` starts a new phase.
 *
 * The hot paths of a phase are those whose counters grew most. Two phases have the same kind if
 * their hot paths overlap by at least half, by weight. Kinds are numbered in order of appearance; a
 * phase is compared with the first phase of each kind.
 *
 * This is software: it allocates during the run. If memory is exhausted, or after SL_PHASES_MAX
 * phases, the last phase extends to the end of the run. */
#ifndef SL_PHASES_H
#define SL_PHASES_H

#include "index_map.h"
#include "sluice.h"

#define SL_PHASE_PATHS 8u
#define SL_PHASES_MAX 10000u

struct sl_phase {
    uint64_t first_event, events, weight;
    uint64_t turnover; /* of its first window, in units of 2^-32; 2^32 for the first phase */
    uint64_t kind;     /* from 1 */
    size_t n_paths;
    struct sl_phase_path {
        struct sl_tuple tuple;
        uint64_t weight;
    } path[SL_PHASE_PATHS]; /* largest weight first */
};

struct sl_phases {
    uint64_t window, most;   /* events; units of 2^-32 */
    uint64_t left;           /* events until the end of the window */
    uint64_t events, weight; /* up to the end of the last window */
    /* The table at that time. */
    struct sl_tuple *tuple;
    uint64_t *count;
    size_t n_entries;
    /* The current phase. */
    struct sl_phase now;
    struct sl_index_map map; /* tuples whose counters grew in it */
    struct sl_phase_path *rise;
    uint64_t *fresh; /* growth of each in the current window */
    size_t rises_capacity, fresh_capacity;
    uint64_t known;         /* sum of the growth of all tuples */
    struct sl_phase *phase; /* finished phases */
    size_t n, capacity;
    uint64_t n_kinds;
    bool full;
};

/* Reads the table after `events` events of total weight `weight`, at the end of a window or
 * (`last`) of the run. */
void sl_phases_read(struct sl_phases *phases, const struct sl_tuple *tuple, const uint64_t *count,
                    uint64_t events, uint64_t weight, bool last);

void sl_phases_free(struct sl_phases *phases);

#endif
