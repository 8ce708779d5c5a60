/* SPDX-License-Identifier: MIT */
/* What a profile of paths says of edges and blocks: a path is all the blocks along it, and
 * what their conditional branches did, as often as the path was taken. Where an indirect
 * jump went is not in a path, which ends at it; the blocks there are in the next one. */
#ifndef SL_PATH_PASSAGES_H
#define SL_PATH_PASSAGES_H

#include "passage.h"
#include "saved_code.h"

/* Adds those of the first n paths (0: all). Paths are walked as far as the code is known
 * (path_walk.h). SL_EUSAGE if it is not known which branches they have: several detectors of
 * paths that share a table. */
int sl_path_passages(struct sl_database *database, const struct sl_saved_profile *profile,
                     uint64_t n, const struct sl_saved_code *code, struct sl_passages *edges,
                     struct sl_passages *blocks, struct sl_failure *f);

#endif
