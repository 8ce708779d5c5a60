/* SPDX-License-Identifier: MIT */
/* The path detector, for those who ask it more than for its events. */
#ifndef SL_PATH_H
#define SL_PATH_H

#include "detector.h"
#include "path_stack.h"

/* What its stacks went through so far, of all threads. `state` is the detector's. */
void sl_path_count(const void *state, struct sl_path_counts *counts);

#endif
