/* SPDX-License-Identifier: MIT */
/* Load sampling: removes the loads outside of sampling windows (stretches.h) from a stream. Blocks
 * stay. The result is the same for a trace, for a tap that left these loads out already, and for
 * one that did not. */
#ifndef SL_WATCHED_H
#define SL_WATCHED_H

#include "event.h"
#include "sluice.h"

/* All zero: every load stays. */
struct sl_watched {
    struct sl_stretches stretches;  /* of = 0 or 1: every load */
    struct sl_watched_state *state; /* allocated by the first chunk that needs it */
};

/* Reduces the next chunk of the stream to the sampled loads. Its arrays are valid until the next
 * call. Returns false if out of memory. */
bool sl_watched_cut(struct sl_watched *watched, struct sl_chunk *chunk);

void sl_watched_free(struct sl_watched *watched);

#endif
