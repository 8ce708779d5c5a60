/* SPDX-License-Identifier: MIT */
/* A stream with the loads of some stretches only (stretches.h), whoever gave it: a tap that has
 * left the others out, one that has not, or a trace. */
#ifndef SL_WATCHED_H
#define SL_WATCHED_H

#include "event.h"
#include "sluice.h"

/* All zero: loads are watched everywhere. */
struct sl_watched {
    struct sl_stretches stretches;  /* of 0 or 1: everywhere */
    struct sl_watched_state *state; /* made when it is needed */
};

/* Leaves of the chunk, the next one of the stream, the loads that are watched; blocks all stay.
 * What it then points to stays until the next call. False for memory that is not to be had. */
bool sl_watched_cut(struct sl_watched *watched, struct sl_chunk *chunk);

void sl_watched_free(struct sl_watched *watched);

#endif
