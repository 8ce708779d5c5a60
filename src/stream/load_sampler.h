/* SPDX-License-Identifier: MIT */
/* Load sampling: removes the loads outside of sampling windows (load_sampling.h) from a stream.
 * Blocks stay. The result is the same for a trace, for a tap that left these loads out already, and
 * for one that did not. */
#ifndef SL_LOAD_SAMPLER_H
#define SL_LOAD_SAMPLER_H

#include "event.h"
#include "sluice.h"

/* All zero: every load stays. */
struct sl_load_sampler {
    struct sl_load_sampling stretches;   /* of = 0 or 1: every load */
    struct sl_load_sampler_state *state; /* allocated by the first chunk that needs it */
};

/* Reduces the next chunk of the stream to the sampled loads. Its arrays are valid until the next
 * call. Returns false if out of memory. */
bool sl_load_sampler_cut(struct sl_load_sampler *watched, struct sl_chunk *chunk);

void sl_load_sampler_free(struct sl_load_sampler *watched);

#endif
