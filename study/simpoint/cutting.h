/* SPDX-License-Identifier: MIT */
/* Writing slices of a run as one trace: all blocks up to the last slice, so that instructions have
 * the numbers that they have in the run, but of what lies between slices only those accesses that
 * caches remember (last_accesses.h).
 *
 *     run     |----------------|==|-----------------------|==|---|==|------|
 *     trace   |blocks, last    |all|blocks, last accesses |all|...    all: from `whole`
 *                                                                     instructions
 *              accesses        ^ whole                               in front of each slice on */
#ifndef SL_CUTTING_H
#define SL_CUTTING_H

#include "stored_slices.h"

int sl_cut(const char *trace, const struct sl_kept_slices *slices, uint64_t whole,
           struct sl_failure *f);

#endif
