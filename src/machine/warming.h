/* SPDX-License-Identifier: MIT */
/* Functional warming: the stream goes through caches, TLBs, prefetchers and predictors, but through
 * no core, so that what is run next in detail finds them as if all had been ("SMARTS: Accelerating
 * microarchitecture simulation via rigorous statistical sampling", Wunderlich, Wenisch, Falsafi and
 * Hoe, 2003).
 *
 * Each block is judged as it is come to, its lines are fetched, then its accesses are made. The
 * clock, which prefetchers look at, goes on by a cycle for each instruction.
 *
 * Not as in detail: the order of a block's lines and its accesses, and how long lines take that
 * were prefetched. */
#ifndef SL_WARMING_H
#define SL_WARMING_H

#include "arrival.h"
#include "event.h"
#include "hierarchy.h"

void sl_warm(struct sl_hierarchy *hierarchy, struct sl_predictor *predictor,
             const struct sl_code *code, struct sl_arrival_place *place,
             const struct sl_chunk *chunk);

#endif
