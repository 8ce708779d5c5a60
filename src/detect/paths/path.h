/* SPDX-License-Identifier: MIT */
/* The path detector, for those who ask it more than for its events. */
#ifndef SL_PATH_H
#define SL_PATH_H

#include "detector.h"
#include "path_stack.h"

extern const struct sl_detector_kind sl_detector_path;

/* As the detector's feed, and says how many operations each branch made it do: by the place
 * in the chunk of the block behind the branch, 0 where there is none. The slice is active,
 * and `out` has room for places, which tell of which of these the events are. */
int sl_path_work(void *state, const struct sl_slice *slice, struct sl_events *out,
                 uint8_t *operations, struct sl_failure *f);

/* What its stacks went through so far, of all threads. `state` is the detector's. */
void sl_path_count(const void *state, struct sl_path_counts *counts);

#endif
