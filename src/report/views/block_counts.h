/* SPDX-License-Identifier: MIT */
/* How often each saved block was passed: as a profile of blocks has it, or as it follows
 * from edges. */
#ifndef SL_BLOCK_COUNTS_H
#define SL_BLOCK_COUNTS_H

#include "passage.h"
#include "saved_code.h"

/* Fills count[], one for each saved block. All lists are settled. `calls` and `blocks` are
 * NULL where there is no such profile. SL_ENOMEM when memory ran out. */
int sl_block_counts(const struct sl_saved_code *code, const struct sl_passages *edges,
                    const struct sl_passages *calls, const struct sl_passages *blocks,
                    uint64_t *count, struct sl_failure *f);

#endif
