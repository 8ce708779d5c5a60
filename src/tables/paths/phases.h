/* SPDX-License-Identifier: MIT */
/* Phases of a run, from the turnover of a hot path table: the use that the document of the path
 * profiler names, without saying how. Ours:
 *
 * Software reads the table after every `window` events, and sees by how much each counter has
 * risen: where the window's weight went. That is compared with where the weight of the phase under
 * way has gone so far. The window's turnover is what went elsewhere:
 *
 *     turnover = 1 - sum over paths of the smaller of its two shares, in the window and in the
 *     phase
 *
 * What went to paths that did not stay in the table is known of none of them; it is taken for one
 * path. A window whose turnover is more than `most` begins the next phase.
 *
 * A phase's hot paths are those whose counts rose most in it, as the table saw it. Two phases are
 * of one kind if they have half of these in common, by their shares; kinds are numbered as they
 * come, and compared with the first phase of each.
 *
 * Memory is taken while the run goes on: it is software's. At its end, or after PHASES_MAX phases,
 * the last one goes on to the end of the run. */
#ifndef SL_PHASES_H
#define SL_PHASES_H

#include "index_map.h"
#include "sluice.h"

#define SL_PHASE_PATHS 8u
#define SL_PHASES_MAX 10000u

struct sl_phase {
    uint64_t first_event, events, weight;
    uint64_t turnover; /* of 2^32: with which it began; 2^32 for the first */
    uint64_t kind;     /* from 1 */
    size_t n_paths;
    struct sl_phase_path {
        struct sl_tuple tuple;
        uint64_t weight;
    } path[SL_PHASE_PATHS]; /* heaviest first */
};

struct sl_phases {
    uint64_t window, most;   /* events; of 2^32 */
    uint64_t left;           /* events to the window's end */
    uint64_t events, weight; /* up to the last window */
    /* The table as it was then. */
    struct sl_tuple *tuple;
    uint64_t *count;
    size_t n_entries;
    /* The phase under way. */
    struct sl_phase now;
    struct sl_index_map map; /* tuples that rose in it */
    struct sl_phase_path *rise;
    uint64_t *fresh; /* of each: in the window */
    size_t room_rises, room_fresh;
    uint64_t known;         /* sum of the rises */
    struct sl_phase *phase; /* those that have ended */
    size_t n, room;
    uint64_t n_kinds;
    bool full;
};

/* The table after `events` events of `weight`, at the end of a window, or of the run. */
void sl_phases_read(struct sl_phases *phases, const struct sl_tuple *tuple, const uint64_t *count,
                    uint64_t events, uint64_t weight, bool last);

void sl_phases_free(struct sl_phases *phases);

#endif
