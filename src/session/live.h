/* SPDX-License-Identifier: MIT */
/* Watching a session: each interval, as it ends, with names for its candidates.
 *
 *     table ─► sl_intervals_add ─► live: what came, what went, what it is called ─► the watcher
 *
 * The table calls at the end of an interval, in whichever thread its group is at work; nothing is
 * added to what an event costs. The watcher gets copies and strings of the symbols, and nothing
 * that it could change.
 *
 * Names cost more than counts, so what an address is called is asked once and kept. New mappings
 * may change the answer: after one, it is asked again. */
#ifndef SL_LIVE_H
#define SL_LIVE_H

#include <pthread.h>

#include "detector.h"
#include "index_map.h"
#include "group.h"
#include "symbol.h"

/* Detector and options of a candidate, from which a report can print its tuple. */
struct sl_live_detector {
    const struct sl_detector_kind *kind;
    void *config;
};

/* A profile that is watched. */
struct sl_live_profile {
    struct sl_live *live;
    const struct sl_profile *profile;
    size_t result; /* its first among those that are saved */
    struct sl_live_detector of[SL_SPEC_DETECTORS];
    struct sl_live_candidate *now, *before, *gone; /* before: by tuple; the others heaviest first */
    size_t n_before, room_now, room_before, room_gone;
};

struct sl_live {
    struct sl_watcher watcher;
    const struct sl_watch *watch; /* the stream's */
    struct sl_live_profile *profile;
    size_t n_profiles;
    pthread_mutex_t lock; /* groups may end their intervals at the same time */
    bool open;
    struct sl_index_map addresses; /* to a place in `place` */
    struct sl_live_place {
        struct sl_saved_place *place; /* stays where it is: watchers point to it */
        size_t n_objects;             /* mappings that were known when it was asked for */
    } * place;
    size_t room_places;
    struct sl_saved_place *
        *old; /* what was called otherwise later, for those who still point to it */
    size_t n_old, room_old;
};

/* Has the watcher told of the intervals of these profiles. `watch` is looked at later. False when
 * memory ran out. */
bool sl_live_open(struct sl_live *live, const struct sl_watcher *watcher,
                  const struct sl_watch *watch, struct sl_profile *profile, size_t n_profiles);

/* Nobody is told from now on. */
void sl_live_end(struct sl_live *live);

void sl_live_close(struct sl_live *live);

#endif
