/* SPDX-License-Identifier: MIT */
/* Filter for load sampling (--sample-loads): removes all loads outside of the sampling windows
 * (load_sampling.h) from a stream, but no blocks. If the tap, the part of sluice in QEMU, has
 * already omitted these loads, the result is the same. */
#ifndef SL_LOAD_SAMPLER_H
#define SL_LOAD_SAMPLER_H

#include "event.h"
#include "sluice.h"

/* All zero: every load stays. */
struct sl_load_sampler {
    struct sl_load_sampling sampling;    /* of = 0 or 1: every load */
    struct sl_load_sampler_state *state; /* allocated by the first chunk that needs it */
};

/* Reduces the next chunk of the stream to the sampled loads. Its arrays are valid until the next
 * call. Returns false if out of memory. */
bool sl_load_sampler_cut(struct sl_load_sampler *sampler, struct sl_chunk *chunk);

void sl_load_sampler_free(struct sl_load_sampler *sampler);

#endif
