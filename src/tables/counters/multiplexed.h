/* SPDX-License-Identifier: MIT */
/* What counters that take turns are made of: see multiplexed.c. */
#ifndef SL_MULTIPLEXED_H
#define SL_MULTIPLEXED_H

#include "table.h"

struct sl_multiplexed_config {
    uint64_t counters, rotation, events;
};

/* What software knows of an event. */
struct sl_multiplexed_event {
    struct sl_tuple tuple;
    uint64_t count, time; /* that it was counted, without the turn under way */
    bool seen, active;
};

struct sl_multiplexed {
    const struct sl_multiplexed_config *config;
    struct sl_multiplexed_event *event; /* by number; the first is the clock */
    uint64_t n_turning;                 /* the others */
    uint64_t first;                     /* of these, the first that has its turn */
    uint64_t time, turn_began;
    uint64_t events, weight, drops, drops_weight;
};

#endif
