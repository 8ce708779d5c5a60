/* SPDX-License-Identifier: MIT */
/* Decoder of paths: reconstructs the blocks of a path from its tuple and the program's code. The
 * tuple has the first address and the outcome of each recorded branch (path_descriptor.h).
 *
 *     <0x1000, NT>    0x1000 --N--> 0x100a --T--> 0x1020 ... return
 *
 * The walk repeats what the detector did at each branch, from the same options: whether the branch
 * is recorded, whether the path ends there, whether at a call it waits for the return or continues
 * in the callee. A path that was split at its maximum length ends before the blocks that the next
 * one begins with.
 *
 * A walk stops early if the code does not determine the next block: after an indirect jump or call,
 * a return to a call outside the path, a branch that was not recorded, a missing block, or
 * SL_PATH_WALK_MAX blocks. Paths of kind procedure may start in a procedure that the previous path
 * was extended into, and then end where it returns; those of kind loop may consist of one backward
 * branch at which the previous path would have ended. The tuple does not say so. They are walked
 * for every possible extension, and the result is the common prefix of all walks that match the
 * outcomes.
 *
 * Not modelled: overwritten code. Of several blocks at one address, the longest is walked. */
#ifndef SL_PATH_WALK_H
#define SL_PATH_WALK_H

#include "code.h"
#include "index_map.h"
#include "path_control.h"

#define SL_PATH_WALK_MAX 256u

struct sl_path_walker {
    const struct sl_code *code;
    struct sl_index_map addresses; /* of blocks */
    uint32_t *longest;             /* by address: the longest block that begins there */
    bool *seen;                    /* NULL, or by block: set if a walk reads it */
};

struct sl_path_walk {
    uint32_t block[SL_PATH_WALK_MAX];
    size_t n;
    bool whole; /* the last block is the end of the path */
};

/* For the blocks that `code` has now. Returns 0 or SL_ENOMEM; sl_path_walker_free() is allowed in
 * either case. */
int sl_path_walker_init(struct sl_path_walker *walker, const struct sl_code *code,
                        struct sl_failure *f);
void sl_path_walker_free(struct sl_path_walker *walker);

/* Finds the blocks of a path; none if the path does not match the code. */
void sl_path_walk(const struct sl_path_walker *walker, const struct sl_path_config *config,
                  uint64_t pc, uint64_t value, struct sl_path_walk *walk);

#endif
