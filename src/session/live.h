/* SPDX-License-Identifier: MIT */
/* Live view of a session: reports each interval when it ends, with the names of its candidates
 * (frequent tuples).
 *
 *     table ─► sl_intervals_add ─► live: new, gone, names ─► sl_session_callbacks.interval
 *
 * The table calls sl_intervals_add() at the end of each interval, in the thread that runs its
 * group, so the live view adds no cost per event. The callback gets copies of the candidates and
 * strings of the symbols.
 *
 * The names of an address are cached, because a lookup is slow. After a new mapping, which may
 * change the names, they are looked up again. */
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

/* A profile whose intervals are reported. */
struct sl_live_profile {
    struct sl_live *live;
    const struct sl_profile *profile;
    size_t result; /* index of its first detector in reports */
    struct sl_live_detector of[SL_SPEC_DETECTORS];
    struct sl_live_candidate *now, *before, *gone; /* before: by tuple; the others by count */
    size_t n_before, now_capacity, before_capacity, gone_capacity;
};

/* The costs of functions (live_functions.c). */
struct sl_live_costs {
    struct sl_group *group;               /* the source; NULL: none */
    struct sl_index_map names, addresses; /* to an index of `context`, `function` */
    struct sl_live_context *context;      /* by tuple id */
    uint64_t *counted;                    /* by tuple id: events, if the group has no totals */
    struct sl_live_function *function;
    size_t n, context_capacity, counted_capacity, function_capacity; /* n: contexts */
    bool out_of_memory;
};

struct sl_live {
    struct sl_session_callbacks callbacks;
    const struct sl_detector_env *env; /* the session's */
    struct sl_live_profile *profile;
    size_t n_profiles;
    pthread_mutex_t lock;          /* groups may end intervals at the same time */
    struct sl_index_map addresses; /* to an index of `place` */
    struct sl_live_place {
        struct sl_db_location is;     /* not moved or freed before the end: callbacks point to it */
        size_t n_objects;             /* mappings that were known at the lookup */
        struct sl_live_place *before; /* result of an earlier lookup; NULL: none */
    } * *place;
    size_t places_capacity;
    struct sl_live_costs functions;
};

void sl_live_close(struct sl_live *live);

/* Finds the profile of functions; false: none. Then gets its events, after the plans are chosen. */
bool sl_live_costs_find(struct sl_live_costs *costs, struct sl_profile *profile, size_t n);
void sl_live_costs_start(struct sl_live_costs *costs);

#endif
