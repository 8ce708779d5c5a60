/* SPDX-License-Identifier: MIT */
/* Writes the slices of a run to one trace. The trace contains all blocks up to the end of the last
 * slice, so that an instruction has the same position as in the run. Between slices, the trace
 * contains only the memory accesses that determine the contents of caches (last_accesses.h).
 *
 *     run     |----------------|==|-----------------------|==|---|==|------|
 *     trace   |blocks, last    |all|blocks, last accesses |all|...    all: from `whole`
 *                                                                     instructions
 *              accesses        ^ whole                               before each slice on */
#ifndef SL_CUTTING_H
#define SL_CUTTING_H

#include "stored_slices.h"

/* Writes slices->trace. Returns 0, SL_ENOMEM, SL_EIO, or an error of the trace that is read. */
int sl_cut(const char *trace, const struct sl_stored_slices *slices, uint64_t whole,
           struct sl_failure *f);

#endif
