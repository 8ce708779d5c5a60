/* SPDX-License-Identifier: MIT */
/* Struct with the state of the multiplexed counters (multiplexed.c), exact counters that count
 * different events in turn. The RTL generator uses this struct, too. */
#ifndef SL_MULTIPLEXED_H
#define SL_MULTIPLEXED_H

#include "table.h"

struct sl_multiplexed_config {
    uint64_t counters, rotation, events;
};

/* What software stores about an event. */
struct sl_multiplexed_event {
    struct sl_tuple tuple;
    uint64_t count, time; /* counting time, without the current turn */
    bool seen, active;
};

struct sl_multiplexed {
    const struct sl_multiplexed_config *config;
    struct sl_multiplexed_event *event; /* by tuple id; event 0 is the clock */
    uint64_t n_sharing;                 /* number of the other events */
    uint64_t first;                     /* first of them that is counted now */
    uint64_t time, turn_began;
    uint64_t events, weight, drops, drops_weight;
};

#endif
